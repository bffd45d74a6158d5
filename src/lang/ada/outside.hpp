// Variables that protected operations use though they are not private data.
#pragma once

#include "model/flow_graph.hpp"

namespace surety::ada {

// A protected operation is one step, whatever it uses. So a variable outside that it uses, and that changes, is kept
// with the object; objects that share one become one.
void keep_outside_variables(flow::Program& program);

}  // namespace surety::ada
