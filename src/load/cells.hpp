// What comes apart where it can, by what the model is read for.
#pragma once

#include "load/load.hpp"

namespace surety::api {

// For flow analysis the variables of large tasks are constraints of their own: else the graph has a node per value.
inline constexpr FspCells kFlowCells{.whole_states = 200'000};

}  // namespace surety::api
