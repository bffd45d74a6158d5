#include "learn/seed.hpp"

#include <algorithm>

#include "learn/cover.hpp"

namespace surety {
namespace {

// Words on which two automata over the same letters differ, the shortest for each pair of states that a difference
// leaves, shortest first.
std::vector<Trace> differences(const Dfa& a, const Dfa& b) {
  struct Pair {
    std::uint32_t left, right;
    std::size_t from;
    std::uint32_t letter;
  };
  std::vector<Pair> pairs{{a.initial(), b.initial(), 0, 0}};
  std::vector<bool> met((a.states() + 1ULL) * (b.states() + 1ULL), false);
  const auto fresh = [&](std::uint32_t s, std::uint32_t t) {
    const auto place = [](std::uint32_t state, const Dfa& dfa) { return state == kSink ? dfa.states() : state; };
    auto seen = met[place(s, a) * (b.states() + 1ULL) + place(t, b)];
    const bool was = seen;
    seen = true;
    return !was;
  };
  fresh(a.initial(), b.initial());
  std::vector<Trace> words;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if ((pairs[i].left == kSink) != (pairs[i].right == kSink)) {
      Trace word;
      for (std::size_t p = i; p != 0; p = pairs[p].from) word.push_back(a.letters()[pairs[p].letter]);
      std::reverse(word.begin(), word.end());
      words.push_back(std::move(word));
      continue;
    }
    if (pairs[i].left == kSink) continue;
    for (std::uint32_t l = 0; l < a.letters().size(); ++l) {
      const auto s = a.next(pairs[i].left, l), t = b.next(pairs[i].right, l);
      if (fresh(s, t)) pairs.push_back({s, t, i, l});
    }
  }
  return words;
}

}  // namespace

void seed(Learner& learner, Teacher& teacher, const Lts& automaton, Budget& budget) {
  const Alphabet letters = intersect(automaton.alphabet(), teacher.alphabet());
  const Dfa guess(automaton, letters);
  for (bool changed = true; changed;) {
    changed = false;
    const Dfa hypothesis(learner.hypothesis(), letters);
    if (!budget.go_on()) return;
    std::size_t wrong = 0;  // differences where the automaton is wrong
    for (const Trace& word : differences(hypothesis, guess)) {
      const bool truth = teacher.member(word);
      if (!budget.go_on()) return;
      if (truth != (hypothesis.run(hypothesis.initial(), word) != kSink)) {
        learner.refine(word);
        changed = true;
        break;
      }
      if (++wrong > guess.states()) return;  // so far off, it is no help
    }
  }
}

}  // namespace surety
