// Which steps of different tasks may happen at the same time.
#pragma once

#include <map>
#include <vector>

#include "model/flow_graph.hpp"

namespace surety::ada {

// A step of a task: a node of its graph.
struct TaskStep {
  std::uint32_t task = 0, node = 0;
};

// Where control can go from a node, exceptions included.
std::vector<std::uint32_t> successors(const flow::Graph& graph, std::uint32_t node);
// The node can be executed again after it was.
bool is_repeated(const flow::Graph& graph, std::uint32_t node);

// Only masters keep tasks apart here: a task is there from the beginning of its master to the end of it. Rendezvous and
// protected objects order steps, too, so two steps of which this says "may" need not be able to.
class Parallel {
 public:
  explicit Parallel(const flow::Program& program) : program_(program) {}
  bool may_happen(TaskStep a, TaskStep b);

 private:
  const std::vector<bool>& inside(std::uint32_t master);
  std::uint32_t master_of(std::uint32_t task, std::uint32_t executor) const;
  bool may_overlap(std::uint32_t a, std::uint32_t b);

  const flow::Program& program_;
  std::map<std::uint32_t, std::vector<bool>> inside_;  // by master: the nodes of its task while it is there
};

}  // namespace surety::ada
