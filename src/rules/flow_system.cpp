#include "rules/flow_system.hpp"

#include <algorithm>

#include "engine/flow/flow_graph.hpp"
#include "model/minimise.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

using FlowRole = FlowComponent::Role;

const char* prefix(FlowRole role) {
  switch (role) {
    case FlowRole::task: return "ta:";
    case FlowRole::variable: return "va:";
    case FlowRole::object: break;
  }
  return "oa:";
}

// Actions of at least two of the tasks.
Alphabet joint_actions(const FlowSystem& system, const std::vector<std::size_t>& tasks) {
  std::vector<ComponentSet> sides;
  for (const std::size_t t : tasks) sides.push_back({system.components[t].lts});
  return shared_alphabet(sides);
}

Alphabet visible_in(const FlowSystem& system, const FlowScope& scope) {
  Alphabet out = unite(unite(joint_actions(system, scope.tasks), scope.free), scope.spoken_of);
  for (const std::size_t c : scope.constraints)
    if (!system.constraints[c].task) out = unite(out, system.constraints[c].lts->alphabet());
  return out;
}

bool has_tau(const Lts& lts) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    if (!lts.steps(State{s}, kTau).empty()) return true;
  return false;
}

}  // namespace

FlowSystem::FlowSystem(std::vector<FlowComponent> parts, std::vector<FlowConstraint> given)
    : components(std::move(parts)), constraints(std::move(given)) {
  Alphabet of_tasks;
  for (auto& component : components)
    if (has_tau(*component.lts)) component.role = FlowRole::task;
  for (const auto& component : components)
    if (component.role == FlowRole::task) of_tasks = unite(of_tasks, component.lts->alphabet());
  for (auto& component : components)
    if (!subtract(component.lts->alphabet(), of_tasks).empty()) component.role = FlowRole::task;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const auto& component = components[i];
    constraints.push_back(
        {prefix(component.role) + component.name, is_task(i) ? std::optional(i) : std::nullopt, component.lts, false});
  }
  std::ranges::stable_sort(constraints, {},
                           [](const FlowConstraint& c) { return std::pair(c.lts->state_count(), c.name); });
}

std::vector<std::size_t> FlowSystem::tasks() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < components.size(); ++i)
    if (is_task(i)) out.push_back(i);
  return out;
}

Alphabet FlowSystem::alphabet() const {
  Alphabet out;
  for (const auto& component : components) out = unite(out, component.lts->alphabet());
  return out;
}

Lts FlowSystem::graph_of(std::size_t task, const Alphabet& visible, bool refined, Budget& budget) const {
  const Lts& lts = *components[task].lts;
  const Alphabet seen = intersect(lts.alphabet(), visible);
  const auto [it, fresh] = graphs.try_emplace({task, {seen.begin(), seen.end()}, refined});
  if (fresh) {
    const Lts graph = flow_graph(minimise_strong(project(lts, seen), &budget), seen);
    it->second = refined ? refine(graph) : graph;
    if (budget.why() != Stop::none) graphs.erase(it);
  }
  return budget.why() != Stop::none ? Lts() : it->second;
}

std::vector<Part> ScopedFlow::parts() const {
  std::vector<Part> out{{&flow().lts}};
  for (const Lts& lts : constraints) out.push_back({&lts});
  return out;
}

SearchResult ScopedFlow::search_along(const Trace& events, const Alphabet& seen, const Lts& property,
                                      std::uint64_t most_states, const Context& context) const {
  const Lts word = over_nodes(trace_lts(events, seen), flow());
  const Lts forbidden = over_nodes(property, flow());
  auto searched = parts();
  searched.push_back({&word});
  searched.push_back({&forbidden, Role::watch});
  Limits limits;
  limits.states = most_states;
  Budget share(context.budget, limits);
  return search(searched, Goal::violation, share, context.threads);
}

namespace {

std::vector<Action> actions_of(const Alphabet& alphabet) { return {alphabet.begin(), alphabet.end()}; }

// Null: too large, or the budget ended.
std::shared_ptr<const FlowOfTasks> flow_of_tasks(const FlowSystem& system, const FlowScope& scope,
                                                 const Alphabet& visible, const Alphabet& spoken_of, Budget& budget) {
  constexpr std::size_t kKept = 32;
  const FlowSystem::FlowKey key{scope.tasks, actions_of(scope.free), actions_of(visible), actions_of(spoken_of),
                                scope.refined};
  if (const auto it = system.flows.find(key); it != system.flows.end()) return it->second;
  std::vector<Lts> graphs;
  for (const std::size_t t : scope.tasks) {
    graphs.push_back(system.graph_of(t, visible, scope.refined, budget));
    if (!budget.go_on()) return nullptr;
  }
  if (!scope.free.empty()) graphs.push_back(flow_graph(universal_lts(scope.free), visible));
  auto flow = trace_flow(graphs, spoken_of, budget);
  if (!flow) return nullptr;
  if (system.flows.size() >= kKept) system.flows.clear();
  return system.flows[key] = std::make_shared<const FlowOfTasks>(FlowOfTasks{std::move(graphs), std::move(*flow)});
}

}  // namespace

std::optional<ScopedFlow> scoped_flow(const FlowSystem& system, const FlowScope& scope, Budget& budget) {
  ScopedFlow out{visible_in(system, scope), nullptr, {}};
  Alphabet spoken_of = unite(scope.spoken_of, scope.free);
  for (const std::size_t c : scope.constraints)
    if (!system.constraints[c].task) spoken_of = unite(spoken_of, system.constraints[c].lts->alphabet());
  out.tasks = flow_of_tasks(system, scope, out.visible, spoken_of, budget);
  if (!out.tasks) return std::nullopt;
  for (const std::size_t c : scope.constraints) {
    const FlowConstraint& constraint = system.constraints[c];
    if (!constraint.task) {
      out.constraints.push_back(over_nodes(*constraint.lts, out.flow()));
      continue;
    }
    const auto at = std::ranges::find(scope.tasks, *constraint.task) - scope.tasks.begin();
    out.constraints.push_back(task_automaton(out.flow(), static_cast<std::uint32_t>(at)));
  }
  return out;
}

void describe(FlowAnswer& answer, const FlowSystem& system, const ConstraintSet& constraints,
              const std::vector<const ScopedFlow*>& flows) {
  answer.constraints.clear();
  answer.trusts = false;
  for (const std::size_t c : constraints) {
    answer.constraints.push_back(system.constraints[c].name);
    answer.trusts |= system.constraints[c].given;
  }
  answer.points = answer.nodes = answer.edges = answer.mip = answer.pairs = 0;
  for (const ScopedFlow* scoped : flows) {
    const TraceFlow& flow = scoped->flow();
    answer.points += flow.nodes.point_count();
    answer.nodes += flow.nodes.nodes.size();
    answer.edges += flow.edges();
    answer.mip += flow.mip_edges;
    answer.pairs += flow.together.count();
  }
}

FlowSide flow_side(const FlowSystem& system, const FlowScope& scope, const ScopedFlow& flow) {
  FlowSide out;
  for (const std::size_t t : scope.tasks) out.tasks.push_back(system.components[t].name);
  out.graphs.assign(flow.tasks->graphs.begin(),
                    flow.tasks->graphs.begin() + static_cast<std::ptrdiff_t>(scope.tasks.size()));
  for (const std::size_t c : scope.constraints) {
    const std::string& name = system.constraints[c].name;
    out.constraints.push_back(system.constraints[c].task ? name : name.substr(name.find(':') + 1));
  }
  const PointRelation& together = flow.flow().together;
  const auto* bits = together.points() == 0 ? nullptr : together.row(0);
  out.together.assign(bits, bits + std::uint64_t{together.points()} * together.words());
  return out;
}

}  // namespace surety
