#include "learn/cover.hpp"

#include <algorithm>
#include <map>

#include "base/check.hpp"

namespace surety {

Dfa::Dfa(const Lts& lts, const Alphabet& letters)
    : letters_(letters), states_(lts.state_count()), next_(states_ * letters.size(), kSink) {
  for (std::uint32_t s = 0; s < states_; ++s)
    for (const Step& step : lts.steps(State{s})) {
      const auto letter = letters_.index(step.action);
      if (!letter) continue;
      auto& next = next_[s * letters_.size() + *letter];
      check(next == kSink, "an automaton that should be deterministic is not");
      next = step.target.value;
    }
}

std::uint32_t Dfa::run(std::uint32_t s, Word word) const {
  for (const Action a : word) s = next(s, *letters_.index(a));
  return s;
}

namespace {

struct Reached {
  std::vector<std::uint32_t> states;  // in the order of a breadth-first search
  std::vector<Trace> cover;
  bool sink = false;
};

Reached reach(const Dfa& dfa) {
  Reached reached;
  reached.cover.push_back({});
  if (dfa.initial() == kSink) {
    reached.sink = true;
    return reached;
  }
  std::vector<Trace> access(dfa.states());
  std::vector<bool> seen(dfa.states(), false);
  reached.states.push_back(dfa.initial());
  seen[dfa.initial()] = true;
  for (std::size_t i = 0; i < reached.states.size(); ++i) {
    const auto s = reached.states[i];
    for (std::uint32_t letter = 0; letter < dfa.letters().size(); ++letter) {
      const Action a = dfa.letters()[letter];
      reached.cover.push_back(concat(access[s], Word(&a, 1)));
      const auto t = dfa.next(s, letter);
      if (t == kSink) {
        reached.sink = true;
      } else if (!seen[t]) {
        seen[t] = true;
        access[t] = reached.cover.back();
        reached.states.push_back(t);
      }
    }
  }
  return reached;
}

// Refines a partition of the states by one more answer each. False: nothing was split.
bool refine(std::vector<std::uint32_t>& class_of, std::uint32_t& classes, const std::vector<std::uint32_t>& states,
            const std::vector<bool>& answer) {
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> number;
  for (const auto s : states) number.try_emplace({class_of[s], answer[s]}, static_cast<std::uint32_t>(number.size()));
  if (number.size() == classes) return false;
  for (const auto s : states) class_of[s] = number.at({class_of[s], answer[s]});
  classes = static_cast<std::uint32_t>(number.size());
  return true;
}

}  // namespace

// Every word of the set, with a letter before it, is tried once: if it splits no class now, it never will. States
// that take a letter to different classes are told apart by it and a word of the set, so none are left in one class.
TestWords test_words(const Dfa& dfa) {
  Reached reached = reach(dfa);
  TestWords out{std::move(reached.cover), {Trace{}}, reached.states.empty() ? 0U : 1U};
  std::vector<std::uint32_t> class_of(dfa.states(), 0);
  std::vector<std::vector<bool>> answers{std::vector<bool>(dfa.states(), true)};  // by word of the set and state
  for (std::size_t i = 0; i < out.characterising.size() && out.classes < reached.states.size(); ++i)
    for (std::uint32_t letter = 0; letter < dfa.letters().size(); ++letter) {
      std::vector<bool> answer(dfa.states(), false);
      for (const auto s : reached.states)
        if (const auto t = dfa.next(s, letter); t != kSink) answer[s] = answers[i][t];
      if (!refine(class_of, out.classes, reached.states, answer)) continue;
      const Action a = dfa.letters()[letter];
      out.characterising.push_back(concat(Word(&a, 1), out.characterising[i]));
      answers.push_back(std::move(answer));
    }
  out.classes += reached.sink;
  return out;
}

}  // namespace surety
