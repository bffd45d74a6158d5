#include "learn/prove.hpp"

#include "base/check.hpp"

namespace surety {

namespace {

bool has_word(const Lts& deterministic, Word word) {
  if (deterministic.state_count() == 0) return false;
  State s = deterministic.initial();
  for (const Action a : word) {
    const auto steps = deterministic.steps(s, a);
    if (steps.empty()) return false;
    s = steps.front().target;
  }
  return true;
}

}  // namespace

Learned prove(Learner& learner, Teacher& teacher, Budget& budget) {
  Unknown unknown{.why = Stop::none, .assumptions = {}, .known = "untested"};
  while (budget.go_on()) {
    const Lts& hypothesis = learner.hypothesis();
    if (!budget.go_on()) break;  // a conjecture made of answers that came too late means nothing
    // Every counterexample tells two words apart that were one state, and all learners keep what they told apart.
    check(unknown.assumptions.empty() || unknown.assumptions[0].state_count() < hypothesis.state_count(),
          "a counterexample did not change the hypothesis");
    budget.count_conjecture();
    Answer answer = teacher.conjecture(hypothesis);
    if (std::holds_alternative<Accepted>(answer)) return Proved{hypothesis};
    if (auto* violated = std::get_if<Violated>(&answer)) return std::move(*violated);
    if (auto* widen = std::get_if<Widen>(&answer)) return Wider{std::move(widen->more), hypothesis};
    unknown.assumptions = {hypothesis};
    auto* refine = std::get_if<Refine>(&answer);
    if (refine == nullptr) {
      unknown.known = "untested";
      break;
    }
    unknown.known = has_word(hypothesis, refine->word) ? "too weak" : "too strong";
    learner.refine(refine->word);
  }
  unknown.why = budget.why();
  return unknown;
}

}  // namespace surety
