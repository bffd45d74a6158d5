// The nodes of several flow graphs that run side by side: what a task does alone, and what several do together.
//
// A node is an action with the points that it leads to, one per task that takes part. Points have numbers of their own
// across all tasks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/lts.hpp"

namespace surety {

using Point = std::uint32_t;

struct FlowPart {
  std::uint32_t task = 0;
  Point post = 0;          // where the task is after the node
  std::vector<Point> pre;  // where it can be before it
};

struct FlowNode {
  Action label = kTau;
  std::vector<FlowPart> parts;  // by ascending task

  const FlowPart* part_of(std::uint32_t task) const;  // null: it takes no part
};

struct FlowNodes {
  std::vector<Point> first;  // by task: its first point, where it starts; one more at the end
  std::vector<FlowNode> nodes;

  std::uint32_t task_count() const { return static_cast<std::uint32_t>(first.size() - 1); }
  Point point_count() const { return first.back(); }
};

inline constexpr std::size_t kMostFlowNodes = 20'000;

// Nothing: there would be more than kMostFlowNodes.
// A joint action after which no task can go on, and which is not in `spoken_of`, is left out: nothing depends on it.
std::optional<FlowNodes> flow_nodes(const std::vector<Lts>& graphs, const Alphabet& spoken_of);

}  // namespace surety
