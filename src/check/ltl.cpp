#include "check/ltl.hpp"

#include "rules/liveness.hpp"

namespace surety::api {

Outcome<Checks> Ltl::prove(const Share& share) {
  Check check = describe(Method::monolithic, {all_names(session_.whole())});
  check.fluents = assertion_.fluents;
  const Fairness fairness = session_.options().unfair ? Fairness::none : Fairness::choice;
  check.verdict =
      check_ltl(all_components(session_.whole()), assertion_, fairness, model_.priority(), share.budget, check.cost);
  return Checks{std::move(check)};
}

std::optional<std::string> Ltl::replay(const Check& check) {
  const auto& violated = std::get<Violated>(check.verdict);
  if (holds_on(assertion_, violated.trace, violated.cycle)) return "the assertion holds on it";
  return certify::replay_cycle(session_.whole(), violated.trace, violated.cycle);
}

}  // namespace surety::api
