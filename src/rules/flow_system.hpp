// A system as FLAVERS sees it: tasks, whose order of nodes a trace flow graph approximates, and constraints.
//
// A constraint is an LTS that is put beside the graph and blocks paths that are no runs: the automaton of a task (its
// nodes come in its order), a component that is no task (a variable, a protected object), or what the user knows.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/flow/trace_flow.hpp"
#include "rules/flow_answer.hpp"
#include "rules/proof_goal.hpp"

namespace surety {

struct FlowComponent {
  enum class Role : std::uint8_t { task, variable, object };
  std::string name;
  const Lts* lts = nullptr;
  Role role = Role::task;
};

struct FlowConstraint {
  std::string name;                 // ta:Car, va:X, oa:Buffer, or the name of one that the user gave
  std::optional<std::size_t> task;  // in FlowSystem::components
  const Lts* lts = nullptr;         // of a task: its component
  bool given = false;               // by the user: taken on trust
};

// Flow graphs of some tasks, with their trace flow graph.
struct FlowOfTasks {
  std::vector<Lts> graphs;  // of the tasks, and last of the environment, if it has one
  TraceFlow flow;
};

struct FlowSystem {
  // A component with an action that no task has, or with tau, is a task.
  FlowSystem(std::vector<FlowComponent> parts, std::vector<FlowConstraint> given);

  std::vector<FlowComponent> components;
  std::vector<FlowConstraint> constraints;  // all that there are, smallest first

  // The flow graph of a task, and a trace flow graph: made once, for they are asked for again and again with other
  // constraints. Not for several threads.
  Lts graph_of(std::size_t task, const Alphabet& visible, bool refined, Budget& budget) const;
  mutable std::map<std::tuple<std::size_t, std::vector<Action>, bool>, Lts> graphs;
  using FlowKey =
      std::tuple<std::vector<std::size_t>, std::vector<Action>, std::vector<Action>, std::vector<Action>, bool>;
  mutable std::map<FlowKey, std::shared_ptr<const FlowOfTasks>> flows;

  bool is_task(std::size_t component) const { return components[component].role == FlowComponent::Role::task; }
  std::vector<std::size_t> tasks() const;
  Alphabet alphabet() const;  // of all components
};

using ConstraintSet = std::vector<std::size_t>;  // in FlowSystem::constraints

// Some of the tasks, in an environment that can do `free` at any time.
struct FlowScope {
  std::vector<std::size_t> tasks;
  Alphabet free;
  ConstraintSet constraints;
  Alphabet spoken_of;   // what else must be seen, besides what the constraints have
  bool refined = true;  // flow graphs without the silent nodes that can go
};

// The trace flow graph of a scope, with its constraints over its nodes.
struct ScopedFlow {
  Alphabet visible;  // what is not tau
  std::shared_ptr<const FlowOfTasks> tasks;
  std::vector<Lts> constraints;

  const TraceFlow& flow() const { return tasks->flow; }

  // What to search: everything but the property.
  std::vector<Part> parts() const;

  // Can the graph with its constraints do these events and violate the property with the last of them? `seen` is what
  // the events are of; the search has so many states at most.
  SearchResult search_along(const Trace& events, const Alphabet& seen, const Lts& property, std::uint64_t most_states,
                            const Context& context) const;
};

// Nothing: too large, or the budget ended.
std::optional<ScopedFlow> scoped_flow(const FlowSystem& system, const FlowScope& scope, Budget& budget);

// Puts the constraints, and the sizes of the graphs (of several the sums), into the answer.
void describe(FlowAnswer& answer, const FlowSystem& system, const ConstraintSet& constraints,
              const std::vector<const ScopedFlow*>& flows);

// For the checker: what the proof rests on.
FlowSide flow_side(const FlowSystem& system, const FlowScope& scope, const ScopedFlow& flow);

}  // namespace surety
