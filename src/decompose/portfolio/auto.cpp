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
std::optional<Winner> decide(std::vector<Contender>& contenders, const Side& components, std::uint64_t first_states,
                             const Means& means) {
  std::uint64_t steps = 0;
  for (const Lts* lts : components) steps += lts->step_count();
  Means plainly = means.on(means.budget, means.cost, means.threads);
  if (means.reduction == Reduction::automatic) plainly.reduction = Reduction::none;
  if (steps <= kSmallParts)
    if (auto winner = try_once(contenders.back(), first_states, plainly)) {
      winner->place = contenders.size() - 1;
      return winner;
    }
  if (!means.budget.go_on()) return std::nullopt;
  means.budget.phase("several methods");
  if (means.threads == 1) return run_by_turns(contenders, kTurn * first_states, means);
  if (auto winner = run_beside(contenders, means)) return winner;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (contenders[i].hungry || contenders[i].why != Stop::memory || !means.budget.go_on()) continue;
    std::vector<Contender> alone{contenders[i]};
    auto winner = run_beside(alone, means);
    if (winner) winner->place = i;
    if (winner) return winner;
  }
  return std::nullopt;
}

// What the winner did is what the answer cost.
Verdict take(std::optional<Winner> winner, const std::vector<Contender>& contenders, const Means& means) {
  if (winner) {
    winner->cost.attempts = std::move(means.cost.attempts);
    means.cost = std::move(winner->cost);
    return std::move(winner->verdict);
  }
  for (const Contender& c : contenders) means.budget.stop(c.why);  // the first that was stopped, if none was: no reason
  return Unknown{means.budget.why(), {}, {}};
}

Contender contender(const char* rule_name, std::uint64_t dear, const Obligation& obligation) {
  const Rule& rule = *find_rule(rule_name);
  const auto prove = [&](const Means& means) {
    return rule.by_conjuncts ? prove_split(rule, obligation, means) : rule.prove(obligation, means);
  };
  return {rule.name, prove, dear};
}

Verdict prove_by_auto(const Obligation& obligation, const Means& means) {
  return prove_auto(obligation, means, kFirstStates);
}

}  // namespace

Verdict prove_auto(const Obligation& obligation, const Means& means, std::uint64_t first_states) {
  std::vector<Contender> contenders;
  contenders.push_back(contender("minimise", kDearParts, obligation));
  contenders.push_back(contender("cegar", kDearParts, obligation));
  contenders.push_back(contender("symbolic", kDearNodes, obligation));
  contenders.push_back(contender("monolithic", 1, obligation));
  contenders.back().hungry = true;
  return take(decide(contenders, obligation.sides[0], first_states, means), contenders, means);
}

const Rule kAuto{.name = "auto", .sides = Rule::Sides::one, .prove = prove_by_auto, .learns = false};

Verdict check_deadlock_auto(const std::vector<const Lts*>& components, const Means& means, std::vector<State>& last) {
  std::vector<State> symbolic_last, search_last;
  std::vector<Contender> contenders;
  contenders.push_back(
      {"symbolic", [&](const Means& m) { return check_deadlock_symbolic(components, m.budget, m.cost, symbolic_last); },
       kDearNodes});
  contenders.push_back(
      {"monolithic", [&](const Means& m) { return check_deadlock(components, nullptr, m, search_last); }, 1, true});
  auto winner = decide(contenders, components, kFirstStates, means);
  if (winner) last = winner->place == 0 ? std::move(symbolic_last) : std::move(search_last);
  return take(std::move(winner), contenders, means);
}

const Rule* find_method(const std::string& name) { return name == kAuto.name ? &kAuto : find_rule(name); }

}  // namespace surety
