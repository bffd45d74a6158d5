#include "engine/product/subset.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/big_array.hpp"
#include "base/check.hpp"
#include "model/sequence_table.hpp"
#include "product/successors.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kInside = kUnknown;  // the "letter" of a step outside the alphabet

// Makes it at least this long.
template <class T>
void fill_to(BigArray<T>& array, std::uint64_t size, T value) {
  while (array.size() < size) array.push_back(value);
}

}  // namespace

struct SubsetWalk::Impl {
  struct Move {
    std::uint32_t letter;  // kInside: tau or an action outside the alphabet
    std::uint32_t target;  // kUnknown: the error state
  };
  struct Range {  // of moves: by letter, those inside last
    std::uint64_t first = kNotExpanded, inside = 0, last = 0;
  };
  static constexpr std::uint64_t kNotExpanded = std::numeric_limits<std::uint64_t>::max();

  Impl(const std::vector<Part>& parts, const Alphabet& sigma, Budget& b, const Reading& reading)
      : product(parts, Product::Direction::forward),
        successors(product, Product::Direction::forward),
        letters(static_cast<std::uint32_t>(sigma.size())),
        budget(b),
        charge(b),
        packed(product.words()),
        halves(product.words() * 2ULL) {
    sets.intern({});  // kRejected; the empty set proper gets its own entry below
    fill_to(rows, letters, kRejected);
    for (const auto& part : parts)
      for (const Action a : part.lts->alphabet()) put(letter_of_step, a, place(sigma, reading.letter_of(a)));
    for (std::uint32_t i = 0; i < letters; ++i) {
      put(letter_of, sigma[i], i);
      foreign.push_back(!reading.about.contains(sigma[i]));
    }
  }

  static std::uint32_t place(const Alphabet& sigma, Action a) { return sigma.index(a).value_or(kInside); }
  static void put(std::vector<std::uint32_t>& table, Action a, std::uint32_t at) {
    if (table.size() <= a.value) table.resize(a.value + 1ULL, kInside);
    table[a.value] = at;
  }
  static std::uint32_t look_up(const std::vector<std::uint32_t>& table, Action a) {
    return a.value < table.size() ? table[a.value] : kInside;
  }
  std::uint32_t letter(Action step) const { return look_up(letter_of_step, step); }

  std::uint32_t number(const std::uint64_t* state) {
    std::memcpy(halves.data(), state, halves.size() * sizeof(halves[0]));
    const auto before = states.size();
    const auto id = states.intern(halves);
    if (states.size() > before) budget.add_states(1);
    return id;
  }

  const Range& range(std::uint32_t state) {
    if (ranges.size() <= state) fill_to(ranges, states.size(), Range{});
    if (ranges[state].first == kNotExpanded) expand(state);
    return ranges[state];
  }

  void expand(std::uint32_t state) {
    std::memcpy(packed.data(), states[state].data(), halves.size() * sizeof(halves[0]));
    const std::uint64_t first = moves.size();
    successors(
        packed.data(),
        [&](std::uint32_t joint, const std::uint64_t* target) {
          moves.push_back({letter(product.joint(joint).action), number(target)});
        },
        [&](std::uint32_t joint, bool counts) {
          if (counts)
            moves.push_back({letter(product.joint(joint).action), kUnknown});
          else
            ++blocked;
        });
    std::sort(moves.data() + first, moves.data() + moves.size(),
              [](const Move& a, const Move& b) { return a.letter < b.letter; });
    ranges[state] = {first, first_of(first, moves.size(), kInside), moves.size()};
  }

  // Where the moves by this letter, or a later one, begin.
  std::uint64_t first_of(std::uint64_t low, std::uint64_t high, std::uint32_t letter_number) const {
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (moves[middle].letter < letter_number)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  // Closes a set under what may happen inside, and gives it its number. States may be there twice at first.
  Node close(std::vector<std::uint32_t>& set) {
    fill_to(marked, states.size(), 0U);
    ++mark;
    std::erase_if(set, [&](std::uint32_t s) { return std::exchange(marked[s], mark) == mark; });
    for (std::size_t i = 0; i < set.size(); ++i) {
      if ((i & 63) == 0 && !poll()) return kRejected;
      const Range& r = range(set[i]);
      fill_to(marked, states.size(), 0U);
      for (std::uint64_t m = r.inside; m < r.last; ++m) {
        const auto target = moves[m].target;
        if (target == kUnknown) return kRejected;
        if (std::exchange(marked[target], mark) != mark) set.push_back(target);
      }
    }
    sort(set);
    set.push_back(kUnknown);  // so that the empty set differs from kRejected's entry
    const auto node = sets.intern(set);
    fill_to(rows, static_cast<std::uint64_t>(sets.size()) * letters, kUnknown);
    return node;
  }

  // A set that has been marked. If it holds a good part of all states, the marks give the order faster.
  void sort(std::vector<std::uint32_t>& set) const {
    if (set.size() * 16 < states.size()) return std::sort(set.begin(), set.end());
    std::size_t i = 0;
    for (std::uint32_t s = 0; i < set.size(); ++s)
      if (marked[s] == mark) set[i++] = s;
  }

  Node follow(Node node, std::uint32_t letter_number) {
    if (node == kRejected || foreign[letter_number]) return node;
    const std::size_t place = static_cast<std::size_t>(node) * letters + letter_number;
    return rows[place] != kUnknown ? rows[place] : find(node, letter_number, place);
  }

  // A step that was not walked before.
  Node find(Node node, std::uint32_t letter_number, std::size_t place) {
    const std::vector<std::uint32_t> set(sets[node].begin(), sets[node].end());
    next.clear();
    bool rejected = false;
    for (const auto state : set) {
      if (state == kUnknown) break;
      const Range& r = range(state);
      for (auto m = first_of(r.first, r.inside, letter_number); m < r.inside && moves[m].letter == letter_number; ++m)
        if (moves[m].target == kUnknown)
          rejected = true;
        else
          next.push_back(moves[m].target);
    }
    const Node result = rejected ? kRejected : close(next);
    if (budget.why() != Stop::none) return kRejected;
    return rows[place] = result;
  }

  bool poll() {
    const auto bytes = states.bytes() + sets.bytes() + moves.size() * sizeof(Move) + ranges.size() * sizeof(Range) +
                       rows.size() * sizeof(Node) + marked.size() * sizeof(marked[0]);
    if (!charge.grow_to(bytes)) budget.stop(Stop::memory);
    return budget.go_on();
  }

  Product product;
  Successors<0> successors;
  std::uint32_t letters;                      // how many
  std::vector<std::uint32_t> letter_of;       // by letter, its place
  std::vector<std::uint32_t> letter_of_step;  // by action of the parts
  std::vector<bool> foreign;                  // letters that no part has: they change nothing
  Budget& budget;
  Charge charge;
  SequenceTable states;               // packed states, as halves of their words
  std::vector<std::uint64_t> packed;  // the state that is being expanded
  std::vector<std::uint32_t> halves;
  BigArray<Range> ranges;  // by state
  BigArray<Move> moves;
  std::uint64_t blocked = 0;  // steps that were tried and are no moves
  SequenceTable sets;
  BigArray<Node> rows;             // by set and letter; kUnknown: not walked yet
  BigArray<std::uint32_t> marked;  // by state: the last closure it was in
  std::uint32_t mark = 0;
  std::vector<std::uint32_t> next;  // the set that is being made
  Node start = kUnknown;
};

namespace {

SubsetWalk::Reading as_they_are(const std::vector<Part>& parts) {
  Alphabet all;
  for (const auto& part : parts) all = unite(all, part.lts->alphabet());
  return {[](Action a) { return a; }, std::move(all)};
}

}  // namespace

SubsetWalk::SubsetWalk(const std::vector<Part>& parts, const Alphabet& letters, Budget& budget)
    : SubsetWalk(parts, letters, budget, as_they_are(parts)) {}
SubsetWalk::SubsetWalk(const std::vector<Part>& parts, const Alphabet& letters, Budget& budget, const Reading& reading)
    : impl_(std::make_unique<Impl>(parts, letters, budget, reading)) {}
SubsetWalk::~SubsetWalk() = default;

SubsetWalk::Node SubsetWalk::initial() {
  auto& m = *impl_;
  if (m.start != kUnknown) return m.start;
  std::vector<std::uint64_t> state(m.product.words());
  if (!m.product.pack_initial(state.data())) return m.start = kRejected;
  m.next = {m.number(state.data())};
  return m.start = m.close(m.next);
}

SubsetWalk::Node SubsetWalk::step(Node node, std::uint32_t letter) { return impl_->follow(node, letter); }

SubsetWalk::Node SubsetWalk::walk(Word word) {
  auto& m = *impl_;
  Node node = initial();
  for (const Action a : word) {
    const auto letter = Impl::look_up(m.letter_of, a);
    check(letter != kInside, "a query has a letter outside the alphabet");
    node = m.follow(node, letter);
  }
  return node;
}

bool SubsetWalk::impossible(Node node) const { return node != kRejected && impl_->sets[node].size() == 1; }

std::uint64_t SubsetWalk::states() const { return impl_->states.size(); }
std::uint64_t SubsetWalk::transitions() const { return impl_->moves.size() + impl_->blocked; }

}  // namespace surety
