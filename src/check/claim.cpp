#include "check/claim.hpp"

#include "certify/machine.hpp"
#include "lang/promela/machine/label_claim.hpp"

namespace surety::api {

Outcome<MachineClaim> ClaimCheck::claim(PromelaMachine& machine) const {
  if (const auto* labels = std::get_if<LabelCheck>(&subject().object)) return label_claim(labels->label, machine);
  auto made = machine.claim(std::get<NeverClaim>(subject().object).process);
  if (!made) return bad_input(std::move(made.error()));
  return std::move(*made);
}

Outcome<Checks> ClaimCheck::prove(const Share& share) {
  auto machine = make_machine(model_);
  if (!machine) return tl::unexpected(std::move(machine.error()));
  auto automaton = claim(**machine);
  if (!automaton) return tl::unexpected(std::move(automaton.error()));
  MachineLiveness result = find_claimed_run(**machine, *automaton, share.budget);
  Check check = answered(described(subject()), result, **machine, share.budget);
  run_ = std::move(result.run);
  return Checks{std::move(check)};
}

std::optional<std::string> ClaimCheck::replay(const Check& /*check*/) {
  const auto machine = make_machine(model_).value();
  return certify::replay_run(*machine, run_->path.states, actions_of(run_->path), run_->again, claim(*machine).value());
}

std::string ClaimCheck::why_not_rechecked() const {
  return "the checker knows only formulas that say what must not happen";
}

}  // namespace surety::api
