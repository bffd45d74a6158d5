#include "rules/flavers_asym.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "model/compose.hpp"
#include "rules/asym.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;

Alphabet alphabet_of_tasks(const FlowSystem& system, const std::vector<std::size_t>& tasks) {
  Alphabet out;
  for (const std::size_t t : tasks) out = unite(out, system.components[t].lts->alphabet());
  return out;
}

// The side with its constraints as one LTS over events.
std::optional<Lts> over_events(const ScopedFlow& flow, const Context& context) {
  context.budget.phase("compose");
  std::vector<const Lts*> parts{&flow.flow().lts};
  for (const Lts& lts : flow.constraints) parts.push_back(&lts);
  const auto whole = compose(parts, context.budget);
  if (!whole) return std::nullopt;
  Alphabet alphabet;
  for (const Lts& graph : flow.tasks->graphs) alphabet = unite(alphabet, graph.alphabet());
  LtsBuilder builder;
  for (std::uint32_t s = 0; s < whole->state_count(); ++s)
    for (const Step& step : whole->steps(State{s}))
      builder.add_step(State{s}, flow.flow().label_of(step.action), step.target);
  builder.set_state_count(whole->state_count());
  builder.add_to_alphabet(alphabet);
  return builder.build();
}

class Splitter {
 public:
  Splitter(const FlowSystem& system, const FlowSplit& split, const Lts& property, const Context& context,
           FlowAnswer& answer)
      : system_(system),
        split_(split),
        property_(property),
        context_(context),
        answer_(answer),
        whole_(system, property, context) {}

  Verdict run(const ConstraintChoice& choice) {
    ConstraintSet constraints = choice.listed;
    const bool automatic = choice.mode == ConstraintChoice::Mode::automatic;
    if (choice.mode == ConstraintChoice::Mode::all)
      for (std::size_t c = 0; c < system_.constraints.size(); ++c) constraints.push_back(c);
    if (automatic) {
      Verdict verdict = whole_.prove(choice);
      answer_ = whole_.answer();
      if (!std::holds_alternative<Holds>(verdict)) return verdict;
      constraints = by_name(answer_.constraints);
    }
    while (true) {
      Verdict verdict = prove_with(constraints);
      const auto* unknown = std::get_if<Unknown>(&verdict);
      if (!automatic || unknown == nullptr || context_.budget.why() != Stop::none || answer_.too_large) return verdict;
      if (!add_one(constraints)) return verdict;
    }
  }

 private:
  ConstraintSet by_name(const std::vector<std::string>& names) const {
    ConstraintSet out;
    for (std::size_t c = 0; c < system_.constraints.size(); ++c)
      if (std::ranges::find(names, system_.constraints[c].name) != names.end()) out.push_back(c);
    return out;
  }

  // The split needs more than the whole did: the automata of tasks first, the smallest of them.
  bool add_one(ConstraintSet& constraints) const {
    for (const bool of_task : {true, false})
      for (std::size_t c = 0; c < system_.constraints.size(); ++c)
        if (system_.constraints[c].task.has_value() == of_task && !system_.constraints[c].given &&
            std::ranges::find(constraints, c) == constraints.end()) {
          constraints.push_back(c);
          return true;
        }
    return false;
  }

  Verdict stopped() { return Unknown{context_.budget.why(), {}, {}}; }

  Verdict prove_with(const ConstraintSet& constraints) {
    answer_.path.clear();  // that of fewer constraints
    const FlowSideScopes scopes = scopes_of(system_, split_, property_, constraints);
    const auto flow1 = scoped_flow(system_, scopes.s1, context_.budget);
    const auto flow2 = scoped_flow(system_, scopes.s2, context_.budget);
    if (!flow1 || !flow2) {
      answer_.too_large = context_.budget.why() == Stop::none;
      return stopped();
    }
    describe(answer_, system_, constraints, {&*flow1, &*flow2});
    const auto m1 = over_events(*flow1, context_), m2 = over_events(*flow2, context_);
    if (!m1 || !m2) return stopped();
    const ProofGoal goal{{{&*m1}, {&*m2}}, {&property_}};
    Verdict verdict = prove_asym(goal, context_);
    if (auto* holds = std::get_if<Holds>(&verdict)) {
      holds->certificate.rule = Method::flavers;
      holds->certificate.flow = {flow_side(system_, scopes.s1, *flow1), flow_side(system_, scopes.s2, *flow2)};
    } else if (auto* violated = std::get_if<Violated>(&verdict)) {
      const Alphabet visible = unite(flow1->visible, flow2->visible);
      verdict = whole_.judge(project(violated->trace, visible), visible);
      answer_.path = whole_.answer().path;
      answer_.feasible = whole_.answer().feasible;
    }
    return verdict;
  }

  const FlowSystem& system_;
  const FlowSplit& split_;
  const Lts& property_;
  const Context& context_;
  FlowAnswer& answer_;
  Flavers whole_;
};

}  // namespace

FlowSideScopes scopes_of(const FlowSystem& system, const FlowSplit& split, const Lts& property,
                         const ConstraintSet& constraints) {
  const Alphabet one = alphabet_of_tasks(system, split.s1), two = alphabet_of_tasks(system, split.s2);
  const Alphabet between = intersect(one, two), inside_two = subtract(two, one);
  const Alphabet nobodys = subtract(property.alphabet(), system.alphabet());
  FlowSideScopes out;
  Alphabet relevant = intersect(property.alphabet(), inside_two);  // all of P's, whatever S1 has
  for (const std::size_t c : constraints) {
    const FlowConstraint& constraint = system.constraints[c];
    const bool of_one = constraint.task ? std::ranges::find(split.s1, *constraint.task) != split.s1.end()
                                        : !intersect(constraint.lts->alphabet(), one).empty();
    (of_one ? out.s1 : out.s2).constraints.push_back(c);
    if (of_one && !constraint.task) relevant = unite(relevant, intersect(constraint.lts->alphabet(), inside_two));
  }
  out.interface = unite(between, relevant);
  out.s1.tasks = split.s1;
  out.s1.free = unite(out.interface, nobodys);
  out.s1.spoken_of = unite(property.alphabet(), out.interface);
  out.s2.tasks = split.s2;
  out.s2.free = between;
  out.s2.spoken_of = out.interface;
  return out;
}

Verdict prove_flavers_asym(const FlowSystem& system, const FlowSplit& split, const Lts& property,
                           const ConstraintChoice& choice, const Context& context, FlowAnswer& answer) {
  return Splitter(system, split, property, context, answer).run(choice);
}

}  // namespace surety
