#include "certify/machine.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <set>
#include <unordered_set>

#include "model/safety_formula.hpp"

namespace surety::certify {
namespace {

bool is_bad(const MachineStep& step, MachineGoal question) {
  if (question == MachineGoal::fault)
    return step.fault == MachineStep::Fault::assertion || step.fault == MachineStep::Fault::error;
  return question == MachineGoal::watch && step.fault == MachineStep::Fault::watch;
}

// The steps between the states, one after another.
std::optional<std::string> walk(Machine& machine, const MachineStates& states, Word actions) {
  if (states.empty() || !std::ranges::equal(states[0], machine.initial()))
    return "it does not start in the initial state";
  MachineSteps steps;
  steps.with_actions = true;
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    machine.successors(states[i], steps);
    const bool there = std::ranges::any_of(steps.steps, [&](const MachineStep& s) {
      return s.size != 0 && s.action == actions[i] && std::ranges::equal(steps.next(s), states[i + 1]);
    });
    if (!there) return "step " + std::to_string(i + 1) + " is not possible";
  }
  return {};
}

// The states of a run that can be looked at, and which of them comes after the last one.
struct Positions {
  MachineStates states;
  std::size_t again = 0;
};

std::optional<std::string> run_of(Machine& machine, const MachineStates& states, Word actions, std::size_t again,
                                  Positions& out) {
  if (auto wrong = walk(machine, states, actions)) return wrong;
  if (again >= states.size()) return "there is nothing to go back to";
  MachineSteps steps;
  machine.successors(states.back(), steps);
  const bool stands = std::ranges::none_of(steps.steps, [](const MachineStep& s) { return s.size != 0; });
  const bool turns = again + 1 < states.size() && states.back() == states[again];
  if (!turns && !(stands && again + 1 == states.size())) return "it does not come back to where it was";
  const std::size_t end = turns ? states.size() - 1 : states.size();
  for (std::size_t i = 0; i < end; ++i) {
    if (i == again) out.again = out.states.size();
    if (!machine.between(states[i])) out.states.push_back(states[i]);
  }
  // It is lost inside an indivisible sequence: what was seen until then must be enough.
  if (out.states.empty()) return "it is never looked at";
  if (out.states.size() == out.again) --out.again;
  return {};
}

// Is there a way of the claim through the run that is over somewhere, or passes accepting places for ever?
bool describes(Machine& machine, const MachineClaim& claim, const Positions& run) {
  using Node = std::pair<std::size_t, std::uint32_t>;
  const auto next = [&](const Node& n) {
    std::vector<Node> out;
    const auto holds = [&](std::uint32_t p) { return machine.holds(p, run.states[n.first]); };
    const std::size_t after = n.first + 1 < run.states.size() ? n.first + 1 : run.again;
    for (const auto& edge : claim.places[n.second].edges)
      if (std::ranges::all_of(edge.all, holds) && std::ranges::none_of(edge.none, holds))
        out.emplace_back(after, edge.target);
    return out;
  };
  const auto reach = [&](const std::vector<Node>& from) {
    std::set<Node> seen(from.begin(), from.end());
    std::deque<Node> queue(seen.begin(), seen.end());
    for (; !queue.empty(); queue.pop_front())
      for (const Node& n : next(queue.front()))
        if (seen.insert(n).second) queue.push_back(n);
    return seen;
  };
  const auto accepting = [&](const Node& n) {
    return claim.places[n.second].accepting ||
           (claim.accepting != MachineClaim::kNoProposition && machine.holds(claim.accepting, run.states[n.first]));
  };
  for (const Node& n : reach({{0, claim.start}})) {
    if (claim.places[n.second].over) return true;
    if (accepting(n) && reach(next(n)).contains(n)) return true;
  }
  return false;
}

bool holds_of(Machine& machine, const MachineFormula& formula, const MachineStates& states, std::size_t again) {
  std::vector<std::vector<bool>> truth;
  for (const auto& state : states) {
    auto& row = truth.emplace_back();
    for (const auto p : formula.propositions) row.push_back(machine.holds(p, state));
  }
  return holds_on(formula.formula, truth, again);
}

}  // namespace

std::optional<std::string> replay_machine(Machine& machine, const MachineStates& states, Word actions,
                                          MachineGoal question, const MachineFormula* formula) {
  if (auto wrong = walk(machine, states, actions)) return wrong;
  if (question == MachineGoal::formula) {
    if (machine.between(states.back())) return "its end is never looked at";
    MachineStates seen;
    for (const auto& state : states)
      if (!machine.between(state)) seen.push_back(state);
    // A formula that can be watched is false of all that comes if it is false of standing still.
    if (!SafetyWatch::of(formula->formula)) return "the formula asks for what is to come";
    if (holds_of(machine, *formula, seen, seen.size() - 1)) return "the formula can still be true";
    return {};
  }
  MachineSteps steps;
  steps.with_actions = true;
  if (question == MachineGoal::invalid_end) {
    machine.successors(states.back(), steps);
    if (!steps.steps.empty()) return "something can happen at its end";
    if (machine.valid_end(states.back())) return "its end is a valid one";
    return {};
  }
  // The bad step is the last one; it has a next state or none.
  const std::size_t last = actions.size() == states.size() ? states.size() - 1 : states.size() - 2;
  if (actions.empty() || last >= states.size()) return "nothing happens";
  machine.successors(states[last], steps);
  const bool bad = std::ranges::any_of(
      steps.steps, [&](const MachineStep& s) { return is_bad(s, question) && s.action == actions.back(); });
  if (!bad) return "nothing is wrong with its last step";
  return {};
}

std::optional<std::string> replay_run(Machine& machine, const MachineStates& states, Word actions, std::size_t again,
                                      const MachineFormula& formula) {
  Positions run;
  if (auto wrong = run_of(machine, states, actions, again, run)) return wrong;
  if (holds_of(machine, formula, run.states, run.again)) return "the formula is true of it";
  return {};
}

std::optional<std::string> replay_run(Machine& machine, const MachineStates& states, Word actions, std::size_t again,
                                      const MachineClaim& claim) {
  Positions run;
  if (auto wrong = run_of(machine, states, actions, again, run)) return wrong;
  if (claim.endless && again + 1 == states.size()) return "it comes to an end";
  if (!describes(machine, claim, run)) return "the claim does not describe it";
  return {};
}

Judgement check_machine(Machine& machine, MachineGoal question, Budget& budget, const MachineFormula* formula) {
  Judgement out;
  std::optional<MachineWatch> watch;
  if (question == MachineGoal::formula) {
    watch = MachineWatch::of(*formula);
    out.reason = "a search of states does not decide such a formula";
    if (!watch) return out;
  }
  Charge charge(budget);
  std::unordered_set<std::string> seen;  // states, and behind each what the watch knew before
  std::deque<const std::string*> queue;
  MachineSteps steps;
  std::uint64_t bytes = 0;
  const auto add = [&](MachineState state, std::uint32_t watched) {
    std::string key(reinterpret_cast<const char*>(state.data()), state.size());
    key.append(reinterpret_cast<const char*>(&watched), sizeof watched);
    const auto [it, is_new] = seen.insert(std::move(key));
    if (!is_new) return true;
    queue.push_back(&*it);
    bytes += state.size() + 104;  // and what the table needs for it
    return bytes <= charge.bytes() || charge.grow_to(2 * bytes);
  };
  const auto unfinished = [&](Stop why) {
    out.kind = Judgement::Kind::unfinished;
    out.reason = describe(why);
    return out;
  };
  if (!add(machine.initial(), 0)) return unfinished(Stop::memory);
  for (; !queue.empty(); queue.pop_front()) {
    if (!budget.go_on()) return unfinished(budget.why());
    const std::string& here = *queue.front();
    std::uint32_t watched = 0;
    const MachineState state(reinterpret_cast<const std::uint8_t*>(here.data()), here.size() - sizeof watched);
    std::memcpy(&watched, here.data() + state.size(), sizeof watched);
    if (watch && !machine.between(state)) watched = watch->after(watched, machine, state);
    if (watched == MachineWatch::kTooLarge) {
      out.kind = Judgement::Kind::unfinished;
      out.reason = "the formula is too large";
      return out;
    }
    machine.successors(state, steps);
    ++out.states;
    const bool stuck = question == MachineGoal::invalid_end && steps.steps.empty() && !machine.valid_end(state);
    if (stuck || watched == MachineWatch::kFalse ||
        std::ranges::any_of(steps.steps, [&](const MachineStep& s) { return is_bad(s, question); })) {
      out.kind = Judgement::Kind::refused;
      out.reason = "it can happen";
      return out;
    }
    for (const MachineStep& step : steps.steps)
      if (step.size != 0 && !add(steps.next(step), watched)) return unfinished(Stop::memory);
  }
  out.kind = Judgement::Kind::accepted;
  return out;
}

}  // namespace surety::certify
