// Global variables: components of their own, or in one component with the processes that use them.
//
// A variable that is a component of its own leaves its users ignorant: a process that
// reads it has one step for every value that the variable can ever have, though often only
// one value is possible at that point. A component that contains the variable and all its
// users has only the steps that can really happen; but its states multiply where the
// processes have little to do with each other. So each variable is tried: the reachable
// product of the variable and its users is built, and given up as soon as it is no smaller
// than the separate components.
//
// The size of a component is its number of states plus its number of steps. States alone
// would not show what is gained, since a variable has few states and many steps (one for
// each value that a write can find); steps alone would not show what is lost where
// processes multiply.
//
// The product of the whole network does not change, state by state and step by step,
// because composition is associative. All actions keep their names and stay in the alphabet
// of the group, also those that the group can never do, so that they block other components
// as before. A process that only has a rendezvous with a user is no user; it shares that
// action with the group. A group is in a valid end state if all its members are. Only an
// error state (an index out of bounds; a violated assertion is a step) would change the
// behaviour: a component that has reached its error state stands still, and as a group the
// other members would stand still with it. So a group that can reach an error state is not
// made. If the group cannot reach one, no run can, and the error state is dropped.
//
// One process at least stays outside of every group: with all processes in one component,
// nothing would be left to prove by parts. Variables with few users go first, and among
// them those with small users; a group counts as one user of the next variable. Buffers
// stay components of their own.
#pragma once

#include "lang/promela/network/network.hpp"

namespace surety::promela::net {

// The first components of the network must be the processes, the next ones the variables, in the order of those globals
// that have a component; the rest are buffers. `users`: for each variable, the processes whose own transitions access
// it, in order. Notes in each of these globals what became of it.
void group_globals(PromelaNetwork& promela, std::size_t processes, std::vector<std::vector<std::size_t>> users,
                   Budget& budget);

}  // namespace surety::promela::net
