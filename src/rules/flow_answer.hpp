// What a flow analysis has to tell besides its verdict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/action.hpp"

namespace surety {

struct FlowAnswer {
  std::vector<std::string> constraints;  // that were used
  std::uint64_t points = 0, nodes = 0, edges = 0, mip = 0, pairs = 0;
  std::uint64_t searches = 0;
  Trace path;  // the events of a path that violates the property; it may be no run
  enum class Feasible : std::uint8_t { yes, no, open };
  Feasible feasible = Feasible::open;  // whether the path is a run
  bool too_large = false;              // the trace flow graph has too many nodes
  bool trusts = false;                 // a constraint that the user gave was used
};

}  // namespace surety
