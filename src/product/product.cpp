#include "product/product.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "base/check.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kUsableBits = 63;
constexpr std::uint32_t kNoCode = std::numeric_limits<std::uint32_t>::max();
// A table by action and state is made if it has few cells, or few for each step.
constexpr std::uint64_t kFewCells = 65536, kCellsPerStep = 4;

// Codes in breadth-first order: the initial state is 0, unreachable and error states have none.
std::vector<std::uint32_t> number_states(const Lts& lts, std::vector<State>& state_of) {
  std::vector<std::uint32_t> code_of(lts.state_count(), kNoCode);
  auto visit = [&](State s) {
    if (code_of[s.value] != kNoCode || s == lts.error()) return;
    code_of[s.value] = static_cast<std::uint32_t>(state_of.size());
    state_of.push_back(s);
  };
  visit(lts.initial());
  for (std::size_t i = 0; i < state_of.size(); ++i)
    for (const Step& step : lts.steps(state_of[i])) visit(step.target);
  return code_of;
}

std::uint64_t part_bit(std::uint32_t part) { return 1ULL << part % 64; }

// The addition at begin, if it is the only one and does not lead to the error state.
std::uint64_t single(const std::vector<std::uint64_t>& deltas, std::uint32_t begin, std::uint32_t end) {
  const bool plain = end - begin == 1 && deltas[begin] != Product::kToError;
  return plain ? deltas[begin] : Product::kSeveral;
}

// A step of a part: local action (tau is the one after the last), the code it starts from, the addition.
struct PartStep {
  std::uint32_t local, code;
  std::uint64_t delta;
};

std::vector<PartStep> list_steps(const Lts& lts, const std::vector<State>& state_of,
                                 const std::vector<std::uint32_t>& code_of, std::uint32_t shift,
                                 Product::Direction direction) {
  std::vector<PartStep> steps;
  steps.reserve(lts.transition_count());
  const auto tau = static_cast<std::uint32_t>(lts.alphabet().size());
  const bool forward = direction == Product::Direction::forward;
  for (const State s : state_of) {
    const std::uint32_t from = code_of[s.value];
    Action last = kTau;
    std::uint32_t local = tau;
    for (const Step& step : lts.steps(s)) {
      if (step.action != last) local = *lts.alphabet().index(last = step.action);
      const std::uint32_t to = code_of[step.target.value];
      const std::uint64_t up = (static_cast<std::uint64_t>(to) - from) << shift;
      if (to != kNoCode)
        steps.push_back({local, forward ? from : to, forward ? up : ~up + 1});
      else if (forward)
        steps.push_back({local, from, Product::kToError});
    }
  }
  return steps;
}

// Sorts by a small number, and keeps the order of equal ones.
template <class T, class Key>
std::vector<T> sorted_by(const std::vector<T>& items, std::uint64_t keys, Key key) {
  std::vector<std::uint32_t> place(keys + 1, 0);
  for (const T& item : items) ++place[key(item) + 1ULL];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<T> out(items.size());
  for (const T& item : items) out[place[key(item)]++] = item;
  return out;
}

// The steps, sorted by local action and code, in groups of equal ones; deltas[i] belongs to steps[i]. A
// step into the error state comes first in its group.
std::vector<Product::Row> group(const std::vector<PartStep>& steps, std::vector<std::uint64_t>& deltas) {
  std::vector<Product::Row> rows;
  for (std::uint32_t begin = 0, end = 0; begin < steps.size(); begin = end) {
    while (end < steps.size() && steps[end].local == steps[begin].local && steps[end].code == steps[begin].code) ++end;
    rows.push_back({steps[begin].local, steps[begin].code, begin, end});
    const auto first = deltas.begin() + begin, last = deltas.begin() + end;
    if (const auto error = std::find(first, last, Product::kToError); error != last)
      std::rotate(first, error, error + 1);
  }
  return rows;
}

}  // namespace

Product::Product(const std::vector<Part>& parts, Direction direction, Budget* budget) {
  std::vector<std::vector<std::uint32_t>> code_of;
  std::vector<std::uint32_t> bits;
  parts_.resize(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Lts& lts = *parts[p].lts;
    check(lts.state_count() > 0, "a product part has no states");
    auto& part = parts_[p];
    part.watch = parts[p].role == Role::watch;
    part.error_counts = parts[p].error_counts;
    starts_in_error_ |= lts.error() == lts.initial();
    code_of.push_back(number_states(lts, part.state_of));
    part.codes = static_cast<std::uint32_t>(part.state_of.size());
    bits.push_back(part.codes <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(part.codes - 1)));
  }
  place_fields(bits);
  join_actions(parts);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (budget != nullptr && !budget->go_on()) return;
    compile(p, *parts[p].lts, code_of[p], direction, budget);
    code_of[p] = {};
  }
  link_offers();
}

std::optional<Product> Product::within(Budget& budget, Charge& charge, const std::vector<Part>& parts) {
  if (!charge.grow_to(bytes_to_make(parts))) budget.stop(Stop::memory);
  if (!budget.go_on()) return std::nullopt;
  std::optional<Product> product(std::in_place, parts, Direction::forward, &budget);
  if (!budget.go_on()) return std::nullopt;
  charge.grow_to(product->bytes());
  return product;
}

void Product::place_fields(const std::vector<std::uint32_t>& bits) {
  // First fit, largest first: no field crosses a word, and few bits are lost at the ends of words.
  std::vector<std::size_t> order(bits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return bits[a] > bits[b]; });
  const auto total = std::accumulate(bits.begin(), bits.end(), 0U);
  if (total <= kUsableBits) std::iota(order.begin(), order.end(), 0);  // one word: keep the parts' order
  std::vector<std::uint32_t> used(1, 0);
  fields_.resize(bits.size());
  for (const std::size_t p : order) {
    std::size_t w = 0;
    while (w < used.size() && used[w] + bits[p] > kUsableBits) ++w;
    if (w == used.size()) used.push_back(0);
    check(w < std::numeric_limits<std::uint16_t>::max(), "a product state has more than 2^16 words");
    fields_[p] = {static_cast<std::uint32_t>((1ULL << bits[p]) - 1), static_cast<std::uint16_t>(w),
                  static_cast<std::uint16_t>(used[w])};
    used[w] += bits[p];
  }
  // The roomiest word becomes word 0, whose spare bits hold the depth of a state.
  const auto roomiest = static_cast<std::uint16_t>(std::min_element(used.begin(), used.end()) - used.begin());
  for (auto& field : fields_)
    if (field.word == roomiest)
      field.word = 0;
    else if (field.word == 0)
      field.word = roomiest;
  words_ = static_cast<std::uint32_t>(used.size());
  spare_bits_ = kUsableBits - used[roomiest];
}

void Product::join_actions(const std::vector<Part>& parts) {
  Alphabet all;
  for (const auto& part : parts) all = unite(all, part.lts->alphabet());
  const auto taus = static_cast<std::uint32_t>(parts.size());
  joint_.resize(std::max<std::size_t>(1, taus + all.size()));  // at least one: states have a last joint action
  for (std::uint32_t p = 0; p < taus; ++p) joint_[p].part_bits = part_bit(p);
  for (std::uint32_t i = 0; i < all.size(); ++i) joint_[taus + i].action = all[i];

  // How many states of each part offer each action; the owner is the part with the smallest share.
  struct Candidate {
    Participant participant;
    double share;
  };
  std::vector<std::vector<Candidate>> candidates(joint_.size());
  joint_of_local_.resize(parts.size());
  owns_.resize(parts.size());
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const Lts& lts = *parts[p].lts;
    std::vector<std::uint32_t> offering(lts.alphabet().size(), 0);
    for (const State s : parts_[p].state_of) {
      Action last = kTau;
      for (const Step& step : lts.steps(s))
        if (step.action != last) ++offering[*lts.alphabet().index(last = step.action)];
    }
    owns_[p].resize(lts.alphabet().size(), false);
    for (std::uint32_t local = 0; local < lts.alphabet().size(); ++local) {
      const std::uint32_t joint = *all.index(lts.alphabet()[local]) + taus;
      joint_of_local_[p].push_back(joint);
      joint_[joint].part_bits |= part_bit(p);
      // A watcher never blocks, so it owns an action only if no component has it.
      const double share = parts_[p].watch ? 2.0 : static_cast<double>(offering[local]) / std::max(1U, parts_[p].codes);
      candidates[joint].push_back({{p, local, fields_[p], nullptr}, share});
    }
  }
  for (std::size_t j = taus; j < taus + all.size(); ++j) {
    auto& c = candidates[j];
    const auto owner = std::min_element(c.begin(), c.end(), [](auto& a, auto& b) { return a.share < b.share; });
    owns_[owner->participant.part][owner->participant.local] = true;
    for (const bool watchers : {false, true})
      for (const auto& candidate : c)
        if (candidate.participant.part != owner->participant.part &&
            parts_[candidate.participant.part].watch == watchers)
          joint_[j].others.push_back(candidate.participant), parts_[candidate.participant.part].takes_part = true;
  }
}

// Turns the steps of one part into tables, in time linear in their number: a component may have millions.
void Product::compile(std::size_t index, const Lts& lts, const std::vector<std::uint32_t>& code_of, Direction direction,
                      Budget* budget) {
  auto& part = parts_[index];
  const auto locals = static_cast<std::uint32_t>(lts.alphabet().size());
  const auto go_on = [&] { return budget == nullptr || budget->go_on(); };
  auto steps = list_steps(lts, part.state_of, code_of, fields_[index].shift, direction);
  check(steps.size() < std::numeric_limits<std::uint32_t>::max(), "a component has more than 2^32 steps");
  if (!go_on()) return;
  steps = sorted_by(steps, part.codes, [](const PartStep& s) { return s.code; });
  if (!go_on()) return;
  steps = sorted_by(steps, locals + 1ULL, [](const PartStep& s) { return s.local; });
  if (!go_on()) return;
  part.deltas.reserve(steps.size());
  for (const PartStep& step : steps) part.deltas.push_back(step.delta);
  auto rows = group(steps, part.deltas);
  steps = {};
  const std::uint64_t cells = static_cast<std::uint64_t>(locals) * part.codes;
  const bool dense = part.takes_part && cells <= kFewCells + kCellsPerStep * part.deltas.size();
  if (dense) fill_dense(part, rows, locals, direction);
  if (!go_on()) return;
  rows = sorted_by(rows, part.codes, [](const Row& r) { return r.code; });
  list_offers(index, rows, locals);
  if (!part.takes_part || dense) return;
  part.first_row.assign(part.codes + 1ULL, 0);
  for (const Row& row : rows) ++part.first_row[row.code + 1ULL];
  std::partial_sum(part.first_row.begin(), part.first_row.end(), part.first_row.begin());
  part.rows = std::move(rows);
}

// Offsets into the additions by local action and code, and the additions themselves where they are single.
void Product::fill_dense(Compiled& part, const std::vector<Row>& rows, std::uint32_t locals, Direction direction) {
  const std::size_t cells = static_cast<std::size_t>(locals) * part.codes;
  part.dense.assign(cells + 1, 0);
  for (const Row& row : rows)
    if (row.local < locals) part.dense[static_cast<std::size_t>(row.local) * part.codes + row.code + 1] = row.size();
  std::partial_sum(part.dense.begin(), part.dense.end(), part.dense.begin());
  const std::uint64_t nothing = part.watch && direction == Direction::forward ? kSeveral : kBlocked;
  part.single.reserve(cells);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const auto begin = part.dense[cell], end = part.dense[cell + 1];
    part.single.push_back(begin == end ? nothing : single(part.deltas, begin, end));
  }
}

// tau first, then the owned actions. A watcher that owns an action offers it everywhere: where it has
// no step for it, the action happens all the same and is the violation. The rows are sorted by code.
void Product::list_offers(std::size_t index, const std::vector<Row>& rows, std::uint32_t locals) {
  auto& part = parts_[index];
  const auto& owns = owns_[index];
  auto offer = [&](std::uint32_t joint, std::uint32_t begin, std::uint32_t end) {
    Offer made;
    made.mine = single(part.deltas, begin, end);
    made.joint = joint;
    made.begin = begin;
    made.end = end;
    part.offers.push_back(made);
  };
  std::vector<std::size_t> first(1, 0);
  auto at = rows.begin();
  for (std::uint32_t code = 0; code < part.codes; ++code) {
    auto row = at;
    while (at != rows.end() && at->code == code) ++at;
    if (row != at && (at - 1)->local == locals)
      offer(static_cast<std::uint32_t>(index), (at - 1)->begin, (at - 1)->end);
    for (std::uint32_t local = 0; part.watch && local < locals; ++local) {
      while (row != at && row->local < local) ++row;
      if (!owns[local]) continue;
      const bool has = row != at && row->local == local;
      offer(joint_of_local_[index][local], has ? row->begin : 0, has ? row->end : 0);
    }
    for (; !part.watch && row != at; ++row)
      if (row->local < locals && owns[row->local]) offer(joint_of_local_[index][row->local], row->begin, row->end);
    first.push_back(part.offers.size());
  }
  part.offers.shrink_to_fit();
  part.first_offer.reserve(first.size());
  for (const std::size_t f : first) part.first_offer.push_back(part.offers.data() + f);
}

// What the owners need of the other participants, once all parts are compiled.
void Product::link_offers() {
  static constexpr std::uint64_t kAlone = 0, kMany = kSeveral;
  for (auto& joint : joint_)
    for (auto& other : joint.others) {
      const auto& part = parts_[other.part];
      if (!part.single.empty()) other.row = part.single.data() + static_cast<std::size_t>(other.local) * part.codes;
    }
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    auto& part = parts_[p];
    for (Offer& offer : part.offers) {
      const auto& joint = joint_[offer.joint];
      offer.part_bits = joint.part_bits;
      offer.row = joint.others.empty() ? &kAlone : &kMany;
      if (joint.others.size() != 1 || joint.others[0].row == nullptr) continue;
      offer.other = joint.others[0].field;
      offer.row = joint.others[0].row;
    }
    if (part.offers.empty()) continue;
    owners_.push_back({part.first_offer.data(), fields_[p], p});
    std::ptrdiff_t most = 0;
    for (std::size_t code = 0; code < part.codes; ++code)
      most = std::max(most, part.first_offer[code + 1] - part.first_offer[code]);
    most_offers_ += static_cast<std::uint64_t>(most);
  }
}

Product::Deltas Product::search_deltas(const Compiled& p, std::uint32_t local, std::uint32_t code) {
  const auto begin = p.rows.begin() + p.first_row[code];
  const auto end = p.rows.begin() + p.first_row[code + 1ULL];
  const auto it = std::lower_bound(begin, end, local, [](const auto& row, std::uint32_t l) { return row.local < l; });
  if (it == end || it->local != local) return {};
  return {p.deltas.data() + it->begin, p.deltas.data() + it->end};
}

bool Product::pack_initial(std::uint64_t* state) const {
  std::fill(state, state + words_, 0);  // the initial state of every part has code 0
  return !starts_in_error_;
}

std::vector<State> Product::unpack(const std::uint64_t* state) const {
  std::vector<State> out;
  for (std::size_t p = 0; p < parts_.size(); ++p) out.push_back(parts_[p].state_of[fields_[p].code(state)]);
  return out;
}

std::uint64_t Product::bytes_to_make(const std::vector<Part>& parts) {
  std::uint64_t sum = 0;
  for (const auto& part : parts) {
    const std::uint64_t states = part.lts->state_count(), steps = part.lts->transition_count();
    const std::uint64_t cells = std::min(states * part.lts->alphabet().size(), kFewCells + kCellsPerStep * steps);
    sum += steps * (8 + 2 * sizeof(PartStep) + sizeof(Offer)) + states * 32 + cells * 12;
  }
  return sum;
}

std::uint64_t Product::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& p : parts_)
    sum += p.state_of.size() * sizeof(State) + p.deltas.size() * 8 + p.dense.size() * 12 + p.rows.size() * sizeof(Row) +
           p.first_row.size() * 4 + p.first_offer.size() * 8 + p.offers.size() * sizeof(Offer);
  return sum;
}

}  // namespace surety
