// Shared variables in one component with the tasks that use them, where that is smaller (lang/net/group.hpp).
//
// A task counts as a process if it does more than begin and end with its master, and wait for such: a main procedure
// that only declares tasks leaves nothing to prove by parts. A variable of one task that was made a component stays
// one: that is what it was made for (own_apart.hpp). Protected objects and queues stay what they are, too.
#pragma once

#include "base/budget.hpp"
#include "lang/ada/network/network.hpp"

namespace surety::ada {

// Fills `grouped`, `groups` and `shared`; the rest stays as it is.
void group_shared(AdaNetwork& ada, Budget& budget);

}  // namespace surety::ada
