#include "check/formula.hpp"

#include "certify/machine.hpp"
#include "lang/promela/machine/ltl.hpp"

namespace surety::api {

FormulaCheck::FormulaCheck(const CheckOptions& options, const Model& model, Subject subject)
    : MachineCheck(options, model, std::move(subject)), question_(*machine_question(model, this->subject())) {}

Outcome<Checks> FormulaCheck::prove(const Share& share) {
  auto machine = make_machine(model_);
  if (!machine) return tl::unexpected(std::move(machine.error()));
  auto formula = lower_formula(*question_.formula, **machine);
  if (!formula) return bad_input(std::move(formula.error()));
  path_.reset();
  run_.reset();
  Check check = described(subject());
  if (auto watch = MachineWatch::of(*formula)) {
    MachineSearch search = search_machine(**machine, bit(MachineGoal::formula), share.budget, &*watch);
    watched_ = !search.too_large;
    if (watched_) {
      check.cost.add(search.states, search.transitions);
      path_ = std::move(search.found[static_cast<std::size_t>(MachineGoal::formula)]);
      if (path_) {
        check.verdict = Violated{actions_of(*path_)};
        check.steps = shown_steps(model_, **machine, *path_);
        check.stands = stands_after(**machine, *path_, MachineGoal::formula);
      } else if (search.complete) {
        check.verdict = Holds{Certificate{Method::monolithic, {}, {}}};
      } else {
        check.verdict = Unknown{share.budget.why(), {}, {}};
      }
      return Checks{std::move(check)};
    }
  }
  MachineLiveness result = find_counterexample(**machine, formula->formula, formula->propositions, share.budget);
  check = answered(std::move(check), result, **machine, share.budget);
  run_ = std::move(result.run);
  return Checks{std::move(check)};
}

std::optional<std::string> FormulaCheck::replay(const Check& /*check*/) {
  if (path_) return replay_path(model_, question_, *path_);
  auto machine = make_machine(model_).value();
  const MachineFormula formula = lower_formula(*question_.formula, *machine).value();
  return certify::replay_run(*machine, run_->path.states, actions_of(run_->path), run_->again, formula);
}

std::string FormulaCheck::why_not_rechecked() const {
  return watched_ ? "" : "the checker knows only formulas that say what must not happen";
}

}  // namespace surety::api
