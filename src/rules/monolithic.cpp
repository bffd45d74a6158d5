#include "rules/monolithic.hpp"

#include <algorithm>

#include "model/automata.hpp"

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

// Composes under the priority, then searches the one LTS that comes out.
Verdict composed_search(const std::vector<const Lts*>& parts, Goal goal, const Priority& priority, Budget& budget,
                        unsigned threads, Cost& cost) {
  budget.phase("compose");
  const auto whole = compose(parts, budget, &priority);
  if (!whole) return Unknown{budget.why(), {}, {}};
  cost.add(whole->state_count(), whole->step_count());
  return verdict(search({{&*whole}}, goal, budget, threads), budget);
}

Verdict plain_search(const std::vector<Part>& parts, Goal goal, Budget& budget, unsigned threads, Cost& cost,
                     std::vector<State>* last = nullptr) {
  budget.phase("search");
  auto result = search(parts, goal, budget, threads);
  cost.add(result);
  if (last != nullptr) *last = result.last;
  return verdict(std::move(result), budget);
}

std::vector<Part> as_parts(const std::vector<const Lts*>& components, bool error_counts) {
  std::vector<Part> parts;
  for (const Lts* lts : components) parts.push_back({lts, Role::component, error_counts});
  return parts;
}

}  // namespace

Verdict check_property(const std::vector<const Lts*>& components, const Lts& property, const Priority* priority,
                       Budget& budget, unsigned threads, Cost& cost) {
  if (priority != nullptr) {
    const Lts watcher = complete(property);
    auto parts = components;
    parts.push_back(&watcher);
    return composed_search(parts, Goal::violation, *priority, budget, threads, cost);
  }
  auto parts = as_parts(components, false);
  parts.push_back({&property, Role::watch});
  return plain_search(parts, Goal::violation, budget, threads, cost);
}

Verdict check_error(const std::vector<const Lts*>& components, const Priority* priority, Budget& budget,
                    unsigned threads, Cost& cost) {
  if (std::none_of(components.begin(), components.end(), [](const Lts* lts) { return lts->error().has_value(); }))
    return Holds{{"monolithic", {}, {}}};
  if (priority != nullptr) return composed_search(components, Goal::violation, *priority, budget, threads, cost);
  return plain_search(as_parts(components, true), Goal::violation, budget, threads, cost);
}

Verdict check_deadlock(const std::vector<const Lts*>& components, const Priority* priority, Budget& budget,
                       unsigned threads, Cost& cost, std::vector<State>& last) {
  last.clear();
  if (priority != nullptr) return composed_search(components, Goal::deadlock, *priority, budget, threads, cost);
  return plain_search(as_parts(components, false), Goal::deadlock, budget, threads, cost, &last);
}

}  // namespace surety
