// Rule minimise: W0 is P with its error state, and W1 ... Wm are LTSs with error states.
//
//   W(i) covers W(i-1) || Mi, for i = 1 ... m          Wm || M(m+1) never reaches the error of Wm
//   --------------------------------------------------------------------------------------------
//                               M1 || ... || Mn satisfies P
//
// "Covers" is a simulation, of that part of W(i-1) || Mi from which its error state can be reached: W(i) can follow
// every step, does not move with actions that it does not have, and is in its error state when W(i-1) is in its own;
// and once it is in its error state everything is covered.
//
// Sound: take a trace of M1 || ... || Mn that violates P. The components' states along it, and W0's, are a run of
// W0 || M1 || ... || Mn into the error of W0. In every state of a run of W(i-1) || Mi || ... into the error of W(i-1),
// the error can be reached, so W(i) follows it, and W(i) || M(i+1) || ... has a run into the error of W(i), for the
// same components do the same steps. In the end Wm || M(m+1) has one. Nothing is asked of the alphabets of the Ws, for
// an action that W(i) does not have only makes it follow less closely.

#include <fmt/format.h>

#include <algorithm>

#include "certify/rules.hpp"
#include "certify/simulate.hpp"
#include "model/automata.hpp"

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;

// Which states reach the error state; plainly, by turning the steps round.
std::vector<bool> can_fail(const Lts& lts) {
  std::vector<std::vector<State>> before(lts.state_count());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) before[step.target.value].push_back(State{s});
  std::vector<bool> can(lts.state_count(), false);
  std::vector<State> todo;
  if (lts.error()) {
    can[lts.error()->value] = true;
    todo.push_back(*lts.error());
  }
  while (!todo.empty()) {
    const State s = todo.back();
    todo.pop_back();
    for (const State earlier : before[s.value])
      if (!can[earlier.value]) {
        can[earlier.value] = true;
        todo.push_back(earlier);
      }
  }
  return can;
}

// The part that can fail. The error state says so with an action, and then stops. No states: nothing can.
Lts failing_part(const Lts& lts, Action signal) {
  const std::vector<bool> can = can_fail(lts);
  const bool any = lts.state_count() > 0 && can[lts.initial().value];
  LtsBuilder builder;
  builder.set_state_count(any ? lts.state_count() : 0);
  builder.add_to_alphabet(lts.alphabet());
  for (std::uint32_t s = 0; s < lts.state_count() && any; ++s)
    for (const Step& step : lts.steps(State{s}))
      if (can[step.target.value]) builder.add_step(State{s}, step.action, step.target);
  if (any) builder.add_step(*lts.error(), signal, *lts.error());
  return builder.build();
}

// W with an error state that does everything, the signal included.
Lts with_signal(const Lts& w, Action signal) {
  LtsBuilder builder;
  builder.set_state_count(w.state_count());
  builder.add_to_alphabet(w.alphabet());
  builder.add_to_alphabet({signal});
  for (std::uint32_t s = 0; s < w.state_count(); ++s)
    for (const Step& step : w.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
  if (w.error()) {
    for (const Action a : w.alphabet()) builder.add_step(*w.error(), a, *w.error());
    builder.add_step(*w.error(), signal, *w.error());
  }
  return builder.build();
}

// An action that no LTS of the instance has.
Action unused_action(const RuleInstance& instance) {
  std::uint32_t last = 0;
  const auto look = [&](const Lts& lts) {
    for (const Action a : lts.alphabet()) last = std::max(last, a.value);
  };
  for (const auto& side : instance.sides)
    for (const Lts* lts : side) look(*lts);
  for (const Lts* lts : instance.properties) look(*lts);
  for (const Lts& lts : instance.assumptions) look(lts);
  return Action{last + 1};
}

}  // namespace

Judgement covers(const Lts& w, const std::vector<const Lts*>& together, Action signal, Budget& budget) {
  const auto product = plain_product(together, budget);
  if (!product) return {Kind::unfinished, describe(budget.why()), {}, 0};
  const Lts failing = failing_part(*product, signal);
  Judgement covered = simulates(with_signal(w, signal), {&failing}, budget);
  covered.states += product->state_count();
  return covered;
}

Judgement check_minimise(const RuleInstance& instance, Budget& budget) {
  const std::size_t m = instance.assumptions.size();
  if (m >= instance.sides.size()) return refuse("rule minimise needs fewer assumptions than sides");
  for (const auto& side : instance.sides)
    for (const Lts* lts : side)
      if (lts->error()) return refuse("rule minimise knows no components with an error state");
  const Lts p_err = complete(*instance.properties[0]);
  const Action signal = unused_action(instance);
  std::uint64_t states = 0;
  for (std::size_t i = 0; i <= m; ++i) {
    std::vector<const Lts*> together{i == 0 ? &p_err : &instance.assumptions[i - 1]};
    together.insert(together.end(), instance.sides[i].begin(), instance.sides[i].end());
    const std::string name = fmt::format("premise {}, about M{},", i + 1, i + 1);
    if (i == m) return premise(name, {.components = together, .error = true}, budget, states, instance.tell);
    Judgement covered = covers(instance.assumptions[i], together, signal, budget);
    tell_premise(instance.tell, name, covered);
    states += covered.states;
    covered.states = states;
    if (covered.kind == Kind::refused) covered.reason = fmt::format("{} does not hold: {}", name, covered.reason);
    if (covered.kind != Kind::accepted) return covered;
  }
  return {Kind::accepted, {}, {}, states};
}

}  // namespace surety::certify
