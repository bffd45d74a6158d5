#include "engine/flow/flow_nodes.hpp"

#include <algorithm>
#include <map>

namespace surety {
namespace {

// The nodes of one flow graph, by action.
using Own = std::map<Action, std::vector<FlowPart>>;

Own nodes_of(const Lts& graph, std::uint32_t task, Point first) {
  std::map<std::pair<Action, State>, std::vector<Point>> before;
  for (std::uint32_t s = 0; s < graph.state_count(); ++s)
    for (const Step& step : graph.steps(State{s})) before[{step.action, step.target}].push_back(first + s);
  Own out;
  for (auto& [node, pre] : before) out[node.first].push_back({task, first + node.second.value, std::move(pre)});
  return out;
}

// One of each: all ways to do it together.
std::vector<FlowNode> together(Action label, const std::vector<const std::vector<FlowPart>*>& sides) {
  std::vector<FlowNode> out{{label, {}}};
  for (const auto* side : sides) {
    std::vector<FlowNode> longer;
    for (const FlowNode& node : out)
      for (const FlowPart& part : *side) {
        if (longer.size() > kMostFlowNodes) return longer;
        longer.push_back(node);
        longer.back().parts.push_back(part);
      }
    out = std::move(longer);
  }
  return out;
}

bool is_last(const FlowNode& node, const std::vector<Lts>& graphs, const std::vector<Point>& first) {
  return std::ranges::all_of(node.parts, [&](const FlowPart& part) {
    return graphs[part.task].steps(State{part.post - first[part.task]}).empty();
  });
}

}  // namespace

const FlowPart* FlowNode::part_of(std::uint32_t task) const {
  for (const FlowPart& part : parts)
    if (part.task == task) return &part;
  return nullptr;
}

std::optional<FlowNodes> flow_nodes(const std::vector<Lts>& graphs, const Alphabet& spoken_of) {
  FlowNodes out;
  out.first.push_back(0);
  std::vector<Own> own;
  std::map<Action, std::vector<std::uint32_t>> who;
  for (std::uint32_t t = 0; t < graphs.size(); ++t) {
    own.push_back(nodes_of(graphs[t], t, out.first.back()));
    for (const Action a : graphs[t].alphabet()) who[a].push_back(t);
    out.first.push_back(out.first.back() + graphs[t].state_count());
  }
  const auto add = [&](Action label, const std::vector<std::uint32_t>& tasks) {
    std::vector<const std::vector<FlowPart>*> sides;
    for (const std::uint32_t t : tasks) sides.push_back(&own[t][label]);
    for (FlowNode& node : together(label, sides))
      if (tasks.size() < 2 || spoken_of.contains(label) || !is_last(node, graphs, out.first))
        out.nodes.push_back(std::move(node));
    return out.nodes.size() <= kMostFlowNodes;
  };
  for (std::uint32_t t = 0; t < graphs.size(); ++t)
    if (!add(kTau, {t})) return std::nullopt;
  for (const auto& [label, tasks] : who)
    if (!add(label, tasks)) return std::nullopt;
  return out;
}

}  // namespace surety
