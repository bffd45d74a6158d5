// Global variables: components of their own, or in one component with the processes that use them.
//
// A variable as a component of its own leaves its users ignorant: who reads it has a
// step for every value that it could have, though often only one is possible there.
// In one component with all its users only what can happen is left; but processes that
// have little to do with each other multiply. So each variable is tried: the reachable
// product of it and its users, given up as soon as it is no smaller than they are apart.
//
// The size of a component is its number of states and steps. States alone would not see
// what is gained, since a variable has few states and many steps (one for each value that a
// write can find); steps alone would not see what is lost where processes multiply.
//
// The whole does not change, state by state and step by step: composition is
// associative. All actions keep their names and stay in the alphabet of the group, also
// those that it can never do, so that they block others as before. Who only meets a user
// in a rendezvous is no user, and shares that action with the group. A group is in a
// valid end state if all its members are. Only an error state (an index out of bounds,
// not a violated assertion, which is a step) would spread: a component that has reached
// it stands still, and the other members would with it. So a group that can reach one is
// not made. If it cannot, nothing can, and the error state is gone.
//
// There is always a process outside of a group: with all in one, nothing would be left to
// prove by parts. Variables with few users go first, then those with small ones; a group is
// a user of the next variable. Buffers stay components of their own.
#pragma once

#include "lang/promela/network/network.hpp"

namespace surety::promela::net {

// The first components are processes; next are the variables, in the order of those globals that have a component; the
// rest are buffers. `users`: of each variable the processes that use it themselves, in order. Says of each of these
// globals what became of it.
void group_globals(PromelaNetwork& promela, std::size_t processes, std::vector<std::vector<std::size_t>> users,
                   Budget& budget);

}  // namespace surety::promela::net
