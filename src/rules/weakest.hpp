// The weakest assumption, built directly (Giannakopoulou, Pasareanu, Barringer 2002).
//
// Over an alphabet it has exactly the words that an environment may do without
// leading a system to an error: system || E is safe iff E keeps it, whatever E is.
// The system, with its properties as watchers, is seen through the alphabet and
// determinised; a set of states from which something can go wrong without the
// environment is rejected. The empty set, where a word leads that the system cannot
// do, is an accepting state that never ends: what cannot happen violates nothing.
// The rest is minimised, and the rejecting state is no state of an LTS.
//
// Generate and discharge is rule ASYM with this assumption: nothing is learned, and
// premise 2 alone decides. The price is that the assumption says more than most
// proofs need, and that its subsets can be exponentially many.
#pragma once

#include "rules/proof_goal.hpp"

namespace surety {

// Nothing: the budget ended. Without states: the system goes wrong by itself.
std::optional<Lts> weakest_assumption(const std::vector<Part>& system, const Alphabet& alphabet,
                                      const Context& context);

// The empty language, which still has an alphabet.
Lts empty_language(const Alphabet& alphabet);

// Two sides.
Verdict prove_weakest(const ProofGoal& goal, const Context& context);

}  // namespace surety
