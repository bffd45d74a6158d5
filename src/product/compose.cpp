#include "product/compose.hpp"

#include <algorithm>

#include "product/explore.hpp"

namespace surety {
namespace {

Alphabet alphabet_of(const std::vector<const Lts*>& parts) {
  Alphabet all;
  for (const Lts* part : parts) all = unite(all, part->alphabet());
  return all;
}

// When every part that can end has ended, the visible actions of all parts are blocked: may_terminate() says that each
// belongs to one of those. What is left are silent steps of the others.
bool has_ended(const Product& product, const std::vector<const Lts*>& parts, const std::uint64_t* state) {
  const auto at = [&](std::size_t p) { return product.states(p)[product.field(p).code(state)]; };
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (parts[p]->end() && parts[p]->end() != at(p)) return false;
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (!parts[p]->steps(at(p), kTau).empty()) return false;
  return true;
}

std::vector<std::vector<State>> unpack(const Product& product, const Explored& found) {
  std::vector<std::vector<State>> out(found.lts.state_count());
  for (std::uint32_t s = 0; s < out.size(); ++s)
    if (State{s} != found.lts.error())
      out[s] = product.unpack(found.states.data() + std::uint64_t{s} * product.words());
  return out;
}

}  // namespace

std::optional<Lts> compose(const std::vector<const Lts*>& parts, Budget& budget, const Priority* priority,
                           std::vector<std::vector<State>>* tuples, std::uint64_t most) {
  if (!budget.go_on()) return std::nullopt;
  if (std::ranges::any_of(parts, [](const Lts* part) { return part->state_count() == 0; })) {
    // A part that cannot even begin keeps the whole from beginning.
    return LtsWriter().build(alphabet_of(parts), {}, {});
  }
  std::vector<Part> all;
  for (const Lts* part : parts) all.push_back({part});
  Charge charge(budget);
  const auto product = Product::within(budget, charge, all);
  if (!product) return std::nullopt;
  ExploreOptions options;
  if (priority != nullptr) options.edit = [&](FoundSteps steps) { give_way(*priority, steps); };
  if (may_terminate(parts))
    options.is_end = [&](const std::uint64_t* state) { return has_ended(*product, parts, state); };
  options.too_large = [&](std::uint64_t states, std::uint64_t steps) { return states + steps > most; };
  auto found = explore(*product, alphabet_of(parts), options, budget, charge);
  if (!found) return std::nullopt;
  if (tuples != nullptr) *tuples = unpack(*product, *found);
  return std::move(found->lts);
}

bool may_terminate(const std::vector<const Lts*>& parts) {
  // LTSA's quirk (doc/semantics.md#end-and-deadlock): a part that is END from the start counts as one that has no END
  // here.
  const auto ends = [](const Lts& part) { return part.end() && part.end() != part.initial(); };
  Alphabet of_ending, of_others;
  bool any = false;
  for (const Lts* part : parts) {
    auto& sum = ends(*part) ? of_ending : of_others;
    sum = unite(sum, part->alphabet());
    any = any || ends(*part);
  }
  return any && subtract(of_others, of_ending).empty();
}

}  // namespace surety
