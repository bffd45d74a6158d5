#include "rules/flavers_asym.hpp"

#include <algorithm>
#include <deque>

#include "model/transform.hpp"
#include "rules/asym.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;

Alphabet alphabet_of_tasks(const FlowSystem& system, const std::vector<std::size_t>& tasks) {
  Alphabet out;
  for (const std::size_t t : tasks) out = unite(out, system.components[t].lts->alphabet());
  return out;
}

Alphabet alphabet_of_side(const ScopedFlow& flow) {
  Alphabet out;
  for (const Lts& graph : flow.tasks->graphs) out = unite(out, graph.alphabet());
  return out;
}

// Whether a side can do these events, with a violation of the property if there is one. Yes, too, if that is not
// found out with so many states.
bool can_do(const ScopedFlow& flow, const Trace& events, const Lts* property, const Context& context) {
  constexpr std::uint64_t kMostStates = 300'000;
  const Alphabet seen = alphabet_of_side(flow);
  const Trace mine = project(events, seen);
  if (property == nullptr && mine.empty()) return true;
  // A side that is allowed the events and violates "not the last of them" has done them all.
  const Lts wanted = property != nullptr ? *property : trace_lts(Word(mine).first(mine.size() - 1), seen);
  const auto result = flow.search_along(mine, seen, wanted, kMostStates, context);
  context.cost.add_queries(result.states, result.transitions);
  return result.outcome != Outcome::exhausted;
}

// Answers what rule ASYM asks, by searches of trace flow graphs with their constraints. Rule ASYM works on an LTS for
// each side that only has its events and stands for it. Whatever else is in a question (an assumption, a property) is
// about events, too, and is put over the nodes of the graph. Composing each side once instead would be simpler; but
// a graph with its constraints has a hundred times the steps that a search under an assumption meets.
class FlowChecker : public Checker {
 public:
  struct Side {
    const Lts* stands_for;
    const ScopedFlow& flow;
  };
  FlowChecker(Side one, Side two, unsigned threads) : one_(one), two_(two), threads_(threads) {}

  SearchResult check(const Lts* assumption, const ComponentSet& side, const Lts& property, Want /*want*/,
                     Budget& budget) override {
    const Question question = over_flow(assumption, side, property);
    auto out = search(question.parts, Goal::violation, budget, threads_);
    std::erase(out.trace, kTau);  // of an assumption
    out.trace = question.flow->labels_of(out.trace);
    std::erase(out.trace, kTau);  // nodes without a label
    return out;
  }
  std::unique_ptr<SubsetWalk> walk(const ComponentSet& side, const Lts& property, const Alphabet& letters,
                                   Budget& budget) override {
    const Question question = over_flow(nullptr, side, property);
    const SubsetWalk::Reading reading{[&](Action node) { return question.flow->label_of(node); },
                                      unite(surety::alphabet_of(side), property.alphabet())};
    return std::make_unique<SubsetWalk>(question.parts, letters, budget, reading);
  }

 private:
  struct Question {
    const TraceFlow* flow = nullptr;
    std::deque<Lts> made;  // over nodes
    std::vector<Part> parts;
  };
  Question over_flow(const Lts* assumption, const ComponentSet& side, const Lts& property) const {
    const Side& mine = std::ranges::find(side, one_.stands_for) != side.end() ? one_ : two_;
    Question out;
    out.flow = &mine.flow.flow();
    out.parts = mine.flow.parts();
    const auto add = [&](const Lts& lts, Role role) {
      out.parts.push_back({&out.made.emplace_back(over_nodes(lts, *out.flow)), role});
    };
    if (assumption != nullptr) add(*assumption, Role::component);
    for (const Lts* lts : side)
      if (lts != mine.stands_for) add(*lts, Role::component);
    add(property, Role::watch);
    return out;
  }

  Side one_, two_;
  unsigned threads_;
};

class Splitter {
 public:
  Splitter(const FlowSystem& system, const FlowSplit& split, const Lts& property, const Context& context,
           FlowAnswer& answer)
      : system_(system),
        split_(split),
        property_(property),
        context_(context),
        answer_(answer),
        whole_(system, property, context),
        candidates_(candidates_for(system, property)) {}

  Verdict run(const ConstraintChoice& choice) {
    ConstraintSet constraints = choice.listed;
    const bool automatic = choice.mode == ConstraintChoice::Mode::automatic;
    if (choice.mode == ConstraintChoice::Mode::all)
      for (std::size_t c = 0; c < system_.constraints.size(); ++c) constraints.push_back(c);
    if (automatic && !choice.starts) {
      Verdict verdict = whole_.prove(choice);
      answer_ = whole_.answer();
      if (!std::holds_alternative<Holds>(verdict)) return verdict;
      constraints = by_name(answer_.constraints);
    }
    while (true) {
      Verdict verdict = prove_with(constraints);
      const auto* unknown = std::get_if<Unknown>(&verdict);
      if (!automatic || unknown == nullptr || context_.budget.why() != Stop::none || answer_.too_large) return verdict;
      const ConstraintSet more = what_refutes(constraints);
      if (more.empty()) return verdict;
      constraints.insert(constraints.end(), more.begin(), more.end());
    }
  }

 private:
  ConstraintSet by_name(const std::vector<std::string>& names) const {
    ConstraintSet out;
    for (std::size_t c = 0; c < system_.constraints.size(); ++c)
      if (std::ranges::find(names, system_.constraints[c].name) != names.end()) out.push_back(c);
    return out;
  }

  // The split needs more than the whole did: what one of the sides cannot obey and do its share of the path. If nothing
  // is known to refute the path, any that is left. Empty: none is.
  ConstraintSet what_refutes(const ConstraintSet& constraints) const {
    const auto refutes = [&](const ConstraintSet& set) {
      const FlowSideScopes scopes = scopes_of(system_, split_, property_, set);
      for (const bool first : {true, false}) {
        const auto flow = scoped_flow(system_, first ? scopes.s1 : scopes.s2, context_.budget);
        if (!flow) return false;
        if (!can_do(*flow, path_, first ? &property_ : nullptr, context_)) return true;
      }
      return false;
    };
    if (const auto one = refuting(candidates_, constraints, refutes)) return {*one};
    auto several = refuting_together(candidates_, constraints, refutes, context_.budget);
    if (!several.empty()) return several;
    for (const std::size_t c : candidates_)
      if (!contains(constraints, c)) return {c};
    return {};
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
    const Lts m1 = universal_lts(alphabet_of_side(*flow1)), m2 = universal_lts(alphabet_of_side(*flow2));
    const ProofGoal goal{{{&m1}, {&m2}}, {&property_}};
    FlowChecker checker({&m1, *flow1}, {&m2, *flow2}, context_.threads);
    Context asked = context_.on(context_.budget, context_.cost, context_.threads);
    asked.checker = &checker;
    Verdict verdict = prove_asym(goal, asked);
    if (auto* holds = std::get_if<Holds>(&verdict)) {
      holds->certificate.rule = Method::flavers;
      holds->certificate.flow = {flow_side(system_, scopes.s1, *flow1), flow_side(system_, scopes.s2, *flow2)};
    } else if (auto* violated = std::get_if<Violated>(&verdict)) {
      const Alphabet visible = unite(flow1->visible, flow2->visible);
      path_ = project(violated->trace, visible);
      verdict = whole_.judge(path_, visible);
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
  ConstraintSet candidates_;  // in the order in which they are tried
  Trace path_;                // that the last attempt found
};

}  // namespace

FlowSideScopes scopes_of(const FlowSystem& system, const FlowSplit& split, const Lts& property,
                         const ConstraintSet& constraints) {
  const Alphabet one = alphabet_of_tasks(system, split.s1), two = alphabet_of_tasks(system, split.s2);
  const Alphabet between = intersect(one, two), inside_two = subtract(two, one);
  const Alphabet of_no_task = subtract(property.alphabet(), system.alphabet());
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
  out.s1.free = unite(out.interface, of_no_task);
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
