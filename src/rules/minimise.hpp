// Backward compositional minimisation: from the property into the system.
//
// The Ws are error automata (rules/error_automaton.hpp). W0 is the property with its error
// state, and each W is made of the one before it and one more component:
//
//   W(j) = reduce(hide(W(j-1) || Mj))
//
// An action is hidden once no remaining component has it. The failing words of W are those
// that the remaining components must not do: W is the complement of the weakest assumption
// on them. If no word fails, the property holds, whatever the remaining components do; if
// all words fail, it is violated, and the trace is found by going back through the Ws.
//
// The next component is chosen greedily: a small one that shares many actions with W and
// lets many be hidden. If W grows, the best three are tried and the smallest W is kept. A
// product with more states than the cap is given up; when those of all promising
// components are, W and the remaining components are searched together.
//
// Nothing is learned, and no split is needed. The proof is the order of the components and
// the Ws; each W simulates the product that it was made of (certify/minimise.cpp).
#pragma once

#include "rules/proof_goal.hpp"

namespace surety {

// One side, of all components.
Verdict prove_minimise(const ProofGoal& goal, const Context& context);

// With a cap on the states of W || M.
Verdict prove_minimise(const ProofGoal& goal, const Context& context, std::uint64_t most_states);

}  // namespace surety
