#include "lang/ada/network/call_order.hpp"

#include "lang/ada/network/task_order.hpp"

namespace surety::ada {

std::optional<CallOrder> call_order(const flow::Program& program, std::uint32_t object, std::uint32_t task,
                                    const TaskGraph& graph) {
  constexpr std::size_t kMostSets = 20'000;
  const std::uint32_t master = program.objects[object].master;
  std::vector<Concern<CallOrder::Call>> concerns;
  for (const Transition& x : graph.transitions) {
    auto& concern = concerns.emplace_back();
    if (x.kind == Transition::Kind::operation && program.operations[x.object].object == object)
      concern = {CallOrder::Call{x.object, x.values, x.outcome}, false};
    if (x.kind == Transition::Kind::begin && x.object == master && program.masters[master].task == task)
      concern = {CallOrder::Call{flow::kNone, x.values, x.outcome}, false};
  }
  auto order = task_order(graph, concerns, kMostSets);
  if (!order) return std::nullopt;
  std::vector<std::vector<const TaskGraph::Ask*>> asks(graph.states.size());
  for (const auto& ask : graph.asks)
    if (program.operations[ask.operation].object == object) asks[ask.state].push_back(&ask);
  CallOrder out;
  out.steps = std::move(order->steps);
  for (const auto& states : order->sets) {
    auto& asked = out.asked.emplace_back();
    for (const std::uint32_t s : states)
      for (const auto* ask : asks[s]) asked.insert({ask->operation, ask->values});
  }
  return out;
}

CallOrder merged(const CallOrder& from) {
  using Signature = std::pair<std::set<CallOrder::Call>, std::set<std::pair<std::uint32_t, Values>>>;
  std::map<Signature, std::uint32_t> classes;
  std::vector<std::uint32_t> class_of;
  for (std::size_t s = 0; s < from.steps.size(); ++s) {
    Signature signature{{}, from.asked[s]};
    for (const auto& [call, to] : from.steps[s]) signature.first.insert(call);
    class_of.push_back(
        classes.try_emplace(std::move(signature), static_cast<std::uint32_t>(classes.size())).first->second);
  }
  std::vector<std::map<CallOrder::Call, std::set<std::uint32_t>>> steps(classes.size());
  for (std::size_t s = 0; s < from.steps.size(); ++s)
    for (const auto& [call, to] : from.steps[s]) steps[class_of[s]][call].insert(class_of[to]);
  std::vector<const std::set<std::pair<std::uint32_t, Values>>*> asked(classes.size());
  for (const auto& [signature, number] : classes) asked[number] = &signature.second;
  CallOrder out;
  std::map<std::set<std::uint32_t>, std::uint32_t> sets{{{class_of[0]}, 0}};
  std::vector<std::set<std::uint32_t>> list{{class_of[0]}};
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::map<CallOrder::Call, std::set<std::uint32_t>> next;
    out.asked.emplace_back();
    for (const std::uint32_t c : list[i]) {
      out.asked[i].insert(asked[c]->begin(), asked[c]->end());
      for (const auto& [call, to] : steps[c]) next[call].insert(to.begin(), to.end());
    }
    out.steps.emplace_back();
    for (auto& [call, to] : next) {
      const auto [at, fresh] = sets.try_emplace(to, static_cast<std::uint32_t>(sets.size()));
      if (fresh) list.push_back(to);
      out.steps[i][call] = at->second;
    }
  }
  return out;
}

}  // namespace surety::ada
