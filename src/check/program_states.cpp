#include "check/program_states.hpp"

#include <algorithm>

#include "check/recheck.hpp"

namespace surety::api {

ProgramStates::ProgramStates(const CheckOptions& options, const Model& model, const Subjects& subjects)
    : MachineCheck(options, model, subjects[0]) {
  for (const Subject& subject : subjects) asked_.push_back({subject, *machine_question(model, subject)});
}

Outcome<Checks> ProgramStates::prove(const Share& share) {
  auto machine = make_machine(model_, asked_[0].question.watch);
  if (!machine) return tl::unexpected(std::move(machine.error()));
  unsigned goals = 0;
  for (const Asked& asked : asked_) goals |= bit(asked.question.goal);
  MachineSearch search = search_machine(**machine, goals, share.budget);
  Checks out;
  for (Asked& asked : asked_) {
    asked.path = std::move(search.found[static_cast<std::size_t>(asked.question.goal)]);
    const auto* assert = std::get_if<Assert>(&asked.subject.object);
    if (assert != nullptr && assert->shown_if_violated && !asked.path) continue;
    Check& check = out.emplace_back(described(asked.subject));
    check.cost.add(search.states, search.transitions);
    if (asked.path) {
      check.verdict = Violated{actions_of(*asked.path)};
      check.steps = shown_steps(model_, **machine, *asked.path);
      check.stands = stands_after(**machine, *asked.path, asked.question.goal);
    } else if (search.complete) {
      check.verdict = Holds{Certificate{Method::monolithic, {}, {}}};
    } else {
      check.verdict = Unknown{share.budget.why(), {}, {}};
    }
  }
  return out;
}

const ProgramStates::Asked& ProgramStates::asked_for(const Check& check) const {
  return *std::ranges::find_if(asked_, [&](const Asked& a) { return a.subject.kind == check.kind; });
}

std::optional<std::string> ProgramStates::replay(const Check& check) {
  const Asked& asked = asked_for(check);
  return replay_path(model_, asked.question, *asked.path);
}

certify::Judgement ProgramStates::recheck(const Check& check, const Certificate& certificate, Budget& budget,
                                          const Teller& tell) {
  return api::recheck(model_, nullptr, asked_for(check).subject, certificate, budget, tell);
}

}  // namespace surety::api
