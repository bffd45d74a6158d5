#include "decompose/portfolio/auto.hpp"

#include <algorithm>

#include "decompose/portfolio/race.hpp"
#include "decompose/properties/prove_split.hpp"
#include "rules/monolithic.hpp"
#include "rules/symbolic.hpp"

namespace surety {
namespace {

constexpr std::uint64_t kFirstStates = 50'000;
constexpr std::uint64_t kTurn = 8;                        // times as many in the first turn
constexpr std::uint64_t kDearNodes = 4, kDearParts = 32;  // so many times the work of a state of plain search
constexpr std::uint64_t kSmallParts = 200'000;  // steps of all components; with more, even to begin takes long

// The last contender is plain search.
std::optional<Winner> decide(std::vector<Contender>& contenders, const ComponentSet& components,
                             std::uint64_t first_states, const Context& context) {
  std::uint64_t steps = 0;
  for (const Lts* lts : components) steps += lts->transition_count();
  Context plainly = context.on(context.budget, context.cost, context.threads);
  if (context.reduction == Reduction::automatic) plainly.reduction = Reduction::none;
  if (steps <= kSmallParts)
    if (auto winner = try_once(contenders.back(), first_states, plainly)) {
      winner->place = contenders.size() - 1;
      return winner;
    }
  if (!context.budget.go_on()) return std::nullopt;
  context.budget.phase("several methods");
  if (context.threads == 1) return run_by_turns(contenders, kTurn * first_states, context);
  if (auto winner = run_beside(contenders, context)) return winner;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (contenders[i].hungry || contenders[i].why != Stop::memory || !context.budget.go_on()) continue;
    std::vector<Contender> alone{contenders[i]};
    auto winner = run_beside(alone, context);
    if (winner) winner->place = i;
    if (winner) return winner;
  }
  return std::nullopt;
}

// What the winner did is what the answer cost.
Verdict take(std::optional<Winner> winner, const std::vector<Contender>& contenders, const Context& context) {
  if (winner) {
    winner->cost.attempts = std::move(context.cost.attempts);
    context.cost = std::move(winner->cost);
    return std::move(winner->verdict);
  }
  for (const Contender& c : contenders)
    context.budget.stop(c.why);  // the first that was stopped, if none was: no reason
  return Unknown{context.budget.why(), {}, {}};
}

Contender contender(Method method, std::uint64_t dear, const ProofGoal& goal) {
  const Rule& rule = *find_rule(method);
  const auto prove = [&](const Context& context) {
    return rule.by_conjuncts ? prove_split(rule, goal, context) : rule.prove(goal, context);
  };
  return {method, prove, dear};
}

Verdict prove_by_auto(const ProofGoal& goal, const Context& context) { return prove_auto(goal, context, kFirstStates); }

}  // namespace

Verdict prove_auto(const ProofGoal& goal, const Context& context, std::uint64_t first_states) {
  std::vector<Contender> contenders;
  contenders.push_back(contender(Method::minimise, kDearParts, goal));
  contenders.push_back(contender(Method::cegar, kDearParts, goal));
  contenders.push_back(contender(Method::symbolic, kDearNodes, goal));
  contenders.push_back(contender(Method::monolithic, 1, goal));
  contenders.back().hungry = true;
  return take(decide(contenders, goal.sides[0], first_states, context), contenders, context);
}

const Rule kAuto{.method = Method::automatic, .sides = Rule::Sides::one, .prove = prove_by_auto, .learns = false};

Verdict check_deadlock_auto(const std::vector<const Lts*>& components, const Context& context,
                            std::vector<State>& last) {
  std::vector<State> symbolic_last, search_last;
  std::vector<Contender> contenders;
  contenders.push_back(
      {Method::symbolic,
       [&](const Context& m) { return check_deadlock_symbolic(components, m.budget, m.cost, symbolic_last); },
       kDearNodes});
  contenders.push_back({Method::monolithic,
                        [&](const Context& m) { return check_deadlock(components, nullptr, m, search_last); }, 1,
                        true});
  auto winner = decide(contenders, components, kFirstStates, context);
  if (winner) last = winner->place == 0 ? std::move(symbolic_last) : std::move(search_last);
  return take(std::move(winner), contenders, context);
}

const Rule* find_method(Method method) { return method == Method::automatic ? &kAuto : find_rule(method); }

}  // namespace surety
