// Checks of a program as a whole, on the machine with SPIN's semantics.
#pragma once

#include <memory>
#include <optional>

#include "check/checkable.hpp"
#include "check/options.hpp"
#include "engine/machine/liveness.hpp"
#include "lang/promela/machine/machine.hpp"

namespace surety::api {

// What a look at every state answers.
struct MachineQuestion {
  MachineGoal goal = MachineGoal::fault;
  std::uint32_t watch = promela::kNone;          // of a trace assertion
  const promela::Expression* formula = nullptr;  // one that says what must not happen
};
// Nothing: the subject is about endless runs. A formula may be, too.
std::optional<MachineQuestion> machine_question(const Model& model, const Subject& subject);

Outcome<std::unique_ptr<PromelaMachine>> make_machine(const Model& model, std::uint32_t watch = promela::kNone);

// Why the path is no answer to the question.
std::optional<std::string> replay_path(const Model& model, const MachineQuestion& question, const MachinePath& path);
// All states once more.
certify::Judgement recheck_on_machine(const Model& model, const Subject& subject, Budget& budget, const Teller& tell);

Trace actions_of(const MachinePath& path);
// Where the living processes are.
std::vector<Stand> stands_at(PromelaMachine& machine, MachineState state);
// At the end of a path; of a fault, before the step that has it.
std::vector<Stand> stands_after(PromelaMachine& machine, const MachinePath& path, MachineGoal goal);
std::vector<TraceStep> shown_steps(const Model& model, PromelaMachine& machine, const MachinePath& path);

class MachineCheck : public Checkable {
 protected:
  MachineCheck(const CheckOptions& options, const Model& model, Subject subject)
      : Checkable(model, std::move(subject)), options_(options) {}

  Check described(const Subject& subject) const;  // with a note, if another method was asked for
  // What a search for endless runs has found.
  Check answered(Check check, const MachineLiveness& result, PromelaMachine& machine, Budget& budget) const;

  const CheckOptions& options_;
};

}  // namespace surety::api
