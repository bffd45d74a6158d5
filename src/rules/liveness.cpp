#include "rules/liveness.hpp"

#include "engine/product/liveness.hpp"
#include "engine/product/progress.hpp"

namespace surety {
namespace {

std::vector<Part> as_parts(const std::vector<const Lts*>& components) {
  std::vector<Part> parts;
  for (const Lts* lts : components) parts.push_back({lts, Role::component, false});
  return parts;
}

}  // namespace

std::vector<ProgressVerdict> check_progress_sets(const std::vector<const Lts*>& components,
                                                 const std::vector<ProgressSet>& sets, Fairness fairness,
                                                 const Priority* priority, Budget& budget, Cost& cost) {
  std::vector<ProgressVerdict> out;
  budget.phase("graph");
  const auto graph = Graph::build(as_parts(components), priority, budget);
  if (graph) cost.add(graph->size(), graph->transition_count());
  budget.phase("progress");
  const auto result = graph ? check_progress(*graph, sets, fairness, budget) : std::nullopt;
  if (!result) {
    for (const auto& set : sets) out.push_back({set.name, Unknown{budget.why(), {}, {}}});
    if (sets.empty()) out.push_back({"", Unknown{budget.why(), {}, {}}});
    return out;
  }
  for (const auto& answer : result->answers) {
    const std::string name = sets.empty() ? "" : answer.name;
    if (answer.violated)
      out.push_back({name, Violated{answer.trace, answer.cycle}, answer.missing});
    else
      out.push_back({name, Holds{{Method::monolithic, {}, {}}}});
  }
  return out;
}

Verdict check_ltl(const std::vector<const Lts*>& components, const Assertion& assertion, Fairness fairness,
                  const Priority* priority, Budget& budget, Cost& cost) {
  budget.phase("assertion");
  const auto result = check_assertion(as_parts(components), assertion, fairness, priority, budget);
  cost.add(result.states, result.transitions);
  switch (result.outcome) {
    case LivenessResult::Outcome::holds: return Holds{{Method::monolithic, {}, {}}};
    case LivenessResult::Outcome::violated: return Violated{result.trace, result.cycle};
    case LivenessResult::Outcome::stopped: break;
  }
  return Unknown{budget.why() == Stop::none ? Stop::memory : budget.why(), {}, {}};
}

}  // namespace surety
