#include "decompose/properties/prove_by_conjuncts.hpp"

#include <algorithm>
#include <optional>

#include "decompose/properties/conjuncts.hpp"
#include "decompose/properties/symmetry.hpp"

namespace surety {
namespace {

constexpr std::uint64_t kFirstStates = 10'000;  // of all searches together
constexpr std::uint64_t kMoreStates = 8;

// A trace that violates a conjunct violates the property, perhaps earlier.
Trace until_violation(const Lts& property, const Trace& trace) {
  State s = property.initial();
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (!property.alphabet().contains(trace[i])) continue;
    const auto steps = property.steps(s, trace[i]);
    if (steps.empty()) return {trace.begin(), trace.begin() + static_cast<std::ptrdiff_t>(i) + 1};
    s = steps.front().target;
  }
  return trace;
}

class Conjunction {
 public:
  Conjunction(const Rule& rule, const ProofGoal& goal, const Context& context)
      : rule_(rule), goal_(goal), context_(context) {
    for (const ComponentSet& side : goal.sides) components_.insert(components_.end(), side.begin(), side.end());
  }

  Verdict prove() {
    std::optional<std::vector<Lts>> conjuncts;  // not looked for if there is a quick answer without them
    for (std::uint64_t states = kFirstStates; context_.budget.go_on(); states *= kMoreStates) {
      Verdict verdict = within(states, [&](const Context& context) { return rule_.prove(goal_, context); });
      auto* const unknown = std::get_if<Unknown>(&verdict);
      if (unknown == nullptr) return verdict;
      if (!context_.budget.go_on()) {
        unknown->why = context_.budget.why();  // not the few states of this try
        return verdict;
      }
      if (!conjuncts) {
        context_.budget.phase("conjuncts");
        conjuncts = conjuncts_of(goal_.property(), components_, context_.budget);
      }
      if (conjuncts->empty()) return rule_.prove(goal_, context_);
      verdict = within(states, [&](const Context& context) { return one_by_one(*conjuncts, context); });
      if (!std::holds_alternative<Unknown>(verdict)) return verdict;
    }
    return Unknown{context_.budget.why(), {}, {}};
  }

 private:
  Verdict one_by_one(const std::vector<Lts>& conjuncts, const Context& context) {
    // Only certificates of rules without sides have one assumption per component, which can be renamed.
    if (rule_.sides == Rule::Sides::one && conjuncts.size() > 2 && !symmetry_)
      symmetry_.emplace(components_, context.budget);
    Certificate whole{Method::conjunction, {}, {}};
    for (std::size_t i = 0; i < conjuncts.size(); ++i) {
      const Lts& conjunct = conjuncts[i];
      const Teller tell = context.tell.conjunct(static_cast<int>(i) + 1);
      tell(told::Conjunct{i + 1, conjuncts.size(), conjunct});
      const Context its = context.telling(tell);
      Verdict verdict = symmetry_ ? by_symmetry(conjunct, its) : alone(conjunct, its);
      if (auto* violated = std::get_if<Violated>(&verdict))
        return Violated{until_violation(goal_.property(), violated->trace)};
      if (std::holds_alternative<Unknown>(verdict)) return verdict;
      whole.parts.push_back({conjunct, std::move(std::get<Holds>(verdict).certificate)});
    }
    return Holds{std::move(whole)};
  }

  // What is left of the budget, but only so many states.
  template <class Prove>
  Verdict within(std::uint64_t states, Prove prove) {
    Limits limits;
    limits.states = states;
    Budget budget(context_.budget, limits);
    Verdict verdict = prove(context_.on(budget, context_.cost, context_.threads));
    if (budget.why() != Stop::none && budget.why() != Stop::states) context_.budget.stop(budget.why());
    return verdict;
  }

  struct Known {
    Lts conjunct;  // about the first of each group
    Certificate certificate;
  };

  Verdict alone(const Lts& conjunct, const Context& context) const {
    ProofGoal part = goal_;
    part.properties = {&conjunct};
    return rule_.prove(part, context);
  }

  Verdict by_symmetry(const Lts& conjunct, const Context& context) {
    const Renaming renaming = symmetry_->to_front(conjunct.alphabet());
    Lts front = renamed(conjunct, renaming);
    const auto known =
        std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return same_behaviour(k.conjunct, front); });
    if (known != known_.end()) return Holds{moved(known->certificate, inverse(renaming))};
    Verdict verdict = alone(front, context);
    if (auto* holds = std::get_if<Holds>(&verdict)) {
      Certificate copy = moved(holds->certificate, inverse(renaming));
      known_.push_back({std::move(front), std::move(holds->certificate)});
      return Holds{std::move(copy)};
    }
    if (auto* violated = std::get_if<Violated>(&verdict)) {
      const auto back = inverse(renaming);
      for (Action& a : violated->trace)
        if (const auto it = back.actions.find(a); it != back.actions.end()) a = it->second;
    }
    return verdict;
  }

  static Certificate moved(const Certificate& certificate, const Renaming& renaming) {
    Certificate out = certificate;
    for (std::size_t i = 0; i < certificate.assumptions.size(); ++i) {
      const auto it = renaming.components.find(i);
      out.assumptions[it == renaming.components.end() ? i : it->second] = renamed(certificate.assumptions[i], renaming);
    }
    return out;
  }

  const Rule& rule_;
  const ProofGoal& goal_;
  const Context& context_;
  std::vector<const Lts*> components_;
  std::optional<Symmetry> symmetry_;
  std::vector<Known> known_;
};

}  // namespace

Verdict prove_by_conjuncts(const Rule& rule, const ProofGoal& goal, const Context& context) {
  return Conjunction(rule, goal, context).prove();
}

}  // namespace surety
