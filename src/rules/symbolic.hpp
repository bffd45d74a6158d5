// No rule either: the whole state space, but as a decision diagram (engine/diagram/saturation).
//
// The certificate is the set of reachable states as such a diagram: an inductive
// invariant, which the checker verifies without searching anything.
//
// In the cost, states are nodes made and max_states the most nodes at a time.
#pragma once

#include "engine/diagram/saturation.hpp"
#include "rules/proof_goal.hpp"

namespace surety {

Verdict prove_symbolic(const ProofGoal& goal, const Context& context);
Verdict prove_symbolic(const ProofGoal& goal, const Context& context, const SymbolicOptions& options);

// As check_deadlock of rules/monolithic.hpp, without priorities.
Verdict check_deadlock_symbolic(const std::vector<const Lts*>& components, Budget& budget, Cost& cost,
                                std::vector<State>& last, const SymbolicOptions& options = {});

}  // namespace surety
