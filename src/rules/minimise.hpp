// Backward compositional minimisation: from the property into the system.
//
// W0 is the property with its error state, and the next W is what can fail of the last
// one together with one more component:
//
//   W(j) = reduce(hide(W(j-1) || Mj))
//
// where an action is hidden once no component that is left has it, and everything is
// kept small by what rules/failing.hpp says. The words that fail in W are those that
// the components left must not do: W is the complement of the weakest assumption on
// them. If none fails, the property holds, whatever the others do; if all fail, it is
// violated, and the trace is found by going back through the Ws.
//
// The next component is chosen greedily: small, with much to share and to hide; if W
// grows, the best three are tried and the smallest W is kept. A product over the cap is
// given up; when all the promising ones are, the rest is searched with W as a part.
//
// Nothing is learned, and no split is asked for. The proof is the order and the Ws, of
// which each simulates what it was made of; see certify/minimise.cpp.
#pragma once

#include "rules/proof_goal.hpp"

namespace surety {

// One side, of all components.
Verdict prove_minimise(const ProofGoal& goal, const Context& context);

// With a cap on the states of W || M.
Verdict prove_minimise(const ProofGoal& goal, const Context& context, std::uint64_t most_states);

}  // namespace surety
