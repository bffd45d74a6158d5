// Liveness, progress and the explicit graph against brute force on small systems.
//
// Without fair choice: a violation must be a run of the system on which the formula is
// false by definition; if none is reported, none of the system's short lassos is one.
//
// By fair choice: a fair run looks, to a small formula, like a short beginning followed
// by a cycle that contains every short path of a terminal set. So these are tried.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "engine/product/liveness.hpp"
#include "engine/product/progress.hpp"
#include "engine/product/search.hpp"
#include "product/compose.hpp"
#include "reference/generators.hpp"
#include "unit/ltl_semantics.hpp"

namespace surety {
namespace {

using namespace reference;
using Outcome = LivenessResult::Outcome;

Budget& budget() {
  static Budget one;  // making one reads half a dozen files of /proc
  return one;
}

std::vector<Part> parts_of(const std::vector<Lts>& system) {
  std::vector<Part> parts;
  for (const Lts& lts : system) parts.push_back({&lts, Role::component, true});
  return parts;
}

std::vector<const Lts*> pointers(const std::vector<Lts>& system) {
  std::vector<const Lts*> out;
  for (const Lts& lts : system) out.push_back(&lts);
  return out;
}

// The system with a loop everywhere for each action that only the formula knows. The error state stays dumb.
Lts with_free_actions(const Lts& lts, const Alphabet& known) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  builder.add_to_alphabet(unite(lts.alphabet(), known));
  if (lts.error()) builder.set_error(*lts.error());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    for (const Step& step : lts.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
    if (State{s} == lts.error()) continue;
    for (const Action a : subtract(known, lts.alphabet())) builder.add_step(State{s}, a, State{s});
  }
  return builder.build();
}

struct Path {
  Trace actions;
  State end;
};

// All paths from a state with at most n steps, shortest first.
std::vector<Path> paths(const Lts& lts, State from, std::size_t n) {
  std::vector<Path> out{{{}, from}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].actions.size() == n) continue;
    for (const Step& step : lts.steps(out[i].end)) {
      Path longer = out[i];
      longer.actions.push_back(step.action);
      longer.end = step.target;
      out.push_back(std::move(longer));
    }
  }
  return out;
}

std::optional<Trace> way(const Lts& lts, State from, State to) {
  for (const Path& path : paths(lts, from, lts.state_count()))
    if (path.end == to) return path.actions;
  return std::nullopt;
}

bool dead(const Lts& lts, State s) { return lts.steps(s).empty() && s != lts.error(); }

// What can be reached, by definition.
std::set<State> reach(const Lts& lts, State from) {
  std::set<State> out{from};
  for (std::vector<State> todo{from}; !todo.empty();) {
    const State s = todo.back();
    todo.pop_back();
    for (const Step& step : lts.steps(s))
      if (out.insert(step.target).second) todo.push_back(step.target);
  }
  return out;
}
bool in_terminal_set(const Lts& lts, State s) {
  if (s == lts.error()) return false;
  const auto all = reach(lts, s);
  return !(lts.error() && all.contains(*lts.error())) &&
         std::ranges::all_of(all, [&](State t) { return reach(lts, t).contains(s); });
}

// A cycle at s, which is in a terminal set, through all paths of length n of that set.
Trace thorough_cycle(const Lts& lts, State s, std::size_t n) {
  Trace cycle;
  State at = s;
  for (const State t : reach(lts, s))
    for (const Path& path : paths(lts, t, n)) {
      if (path.actions.size() < n) continue;
      const Trace there = *way(lts, at, t);
      cycle.insert(cycle.end(), there.begin(), there.end());
      cycle.insert(cycle.end(), path.actions.begin(), path.actions.end());
      at = path.end;
    }
  const Trace home = *way(lts, at, s);
  cycle.insert(cycle.end(), home.begin(), home.end());
  return cycle;
}

bool false_on(const Assertion& property, const Trace& prefix, const Trace& cycle) {
  return prefix.empty() && cycle.empty() ? !holds_on(property, {}, {}) : !true_on(property, prefix, cycle);
}

// The path, and from its end the ways to all dead ends and states of terminal sets.
std::vector<Path> beginnings(const Lts& lts, const Path& path) {
  std::vector<Path> out;
  for (const State t : reach(lts, path.end)) {
    if (!in_terminal_set(lts, t)) continue;
    Path longer{path.actions, t};
    const Trace rest = *way(lts, path.end, t);
    longer.actions.insert(longer.actions.end(), rest.begin(), rest.end());
    out.push_back(std::move(longer));
  }
  return out;
}

// n: how long the beginnings are at most, and the cycles, or the paths that must be in a cycle.
bool fails_by_brute_force(const Lts& lts, const Assertion& property, Fairness fairness, std::size_t n) {
  std::map<State, Trace> cycles;
  for (const Path& path : paths(lts, lts.initial(), n)) {
    if (fairness == Fairness::none)
      for (const Path& round : paths(lts, path.end, n))
        if (round.end == path.end && !round.actions.empty() && false_on(property, path.actions, round.actions))
          return true;
    for (const Path& beginning : beginnings(lts, path)) {
      Trace cycle;
      if (!dead(lts, beginning.end)) {
        if (fairness == Fairness::none) continue;
        auto [it, is_new] = cycles.try_emplace(beginning.end);
        if (is_new) it->second = thorough_cycle(lts, beginning.end, n);
        cycle = it->second;
      }
      if (false_on(property, beginning.actions, cycle)) return true;
    }
  }
  return false;
}

// The trace, and the cycle if there is one, lead through the system and back to where the cycle began.
bool is_a_run(const Lts& lts, const LivenessResult& result) {
  std::set<State> at{lts.initial()};
  const auto follow = [&](const Trace& actions) {
    for (const Action a : actions) {
      std::set<State> next;
      for (const State s : at)
        for (const Step& step : lts.steps(s, a)) next.insert(step.target);
      at = std::move(next);
    }
  };
  follow(result.trace);
  for (const State s : std::set<State>(at)) {
    if (result.kind == LivenessResult::Kind::beginning) return true;
    if (result.kind == LivenessResult::Kind::end && dead(lts, s)) return true;
    if (result.kind != LivenessResult::Kind::cycle) continue;
    at = {s};
    follow(result.cycle);
    if (!result.cycle.empty() && at.contains(s)) return true;
  }
  return false;
}

void expect_agreement(const Lts& system, const Assertion& property, std::size_t n) {
  const Lts lts = with_free_actions(system, alphabet_of(property));
  bool unfair_violation = false;
  for (const Fairness fairness : {Fairness::none, Fairness::choice}) {
    const auto result = check_assertion(parts_of({system}), property, fairness, nullptr, budget());
    const bool violated = result.outcome == Outcome::violated;
    const char* which = fairness == Fairness::none ? " (unfair) on " : " (fair) on ";
    ASSERT_EQ(result.error.has_value(), shortest_error({&lts}).has_value());
    if (violated) {
      ASSERT_TRUE(is_a_run(lts, result)) << property.name << which << system;
      // A bad beginning is bad however it goes on, so this covers all kinds.
      ASSERT_TRUE(false_on(property, result.trace, result.cycle)) << property.name << which << system;
    }
    // The brute force does not see bad beginnings that can only lead into the error state.
    if (violated && result.kind == LivenessResult::Kind::beginning && lts.error()) continue;
    if (fairness == Fairness::choice || !violated) {
      ASSERT_EQ(violated, fails_by_brute_force(lts, property, fairness, n)) << property.name << which << system;
    }
    if (fairness == Fairness::none) unfair_violation = violated;
    ASSERT_TRUE(!violated || unfair_violation || lts.error())
        << "only by fair choice: " << property.name << which << system;
  }
}

std::vector<std::string> some(const std::vector<std::string>& all, std::size_t n, Random& random) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(all[random.below(static_cast<std::uint32_t>(all.size()))]);
  return out;
}

TEST(LivenessLaws, AllSmallFormulasOnAllSmallSystems) {
  std::vector<Assertion> properties;
  for (const auto& text : small_formulas()) properties.push_back(assertion(text));
  for (const Lts& system : small_ltss()) {
    if (system.state_count() == 0) continue;
    for (const auto& property : properties) expect_agreement(system, property, 3);
    if (HasFatalFailure()) return;
  }
}

TEST(LivenessLaws, LargerFormulasOnAllSmallSystems) {
  Random random(11);
  const auto formulas = medium_formulas();
  for (const Lts& system : small_ltss()) {
    if (system.state_count() == 0) continue;
    for (const auto& text : some(formulas, 40, random)) expect_agreement(system, assertion(text), 4);
    if (HasFatalFailure()) return;
  }
}

TEST(LivenessLaws, TheUsualPatternsOnSmallSystemsWithTauErrorAndEnd) {
  const char* const patterns[] = {
      "[]<>a",        "<>[]a",    "[](a -> <>b)",      "([]<>a -> []<>b)", "<>[](a -> X !b)", "[]<>(a & X b)",
      "[](a -> X b)", "(!b W a)", "[](a -> (!b U a))", "(<>[]!b & []<>a)", "[]<>(a & X a)",   "<>(a & X X b)"};
  Random random(5);
  for (const Lts& system : small_ltss_with_tau()) {
    if (system.state_count() == 0 || random.below(40) != 0) continue;
    for (const char* text : patterns) expect_agreement(system, assertion(text), 3);
    if (HasFatalFailure()) return;
  }
}

TEST(LivenessLaws, FluentsAreMemory) {
  Random random(3);
  std::vector<std::string> formulas;
  for (std::string text : medium_formulas()) {
    for (auto& c : text)
      if (c == 'b') c = '#';
    std::string out;
    for (const char c : text) out += c == '#' ? "F0" : std::string(1, c);
    formulas.push_back(out);
  }
  for (const Lts& system : small_ltss()) {
    if (system.state_count() == 0) continue;
    const Fluent fluent{"F", alphabet("a"), alphabet("b"), random.chance(50)};
    for (const auto& text : some(formulas, 20, random)) expect_agreement(system, assertion(text, {fluent}), 3);
    if (HasFatalFailure()) return;
  }
}

TEST(LivenessLaws, RandomSystemsWithThreeStates) {
  Random random(17);
  const auto formulas = medium_formulas();
  Shape shape;
  shape.states = 3;
  shape.actions = 2;
  shape.steps = 5;
  for (int i = 0; i < 400; ++i) {
    const Lts system = random_lts(random, shape);
    for (const auto& text : some(formulas, 10, random)) expect_agreement(system, assertion(text), 4);
    if (HasFatalFailure()) return;
  }
}

// --- Progress, by definition.

bool progress_fails(const Lts& lts, const ProgressSet& set) {
  for (const State s : reach(lts, lts.initial())) {
    if (!in_terminal_set(lts, s)) continue;
    std::vector<Action> there;
    for (const State t : reach(lts, s))
      for (const Step& step : lts.steps(t)) there.push_back(step.action);
    const auto occurs = [&](const Alphabet& actions) { return !intersect(Alphabet(there), actions).empty(); };
    if (!occurs(set.actions) && (!set.condition || occurs(*set.condition))) return true;
  }
  return false;
}

TEST(ProgressLaws, AllTerminalSetsOfAllSmallSystems) {
  const std::vector<ProgressSet> sets = {{"A", alphabet("a"), {}},
                                         {"AB", alphabet("a b"), {}},
                                         {"B if A", alphabet("b"), alphabet("a")},
                                         {"Z", alphabet("z"), {}}};
  for_each_small_lts_with_tau([&](const Lts& lts) {
    if (lts.state_count() == 0) return;
    const Graph graph = Graph::build(parts_of({lts}), nullptr, budget()).value();
    const auto fair = check_progress(graph, sets, Fairness::choice, budget()).value();
    const auto unfair = check_progress(graph, sets, Fairness::none, budget()).value();
    for (std::size_t k = 0; k < sets.size(); ++k) {
      ASSERT_EQ(fair.answers[k].violated, progress_fails(lts, sets[k])) << sets[k].name << " on " << lts;
      ASSERT_TRUE(!fair.answers[k].violated || unfair.answers[k].violated) << sets[k].name << " on " << lts;
      for (const auto* answer : {&fair.answers[k], &unfair.answers[k]}) {
        Trace whole = answer->trace;
        whole.insert(whole.end(), answer->cycle.begin(), answer->cycle.end());
        ASSERT_TRUE(replays({&lts}, nullptr, whole)) << lts;
        ASSERT_TRUE(intersect(Alphabet(answer->cycle), sets[k].actions).empty()) << sets[k].name << " on " << lts;
      }
    }
    // Without fair choice, progress is a formula: again and again an action of the set.
    for (const auto& [k, text] : {std::pair(0, "[]<>a"), std::pair(2, "([]<>a -> []<>b)")}) {
      if (shortest_deadlock({&lts})) continue;  // where a run ends, formulas look at its last event
      const Lts same = with_free_actions(lts, alphabet("a b"));
      if (!(same.alphabet() == lts.alphabet())) continue;
      const auto formula = check_assertion(parts_of({lts}), assertion(text), Fairness::none, nullptr, budget());
      if (lts.end()) continue;
      ASSERT_EQ(unfair.answers[static_cast<std::size_t>(k)].violated, formula.outcome == Outcome::violated)
          << text << " on " << lts;
    }
  });
}

// --- The graph is what compose() makes, and finds what search() finds.

RC_GTEST_PROP(GraphLaws, AgreesWithCompositionAndSearch, ()) {
  Variety small;
  small.states = 4;
  small.actions = 3;
  small.steps = 8;
  std::vector<Lts> system;
  for (std::uint32_t i = 0, n = *between(1, 3); i < n; ++i) system.push_back(*any_lts(small));
  const Graph graph = Graph::build(parts_of(system), nullptr, budget()).value();
  const auto error = shortest_error(pointers(system));
  RC_CLASSIFY(error.has_value());
  RC_ASSERT(graph.way_to_error().has_value() == error.has_value());
  if (error) RC_ASSERT(graph.way_to_error()->size() == error->size());
  // A deadlock is a dead end; END may be one, too. Dead ends are numbered from the nearest on.
  const auto deadlock = search(parts_of(system), Goal::deadlock, budget());
  RC_CLASSIFY(deadlock.outcome == SearchResult::Outcome::found);
  State nearest{0};
  while (nearest.value < graph.size() && !graph.is_dead_end(nearest)) ++nearest.value;
  if (deadlock.outcome == SearchResult::Outcome::found) {
    RC_ASSERT(nearest.value < graph.size());
    RC_ASSERT(graph.way_to(nearest).size() <= deadlock.trace.size());
  }
  const auto count = search(parts_of(system), Goal::count, budget());
  RC_ASSERT(graph.size() - (graph.error() ? 1 : 0) == (graph.error() == State{0} ? 0 : count.states));
}

RC_GTEST_PROP(GraphLaws, PriorityCutsWhatCompositionCuts, ()) {
  Variety small;
  small.states = 3;
  small.actions = 3;
  small.steps = 8;
  small.end = false;  // compose() makes all ends one state
  const std::vector<Lts> system = {*any_lts(small), *any_lts(small)};
  const Priority priority{*any_part_of(alphabet("a b c")), *rc::gen::arbitrary<bool>()};
  const Graph graph = Graph::build(parts_of(system), &priority, budget()).value();
  RC_CLASSIFY(graph.transition_count() < Graph::build(parts_of(system), nullptr, budget()).value().transition_count());
  const Lts composed = compose(pointers(system), budget(), &priority).value();
  RC_ASSERT(graph.size() == composed.state_count());
  std::uint64_t distinct = 0;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    const auto steps = graph.steps(State{s});
    distinct += std::set<Step>(steps.begin(), steps.end()).size();
  }
  RC_ASSERT(distinct == composed.transition_count());
}

}  // namespace
}  // namespace surety
