#include "lang/ada/flow/parallel.hpp"

namespace surety::ada {
namespace {

using flow::kNone;
using flow::Node;

bool is_start(const Node& n, std::uint32_t master) { return n.kind == Node::Kind::begin && n.first == master; }
bool is_end(const Node& n, std::uint32_t master) { return n.kind == Node::Kind::end && n.first == master; }

}  // namespace

std::vector<std::uint32_t> successors(const flow::Graph& graph, std::uint32_t node) {
  const Node& n = graph.nodes[node];
  std::vector<std::uint32_t> out;
  if (n.kind == Node::Kind::wait)
    for (const flow::Alternative& a : n.alternatives) out.push_back(a.next);
  else
    out.push_back(n.next);
  if (n.kind == Node::Kind::branch) out.push_back(n.other);
  for (std::uint32_t h = n.handler; h != kNone; h = graph.handlers[h].outer) out.push_back(graph.handlers[h].node);
  if (graph.died != kNone) out.push_back(graph.died);
  return out;
}

bool is_repeated(const flow::Graph& graph, std::uint32_t node) {
  std::vector<bool> seen(graph.nodes.size(), false);
  std::vector<std::uint32_t> open{node};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    for (const std::uint32_t next : successors(graph, at)) {
      if (next == node) return true;
      if (next >= seen.size() || seen[next]) continue;
      seen[next] = true;
      open.push_back(next);
    }
  }
  return false;
}

const std::vector<bool>& Parallel::inside(std::uint32_t master) {
  const auto [at, fresh] = inside_.try_emplace(master);
  std::vector<bool>& out = at->second;
  if (!fresh) return out;
  const flow::Graph& graph = program_.tasks[program_.masters[master].task].graph;
  out.assign(graph.nodes.size(), master == 0);  // the main procedure's tasks are there from the beginning
  std::vector<std::uint32_t> open;
  const auto reach = [&](std::uint32_t node) {
    if (node >= out.size() || out[node]) return;
    out[node] = true;
    if (!is_end(graph.nodes[node], master)) open.push_back(node);
  };
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i)
    if (is_start(graph.nodes[i], master)) reach(i);
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    for (const std::uint32_t next : successors(graph, node)) reach(next);
  }
  return out;
}

// The innermost master of `executor` that the task depends on; kNone: there is none.
std::uint32_t Parallel::master_of(std::uint32_t task, std::uint32_t executor) const {
  if (task == 0) return kNone;  // the main procedure depends on nothing
  std::uint32_t m = program_.tasks[task].master;
  while (m != kNone && program_.masters[m].task != executor) m = program_.masters[m].outer;
  return m;
}

// Of two masters of one task: one begins while the other is there.
bool Parallel::may_overlap(std::uint32_t a, std::uint32_t b) {
  if (a == b || a == 0 || b == 0) return true;
  const auto& nodes = program_.tasks[program_.masters[a].task].graph.nodes;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if ((is_start(nodes[i], a) && inside(b)[i]) || (is_start(nodes[i], b) && inside(a)[i])) return true;
  return false;
}

bool Parallel::may_happen(TaskStep a, TaskStep b) {
  if (a.task == b.task) return false;
  if (const std::uint32_t m = master_of(b.task, a.task); m != kNone) return inside(m)[a.node];
  if (const std::uint32_t m = master_of(a.task, b.task); m != kNone) return inside(m)[b.node];
  for (std::uint32_t m = program_.tasks[a.task].master; m != kNone; m = program_.masters[m].outer) {
    const std::uint32_t other = master_of(b.task, program_.masters[m].task);
    if (other != kNone) return may_overlap(master_of(a.task, program_.masters[m].task), other);
  }
  return true;
}

}  // namespace surety::ada
