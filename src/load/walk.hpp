// A trace of a network, with the states that its components go through.
#pragma once

#include <optional>
#include <vector>

#include "model/action.hpp"
#include "model/network.hpp"

namespace surety::api {

using Standing = std::vector<State>;  // by component

// One way to go along the trace, silent steps included: one standing more than there are steps. Nothing: there is none,
// or too much would have to be tried.
std::optional<std::vector<Standing>> walk(const Network& network, const Trace& trace);

}  // namespace surety::api
