// Variables that protected operations use though they are not private data.
#pragma once

#include <optional>
#include <string>

#include "model/flow_graph.hpp"

namespace surety::ada {

// A protected operation is one step, whatever it uses. So a variable outside that it uses, and that changes, is kept
// with the object; objects that share one become one.
//
// Why it is not possible, and for which object: one of them begins anew and the other does not; a barrier uses what
// others change, and is not looked at again when they do (ARM 9.5.3); or an operation calls the other object, whose
// waiting calls are served before it goes on, and would find what they have done outside.
struct OutsideTrouble {
  std::uint32_t object = 0;
  std::string why;
};
std::optional<OutsideTrouble> keep_outside_variables(flow::Program& program);

}  // namespace surety::ada
