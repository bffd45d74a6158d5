#include "check/machine_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.hpp"
#include "certify/machine.hpp"
#include "certify/search.hpp"
#include "check/recheck.hpp"
#include "lang/promela/machine/ltl.hpp"

namespace surety::api {

std::optional<MachineQuestion> machine_question(const Model& model, const Subject& subject) {
  if (subject.kind == CheckKind::error) return MachineQuestion{MachineGoal::fault};
  if (subject.kind == CheckKind::deadlock) return MachineQuestion{MachineGoal::invalid_end};
  if (const auto* trace = std::get_if<TraceBlock>(&subject.object))
    return MachineQuestion{MachineGoal::watch, trace->process};
  if (const auto* block = std::get_if<FormulaBlock>(&subject.object))
    return MachineQuestion{MachineGoal::formula, promela::kNone,
                           &model.promela->program->formulas[block->formula].formula};
  return std::nullopt;
}

Outcome<std::unique_ptr<PromelaMachine>> make_machine(const Model& model, std::uint32_t watch) {
  auto made = PromelaMachine::make(*model.promela, *model.actions, {watch});
  if (!made) return bad_input(std::move(made.error()));
  return std::move(*made);
}

Trace actions_of(const MachinePath& path) {
  Trace out;
  for (const auto& step : path.steps) out.push_back(step.action);
  return out;
}

std::vector<TraceStep> shown_steps(const Model& model, PromelaMachine& machine, const MachinePath& path) {
  std::vector<TraceStep> out;
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const Action a = path.steps[i].action;
    out.push_back(
        {std::string(a == kTau ? "tau" : model.actions->name(a)), machine.show(path.states[i], path.steps[i])});
  }
  return out;
}

std::vector<Stand> stands_at(PromelaMachine& machine, MachineState state) {
  std::vector<Stand> out;
  for (const PromelaStand& stand : machine.stands(state)) {
    Stand& made = out.emplace_back();
    made.process = stand.process;
    if (stand.at.empty()) {
      made.as = Stand::As::ended;
      continue;
    }
    made.line = static_cast<int>(stand.at[0].line);
    std::vector<std::string> statements;
    for (const auto& at : stand.at) {
      const bool elsewhere = at.line != stand.at[0].line;
      const std::string shown = elsewhere ? fmt::format("{} (line {})", at.statement, at.line) : at.statement;
      if (std::ranges::find(statements, shown) == statements.end()) statements.push_back(shown);
    }
    made.where = fmt::format("{}{}", fmt::join(statements, " or "), stand.valid_end ? " (a valid end)" : "");
  }
  return out;
}

std::vector<Stand> stands_after(PromelaMachine& machine, const MachinePath& path, MachineGoal goal) {
  const bool fault = goal == MachineGoal::fault || goal == MachineGoal::watch;
  const std::size_t last = std::min(path.states.size() - 1, path.steps.size() - (fault && !path.steps.empty() ? 1 : 0));
  return stands_at(machine, path.states[last]);
}

std::optional<std::string> replay_path(const Model& model, const MachineQuestion& question, const MachinePath& path) {
  const auto machine = make_machine(model, question.watch);
  check(machine.has_value(), "a program that was searched is a machine");
  MachineFormula formula;
  if (question.formula != nullptr) formula = lower_formula(*question.formula, **machine).value();
  return certify::replay_machine(**machine, path.states, actions_of(path), question.goal, &formula);
}

certify::Judgement recheck_on_machine(const Model& model, const Subject& subject, Budget& budget, const Teller& tell) {
  const auto question = machine_question(model, subject);
  if (!question) return refuse("the checker knows no proofs about endless runs");
  auto machine = make_machine(model, question->watch);
  if (!machine) return refuse("the program cannot be executed");
  certify::Judgement judgement;
  if (question->formula == nullptr) {
    judgement = certify::check_machine(**machine, question->goal, budget);
  } else {
    const auto formula = lower_formula(*question->formula, **machine);
    if (!formula) return refuse("the formula cannot be read");
    judgement = certify::check_machine(**machine, MachineGoal::formula, budget, &*formula);
  }
  certify::tell_premise(tell, "every state of the program", judgement);
  return judgement;
}

Check MachineCheck::described(const Subject& subject) const {
  Check out = describe(Method::monolithic);
  out.kind = subject.kind;
  out.property = subject.name;
  if (options_.method == Method::monolithic || options_.method == Method::automatic) return out;
  out.note = fmt::format("{} needs components; the whole program is searched instead", name_of(options_.method));
  if (model_.parts)
    if (const auto why = model_.parts->why_left_out.find(out.property); why != model_.parts->why_left_out.end())
      out.note = fmt::format("not by parts: {}; the whole program is searched instead", why->second);
  return out;
}

Check MachineCheck::answered(Check check, const MachineLiveness& result, PromelaMachine& machine,
                             Budget& budget) const {
  check.cost.add(result.states, result.transitions);
  if (result.run) {
    const Trace whole = actions_of(result.run->path);
    const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(std::min(result.run->again, whole.size()));
    check.verdict = Violated{Trace(whole.begin(), middle), Trace(middle, whole.end())};
    check.steps = shown_steps(model_, machine, result.run->path);
    if (middle == whole.end()) check.stands = stands_after(machine, result.run->path, MachineGoal::invalid_end);
  } else if (result.complete) {
    check.verdict = Holds{Certificate{Method::monolithic, {}, {}}};
  } else {
    check.verdict = Unknown{budget.why(), {}, {}};
    if (budget.why() == Stop::none) check.note = "the formula is too large for an automaton";
  }
  return check;
}

}  // namespace surety::api
