#include "rules/symbolic.hpp"

#include <algorithm>

namespace surety {
namespace {

// Operations go down the levels by recursion; this many fit on an ordinary stack. FSP has no bigger composites.
constexpr std::size_t kMostLevels = 10'100;

bool too_many(std::size_t levels, Budget& budget) {
  if (levels > kMostLevels) budget.stop(Stop::memory);
  return levels > kMostLevels;
}

// The reachable set as plain data.
Diagram diagram_of(const SymbolicProduct& product) {
  const Mdd& mdd = product.mdd();
  const auto nodes = mdd.by_level(product.reachable());
  Diagram out;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t k = nodes.size() - 1 - i;
    Diagram::Level& level = out.levels.emplace_back();
    level.component = product.order()[i];
    for (const Mdd::Node n : nodes[k]) {
      level.first.push_back(level.edges.size());
      for (std::uint32_t e = 0; e < mdd.size(n); ++e) {
        const auto [value, child] = mdd.edge(n, e);
        const auto at =
            k == 0 ? 0 : std::lower_bound(nodes[k - 1].begin(), nodes[k - 1].end(), child) - nodes[k - 1].begin();
        level.edges.push_back({State{value}, static_cast<std::uint32_t>(at)});
      }
    }
    level.first.push_back(level.edges.size());
  }
  return out;
}

// What is left when the reachable set is known: the bad ones among it, and a path to one of them.
template <class Bad>
Verdict conclude(SymbolicProduct& product, Budget& budget, Cost& cost, Bad bad, SymbolicProduct::Path& path) {
  Verdict verdict = Unknown{};
  budget.phase("saturation");
  if (product.reach()) {
    const Mdd::Node wrong = bad();
    if (product.mdd().failed() || !budget.go_on()) {
      // below; what is bad may not be all known
    } else if (wrong == Mdd::kEmpty) {
      cost.reachable = product.count();
      verdict = Holds{{Method::symbolic, {}, {}, {}, diagram_of(product)}};
    } else {
      budget.phase("counterexample");
      if (auto found = product.path_to(wrong)) {
        path = std::move(*found);
        verdict = Violated{path.trace};
      }
    }
  }
  cost.states += product.mdd().made();
  cost.max_states = std::max(cost.max_states, product.mdd().peak());
  if (auto* unknown = std::get_if<Unknown>(&verdict)) unknown->why = budget.why();
  return verdict;
}

}  // namespace

Verdict prove_symbolic(const ProofGoal& goal, const Context& context) { return prove_symbolic(goal, context, {}); }

Verdict prove_symbolic(const ProofGoal& goal, const Context& context, const SymbolicOptions& options) {
  const ComponentSet& components = goal.sides[0];
  const auto empty = [](const Lts* lts) { return lts->state_count() == 0; };
  if (std::any_of(components.begin(), components.end(), empty)) return Holds{{Method::symbolic, {}, {}}};
  if (empty(&goal.property())) return Violated{};
  std::vector<Part> parts;
  for (const Lts* lts : components) parts.push_back({lts});
  parts.push_back({&goal.property(), Role::watch});
  if (too_many(parts.size(), context.budget)) return Unknown{context.budget.why(), {}, {}};
  context.budget.phase("relations");
  SymbolicProduct product(parts, context.budget, options);
  SymbolicProduct::Path path;
  Verdict verdict = conclude(
      product, context.budget, context.cost, [&] { return product.bad_states(); }, path);
  if (auto* violated = std::get_if<Violated>(&verdict)) violated->trace.push_back(product.bad_action(path.last));
  return verdict;
}

Verdict check_deadlock_symbolic(const std::vector<const Lts*>& components, Budget& budget, Cost& cost,
                                std::vector<State>& last, const SymbolicOptions& options) {
  std::vector<Part> parts;
  for (const Lts* lts : components) {
    if (lts->state_count() == 0 || lts->error() == lts->initial()) return Holds{{Method::symbolic, {}, {}}};
    parts.push_back({lts});
  }
  if (too_many(parts.size(), budget)) return Unknown{budget.why(), {}, {}};
  budget.phase("relations");
  SymbolicProduct product(parts, budget, options);
  SymbolicProduct::Path path;
  Verdict verdict = conclude(
      product, budget, cost, [&] { return product.dead_states(); }, path);
  last = std::move(path.last);
  return verdict;
}

}  // namespace surety
