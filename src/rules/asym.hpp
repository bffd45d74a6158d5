// Rule ASYM with a learned assumption (Cobleigh, Giannakopoulou, Pasareanu 2003):
//
//        <A> M1 <P>        <true> M2 <A>
//        -------------------------------
//             <true> M1 || M2 <P>
//
// The language that a learner is after is the weakest assumption of M1 over A's
// alphabet, but most proofs need less. The alphabet is the whole interface
// (aM1 u aP) n aM2, or starts from the property's part of it and grows: what seems
// to be a violation over a small alphabet is one only if a trace of M1 || P and a
// trace of M2 agree on the whole interface. Where they do not, the actions they
// disagree on are added, and the last conjecture seeds the next learner.
#pragma once

#include "learn/teacher.hpp"
#include "rules/proof_goal.hpp"

namespace surety {

// What M1 is put into: M2, or a chain of components that is proved by the same rule.
class Environment {
 public:
  struct Kept {
    std::vector<Lts> assumptions;  // that the environment in turn was proved with
  };
  struct Broken {
    Trace trace;  // of the whole environment
  };

  virtual ~Environment() = default;
  virtual const Alphabet& alphabet() const = 0;
  virtual std::variant<Kept, Broken, Stopped> keeps(const Lts& assumption) = 0;  // <true> M2 <A>
  // A trace that does this word over this alphabet. Nothing: there is none, or finding out costs too much.
  virtual std::optional<Trace> perform(Word word, const Alphabet& alphabet) = 0;
};

// `level` counts from 1: which of several assumptions this is, for the report.
Verdict prove_in(Environment& environment, const ComponentSet& m1, const Lts& property, const Lts* seed, int level,
                 const Context& context);

// Two sides.
Verdict prove_asym(const ProofGoal& goal, const Context& context);

}  // namespace surety
