// Which slots of a task can still be read: all others need not be remembered.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/flow_graph.hpp"

namespace surety::ada {

// By node: the slots, in ascending order, that may be read from there on before they are written. Only slots for which
// `is_own` holds.
std::vector<std::vector<std::uint32_t>> live_slots(const flow::Graph& graph,
                                                   const std::function<bool(std::uint32_t)>& is_own);

}  // namespace surety::ada
