#include "inspect/flow_info.hpp"

#include <fmt/format.h>

#include "check/flavers.hpp"

namespace surety::api {
namespace {

// Flow edges are drawn through, MIP edges (both ways) dashed and once. Silent nodes say whose they are. `tasks`: their
// names.
std::string dot_of(const TraceFlow& flow, const ActionTable& actions, const std::vector<std::string>& tasks) {
  std::string out =
      "digraph tfg {\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n  start [shape=point];\n";
  const auto& nodes = flow.nodes.nodes;
  const auto label = [&](const FlowNode& node) {
    return node.label == kTau ? "tau of " + tasks[node.parts[0].task] : std::string(actions.name(node.label));
  };
  for (std::size_t n = 0; n < nodes.size(); ++n)
    out +=
        fmt::format("  n{} [label=\"{}\"{}];\n", n, label(nodes[n]), nodes[n].parts.size() > 1 ? ", style=bold" : "");
  const auto share = [&](std::size_t n, std::size_t m) {
    for (const FlowPart& part : nodes[n].parts)
      if (nodes[m].part_of(part.task) != nullptr) return true;
    return false;
  };
  for (const Step& step : flow.lts.steps(State{0})) out += fmt::format("  start -> n{};\n", step.target.value - 1);
  for (std::uint32_t n = 0; n < nodes.size(); ++n)
    for (const Step& step : flow.lts.steps(State{n + 1})) {
      const std::uint32_t m = step.target.value - 1;
      if (share(n, m))
        out += fmt::format("  n{} -> n{};\n", n, m);
      else if (n < m)
        out += fmt::format("  n{} -> n{} [style=dashed, dir=both, color=gray50, constraint=false];\n", n, m);
    }
  return out + "}\n";
}

}  // namespace

Outcome<FlowInfo> flow_info(const Model& model, const std::string& constraints, Budget& budget) {
  const Network network = safety_network(model);
  auto made = constrained_system(model, network, constraints);
  if (!made) return tl::unexpected(std::move(made.error()));
  const FlowSystem& system = (*made)->system;
  FlowScope scope{system.tasks(), {}, (*made)->choice.listed, {}};
  FlowInfo out;
  for (std::size_t c = 0; c < system.constraints.size(); ++c) {
    out.candidates.push_back(system.constraints[c].name);
    if ((*made)->choice.mode == ConstraintChoice::Mode::all) scope.constraints.push_back(c);
  }
  for (const std::size_t c : scope.constraints) out.constraints.push_back(system.constraints[c].name);
  for (const Property& property : model.properties) scope.spoken_of = unite(scope.spoken_of, property.lts.alphabet());
  scope.free = subtract(scope.spoken_of, system.alphabet());
  const auto flow = scoped_flow(system, scope, budget);
  if (!flow && budget.why() != Stop::none)
    return tl::unexpected(
        Failure{Failure::kStopped, {file_error(model.inputs[0].file, "stopped by " + describe(budget.why()))}});
  if (!flow)
    return bad_input(
        {file_error(model.inputs[0].file, fmt::format("the trace flow graph has more than {} nodes", kMostFlowNodes))});
  for (std::size_t t = 0; t < scope.tasks.size(); ++t)
    out.tasks.push_back({system.components[scope.tasks[t]].name,
                         system.graph_of(scope.tasks[t], flow->visible, false, budget).state_count() - 1,
                         flow->tasks->graphs[t].state_count() - 1});
  out.points = flow->flow().nodes.point_count();
  out.nodes = flow->flow().nodes.nodes.size();
  out.edges = flow->flow().edges();
  out.mip = flow->flow().mip_edges;
  out.pairs = flow->flow().together.count();
  std::vector<std::string> names;
  for (const auto& task : out.tasks) names.push_back(task.name);
  names.emplace_back("nobody");  // what only a property has
  out.dot = dot_of(flow->flow(), *model.actions, names);
  return out;
}

Json to_json(const FlowInfo& info) {
  Json out{{"constraints", info.constraints}, {"candidates", info.candidates}};
  out["tfg"] = {
      {"points", info.points}, {"nodes", info.nodes}, {"edges", info.edges}, {"mip", info.mip}, {"pairs", info.pairs}};
  out["flow"] = Json::array();
  for (const auto& task : info.tasks)
    out["flow"].push_back({{"task", task.name}, {"nodes", task.nodes}, {"refined", task.refined}});
  return out;
}

}  // namespace surety::api
