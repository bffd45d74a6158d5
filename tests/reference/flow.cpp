#include "reference/flow.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "base/check.hpp"

namespace surety::reference {
namespace {

using Tuple = std::vector<State>;

// All tuples of points that the flow graphs reach together.
std::optional<std::set<Tuple>> reached(const std::vector<Lts>& graphs, std::size_t most) {
  std::vector<Tuple> order{Tuple(graphs.size(), State{0})};
  std::set<Tuple> seen{order[0]};
  Alphabet all;
  for (const Lts& graph : graphs) all = unite(all, graph.alphabet());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order.size() > most) return std::nullopt;
    const auto at = order[i];
    const auto visit = [&](Tuple to) {
      if (seen.insert(to).second) order.push_back(std::move(to));
    };
    for (std::size_t t = 0; t < graphs.size(); ++t)
      for (const Step& step : graphs[t].steps(at[t], kTau)) {
        auto to = at;
        to[t] = step.target;
        visit(std::move(to));
      }
    for (const Action a : all) {
      std::vector<Tuple> next{at};
      for (std::size_t t = 0; t < graphs.size(); ++t) {
        if (!graphs[t].alphabet().contains(a)) continue;
        std::vector<Tuple> longer;
        for (const auto& tuple : next)
          for (const Step& step : graphs[t].steps(at[t], a)) {
            longer.push_back(tuple);
            longer.back()[t] = step.target;
          }
        next = std::move(longer);
      }
      for (auto& to : next) visit(std::move(to));
    }
  }
  return seen;
}

}  // namespace

std::optional<Pairs> pairs_of(const FlowSystem& system, std::size_t most) {
  Budget budget;
  const Alphabet spoken_of = system.alphabet();  // so that nothing is left out
  const auto scoped = scoped_flow(system, {system.tasks(), {}, {}, spoken_of}, budget);
  if (!scoped) return std::nullopt;
  const auto tuples = reached(scoped->tasks->graphs, most);
  if (!tuples) return std::nullopt;
  const TraceFlow& flow = scoped->flow();
  std::set<std::pair<Point, Point>> together;
  for (const auto& tuple : *tuples)
    for (std::size_t t = 0; t < tuple.size(); ++t)
      for (std::size_t u = 0; u < t; ++u)
        together.emplace(flow.nodes.first[t] + tuple[t].value, flow.nodes.first[u] + tuple[u].value);
  Pairs out{together.size(), flow.together.count(), true};
  for (const auto& [a, b] : together) out.complete &= flow.together(a, b) && flow.together(b, a);
  return out;
}

std::optional<bool> proves(const FlowSystem& system, const Lts& property, const ConstraintSet& constraints,
                           bool refined, std::uint64_t most) {
  Budget budget;
  const Alphabet free = subtract(property.alphabet(), system.alphabet());
  const auto flow = scoped_flow(system, {system.tasks(), free, constraints, property.alphabet(), refined}, budget);
  check(flow.has_value(), "small graphs");
  const Lts watched = over_nodes(property, flow->flow());
  auto parts = flow->parts();
  parts.push_back({&watched, Role::watch});
  Limits limits;
  limits.states = most;
  Budget share(limits);
  const auto outcome = search(parts, Goal::violation, share).outcome;
  if (outcome == SearchResult::Outcome::stopped) return std::nullopt;
  return outcome == SearchResult::Outcome::exhausted;
}

ConstraintSet with_all_tasks(const FlowSystem& system, ConstraintSet constraints) {
  for (std::size_t c = 0; c < system.constraints.size(); ++c)
    if (system.constraints[c].task && std::ranges::find(constraints, c) == constraints.end()) constraints.push_back(c);
  return constraints;
}

}  // namespace surety::reference
