#include "check/progress.hpp"

#include "rules/liveness.hpp"

namespace surety::api {

Outcome<Checks> ProgressSets::prove(const Share& share) {
  Cost cost;
  const Fairness fairness = session_.options().unfair ? Fairness::none : Fairness::choice;
  auto verdicts =
      check_progress_sets(all_components(session_.whole()), sets_, fairness, model_.priority(), share.budget, cost);
  Checks checks;
  for (auto& [name, verdict, starved] : verdicts) {
    Check& check = checks.emplace_back(describe(Method::monolithic, {all_names(session_.whole())}));
    check.property = name;
    check.cost = cost;
    check.verdict = std::move(verdict);
    check.starved = std::move(starved);
  }
  return checks;
}

// The set is judged by what its cycle does, so a replay also says that nothing of the set happens in it.
std::optional<std::string> ProgressSets::replay(const Check& check) {
  const auto& violated = std::get<Violated>(check.verdict);
  for (const auto& set : sets_)
    if (set.name == check.property && !project(violated.cycle, set.actions).empty()) return "the cycle makes progress";
  return certify::replay_cycle(session_.whole(), violated.trace, violated.cycle);
}

}  // namespace surety::api
