#include "learn/lstar.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "base/check.hpp"

namespace surety {
namespace {

Trace concat(Word a, Word b) {
  Trace out(a.begin(), a.end());
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

LStar::LStar(Teacher& teacher) : teacher_(teacher), suffixes_{Trace{}} { add({}); }

void LStar::add(Trace word) {
  Access access{std::move(word), {}, {}};
  access.next.resize(teacher_.alphabet().size());
  states_.push_back(std::move(access));
}

// Asks for the suffixes that the row does not have yet.
void LStar::fill(Row& row, const Trace& word) {
  while (row.size() < suffixes_.size()) row.push_back(teacher_.member(concat(word, suffixes_[row.size()])));
}

void LStar::fill(Access& state) {
  fill(state.row, state.word);
  for (std::uint32_t letter = 0; letter < state.next.size(); ++letter) {
    const Action a = teacher_.alphabet()[letter];
    fill(state.next[letter], concat(state.word, Word(&a, 1)));
  }
}

void LStar::close() {
  std::map<Row, std::uint32_t> rows;
  for (std::uint32_t s = 0; s < states_.size(); ++s) {
    fill(states_[s]);
    rows.emplace(states_[s].row, s);
  }
  for (std::uint32_t s = 0; s < states_.size(); ++s) {
    delta_.resize(states_.size());
    delta_[s].assign(teacher_.alphabet().size(), kNone);
    for (std::uint32_t letter = 0; letter < delta_[s].size(); ++letter) {
      const auto [it, fresh] = rows.emplace(states_[s].next[letter], static_cast<std::uint32_t>(states_.size()));
      if (fresh) {
        const Action a = teacher_.alphabet()[letter];
        add(concat(states_[s].word, Word(&a, 1)));
        fill(states_.back());
      }
      delta_[s][letter] = it->second;
    }
  }
}

const Lts& LStar::hypothesis() {
  close();
  // The rejecting states are one, the sink, since the language is prefix-closed: drop it.
  std::vector<std::uint32_t> number(states_.size(), kNone);
  std::uint32_t count = 0;
  for (std::uint32_t s = 0; s < states_.size(); ++s)
    if (accepts(s)) number[s] = count++;
  if (count == 0) return hypothesis_ = Lts();
  LtsBuilder builder;
  builder.set_state_count(count);
  builder.add_to_alphabet(teacher_.alphabet());
  for (std::uint32_t s = 0; s < states_.size(); ++s)
    for (std::uint32_t letter = 0; letter < delta_[s].size(); ++letter)
      if (accepts(s) && accepts(delta_[s][letter]))
        builder.add_step(State{number[s]}, teacher_.alphabet()[letter], State{number[delta_[s][letter]]});
  return hypothesis_ = builder.build();
}

std::uint32_t LStar::run(Word word) const {
  std::uint32_t state = 0;
  for (const Action a : word) state = delta_[state][*teacher_.alphabet().index(a)];
  return state;
}

void LStar::refine(Word w) {
  // answer(i): is (the access word of the state after the first i letters) . (the rest) in the language?
  auto answer = [&](std::size_t i) { return teacher_.member(concat(states_[run(w.first(i))].word, w.subspan(i))); };
  std::size_t low = 0, high = w.size();
  const bool truth = answer(low);
  const bool conjectured = accepts(run(w));
  if (truth == conjectured) return;  // the budget has ended, and with it the meaning of answers
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (answer(middle) == truth ? low : high) = middle;
  }
  // The states after low and high letters take the same letter, yet this suffix tells them apart.
  Trace suffix(w.begin() + static_cast<std::ptrdiff_t>(high), w.end());
  check(std::find(suffixes_.begin(), suffixes_.end(), suffix) == suffixes_.end(), "L* found no new suffix");
  suffixes_.push_back(std::move(suffix));
}

}  // namespace surety
