#include "engine/subset.hpp"

#include <tsl/robin_map.h>

#include <algorithm>
#include <limits>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "engine/successors.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kInside = kUnknown;  // the "letter" of a step outside the alphabet

// Numbers sequences of fixed or varying length in the order they are met.
template <class T>
class Numbering {
 public:
  struct Hash {
    std::size_t operator()(const std::vector<T>& v) const { return hash_range(v); }
  };
  // The number, and whether it is new.
  std::pair<std::uint32_t, bool> number(std::vector<T> key) {
    const auto [it, fresh] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(by_number_.size()));
    if (fresh) by_number_.push_back(it->first);
    return {it->second, fresh};
  }
  std::size_t size() const { return by_number_.size(); }
  const std::vector<T>& operator[](std::uint32_t i) const { return by_number_[i]; }

 private:
  tsl::robin_map<std::vector<T>, std::uint32_t, Hash> numbers_;
  std::vector<std::vector<T>> by_number_;
};

}  // namespace

struct SubsetWalk::Impl {
  struct Move {
    std::uint32_t letter;  // kInside: tau or an action outside the alphabet
    std::uint32_t target;  // kUnknown: the error state
  };

  Impl(const std::vector<Part>& parts, const Alphabet& sigma, Budget& b)
      : product(parts, Product::Direction::forward),
        successors(product, Product::Direction::forward),
        letters(sigma),
        budget(b),
        charge(b) {
    sets.number({});  // kRejected; the empty set proper gets its own entry below
    rows.emplace_back();
    Alphabet all;
    for (const auto& part : parts) all = unite(all, part.lts->alphabet());
    for (const Action a : letters) foreign.push_back(!all.contains(a));
  }

  std::uint32_t letter_of(std::uint32_t joint) const {
    return letters.index(product.joint(joint).action).value_or(kInside);
  }

  const std::vector<Move>& moves(std::uint32_t state) {
    if (expanded.size() <= state) expanded.resize(state + 1ULL, false), out.resize(state + 1ULL);
    if (expanded[state]) return out[state];
    std::vector<Move> list;
    const auto packed = states[state];
    successors(
        packed.data(),
        [&](std::uint32_t joint, const std::uint64_t* next) {
          const auto [target, fresh] = states.number({next, next + product.words()});
          if (fresh) budget.add_states(1);
          list.push_back({letter_of(joint), target});
        },
        [&](std::uint32_t joint, bool counts) {
          if (counts)
            list.push_back({letter_of(joint), kUnknown});
          else
            ++tried;
        });
    tried += list.size();
    bytes += 240 + packed.size() * 16 + list.size() * sizeof(Move);  // the key lies in the table and in the list
    expanded[state] = true;
    out[state] = std::move(list);
    return out[state];
  }

  // Closes a set under what may happen inside, and gives it its number.
  Node close(std::vector<std::uint32_t> set) {
    marked.resize(std::max<std::size_t>(marked.size(), states.size()), 0);
    ++mark;
    for (const auto s : set) marked[s] = mark;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if ((i & 63) == 0 && !poll()) return kRejected;
      const auto& list = moves(set[i]);
      marked.resize(std::max<std::size_t>(marked.size(), states.size()), 0);
      for (const Move& move : list) {
        if (move.letter != kInside) continue;
        if (move.target == kUnknown) return kRejected;
        if (std::exchange(marked[move.target], mark) != mark) set.push_back(move.target);
      }
    }
    std::sort(set.begin(), set.end());
    set.push_back(kUnknown);  // so that the empty set differs from kRejected's entry
    bytes += 240 + set.size() * 8 + letters.size() * 4;
    const auto [node, fresh] = sets.number(std::move(set));
    if (fresh) rows.emplace_back(letters.size(), kUnknown);
    return node;
  }

  bool poll() {
    if (!charge.grow_to(bytes)) budget.stop(Stop::memory);
    return budget.go_on();
  }

  Product product;
  Successors<0> successors;
  Alphabet letters;
  std::vector<bool> foreign;  // letters that no part has: they change nothing
  Budget& budget;
  Charge charge;
  Numbering<std::uint64_t> states;
  std::vector<bool> expanded;
  std::vector<std::vector<Move>> out;
  Numbering<std::uint32_t> sets;
  std::vector<std::vector<Node>> rows;  // by set and letter; kUnknown: not walked yet
  std::vector<std::uint32_t> marked;    // by state: the last closure it was in
  std::uint32_t mark = 0;
  std::uint64_t tried = 0;
  std::uint64_t bytes = 0;
  Node start = kUnknown;
};

SubsetWalk::SubsetWalk(const std::vector<Part>& parts, const Alphabet& letters, Budget& budget)
    : impl_(std::make_unique<Impl>(parts, letters, budget)) {}
SubsetWalk::~SubsetWalk() = default;

SubsetWalk::Node SubsetWalk::initial() {
  auto& m = *impl_;
  if (m.start != kUnknown) return m.start;
  std::vector<std::uint64_t> state(m.product.words());
  if (!m.product.pack_initial(state.data())) return m.start = kRejected;
  m.states.number(std::move(state));
  m.budget.add_states(1);
  return m.start = m.close({0});
}

SubsetWalk::Node SubsetWalk::step(Node node, std::uint32_t letter) {
  auto& m = *impl_;
  if (node == kRejected || m.foreign[letter]) return node;
  if (m.rows[node][letter] != kUnknown) return m.rows[node][letter];
  std::vector<std::uint32_t> next;
  const std::vector<std::uint32_t> set = m.sets[node];
  Node result = kUnknown;
  for (const auto state : set) {
    if (state == kUnknown) break;
    for (const auto& move : m.moves(state)) {
      if (move.letter != letter) continue;
      if (move.target == kUnknown)
        result = kRejected;
      else
        next.push_back(move.target);
    }
  }
  std::sort(next.begin(), next.end());
  next.erase(std::unique(next.begin(), next.end()), next.end());
  if (result == kUnknown) result = m.close(std::move(next));
  if (m.budget.why() != Stop::none) return kRejected;
  return m.rows[node][letter] = result;
}

SubsetWalk::Node SubsetWalk::walk(Word word) {
  Node node = initial();
  for (const Action a : word) {
    const auto letter = impl_->letters.index(a);
    check(letter.has_value(), "a query has a letter outside the alphabet");
    node = step(node, *letter);
  }
  return node;
}

bool SubsetWalk::impossible(Node node) const { return node != kRejected && impl_->sets[node].size() == 1; }

std::uint64_t SubsetWalk::states() const { return impl_->states.size(); }
std::uint64_t SubsetWalk::transitions() const { return impl_->tried; }

}  // namespace surety
