// Global variables in one component with the processes that use them, where that is smaller (lang/net/group.hpp).
#pragma once

#include "lang/promela/network/network.hpp"

namespace surety::promela::net {

// The first components of the network must be the processes, the next ones the variables, in the order of those globals
// that have a component; the rest are buffers. `users`: for each variable, the processes whose own transitions access
// it, in order. Notes in each of these globals what became of it.
void group_globals(PromelaNetwork& promela, std::size_t processes, std::vector<std::vector<std::size_t>> users,
                   Budget& budget);

}  // namespace surety::promela::net
