#include "rules/triple.hpp"

#include "model/transform.hpp"

namespace surety {

std::vector<Part> triple(const Lts* assumption, const ComponentSet& side, const Lts& property) {
  std::vector<Part> parts;
  if (assumption != nullptr) parts.push_back({assumption});
  for (const Lts* component : side) parts.push_back({component, Role::component, false});
  parts.push_back({&property, Role::watch});
  return parts;
}

SearchResult check_triple(const Lts* assumption, const ComponentSet& side, const Lts& property, const Context& context,
                          Checker::Want want) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<Budget> share;
  if (context.search_states) share.emplace(context.budget, Limits{{}, {}, context.search_states, {}});
  Budget& budget = share ? *share : context.budget;
  auto result = context.checker != nullptr ? context.checker->check(assumption, side, property, want, budget)
                                           : search(triple(assumption, side, property), Goal::violation, budget,
                                                    context.threads, context.reduction);
  if (budget.why() == Stop::states) context.budget.stop(Stop::states);
  context.cost.add(result);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  context.cost.last_searches = {context.cost.last_searches[1], {result.states, seconds.count()}};
  return result;
}

SearchResult violation_under(Word word, const Alphabet& alphabet, const ComponentSet& side, const Lts& property,
                             const Context& context, Checker::Want want) {
  const Lts environment = trace_lts(word, alphabet);
  return check_triple(&environment, side, property, context, want);
}

SearchResult performance(Word word, const Alphabet& alphabet, const ComponentSet& side, const Context& context) {
  SearchResult result;
  result.outcome = SearchResult::Outcome::found;
  if (word.empty()) return result;
  // A system that is allowed the word, and violates a property that forbids only its last letter, has done the word.
  const Lts all = trace_lts(word, alphabet), all_but_one = trace_lts(word.first(word.size() - 1), alphabet);
  return check_triple(&all, side, all_but_one, context);
}

}  // namespace surety
