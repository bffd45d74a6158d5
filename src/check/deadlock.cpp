#include "check/deadlock.hpp"

#include "check/opaque.hpp"
#include "decompose/portfolio/auto.hpp"
#include "rules/monolithic.hpp"
#include "rules/symbolic.hpp"

namespace surety::api {

Outcome<Checks> Deadlock::prove(const Share& share) {
  const Priority* priority = model_.priority();
  const Method asked = session_.options().method;
  const bool plain = priority != nullptr || (asked != Method::symbolic && asked != Method::automatic);
  Check check = describe(plain ? Method::monolithic : asked, {all_names(session_.whole())});
  const auto components = all_components(session_.whole());
  const Context context = session_.context(share.budget, check.cost).telling(share.tell);
  if (check.method == Method::symbolic)
    check.verdict = check_deadlock_symbolic(components, share.budget, check.cost, check.last);
  else if (check.method == Method::automatic)
    check.verdict = check_deadlock_auto(components, context, check.last);
  else
    check.verdict = check_deadlock(components, priority, context, check.last);
  return Checks{std::move(check)};
}

std::optional<std::string> Deadlock::replay(const Check& check) {
  return certify::replay_deadlock(session_.whole(), std::get<Violated>(check.verdict).trace, check.last);
}

std::optional<Violated> Deadlock::certain(Check& check, Budget& budget) {
  const Network network = without_choices(model_, true);
  std::vector<State> last;
  auto verdict = check_deadlock(all_components(network), nullptr, session_.context(budget, check.cost, false), last);
  auto* violated = std::get_if<Violated>(&verdict);
  if (violated == nullptr || passes_choice(model_, violated->trace)) return std::nullopt;
  check.last = std::move(last);
  return std::move(*violated);
}

}  // namespace surety::api
