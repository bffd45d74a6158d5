#include "engine/product.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "base/check.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kUsableBits = 63;
constexpr std::uint32_t kNoCode = std::numeric_limits<std::uint32_t>::max();

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

}  // namespace

Product::Product(const std::vector<Part>& parts, Direction direction) {
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
  for (std::size_t p = 0; p < parts.size(); ++p) compile(p, *parts[p].lts, code_of[p], direction);
  link_offers();
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
  joint_.resize(taus + all.size());
  for (std::uint32_t p = 0; p < taus; ++p) joint_[p].who = part_bit(p);
  for (std::uint32_t i = 0; i < all.size(); ++i) joint_[taus + i].action = all[i];

  // How many states of each part offer each action; the owner is the part with the smallest share.
  struct Candidate {
    Participant who;
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
      for (const Step& step : lts.steps(s)) {
        if (step.action == last) continue;
        last = step.action;
        ++offering[*lts.alphabet().index(step.action)];
      }
    }
    owns_[p].resize(lts.alphabet().size(), false);
    for (std::uint32_t local = 0; local < lts.alphabet().size(); ++local) {
      const std::uint32_t joint = *all.index(lts.alphabet()[local]) + taus;
      joint_of_local_[p].push_back(joint);
      joint_[joint].who |= part_bit(p);
      // A watcher never blocks, so it owns an action only if no component has it.
      const double share = parts_[p].watch ? 2.0 : static_cast<double>(offering[local]) / std::max(1U, parts_[p].codes);
      candidates[joint].push_back({{p, local, fields_[p]}, share});
    }
  }
  for (std::size_t j = taus; j < joint_.size(); ++j) {
    auto& c = candidates[j];
    const auto owner = std::min_element(c.begin(), c.end(), [](auto& a, auto& b) { return a.share < b.share; });
    owns_[owner->who.part][owner->who.local] = true;
    for (const bool watchers : {false, true})
      for (const auto& candidate : c)
        if (candidate.who.part != owner->who.part && parts_[candidate.who.part].watch == watchers)
          joint_[j].others.push_back(candidate.who);
  }
}

void Product::compile(std::size_t index, const Lts& lts, const std::vector<std::uint32_t>& code_of,
                      Direction direction) {
  auto& part = parts_[index];
  const Field& field = fields_[index];
  const auto locals = static_cast<std::uint32_t>(lts.alphabet().size());

  // Every step as (local action, code it starts from here, addition); tau has the local action `locals`.
  struct Entry {
    std::uint32_t local, code;
    std::uint64_t delta;
  };
  std::vector<Entry> entries;
  for (const State s : part.state_of) {
    const std::uint32_t from = code_of[s.value];
    std::uint32_t local = 0;  // both sorted: walk along
    for (const Step& step : lts.steps(s)) {
      if (step.action == kTau)
        local = locals;
      else {
        if (local == locals) local = 0;
        while (lts.alphabet()[local] != step.action) ++local;
      }
      const std::uint32_t to = code_of[step.target.value];
      if (to == kNoCode) {
        if (direction == Direction::forward) entries.push_back({local, from, kToError});
        continue;
      }
      const auto up = (static_cast<std::uint64_t>(to) - from) << field.shift;
      if (direction == Direction::forward)
        entries.push_back({local, from, up});
      else
        entries.push_back({local, to, ~up + 1});
    }
  }
  // kToError is the smallest by being sorted on purpose, not by value.
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.local, a.code, a.delta != kToError, a.delta) <
           std::tuple(b.local, b.code, b.delta != kToError, b.delta);
  });
  check(entries.size() < std::numeric_limits<std::uint32_t>::max(), "a component has more than 2^32 steps");
  part.deltas.reserve(entries.size());
  for (const Entry& e : entries) part.deltas.push_back(e.delta);

  // Rows: one for each (local, code) that has steps.
  struct Place {
    std::uint32_t code, local, begin, end;
  };
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < entries.size();) {
    std::uint32_t j = i;
    while (j < entries.size() && entries[j].local == entries[i].local && entries[j].code == entries[i].code) ++j;
    places.push_back({entries[i].code, entries[i].local, i, j});
    i = j;
  }
  const std::uint64_t cells = static_cast<std::uint64_t>(locals) * part.codes;
  if (cells <= 65536 + 8 * entries.size()) {
    part.dense.assign(cells + 1, 0);
    std::size_t at = 0;
    for (const Place& place : places) {
      if (place.local == locals) break;
      const std::size_t cell = static_cast<std::size_t>(place.local) * part.codes + place.code;
      while (at <= cell) part.dense[at++] = place.begin;
      part.dense[at] = place.end;
    }
    const std::uint32_t rest = at == 0 ? 0 : part.dense[at];
    while (at <= cells) part.dense[at++] = rest;
    const std::uint64_t nothing = part.watch && direction == Direction::forward ? kSeveral : kBlocked;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const auto begin = part.dense[cell], end = part.dense[cell + 1];
      part.single.push_back(begin == end ? nothing : single(part.deltas, begin, end));
    }
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.code < b.code; });

  // Offers: tau first, then the owned actions. A watcher that owns an action offers it everywhere:
  // where it has no step for it, the action happens all the same and is the violation.
  std::vector<std::size_t> first_offer(1, 0);
  if (part.dense.empty()) part.first_row.assign(part.codes + 1ULL, 0);
  auto offer = [&](std::uint32_t joint, std::uint32_t begin, std::uint32_t end) {
    Offer made;
    made.mine = single(part.deltas, begin, end);
    made.joint = joint;
    made.begin = begin;
    made.end = end;
    part.offers.push_back(made);
  };
  std::size_t next = 0;
  for (std::uint32_t code = 0; code < part.codes; ++code) {
    const std::size_t begin = next;
    while (next < places.size() && places[next].code == code) ++next;
    const auto row = std::span(places).subspan(begin, next - begin);
    if (!row.empty() && row.back().local == locals)
      offer(static_cast<std::uint32_t>(index), row.back().begin, row.back().end);
    auto at = row.begin();
    for (std::uint32_t local = 0; part.watch && local < locals; ++local) {
      while (at != row.end() && at->local < local) ++at;
      if (!owns_[index][local]) continue;
      const bool has = at != row.end() && at->local == local;
      offer(joint_of_local_[index][local], has ? at->begin : 0, has ? at->end : 0);
    }
    for (const Place& place : row) {
      if (place.local == locals) continue;
      if (!part.watch && owns_[index][place.local]) offer(joint_of_local_[index][place.local], place.begin, place.end);
      if (part.dense.empty()) part.rows.push_back({place.local, place.begin, place.end});
    }
    first_offer.push_back(part.offers.size());
    if (part.dense.empty()) part.first_row[code + 1ULL] = static_cast<std::uint32_t>(part.rows.size());
  }
  for (const std::size_t first : first_offer) part.first_offer.push_back(part.offers.data() + first);
}

// What the owners need of the other participants, once all parts are compiled.
void Product::link_offers() {
  static constexpr std::uint64_t kAlone = 0, kMany = kSeveral;
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    auto& part = parts_[p];
    for (Offer& offer : part.offers) {
      const auto& joint = joint_[offer.joint];
      offer.who = joint.who;
      offer.row = joint.others.empty() ? &kAlone : &kMany;
      if (joint.others.size() != 1) continue;
      const auto& other = joint.others[0];
      const auto& single = parts_[other.part].single;
      if (single.empty()) continue;
      offer.other = other.field;
      offer.row = single.data() + static_cast<std::size_t>(other.local) * parts_[other.part].codes;
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

std::uint64_t Product::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& p : parts_)
    sum += p.state_of.size() * sizeof(State) + p.deltas.size() * 8 + p.dense.size() * 12 +
           p.rows.size() * sizeof(Compiled::Row) + p.first_row.size() * 4 + p.first_offer.size() * 8 +
           p.offers.size() * sizeof(Offer);
  return sum;
}

}  // namespace surety
