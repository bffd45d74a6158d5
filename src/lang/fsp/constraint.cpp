// A constraint as a process: the LTS of the runs that a safety formula allows.
//
// A formula is pushed through events (Bacchus and Kabanza 1998): what must hold from
// here on, and an event, give what must hold after it. [] f becomes "f now, and [] f
// after it", X f becomes "f after it". What must hold is kept as a disjunction of
// sets of subformulas, without sets that contain another, so there are only finitely
// many; each of them, with the values of the fluents, is a state. Where nothing can
// hold any more the event is refused.
//
// Formulas that ask for something to happen eventually are not taken.
#include <algorithm>
#include <map>
#include <set>

#include "lang/fsp/ltl.hpp"
#include "model/minimise.hpp"
#include "model/transform.hpp"

namespace surety::fsp {
namespace {

using Op = NormalForm::Op;
using Number = NormalForm::Number;

constexpr std::size_t kMostStates = 100'000;
constexpr std::size_t kMostSets = 1'000;

using Conjunction = std::set<Number>;       // all of these subformulas must hold
using Disjunction = std::set<Conjunction>;  // one of these; empty: false

const Disjunction kTrue = {{}};

FspFormula negation(const FspFormula& f) {
  FspFormula out;
  out.op = FspFormula::Op::negation;
  out.operands.push_back(f);
  return out;
}

class Progression {
 public:
  Progression(const FspAssertion& constraint, ActionTable& actions)
      : constraint_(constraint), actions_(actions), form_(normal_form_of_negation(negation(constraint.formula))) {}
  std::optional<Lts> run();

 private:
  struct Stage {
    Disjunction must;
    std::vector<bool> fluents;
    auto operator<=>(const Stage&) const = default;
  };

  Disjunction after(Number f, Action event, const std::vector<bool>& fluents);
  Disjunction make_after(Number f, Action event, const std::vector<bool>& fluents);
  Disjunction both(const Disjunction& a, const Disjunction& b);
  Disjunction either(Disjunction a, const Disjunction& b);
  Stage next(const Stage& stage, Action event);
  Lts without_dead_ends(std::vector<std::map<Action, Number>> steps, Action other) const;

  const FspAssertion& constraint_;
  ActionTable& actions_;
  NormalForm form_;
  std::map<Number, Disjunction> after_;  // what after() has answered, for this event
  bool too_large_ = false;
};

Disjunction Progression::after(Number f, Action event, const std::vector<bool>& fluents) {
  if (const auto it = after_.find(f); it != after_.end()) return it->second;
  return after_[f] = make_after(f, event, fluents);
}

Disjunction Progression::make_after(Number f, Action event, const std::vector<bool>& fluents) {
  const NormalForm::Node& node = form_.nodes[f];
  const auto part = [&](std::size_t i) { return after(node.operands[i], event, fluents); };
  switch (node.op) {
    case Op::constant: return node.positive ? kTrue : Disjunction{};
    case Op::literal: {
      const NormalForm::Atom& atom = form_.atoms[node.atom];
      const bool holds = atom.fluent ? fluents[*atom.fluent] : atom.actions.contains(event);
      return holds == node.positive ? kTrue : Disjunction{};
    }
    case Op::next: return {{node.operands[0]}};
    case Op::weak_until: return either(part(1), both(part(0), {{f}}));
    case Op::both: {
      Disjunction all = kTrue;
      for (std::size_t i = 0; i < node.operands.size(); ++i) all = both(all, part(i));
      return all;
    }
    default: {
      Disjunction any;
      for (std::size_t i = 0; i < node.operands.size(); ++i) any = either(std::move(any), part(i));
      return any;
    }
  }
}

Disjunction Progression::both(const Disjunction& a, const Disjunction& b) {
  Disjunction out;
  for (const Conjunction& x : a)
    for (const Conjunction& y : b) {
      if (too_large_) return {};
      Conjunction sum = x;
      sum.insert(y.begin(), y.end());
      out = either(std::move(out), {std::move(sum)});
    }
  return out;
}

// Without the sets that ask for more than another does.
Disjunction Progression::either(Disjunction a, const Disjunction& b) {
  for (const Conjunction& y : b) {
    const auto asks_less = [](const Conjunction& less, const Conjunction& more) {
      return std::ranges::includes(more, less);
    };
    if (std::ranges::any_of(a, [&](const Conjunction& x) { return asks_less(x, y); })) continue;
    std::erase_if(a, [&](const Conjunction& x) { return asks_less(y, x); });
    a.insert(y);
  }
  too_large_ = too_large_ || a.size() > kMostSets;
  return a;
}

Progression::Stage Progression::next(const Stage& stage, Action event) {
  Stage out{{}, stage.fluents};
  after_.clear();
  for (std::size_t i = 0; i < out.fluents.size(); ++i) {
    if (constraint_.fluents[i].initiating.contains(event)) out.fluents[i] = true;
    if (constraint_.fluents[i].terminating.contains(event)) out.fluents[i] = false;
  }
  for (const Conjunction& all : stage.must) {
    Disjunction rest = kTrue;
    for (const Number f : all) rest = both(rest, after(f, event, out.fluents));
    out.must = either(std::move(out.must), rest);
  }
  return out;
}

std::optional<Lts> Progression::run() {
  const auto eventual = [](const NormalForm::Node& node) { return node.op == Op::until; };
  if (std::ranges::any_of(form_.nodes, eventual)) return std::nullopt;
  const Action other = actions_.intern("*");  // every event that the formula does not name
  const Alphabet events = unite(alphabet_of(constraint_), Alphabet{other});

  Stage first{{{form_.root}}, {}};
  for (const FspFluent& f : constraint_.fluents) first.fluents.push_back(f.initially);
  std::map<Stage, Number> numbers{{first, 0}};
  std::vector<Stage> stages{first};
  std::vector<std::map<Action, Number>> steps;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    steps.emplace_back();
    for (const Action event : events) {
      Stage to = next(stages[s], event);
      if (too_large_ || stages.size() > kMostStates) return std::nullopt;
      if (to.must.empty()) continue;
      const auto [it, is_new] = numbers.try_emplace(to, static_cast<Number>(stages.size()));
      if (is_new) stages.push_back(std::move(to));
      steps[s].emplace(event, it->second);
    }
  }
  return without_dead_ends(std::move(steps), other);
}

// A state in which every event is refused allows no run at all, so nothing may lead there. Events outside the
// formula keep it alive, but are no steps of the process: it does not take part in them.
Lts Progression::without_dead_ends(std::vector<std::map<Action, Number>> steps, Action other) const {
  std::vector<bool> dead(steps.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      std::erase_if(steps[s], [&](const auto& step) { return dead[step.second]; });
      if (steps[s].empty() && !dead[s]) changed = dead[s] = true;
    }
  }
  LtsBuilder builder;
  builder.set_state_count(static_cast<Number>(steps.size()));
  builder.add_to_alphabet(unite(alphabet_of(constraint_), {other, actions_.intern("@" + constraint_.name)}));
  for (Number s = 0; s < steps.size(); ++s)
    for (const auto& [a, to] : steps[s])
      if (a != other) builder.add_step(State{s}, a, State{to});
  return minimise_strong(builder.build());
}

}  // namespace

std::optional<Lts> constraint_lts(const FspAssertion& constraint, ActionTable& actions) {
  return Progression(constraint, actions).run();
}

}  // namespace surety::fsp
