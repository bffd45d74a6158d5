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

using Op = FspFormula::Op;

constexpr std::size_t kMostStates = 100'000;
constexpr std::size_t kMostSets = 1'000;

using Number = std::uint32_t;               // of a subformula
using Conjunction = std::set<Number>;       // all of these must hold
using Disjunction = std::set<Conjunction>;  // one of these; empty: false

const Disjunction kTrue = {{}};

// A formula without negation, except of actions and fluents.
struct Node {
  Op op = Op::constant;
  bool positive = true;  // of actions, fluent, constant
  const FspFormula* atom = nullptr;
  std::vector<Number> operands;
  auto operator<=>(const Node&) const = default;
};

class Progression {
 public:
  Progression(const FspAssertion& constraint, ActionTable& actions) : constraint_(constraint), actions_(actions) {}
  std::optional<Lts> run();

 private:
  struct Stage {
    Disjunction must;
    std::vector<bool> fluents;
    auto operator<=>(const Stage&) const = default;
  };

  Number normal(const FspFormula& f, bool positive);
  Number make_normal(const FspFormula& f, bool positive);
  Number add(Node node);
  Disjunction after(Number f, Action event, const std::vector<bool>& fluents);
  Disjunction make_after(Number f, Action event, const std::vector<bool>& fluents);
  Disjunction both(const Disjunction& a, const Disjunction& b);
  Disjunction either(Disjunction a, const Disjunction& b);
  Stage next(const Stage& stage, Action event);
  Alphabet alphabet() const;
  void collect(const FspFormula& f, std::vector<Action>& out) const;
  Lts without_dead_ends(std::vector<std::map<Action, Number>> steps, Action other) const;

  const FspAssertion& constraint_;
  ActionTable& actions_;
  std::map<Node, Number> numbers_;
  std::vector<Node> nodes_;
  std::map<std::pair<const FspFormula*, bool>, Number> normal_;  // what normal() has answered
  std::map<Number, Disjunction> after_;                          // what after() has, for this event
  bool safety_ = true;
  bool too_large_ = false;
};

Number Progression::normal(const FspFormula& f, bool positive) {
  const std::pair key(&f, positive);
  if (const auto it = normal_.find(key); it != normal_.end()) return it->second;
  return normal_[key] = make_normal(f, positive);
}

// Pushes negations down to the atoms. f U g asks for g eventually; its negation does not.
Number Progression::make_normal(const FspFormula& f, bool positive) {
  const auto part = [&](std::size_t i, bool as) { return normal(f.operands[i], as); };
  switch (f.op) {
    case Op::actions:
    case Op::fluent:
    case Op::constant: return add({f.op, positive, &f, {}});
    case Op::negation: return part(0, !positive);
    case Op::next: return add({Op::next, true, nullptr, {part(0, positive)}});
    case Op::always:
    case Op::eventually:
      if ((f.op == Op::always) != positive) safety_ = false;
      return add({Op::always, true, nullptr, {part(0, positive)}});
    case Op::both:
    case Op::either: {
      Node node{(f.op == Op::both) == positive ? Op::both : Op::either, true, nullptr, {}};
      for (std::size_t i = 0; i < f.operands.size(); ++i) node.operands.push_back(part(i, positive));
      return add(std::move(node));
    }
    case Op::implies:
      return add({positive ? Op::either : Op::both, true, nullptr, {part(0, !positive), part(1, positive)}});
    case Op::iff: {
      const Number same = add({Op::both, true, nullptr, {part(0, true), part(1, positive)}});
      const Number opposite = add({Op::both, true, nullptr, {part(0, false), part(1, !positive)}});
      return add({Op::either, true, nullptr, {same, opposite}});
    }
    case Op::weak_until:
    case Op::until: {
      if ((f.op == Op::weak_until) != positive) safety_ = false;
      if (positive) return add({Op::weak_until, true, nullptr, {part(0, true), part(1, true)}});
      // not (f U g) is (not g) W (not f and not g)
      const Number neither = add({Op::both, true, nullptr, {part(0, false), part(1, false)}});
      return add({Op::weak_until, true, nullptr, {part(1, false), neither}});
    }
  }
  return 0;
}

Number Progression::add(Node node) {
  const auto [it, is_new] = numbers_.try_emplace(node, static_cast<Number>(nodes_.size()));
  if (is_new) nodes_.push_back(std::move(node));
  return it->second;
}

Disjunction Progression::after(Number f, Action event, const std::vector<bool>& fluents) {
  if (const auto it = after_.find(f); it != after_.end()) return it->second;
  return after_[f] = make_after(f, event, fluents);
}

Disjunction Progression::make_after(Number f, Action event, const std::vector<bool>& fluents) {
  const Node node = nodes_[f];
  const auto part = [&](std::size_t i) { return after(node.operands[i], event, fluents); };
  const auto truth = [&](bool value) { return value == node.positive ? kTrue : Disjunction{}; };
  switch (node.op) {
    case Op::actions: return truth(node.atom->actions.contains(event));
    case Op::fluent: return truth(fluents[node.atom->fluent]);
    case Op::constant: return truth(node.atom->value);
    case Op::next: return {{node.operands[0]}};
    case Op::always: return both(part(0), {{f}});
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

void Progression::collect(const FspFormula& f, std::vector<Action>& out) const {
  out.insert(out.end(), f.actions.begin(), f.actions.end());
  for (const FspFormula& operand : f.operands) collect(operand, out);
}

Alphabet Progression::alphabet() const {
  std::vector<Action> all(constraint_.extension.begin(), constraint_.extension.end());
  collect(constraint_.formula, all);
  for (const FspFluent& f : constraint_.fluents)
    for (const Alphabet* set : {&f.initiating, &f.terminating}) all.insert(all.end(), set->begin(), set->end());
  return Alphabet(std::move(all));
}

std::optional<Lts> Progression::run() {
  const Number whole = normal(constraint_.formula, true);
  if (!safety_) return std::nullopt;
  const Action other = actions_.intern("*");  // every event that the formula does not name
  const Alphabet events = unite(alphabet(), Alphabet{other});

  Stage first{{{whole}}, {}};
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
  builder.add_to_alphabet(unite(alphabet(), {other, actions_.intern("@" + constraint_.name)}));
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
