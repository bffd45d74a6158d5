// Searches that leave out what can wait: how few states are left, and when. That they find the same is the business
// of tests/laws/engine_laws.cpp.

#include <gtest/gtest.h>

#include "api/verify.hpp"
#include "engine/product/search.hpp"
#include "paths.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using reference::action;
using reference::lts;
using Outcome = SearchResult::Outcome;

api::Check checked(const std::string& example, int k, const std::string& property, const std::string& reduction,
                   std::uint64_t states = 1'000'000) {
  api::Request request;
  request.source.files = {SURETY_SOURCE_DIR "/examples/" + example + ".lts"};
  request.source.defines = {{"K", k}};
  request.properties = {property};
  request.method = "monolithic";
  request.reduction = reduction;
  request.limits.states = states;
  request.certify = false;
  auto report = api::verify(request);
  EXPECT_TRUE(report.has_value());
  return report ? report->checks.at(0) : api::Check{};
}

std::uint64_t states_left(const std::string& example, int k, const std::string& property, const std::string& verdict) {
  const auto check = checked(example, k, property, "por");
  EXPECT_EQ(std::string(name_of(check.verdict)), verdict) << example;
  EXPECT_TRUE(check.cost.reduced);
  return check.cost.max_states;
}

TEST(Stubborn, LeavesFewStatesOfLooselyCoupledSystems) {
  // LTSmin leaves 345 states for the deadlock of eight philosophers, 64 for Milner's scheduler of sixteen.
  EXPECT_LE(states_left("philosophers/philosophers_broken", 8, "deadlock", "violated"), 234U);
  EXPECT_LE(states_left("philosophers/philosophers", 8, "deadlock", "holds"), 341U);
  EXPECT_LE(states_left("milner/milner", 16, "deadlock", "holds"), 48U);
  EXPECT_LE(states_left("milner/milner", 16, "IN_ORDER", "holds"), 77U);
  EXPECT_LE(states_left("milner/milner", 16, "ALTERNATE", "holds"), 81U);
  EXPECT_LE(states_left("relay/relay", 14, "ALWAYS_1_BETWEEN_0", "holds"), 121U);
  EXPECT_LE(states_left("relay/relay", 14, "deadlock", "holds"), 70U);
}

// Far more bits than a word has, and a product that nobody could go through.
TEST(Stubborn, GrowsLinearlyWithTheNumberOfParts) {
  EXPECT_LE(states_left("milner/milner", 100, "deadlock", "holds"), 300U);
  EXPECT_LE(states_left("relay/relay", 100, "ALWAYS_1_BETWEEN_0", "holds"), 895U);
}

TEST(Stubborn, KeepsTracesShortest) {
  const auto all = checked("philosophers/philosophers_broken", 8, "deadlock", "none");
  const auto some = checked("philosophers/philosophers_broken", 8, "deadlock", "por");
  EXPECT_EQ(std::get<Violated>(some.verdict).trace.size(), std::get<Violated>(all.verdict).trace.size());
  EXPECT_LT(some.cost.max_states, all.cost.max_states / 20);
}

TEST(Stubborn, IsUsedByItselfWhereItPays) {
  EXPECT_FALSE(checked("milner/milner", 4, "deadlock", "auto").cost.reduced);  // done before the question comes up
  EXPECT_TRUE(checked("milner/milner", 14, "deadlock", "auto").cost.reduced);  // done in the pilot
  EXPECT_TRUE(checked("philosophers/philosophers", 30, "deadlock", "auto").cost.reduced);  // goes on with it
  EXPECT_FALSE(checked("gas_station/gas_station", 6, "MUTEX", "auto").cost.reduced);       // a star: goes on without
  EXPECT_FALSE(checked("token_ring/token_ring", 12, "deadlock", "auto").cost.reduced);     // looks good at first
  EXPECT_FALSE(checked("milner/milner", 14, "deadlock", "none").cost.reduced);
}

TEST(Stubborn, ChargesNoMoreThanOneSearchToTheBudget) {
  const auto all = checked("gas_station/gas_station", 6, "MUTEX", "none");
  const auto tried = checked("gas_station/gas_station", 6, "MUTEX", "auto", all.cost.max_states);
  EXPECT_EQ(std::string(name_of(tried.verdict)), "holds");
  EXPECT_EQ(tried.cost.max_states, all.cost.max_states);
}

TEST(Stubborn, IsForSeveralPartsAndForSomethingToFind) {
  const Lts a = lts("0 a 1, 1 b 0"), b = lts("0 c 1, 1 d 0");
  Budget budget;
  EXPECT_TRUE(search({{&a}, {&b}}, Goal::deadlock, budget, 1, Reduction::por).reduced);
  EXPECT_FALSE(search({{&a}}, Goal::deadlock, budget, 1, Reduction::por).reduced);
  EXPECT_FALSE(search({{&a}, {&b}}, Goal::count, budget, 1, Reduction::por).reduced);
}

// A chain so long that it gets rows and no cells: each round of three steps needs the others.
TEST(Stubborn, FindsTheSameWhereAPartIsTooBigForTables) {
  constexpr std::uint32_t kLong = 99'999;
  for (const bool dead : {false, true}) {
    LtsBuilder builder;
    builder.set_state_count(kLong + 1);
    for (std::uint32_t s = 0; s < kLong; ++s)
      builder.add_step(State{s}, action(s % 3 == 0 ? "a" : s % 3 == 1 ? "b" : "c"), State{s + 1});
    builder.add_step(State{kLong}, action(dead ? "never" : "z"), State{0});
    const Lts chain = builder.build();
    const Lts one = lts("0 a 1, 1 x 2, 2 b 0"), other = lts("0 c 1, 1 y 0"), beside = lts("0 u 1, 1 v 0, 0 tau 1");
    const Lts never = lts("+never"), watch = lts(std::string("0 a 1, 1 c 0, 0 b 0, 1 b 1") + (dead ? "" : ", +z"));
    const std::vector<Part> deadlock = {{&chain}, {&one}, {&other}, {&never}};
    const std::vector<Part> violation = {{&chain}, {&one}, {&other}, {&never}, {&beside}, {&watch, Role::watch}};
    for (const Goal goal : {Goal::deadlock, Goal::violation}) {
      const auto& parts = goal == Goal::deadlock ? deadlock : violation;
      Budget budget;
      const auto all = search(parts, goal, budget);
      const auto some = search(parts, goal, budget, 1, Reduction::por);
      EXPECT_EQ(all.outcome == Outcome::found, dead == (goal == Goal::deadlock));
      EXPECT_EQ(some.outcome, all.outcome);
      EXPECT_EQ(some.trace.size(), all.trace.size());
      EXPECT_LT(some.states, all.states);
    }
  }
}

// The cheapest cut between the watcher and its error is a tau that cannot happen yet.
TEST(Stubborn, WaitsForTheTauOfAWatcher) {
  const Lts both = lts("0 a 0, 0 b 0"), watch = lts("0 a 1, 0 b 1, 1 a 1, 1 b 1, 1 tau 2");
  Budget budget;
  const auto result = search({{&both}, {&watch, Role::watch}}, Goal::violation, budget, 1, Reduction::por);
  EXPECT_EQ(result.outcome, Outcome::found);
  EXPECT_EQ(result.trace.size(), 3U);
}

TEST(Stubborn, AnswersTheSameForAnyNumberOfThreads) {
  std::vector<Lts> forks, philosophers;
  constexpr int n = 9;
  const auto name = [](const char* what, int i) { return std::string(what) + std::to_string(i % n); };
  for (int i = 0; i < n; ++i) {
    philosophers.push_back(lts("0 " + name("l", i) + " 1, 1 " + name("r", i) + " 2, 2 " + name("p", i) + " 0"));
    forks.push_back(lts("0 " + name("l", i) + " 1, 1 " + name("p", i) + " 0, 0 " + name("r", i + n - 1) + " 2, 2 " +
                        name("p", i + n - 1) + " 0"));
  }
  std::vector<Part> parts;
  for (const Lts& each : philosophers) parts.push_back({&each});
  for (const Lts& each : forks) parts.push_back({&each});
  Budget budget;
  const auto one = search(parts, Goal::deadlock, budget, 1, Reduction::por);
  ASSERT_EQ(one.outcome, Outcome::found);
  EXPECT_EQ(one.trace.size(), static_cast<std::size_t>(n));
  for (const unsigned threads : {2U, 4U}) {
    const auto many = search(parts, Goal::deadlock, budget, threads, Reduction::por);
    EXPECT_EQ(many.trace, one.trace);
    EXPECT_EQ(many.last, one.last);
  }
}

}  // namespace
}  // namespace surety
