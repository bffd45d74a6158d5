// Refinement of all components at once, without a split:
//
//     A1 is an abstraction of M1   ...   An is one of Mn      <true> A1 || ... || An <P>
//     ----------------------------------------------------------------------------------
//                            <true> M1 || ... || Mn <P>
//
// Every component has a partition of its states (blocks.hpp). At first it has one block
// and is as good as absent: such components are left out of the search altogether, so its
// size depends on what matters for the property and not on how many components there are.
// A counterexample of the abstract product is tried on each component alone, which is
// exact: the whole has a word iff every component has its share of it. If all can do
// theirs, the property is violated. If not, one that cannot is refined until its
// abstraction refuses the word as well. That takes at most as many splits as components
// have states.
//
// Which one is refined, and why, decides how far this goes. A component has actions that
// neither the property nor a component in the search has. If it refuses the word whatever
// these do, this reason counts first: what follows from it does not tell apart the many
// ways in which the absent components could have behaved. Then come components that are
// in the search already, then the one that refuses earliest, then the smallest.
// bench/README.md has numbers.
#pragma once

#include "rules/proof_goal.hpp"

namespace surety {

Verdict prove_cegar(const ProofGoal& goal, const Context& context);  // one side

}  // namespace surety
