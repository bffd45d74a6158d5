#include "rules/flavers.hpp"

#include <algorithm>
#include <ranges>

#include "model/transform.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;

constexpr std::uint64_t kReplayStates = 300'000;
constexpr std::uint64_t kManyStates = 10'000;  // of one search

ConstraintSet without(ConstraintSet set, std::size_t constraint) {
  std::erase(set, constraint);
  return set;
}

}  // namespace

Flavers::Flavers(const FlowSystem& system, const Lts& property, const Context& context)
    : system_(system),
      property_(property),
      context_(context),
      free_(subtract(property.alphabet(), system.alphabet())),
      candidates_(candidates_for(system, property)) {}

FlowScope Flavers::scope(const ConstraintSet& constraints) const {
  return {system_.tasks(), free_, constraints, property_.alphabet()};
}

Flavers::Found Flavers::propagate(const ConstraintSet& constraints) {
  context_.budget.phase("flow analysis");
  answer_.path.clear();  // that of fewer constraints
  const auto flow = scoped_flow(system_, scope(constraints), context_.budget);
  if (!flow) {
    answer_.too_large = context_.budget.why() == Stop::none;
    return {};
  }
  describe(answer_, system_, constraints, {&*flow});
  const Lts property = over_nodes(property_, flow->flow());
  auto parts = flow->parts();
  parts.push_back({&property, Role::watch});
  auto result = search(parts, Goal::violation, context_.budget, context_.threads);
  context_.cost.add(result);
  ++answer_.searches;
  Found out{result.outcome, std::move(result.trace), {}, flow->visible, result.states};
  out.events = project(flow->flow().labels_of(out.path), flow->visible);
  return out;
}

bool Flavers::is_refuted_by(const Found& found, const ConstraintSet& constraints) {
  const auto flow = scoped_flow(system_, scope(constraints), context_.budget);
  if (!flow) return false;
  const Alphabet seen = intersect(found.visible, flow->visible);
  const auto result = flow->search_along(project(found.events, seen), seen, property_, kReplayStates, context_);
  context_.cost.add(result);
  ++answer_.searches;
  return result.outcome == Outcome::exhausted;
}

SearchResult Flavers::replay(const Trace& events, const Alphabet& visible) {
  const Lts chain = trace_lts(events, visible);
  std::vector<Part> parts{{&chain}};
  for (const auto& component : system_.components) parts.push_back({component.lts, Role::component, false});
  parts.push_back({&property_, Role::watch});
  Limits limits;
  limits.states = kReplayStates;
  Budget share(context_.budget, limits);
  auto result = search(parts, Goal::violation, share, context_.threads, Reduction::automatic);
  context_.cost.add(result);
  return result;
}

Verdict Flavers::stopped() { return Unknown{context_.budget.why(), {}, {}}; }

Verdict Flavers::proved(const ConstraintSet& constraints) {
  const FlowScope whole = scope(constraints);
  const auto flow = scoped_flow(system_, whole, context_.budget);
  if (!flow) return stopped();
  describe(answer_, system_, constraints, {&*flow});
  Certificate certificate{Method::flavers, {}, {}};
  certificate.flow.push_back(flow_side(system_, whole, *flow));
  return Holds{std::move(certificate)};
}

Verdict Flavers::judge(const Trace& events, const Alphabet& visible) {
  using Feasible = FlowAnswer::Feasible;
  auto run = replay(events, visible);
  answer_.path = events;
  answer_.feasible = run.outcome == Outcome::found       ? Feasible::yes
                     : run.outcome == Outcome::exhausted ? Feasible::no
                                                         : Feasible::open;
  if (run.outcome == Outcome::found) return Violated{std::move(run.trace)};
  return stopped();
}

Verdict Flavers::prove_with(const ConstraintSet& constraints) {
  const Found found = propagate(constraints);
  if (found.outcome == Outcome::stopped) return stopped();
  if (found.outcome == Outcome::exhausted) return proved(constraints);
  return judge(found.events, found.visible);
}

// No run was found for the path, and no constraints that refute it: the automaton of a task whose nodes are in a wrong
// order, or else the smallest that is left.
std::optional<std::size_t> Flavers::next_to_try(const Found& found, const ConstraintSet& constraints) {
  const auto flow = scoped_flow(system_, scope(constraints), context_.budget);
  if (!flow) return std::nullopt;
  std::optional<std::size_t> first;
  const auto tasks = system_.tasks();
  for (std::size_t c = 0; c < system_.constraints.size(); ++c) {
    const FlowConstraint& constraint = system_.constraints[c];
    if (constraint.given || contains(constraints, c)) continue;
    if (!first) first = c;
    if (!constraint.task) continue;
    const auto task = static_cast<std::uint32_t>(std::ranges::find(tasks, *constraint.task) - tasks.begin());
    const Lts order = task_automaton(flow->flow(), task);
    State at = order.initial();
    for (const Action node : found.path) {
      if (!order.alphabet().contains(node)) continue;
      const auto steps = order.steps(at, node);
      if (steps.empty()) return c;
      at = steps.front().target;
    }
  }
  return first;
}

Verdict Flavers::prove_automatically(const ConstraintSet& wanted) {
  ConstraintSet constraints = wanted;
  for (std::size_t c = 0; c < system_.constraints.size(); ++c)
    if (system_.constraints[c].given && !contains(wanted, c)) constraints.push_back(c);
  std::vector<Found> refuted;
  std::uint64_t many_states = kManyStates;
  while (true) {
    const Found found = propagate(constraints);
    if (found.outcome == Outcome::stopped) return stopped();
    if (found.outcome == Outcome::exhausted) break;
    const auto refutes = [&](const ConstraintSet& set) { return is_refuted_by(found, set); };
    ConstraintSet more;
    if (const auto one = refuting(candidates_, constraints, refutes))
      more = {*one};
    else
      more = refuting_together(candidates_, constraints, refutes, context_.budget);
    if (more.empty()) {
      Verdict judged = judge(found.events, found.visible);
      if (std::holds_alternative<Violated>(judged)) return judged;
      const auto next = next_to_try(found, constraints);
      if (!next) return judged;
      more = {*next};
    }
    if (!context_.budget.go_on()) return stopped();
    constraints.insert(constraints.end(), more.begin(), more.end());
    refuted.push_back(found);
    if (found.states <= many_states) continue;
    many_states = 2 * found.states;
    drop_superseded(constraints, wanted, refuted);
  }
  make_minimal(constraints, wanted);
  return proved(constraints);
}

// Earlier constraints may be superseded by later ones, and multiply the states. As every set refutes all paths that
// were found before, none comes twice.
void Flavers::drop_superseded(ConstraintSet& constraints, const ConstraintSet& wanted,
                              const std::vector<Found>& refuted) {
  for (const std::size_t c : ConstraintSet(constraints)) {
    const ConstraintSet fewer = without(constraints, c);
    const auto is_refuted = [&](const Found& found) { return is_refuted_by(found, fewer); };
    if (!system_.constraints[c].given && !contains(wanted, c) && context_.budget.go_on() &&
        std::ranges::all_of(std::views::reverse(refuted), is_refuted))
      constraints = fewer;
  }
}

// Nothing can be left out. It is not the smallest set, nor the best.
void Flavers::make_minimal(ConstraintSet& constraints, const ConstraintSet& wanted) {
  ConstraintSet largest_first = constraints;
  std::ranges::sort(largest_first, std::greater());
  for (const std::size_t c : largest_first)
    if (!system_.constraints[c].given && !contains(wanted, c) && context_.budget.go_on() &&
        propagate(without(constraints, c)).outcome == Outcome::exhausted)
      std::erase(constraints, c);
}

Verdict Flavers::prove(const ConstraintChoice& choice) {
  using Mode = ConstraintChoice::Mode;
  ConstraintSet all;
  for (std::size_t c = 0; c < system_.constraints.size(); ++c) all.push_back(c);
  switch (choice.mode) {
    case Mode::automatic: return prove_automatically(choice.listed);
    case Mode::none: return prove_with({});
    case Mode::all: return prove_with(all);
    case Mode::listed: break;
  }
  return prove_with(choice.listed);
}

}  // namespace surety
