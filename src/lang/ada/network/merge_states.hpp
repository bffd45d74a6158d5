// States of a task that stand at the same place and behave alike for ever are one.
//
// A task remembers the values of its variables, although what it still does may not depend on them: which things lie
// where once the number is reached that counts, what is behind the end of a list. Whether a value is ever read again
// (liveness.hpp) does not tell, strong bisimulation does. Places and transitions stay apart, so what a trace and a
// deadlock say about statements is the same as before.
#pragma once

#include "base/budget.hpp"
#include "lang/ada/network/explore.hpp"

namespace surety::ada {

// If the budget ends, nothing is changed.
void merge_states(TaskGraph& graph, Budget& budget);

}  // namespace surety::ada
