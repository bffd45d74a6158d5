#include "lang/ada/network/merge_states.hpp"

#include <algorithm>

#include "model/lts.hpp"
#include "model/minimise.hpp"

namespace surety::ada {
namespace {

// Its actions are the transitions, and a loop in each state that tells where it stands.
Lts as_lts(const TaskGraph& graph) {
  const auto action = [](std::size_t number) { return Action{static_cast<std::uint32_t>(number) + kTau.value + 1}; };
  std::map<std::tuple<TaskGraph::Mode, std::uint32_t, bool>, std::size_t> places;
  LtsBuilder out;
  out.set_state_count(static_cast<std::uint32_t>(graph.states.size()));
  for (std::uint32_t s = 0; s < graph.states.size(); ++s) {
    const auto& [mode, node, comes] = graph.states[s];
    const auto place = places.try_emplace({mode, node, comes}, places.size()).first->second;
    out.add_step(State{s}, action(graph.transitions.size() + place), State{s});
  }
  for (const auto& [from, transition, to] : graph.edges) out.add_step(State{from}, action(transition), State{to});
  return out.build();
}

}  // namespace

void merge_states(TaskGraph& graph, Budget& budget) {
  const std::vector<std::uint32_t> classes = strong_classes(as_lts(graph), &budget);
  if (budget.why() != Stop::none) return;
  std::vector<std::uint32_t> first;  // by class: the first of its states
  for (std::uint32_t s = 0; s < classes.size(); ++s)
    if (classes[s] == first.size()) first.push_back(s);
  if (first.size() == classes.size()) return;
  const auto is_first = [&](std::uint32_t s) { return first[classes[s]] == s; };
  std::erase_if(graph.edges, [&](const TaskGraph::Edge& e) { return !is_first(e.from); });
  for (TaskGraph::Edge& e : graph.edges) e = {classes[e.from], e.transition, classes[e.to]};
  std::erase_if(graph.asks, [&](const TaskGraph::Ask& a) { return !is_first(a.state); });
  for (TaskGraph::Ask& a : graph.asks) a.state = classes[a.state];
  for (std::uint32_t c = 0; c < first.size(); ++c) graph.states[c] = graph.states[first[c]];
  graph.states.resize(first.size());
}

}  // namespace surety::ada
