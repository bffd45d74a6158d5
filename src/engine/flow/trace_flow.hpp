// The trace flow graph: an LTS that has every order of events of several tasks, and more.
//
// Its states are the nodes of the tasks' flow graphs, the one that was executed last, and a start; its actions are the
// nodes, too: action n + 1 is node n, which may come next. There are two kinds of edges:
//
//   flow   n -> m: they share a task, which is before m after n, and the other tasks of m can be before it, too;
//   MIP    n -> m and m -> n: they share no task, and both can happen at points that are together. "May immediately
//          precede": two steps of a run that follow each other and share no task were both possible before the first.
//
// Every run of the tasks is a path; most paths are no runs. An LTS that is put beside it and blocks some of them is a
// *constraint* (doc/rules.md#flavers).
#pragma once

#include <optional>
#include <vector>

#include "engine/flow/parallel.hpp"

namespace surety {

struct TraceFlow {
  FlowNodes nodes;  // only those that can happen
  PointRelation together;
  Lts lts;
  std::uint64_t flow_edges = 0, mip_edges = 0;

  std::uint64_t edges() const { return flow_edges + mip_edges; }
  static Action action_of(std::size_t node) { return Action{static_cast<std::uint32_t>(node + 1)}; }
  Action label_of(Action node) const { return nodes.nodes[node.value - 1].label; }
  Trace labels_of(Word path) const;
};

// Nothing: there are too many nodes, or the budget ended. `spoken_of`: what properties and constraints have.
std::optional<TraceFlow> trace_flow(const std::vector<Lts>& graphs, const Alphabet& spoken_of, Budget& budget);

// An LTS over events as one over nodes: a label stands for all nodes that have it.
Lts over_nodes(const Lts& lts, const TraceFlow& flow);

// The points of a task, and its nodes in the order that the task has them in.
Lts task_automaton(const TraceFlow& flow, std::uint32_t task);

}  // namespace surety
