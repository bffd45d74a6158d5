#include "check/whole_program.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "engine/machine/search.hpp"
#include "lang/promela/machine/ltl.hpp"
#include "lang/promela/network/replay.hpp"

namespace surety::api {
namespace {

constexpr std::chrono::seconds kPatience{2};

std::unique_ptr<PromelaMachine> machine_of(const Model& model, std::uint32_t watch) {
  auto made = make_machine(model, watch);
  check(made.has_value(), "a program that was taken apart is a machine");
  return std::move(*made);
}

bool is_same_size(const Lts& a, const Lts& b) {
  return a.state_count() == b.state_count() && a.transition_count() == b.transition_count();
}

}  // namespace

std::optional<MachineQuestion> WholeProgram::question_of(const Check& check, const Subjects& subjects) const {
  for (const Subject& subject : subjects)
    if (subject.kind == check.kind && subject.name == check.property) return machine_question(model_, subject);
  return std::nullopt;
}

// Where a deadlock has left the processes that are components of their own, alone. A hint: by chance a component that
// is a process and a variable may be as large as the process.
LikelyEnds WholeProgram::likely_ends(const Check& check) const {
  LikelyEnds out;
  const auto& components = model_.parts->network.components;
  for (const auto& participant : model_.parts->replay->participants)
    for (std::size_t c = 0; c < std::min(components.size(), check.last.size()); ++c)
      if (components[c].name == participant.name && is_same_size(components[c].lts, participant.lts))
        out[participant.name] = check.last[c].value;
  return out;
}

// On the way that the parts have shown; nothing: there is none, or it does not show what it should.
std::optional<MachinePath> WholeProgram::walk(const Check& check, const MachineQuestion& question,
                                              Budget& budget) const {
  ReplayEnd end = ReplayEnd::anywhere;
  if (question.goal == MachineGoal::fault) end = ReplayEnd::fault;
  if (question.goal == MachineGoal::watch) end = ReplayEnd::watch;
  if (question.goal == MachineGoal::invalid_end) end = ReplayEnd::deadlock;
  const auto machine = machine_of(model_, question.watch);
  const Trace& word = std::get<Violated>(check.verdict).trace;
  auto path =
      replay_on_machine(*model_.parts->replay, *machine, *model_.actions, word, end, likely_ends(check), budget);
  if (path && replay_path(model_, question, *path)) return std::nullopt;
  return path;
}

// A violation, if the program has one and it is found in time; `all_states`: set if there is none. `full`: whether the
// memory was used up.
std::optional<MachinePath> WholeProgram::search(const MachineQuestion& question, Budget& budget,
                                                std::uint64_t* all_states, bool* full) const {
  const auto machine = machine_of(model_, question.watch);
  std::optional<MachineWatch> watch;
  if (question.formula != nullptr) watch = MachineWatch::of(lower_formula(*question.formula, *machine).value());
  if (question.formula != nullptr && !watch) return std::nullopt;
  Limits limits;
  limits.time = kPatience;
  Budget patience(budget, limits);
  auto found = search_machine(*machine, bit(question.goal), patience, watch ? &*watch : nullptr);
  if (found.complete && all_states != nullptr) *all_states = found.states;
  if (full != nullptr) *full = patience.why() == Stop::memory;
  return std::move(found.found[static_cast<std::size_t>(question.goal)]);
}

void WholeProgram::replay(Check& check, const Subjects& subjects, Budget& budget) {
  if (!check.violated()) return;
  budget.phase("replay on the whole program");
  const auto question = question_of(check, subjects);
  surety::check(question.has_value(), "what is violated by parts can be asked of the whole program");
  auto path = walk(check, *question, budget);
  std::uint64_t all_states = 0;
  bool full = false;
  if (!path) path = search(*question, budget, &all_states, &full);
  if (!path && full) budget.stop(Stop::memory);
  surety::check(path || all_states == 0, "a violation of the parts is none of the whole program");
  if (!path) {
    check.verdict = Unknown{budget.why(), {}, "violated by parts, but not replayed on the whole program"};
    check.certified = false;
    return;
  }
  const auto machine = machine_of(model_, question->watch);
  check.steps = shown_steps(model_, *machine, *path);
  check.stands = stands_after(*machine, *path, question->goal);
}

void WholeProgram::confirm(Check& check, const Subjects& subjects, Budget& budget) {
  const auto question = question_of(check, subjects);
  if (!check.holds() || too_large_ || !question || !budget.go_on()) return;
  budget.phase("confirmation on the whole program");
  std::uint64_t states = 0;
  const auto violation = search(*question, budget, &states);
  surety::check(!violation, "the whole program violates what its parts were proved to keep");
  if (states == 0)
    too_large_ = true;
  else
    check.confirmed_states = states;
}

}  // namespace surety::api
