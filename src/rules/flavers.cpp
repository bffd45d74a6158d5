#include "rules/flavers.hpp"

#include <algorithm>

#include "model/transform.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;

constexpr std::uint64_t kReplayStates = 300'000;

bool contains(const ConstraintSet& set, std::size_t constraint) {
  return std::ranges::find(set, constraint) != set.end();
}

ConstraintSet with(ConstraintSet set, std::size_t constraint) {
  set.push_back(constraint);
  return set;
}

ConstraintSet without(ConstraintSet set, std::size_t constraint) {
  std::erase(set, constraint);
  return set;
}

}  // namespace

Flavers::Flavers(const FlowSystem& system, const Lts& property, const Context& context)
    : system_(system),
      property_(property),
      context_(context),
      free_(subtract(property.alphabet(), system.alphabet())) {}

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
  Found out{result.outcome, std::move(result.trace), {}, flow->visible};
  out.events = project(flow->flow().labels_of(out.path), flow->visible);
  return out;
}

bool Flavers::is_refuted_by(const Found& found, const ConstraintSet& constraints) {
  const auto flow = scoped_flow(system_, scope(constraints), context_.budget);
  if (!flow) return false;
  const Lts events = over_nodes(trace_lts(found.events, found.visible), flow->flow());
  const Lts property = over_nodes(property_, flow->flow());
  auto parts = flow->parts();
  parts.push_back({&events});
  parts.push_back({&property, Role::watch});
  Limits limits;
  limits.states = kReplayStates;
  Budget share(context_.budget, limits);
  const auto result = search(parts, Goal::violation, share, context_.threads);
  context_.cost.add(result);
  ++answer_.searches;
  return result.outcome == Outcome::exhausted;
}

std::optional<std::size_t> Flavers::refuting(const Found& found, const ConstraintSet& constraints) {
  for (std::size_t c = 0; c < system_.constraints.size(); ++c)
    if (!system_.constraints[c].given && !contains(constraints, c) && is_refuted_by(found, with(constraints, c)))
      return c;
  return std::nullopt;
}

// As in QuickXplain (Junker 2004): what is needed of the second half, given the first, then of the first.
ConstraintSet Flavers::needed_of(const Found& found, const ConstraintSet& fixed, bool changed,
                                 const ConstraintSet& some) {
  if (changed && is_refuted_by(found, fixed)) return {};
  if (some.size() <= 1 || !context_.budget.go_on()) return some;
  const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
  const ConstraintSet first(some.begin(), middle), second(middle, some.end());
  const auto joined = [](ConstraintSet a, const ConstraintSet& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  const ConstraintSet of_second = needed_of(found, joined(fixed, first), true, second);
  const ConstraintSet of_first = needed_of(found, joined(fixed, of_second), !of_second.empty(), first);
  return joined(of_first, of_second);
}

ConstraintSet Flavers::refuting_together(const Found& found, const ConstraintSet& constraints) {
  ConstraintSet others;
  for (std::size_t c = 0; c < system_.constraints.size(); ++c)
    if (!system_.constraints[c].given && !contains(constraints, c)) others.push_back(c);
  ConstraintSet all = constraints;
  all.insert(all.end(), others.begin(), others.end());
  if (others.empty() || !is_refuted_by(found, all)) return {};
  return needed_of(found, constraints, false, others);
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
  while (true) {
    const Found found = propagate(constraints);
    if (found.outcome == Outcome::stopped) return stopped();
    if (found.outcome == Outcome::exhausted) break;
    ConstraintSet more;
    if (const auto one = refuting(found, constraints))
      more = {*one};
    else
      more = refuting_together(found, constraints);
    if (more.empty()) {
      Verdict judged = judge(found.events, found.visible);
      if (std::holds_alternative<Violated>(judged)) return judged;
      const auto next = next_to_try(found, constraints);
      if (!next) return judged;
      more = {*next};
    }
    if (!context_.budget.go_on()) return stopped();
    constraints.insert(constraints.end(), more.begin(), more.end());
  }
  make_minimal(constraints, wanted);
  return proved(constraints);
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
