#include "rules/monolithic.hpp"

namespace surety {
namespace {

Verdict verdict(SearchResult result, Budget& budget) {
  switch (result.outcome) {
    case SearchResult::Outcome::found: return Violated{std::move(result.trace)};
    case SearchResult::Outcome::exhausted: return Holds{{"monolithic", {}, {}}};
    case SearchResult::Outcome::stopped: break;
  }
  return Unknown{budget.why(), {}, {}};
}

}  // namespace

Verdict check_property(const std::vector<const Lts*>& components, const Lts& property, Budget& budget, unsigned threads,
                       Cost& cost) {
  budget.phase("search");
  std::vector<Part> parts;
  // A component's own error state ends a run, but is not this property's violation.
  for (const Lts* lts : components) parts.push_back({lts, Role::component, false});
  parts.push_back({&property, Role::watch});
  auto result = search(parts, Goal::violation, budget, threads);
  cost.add(result);
  return verdict(std::move(result), budget);
}

Verdict check_deadlock(const std::vector<const Lts*>& components, Budget& budget, unsigned threads, Cost& cost,
                       std::vector<State>& last) {
  budget.phase("search");
  std::vector<Part> parts;
  for (const Lts* lts : components) parts.push_back({lts});
  auto result = search(parts, Goal::deadlock, budget, threads);
  cost.add(result);
  last = result.last;
  return verdict(std::move(result), budget);
}

}  // namespace surety
