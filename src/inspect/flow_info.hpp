// What `info --engine flavers` tells: flow graphs, the trace flow graph, and a picture of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "base/json.hpp"
#include "load/load.hpp"

namespace surety::api {

struct FlowInfo {
  struct Task {
    std::string name;
    std::uint32_t nodes = 0, refined = 0;  // of its flow graph, before and after silent nodes have gone
  };
  std::vector<Task> tasks;
  std::vector<std::string> constraints;  // that are used
  std::vector<std::string> candidates;   // all that there are
  std::uint64_t points = 0, nodes = 0, edges = 0, mip = 0, pairs = 0;
  std::string dot;  // the trace flow graph
};

// With the actions that the properties of the model and the constraints speak of.
Outcome<FlowInfo> flow_info(const Model& model, const std::string& constraints, Budget& budget);
Json to_json(const FlowInfo& info);

}  // namespace surety::api
