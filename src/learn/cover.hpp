// The words that show whether two automata are the same (Chow 1978, Vasilevskii 1973: the W-method).
//
// A transition cover has, for every state that can be reached, a shortest word that
// leads there, and that word with every letter. A characterising set has for any two
// states that are not equivalent a word that only one of them accepts. An automaton H
// that has no more states than a minimal A and agrees with A on cover x set is A: the
// states of H after the words to A's states differ by the set, so they are all of H's
// states, one for each of A's, and each of H's steps leads to the state with the
// same answers on the set as in A, and to no other.
#pragma once

#include "learn/hypothesis.hpp"

namespace surety {

// A deterministic LTS as a table of steps over some letters. All states accept; what is missing leads to the sink.
class Dfa {
 public:
  Dfa(const Lts& lts, const Alphabet& letters);  // letters that the LTS lacks lead to the sink

  std::uint32_t initial() const { return next_.empty() && states_ == 0 ? kSink : 0; }
  std::uint32_t states() const { return states_; }  // without the sink
  const Alphabet& letters() const { return letters_; }
  std::uint32_t next(std::uint32_t s, std::uint32_t letter) const {
    return s == kSink ? kSink : next_[static_cast<std::size_t>(s) * letters_.size() + letter];
  }
  std::uint32_t run(std::uint32_t s, Word word) const;  // every letter must be in the alphabet

 private:
  Alphabet letters_;
  std::uint32_t states_;
  std::vector<std::uint32_t> next_;
};

struct TestWords {
  std::vector<Trace> cover;  // shortest first; the empty word is the first
  std::vector<Trace>
      characterising;         // shortest first; the empty word, which tells the sink from the rest, is the first
  std::uint32_t classes = 0;  // states of the minimal automaton, with the sink if it can be reached
};
TestWords test_words(const Dfa& dfa);

}  // namespace surety
