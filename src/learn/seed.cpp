#include "learn/seed.hpp"

#include "learn/cover.hpp"

namespace surety {

void seed(Learner& learner, Teacher& teacher, const Lts& automaton, Budget& budget) {
  const auto tests = test_words(Dfa(automaton, intersect(automaton.alphabet(), teacher.alphabet())));
  Asker ask(teacher);
  Dfa hypothesis(learner.hypothesis(), teacher.alphabet());
  // A later word may redirect a step that an earlier one went through, so we look again until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Trace& start : tests.cover)
      for (const Trace& end : tests.characterising) {
        const bool truth = ask(start, end);
        if (!budget.go_on()) return;
        if (truth != (hypothesis.run(hypothesis.run(hypothesis.initial(), start), end) != kSink)) {
          learner.refine(concat(start, end));
          hypothesis = Dfa(learner.hypothesis(), teacher.alphabet());
          changed = true;
        }
        if (!truth && end.empty()) break;  // and so are all extensions
      }
  }
}

}  // namespace surety
