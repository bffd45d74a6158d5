// Terminal sets, progress and the explicit graph: the corners of doc/semantics.md#progress by hand.

#include "engine/product/progress.hpp"

#include <gtest/gtest.h>

#include "reference/reference.hpp"

namespace surety {
namespace {

using namespace reference;

// A graph with the parts it was made of: it needs them.
struct Built {
  std::vector<Lts> system;
  Graph graph;
  const Graph* operator->() const { return &graph; }
};

Built graph_of(std::vector<Lts> system, const Priority* priority = nullptr) {
  std::vector<Part> parts;
  for (const Lts& lts : system) parts.push_back({&lts, Role::component, true});
  static Budget budget;
  Graph graph = Graph::build(parts, priority, budget).value();
  return {std::move(system), std::move(graph)};
}

ProgressSet among(const std::string& name, const std::string& actions) { return {name, alphabet(actions), {}}; }

ProgressResult progress(const std::vector<Lts>& system, const std::vector<ProgressSet>& sets,
                        Fairness fairness = Fairness::choice, const Priority* priority = nullptr) {
  Budget budget;
  return check_progress(graph_of(system, priority).graph, sets, fairness, budget).value();
}

std::string violated(const ProgressResult& result) {
  std::string out;
  for (const auto& answer : result.answers)
    if (answer.violated) out += (out.empty() ? "" : " ") + answer.name;
  return out;
}

const char* const kFork = "0 pick 1, 1 a 2, 1 b 3, 2 a 2, 3 b 3";

TEST(Progress, TheDefaultAsksForEveryActionInEveryTerminalSet35) {
  const auto result = progress({lts(kFork)}, {});
  EXPECT_EQ(violated(result), "DEFAULT");
  EXPECT_EQ(result.terminal_sets, 2U);
  EXPECT_EQ(result.answers[0].trace, word("pick a"));
  EXPECT_EQ(result.answers[0].missing, alphabet("pick b"));
  EXPECT_EQ(violated(progress({lts("0 a 0, +never")}, {})), "DEFAULT");
  EXPECT_EQ(violated(progress({lts("0 a 0")}, {})), "");
}

TEST(Progress, AllTerminalSetsAreLookedAt36) {
  const auto result =
      progress({lts(kFork)}, {among("PA", "a"), among("PB", "b"), among("PAB", "a b"), among("PICK", "pick")});
  EXPECT_EQ(violated(result), "PA PB PICK");
  EXPECT_EQ(result.answers[0].trace, word("pick b"));
  EXPECT_EQ(result.answers[0].cycle, word("b"));
}

TEST(Progress, AConditionMustOccur37) {
  const Lts p = lts("0 req 1, 1 ack 0, 1 lose 2, 2 req 2");
  EXPECT_EQ(
      violated(progress({p}, {{"R", alphabet("ack"), alphabet("req")}, {"R2", alphabet("ack"), alphabet("other")}})),
      "R");
}

TEST(Progress, DeadEndsAreTerminalSets38And43) {
  const auto result = progress({lts("0 a 1")}, {among("A", "a")});
  EXPECT_EQ(violated(result), "A");
  EXPECT_EQ(result.answers[0].trace, word("a"));
  EXPECT_TRUE(result.answers[0].cycle.empty());
  EXPECT_EQ(violated(progress({lts("0 a 1, end=1")}, {among("A", "a")})), "A");
}

TEST(Progress, ActionsThatNobodyHasNeverOccur39) {
  EXPECT_EQ(violated(progress({lts("0 a 0")}, {among("Z", "zzz")})), "Z");
}

TEST(Progress, WorksUnderPriority41) {
  const Priority low_b{alphabet("b"), false};
  EXPECT_EQ(violated(progress({lts("0 a 0, 0 b 0")}, {among("B", "b"), among("A", "a")}, Fairness::choice, &low_b)),
            "B");
}

TEST(Progress, TheErrorStateIsNoTerminalSet42) {
  const auto result = progress({lts("0 a 0, 0 bad 1, error=1")}, {among("A", "a")});
  EXPECT_EQ(violated(result), "");
  EXPECT_EQ(result.error, word("bad"));
}

TEST(Progress, ALivelockIsATerminalSet) {
  const auto result = progress({lts("0 a 0, 0 b 1, 1 tau 2, 2 tau 1")}, {among("A", "a")});
  EXPECT_EQ(violated(result), "A");
  EXPECT_EQ(result.answers[0].cycle, word("tau tau"));
}

TEST(Progress, TheCycleGoesThroughAllActionsOfItsTerminalSet) {
  const auto result = progress({lts("0 go 1, 1 a 2, 2 b 1, 2 c 3, 3 d 1, 1 tau 1")}, {among("GO", "go")});
  const auto& cycle = result.answers[0].cycle;
  EXPECT_EQ(Alphabet(cycle), alphabet("a b c d"));
  EXPECT_TRUE(std::ranges::count(cycle, kTau) > 0);
  Trace whole = result.answers[0].trace;
  for (int i = 0; i < 2; ++i) whole.insert(whole.end(), cycle.begin(), cycle.end());
  const Lts p = lts("0 go 1, 1 a 2, 2 b 1, 2 c 3, 3 d 1, 1 tau 1");
  EXPECT_TRUE(replays({&p}, nullptr, whole));
}

TEST(Progress, WithoutFairChoiceAnyCycleMayBeRepeated) {
  const Lts coin = lts("0 toss 1, 0 toss 2, 1 heads 0, 2 tails 0");
  const std::vector<ProgressSet> heads = {among("H", "heads"),
                                          among("T", "toss"),
                                          {"I", alphabet("heads"), alphabet("tails")},
                                          {"J", alphabet("heads"), alphabet("zzz")}};
  EXPECT_EQ(violated(progress({coin}, heads)), "");
  const auto result = progress({coin}, heads, Fairness::none);
  EXPECT_EQ(violated(result), "H I");
  EXPECT_EQ(result.answers[0].cycle, word("toss tails"));
  EXPECT_EQ(violated(progress({coin}, {}, Fairness::none)), "DEFAULT");
  EXPECT_EQ(violated(progress({lts("0 a 1")}, {among("A", "a")}, Fairness::none)), "A");
}

// --- The graph itself.

TEST(Graph, IsTheReachableProduct) {
  const Built g = graph_of({lts("0 a 1, 1 shared 0"), lts("0 b 1, 1 shared 0")});
  EXPECT_EQ(g->size(), 4U);
  EXPECT_EQ(g->transition_count(), 5U);
  EXPECT_EQ(g->alphabet(), alphabet("a b shared"));
  EXPECT_FALSE(g->error());
}

TEST(Graph, SilentStepsAreHighUnderLowPrioritiesAndLowUnderHighOnes33) {
  const Lts p = lts("0 a 0, 0 tau 1");
  const Priority low{alphabet("a"), false}, high{alphabet("a"), true};
  EXPECT_EQ(graph_of({p}, &low)->transition_count(), 1U);
  EXPECT_EQ(graph_of({p}, &low)->size(), 2U);
  EXPECT_EQ(graph_of({p}, &high)->size(), 1U);
}

TEST(Graph, FindsTheNearestError) {
  const Lts p = lts("0 a 1, 1 b 2, error=2"), q = lts("0 a 1, 1 b 2, 2 c 3, error=3"), r = lts("0 a 0, 0 b 0, 0 c 0");
  EXPECT_EQ(graph_of({p, r})->way_to_error(), word("a b"));
  EXPECT_EQ(graph_of({q, r})->way_to_error(), word("a b c"));
  EXPECT_EQ(graph_of({p, q, r})->way_to_error(), word("a b"));
  EXPECT_EQ(graph_of({lts("error=0"), r})->way_to_error(), Trace{});
  EXPECT_EQ(graph_of({r})->way_to_error(), std::nullopt);
}

TEST(Graph, AWatcherLacksAStep) {
  const Lts p = lts("0 a 1, 1 b 0, 1 c 0"), order = lts("0 a 1, 1 b 0, +c");
  Budget budget;
  const Graph g = Graph::build({{&p, Role::component, true}, {&order, Role::watch, true}}, nullptr, budget).value();
  EXPECT_EQ(g.way_to_error(), word("a c"));
}

TEST(Graph, StatesMayNeedMoreThanOneWord) {
  std::vector<Lts> parts(40, lts("0 turn 1, 1 turn 2, 2 turn 3, 3 turn 4, 4 turn 0"));
  parts.push_back(lts("0 flip 1, 1 flip 0"));
  EXPECT_EQ(graph_of(parts)->size(), 10U);
}

TEST(Graph, StopsWithTheBudget) {
  const Lts p = lts("0 a 1, 1 a 2, 2 a 3, 3 a 0");
  Limits limits;
  limits.states = 2;
  Budget budget(limits);
  EXPECT_FALSE(Graph::build({{&p}}, nullptr, budget).has_value());
}

}  // namespace
}  // namespace surety
