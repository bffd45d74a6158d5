#include "rules/monolithic.hpp"

#include <algorithm>

#include "model/automata.hpp"
#include "product/compose.hpp"

namespace surety {
namespace {

Verdict verdict(SearchResult result, Budget& budget) {
  switch (result.outcome) {
    case SearchResult::Outcome::found: return Violated{std::move(result.trace)};
    case SearchResult::Outcome::exhausted: return Holds{{Method::monolithic, {}, {}}};
    case SearchResult::Outcome::stopped: break;
  }
  return Unknown{budget.why(), {}, {}};
}

// Composes under the priority, then searches the one LTS that comes out.
Verdict composed_search(const std::vector<const Lts*>& parts, Goal goal, const Priority& priority,
                        const Context& context) {
  context.budget.phase("compose");
  const auto whole = compose(parts, context.budget, &priority);
  if (!whole) return Unknown{context.budget.why(), {}, {}};
  context.cost.add(whole->state_count(), whole->transition_count());
  return verdict(search({{&*whole}}, goal, context.budget, context.threads), context.budget);
}

Verdict plain_search(const std::vector<Part>& parts, Goal goal, const Context& context,
                     std::vector<State>* last = nullptr) {
  context.budget.phase("search");
  auto result = search(parts, goal, context.budget, context.threads, context.reduction);
  context.cost.add(result);
  if (last != nullptr) *last = result.last;
  return verdict(std::move(result), context.budget);
}

std::vector<Part> as_parts(const std::vector<const Lts*>& components, bool error_counts) {
  std::vector<Part> parts;
  for (const Lts* lts : components) parts.push_back({lts, Role::component, error_counts});
  return parts;
}

}  // namespace

Verdict check_property(const std::vector<const Lts*>& components, const Lts& property, const Priority* priority,
                       const Context& context) {
  if (priority != nullptr) {
    const Lts watcher = complete(property);
    auto parts = components;
    parts.push_back(&watcher);
    return composed_search(parts, Goal::violation, *priority, context);
  }
  auto parts = as_parts(components, false);
  parts.push_back({&property, Role::watch});
  return plain_search(parts, Goal::violation, context);
}

Verdict check_error(const std::vector<const Lts*>& components, const Priority* priority, const Context& context) {
  if (std::none_of(components.begin(), components.end(), [](const Lts* lts) { return lts->error().has_value(); }))
    return Holds{{Method::monolithic, {}, {}}};
  if (priority != nullptr) return composed_search(components, Goal::violation, *priority, context);
  return plain_search(as_parts(components, true), Goal::violation, context);
}

Verdict check_deadlock(const std::vector<const Lts*>& components, const Priority* priority, const Context& context,
                       std::vector<State>& last) {
  last.clear();
  if (priority != nullptr) return composed_search(components, Goal::deadlock, *priority, context);
  return plain_search(as_parts(components, false), Goal::deadlock, context, &last);
}

}  // namespace surety
