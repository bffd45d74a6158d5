// What the learners have in common: words put together, and a hypothesis made of steps.
//
// The language is prefix-closed. So the words outside it are one class, the sink: it
// needs no access word, no row and no query, and it is not a state of the LTS. A step
// to the sink is the step that is missing.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "learn/teacher.hpp"

namespace surety {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t kSink = kNone - 1;  // the state after a word outside the language

// Asks about words that are given in pieces, without making a new word for each.
class Asker {
 public:
  explicit Asker(Teacher& teacher) : teacher_(teacher) {}
  bool operator()(Word a, Word b = {}, Word c = {}) {
    word_.assign(a.begin(), a.end());
    word_.insert(word_.end(), b.begin(), b.end());
    word_.insert(word_.end(), c.begin(), c.end());
    return teacher_.member(word_);
  }

 private:
  Teacher& teacher_;
  Trace word_;
};

Trace concat(Word a, Word b);

// The LTS of a table of steps: next[s * letters + a] is a state or kSink, state 0 is initial. A step that is not
// known, since the teacher stopped, is left out.
Lts to_lts(const Alphabet& alphabet, const std::vector<std::uint32_t>& next, std::uint32_t states);

}  // namespace surety
