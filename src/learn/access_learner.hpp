// A learner with one access word for each state: Rivest and Schapire's L*, Kearns and Vazirani, TTT.
//
// The states of the hypothesis are classes of words, no two of which the language
// treats alike, so there are never more than the target has. How a class is told
// from another is the learner's own affair (rows, a tree); what is the same for all
// stands here. A counterexample shows that some step s -a-> t is wrong: the word
// (access word of s).a is not in the class of t. split() finds one such step and adds
// a state. One counterexample may show several, and a split may bring an old one
// back, since steps are redirected: refine() keeps all counterexamples and goes on
// until the hypothesis is right on every one. Their answers are known, so this costs
// no conjecture.
#pragma once

#include <span>

#include "learn/hypothesis.hpp"

namespace surety {

class AccessLearner : public Learner {
 public:
  const Lts& hypothesis() final;
  void refine(Word counterexample) final;

 protected:
  explicit AccessLearner(Teacher& teacher)
      : teacher_(teacher), ask_(teacher), letters_(static_cast<std::uint32_t>(teacher.alphabet().size())) {}

  // Makes every step of every state known: fills next_. Called after a state was added.
  virtual void close() = 0;
  // The hypothesis is wrong on w, which is (`truth`) or is not in the language. Adds a state at least.
  virtual void split(Word w, bool truth) = 0;

  std::uint32_t add_state(Trace access);  // its steps are unknown
  std::uint32_t letter_of(Action a) const { return *teacher_.alphabet().index(a); }
  Word action(std::uint32_t letter) const { return {&*teacher_.alphabet().begin() + letter, 1}; }
  std::size_t place(std::uint32_t state, std::uint32_t letter) const {
    return static_cast<std::size_t>(state) * letters_ + letter;
  }
  std::vector<std::uint32_t> run(Word w) const;  // the states along w, one more than letters

  // Rivest and Schapire's binary search. `path` are the states that the hypothesis goes through along w; it ends
  // in the wrong class. Before the letter and after it, the access word of the state followed by the rest of w
  // gets different answers: the step is wrong, and `rest` says so.
  struct WrongStep {
    std::uint32_t from, to;
    Action letter;
    Word rest;
  };
  WrongStep wrong_step(std::span<const std::uint32_t> path, Word w, bool truth);

  Teacher& teacher_;
  Asker ask_;
  const std::uint32_t letters_;
  std::vector<Trace> access_;        // by state; state 0 is initial and has the empty word
  std::vector<std::uint32_t> next_;  // by state and letter: a state, kSink, or kNone if not known yet

 private:
  struct Known {
    Trace word;
    bool truth;
  };
  void begin();
  bool accepts(Word w) const;

  bool begun_ = false;
  std::vector<Known> counterexamples_;
  Lts hypothesis_;
};

}  // namespace surety
