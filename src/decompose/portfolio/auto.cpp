#include "decompose/portfolio/auto.hpp"

#include <algorithm>

#include "decompose/portfolio/race.hpp"
#include "decompose/properties/prove_by_conjuncts.hpp"
#include "rules/monolithic.hpp"
#include "rules/symbolic.hpp"

namespace surety {
namespace {

constexpr std::uint64_t kFirstStates = 50'000;
constexpr std::uint64_t kTurn = 8;                                  // times as many in the first turn
constexpr std::uint64_t kCostOfNode = 4, kCostOfSmallProduct = 32;  // in states of plain search
constexpr std::uint64_t kSmallSystem = 200'000;  // steps of all components; with more, even to begin takes long

// The last strategy is plain search.
std::optional<Winner> decide(std::vector<Strategy>& strategies, const ComponentSet& components,
                             std::uint64_t first_states, const Context& context) {
  for (std::size_t i = 0; i < strategies.size(); ++i) strategies[i].lane = static_cast<int>(i) + 1;
  std::uint64_t steps = 0;
  for (const Lts* lts : components) steps += lts->transition_count();
  Context plainly = context.on(context.budget, context.cost, context.threads);
  if (context.reduction == Reduction::automatic) plainly.reduction = Reduction::none;
  if (steps <= kSmallSystem)
    if (auto winner = try_once(strategies.back(), first_states, plainly)) {
      winner->index = strategies.size() - 1;
      return winner;
    }
  if (!context.budget.go_on()) return std::nullopt;
  context.budget.phase("several methods");
  if (context.threads == 1) return run_in_turns(strategies, kTurn * first_states, context);
  if (auto winner = run_in_parallel(strategies, context)) return winner;
  // Those that had to stop for lack of memory, again, now that plain search has freed its own.
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    if (strategies[i].memory_heavy || strategies[i].why != Stop::memory || !context.budget.go_on()) continue;
    std::vector<Strategy> alone{strategies[i]};
    auto winner = run_in_parallel(alone, context);
    if (winner) {
      winner->index = i;
      return winner;
    }
  }
  return std::nullopt;
}

// What the winner did is what the answer cost.
Verdict take(std::optional<Winner> winner, const std::vector<Strategy>& strategies, const Context& context) {
  if (winner) {
    winner->cost.attempts = std::move(context.cost.attempts);
    context.cost = std::move(winner->cost);
    return std::move(winner->verdict);
  }
  for (const Strategy& strategy : strategies)
    context.budget.stop(strategy.why);  // the first reason counts; none: all strategies gave up by themselves
  return Unknown{context.budget.why(), {}, {}};
}

Strategy strategy_by(Method method, std::uint64_t cost_per_state, const ProofGoal& goal) {
  const Rule& rule = *find_rule(method);
  const auto prove = [&](const Context& context) {
    return rule.by_conjuncts ? prove_by_conjuncts(rule, goal, context) : rule.prove(goal, context);
  };
  return {method, prove, cost_per_state};
}

Verdict prove_by_auto(const ProofGoal& goal, const Context& context) { return prove_auto(goal, context, kFirstStates); }

}  // namespace

Verdict prove_auto(const ProofGoal& goal, const Context& context, std::uint64_t first_states) {
  std::vector<Strategy> strategies;
  strategies.push_back(strategy_by(Method::minimise, kCostOfSmallProduct, goal));
  strategies.push_back(strategy_by(Method::cegar, kCostOfSmallProduct, goal));
  strategies.push_back(strategy_by(Method::symbolic, kCostOfNode, goal));
  strategies.push_back(strategy_by(Method::monolithic, 1, goal));
  strategies.back().memory_heavy = true;
  return take(decide(strategies, goal.sides[0], first_states, context), strategies, context);
}

const Rule kAuto{.method = Method::automatic, .sides = Rule::Sides::one, .prove = prove_by_auto, .learns = false};

Verdict check_deadlock_auto(const std::vector<const Lts*>& components, const Context& context,
                            std::vector<State>& last) {
  std::vector<State> symbolic_last, search_last;
  std::vector<Strategy> strategies;
  strategies.push_back(
      {Method::symbolic,
       [&](const Context& m) { return check_deadlock_symbolic(components, m.budget, m.cost, symbolic_last); },
       kCostOfNode});
  strategies.push_back({Method::monolithic,
                        [&](const Context& m) { return check_deadlock(components, nullptr, m, search_last); }, 1,
                        true});
  auto winner = decide(strategies, components, kFirstStates, context);
  if (winner) last = winner->index == 0 ? std::move(symbolic_last) : std::move(search_last);
  return take(std::move(winner), strategies, context);
}

const Rule* find_method(Method method) { return method == Method::automatic ? &kAuto : find_rule(method); }

}  // namespace surety
