// The search on the fly: what it finds, how short, and when it stops.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "engine/product/search.hpp"
#include "reference/reference.hpp"

// Sanitizers take memory of their own, which a limit on the whole process then includes.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SKIP_UNDER_SANITIZERS() GTEST_SKIP() << "the memory of the process is not ours alone"
#else
#define SKIP_UNDER_SANITIZERS() (void)0
#endif

namespace surety {
namespace {

using reference::action;
using reference::lts;
using reference::word;
using Outcome = SearchResult::Outcome;

SearchResult run(const std::vector<Part>& parts, Goal goal, unsigned threads = 1) {
  Budget budget;
  return search(parts, goal, budget, threads);
}

// 0 -> 1 -> ... -> n-1 -> 0 by one action of its own.
Lts cycle(std::uint32_t n, const std::string& name) {
  LtsBuilder builder;
  builder.set_state_count(n);
  for (std::uint32_t s = 0; s < n; ++s) builder.add_step(State{s}, action(name), State{(s + 1) % n});
  return builder.build();
}

// Parts that take `bits` bits of every product state, at most 9 each (63 is 7 times 9), and never step.
std::vector<Lts> idle_parts(std::uint32_t bits) {
  std::vector<Lts> parts;
  if (bits > 0) parts.push_back(lts("+never"));
  for (; bits > 0; bits -= std::min(bits, 9U)) parts.push_back(cycle(1U << std::min(bits, 9U), "never"));
  return parts;
}

std::vector<Part> all_of(const std::vector<Lts>& ltss) {
  std::vector<Part> parts;
  for (const Lts& l : ltss) parts.push_back({&l});
  return parts;
}

// n independent cycles of k states: k^n states.
std::vector<Lts> cycles(std::uint32_t n, std::uint32_t k) {
  std::vector<Lts> out;
  for (std::uint32_t i = 0; i < n; ++i) out.push_back(cycle(k, "turn." + std::to_string(i)));
  return out;
}

TEST(Search, CountsTheProductOfIndependentParts) {
  const auto parts = cycles(4, 7);
  const auto result = run(all_of(parts), Goal::count);
  EXPECT_EQ(result.outcome, Outcome::exhausted);
  EXPECT_EQ(result.states, 7U * 7 * 7 * 7);
  EXPECT_EQ(result.transitions, 4U * 7 * 7 * 7 * 7);
  EXPECT_EQ(result.depth, 4U * 6 + 1);
}

TEST(Search, FindsNothingInAProductOfNoParts) {
  EXPECT_EQ(run({}, Goal::violation).outcome, Outcome::exhausted);
  EXPECT_EQ(run({}, Goal::count).states, 1U);
}

TEST(Search, ReportsAMissingStepOfAWatcherAsTheViolation) {
  const Lts input = lts("0 input 1, 1 send 2, 2 ack 0"), output = lts("0 send 1, 1 output 0, 0 ack 0");
  const Lts order = lts("0 input 1, 1 output 0");
  const auto result = run({{&input}, {&output}, {&order, Role::watch}}, Goal::violation);
  EXPECT_EQ(result.outcome, Outcome::exhausted);
  const Lts late = lts("0 send 1, 1 output 0, 1 ack 1, 0 ack 0");  // acknowledges before it has put out
  const auto violated = run({{&input}, {&late}, {&order, Role::watch}}, Goal::violation);
  EXPECT_EQ(violated.outcome, Outcome::found);
  EXPECT_EQ(violated.trace, word("input send ack input"));
  EXPECT_EQ(violated.last, (std::vector{State{0}, State{1}, State{1}}));
}

TEST(Search, LetsAWatcherDoOnItsOwnWhatNobodyElseHas) {
  const Lts watcher = lts("0 free 1, 1 free 2");
  const auto result = run({{&watcher, Role::watch}}, Goal::violation);
  EXPECT_EQ(result.outcome, Outcome::found);
  EXPECT_EQ(result.trace, word("free free free"));
}

TEST(Search, StopsAtAnErrorThatDoesNotCountButDoesNotReportIt) {
  const Lts m = lts("0 a 1, 0 b 2, 2 c 3, error=1"), other = lts("0 a 1, 1 x 2, error=2");
  EXPECT_EQ(run({{&m, Role::component, false}}, Goal::violation).outcome, Outcome::exhausted);
  EXPECT_EQ(run({{&m, Role::component, false}}, Goal::violation).states, 3U);
  // a leads m into its error state, and so nowhere else: x is never possible.
  EXPECT_EQ(run({{&m, Role::component, false}, {&other}}, Goal::violation).outcome, Outcome::exhausted);
  const Lts at_once = lts("0 a 1, error=1");
  EXPECT_EQ(run({{&m, Role::component, false}, {&at_once}}, Goal::violation).trace, word("a"));
}

TEST(Search, TakesAPartThatStartsInItsErrorStateForTheWholeErrorState) {
  const Lts broken = lts("error=0"), fine = lts("0 a 0");
  EXPECT_EQ(run({{&fine}, {&broken}}, Goal::violation).outcome, Outcome::found);
  EXPECT_TRUE(run({{&fine}, {&broken}}, Goal::violation).trace.empty());
  EXPECT_EQ(run({{&fine}, {&broken, Role::component, false}}, Goal::violation).outcome, Outcome::exhausted);
  EXPECT_EQ(run({{&fine}, {&broken}}, Goal::deadlock).outcome, Outcome::exhausted);
  EXPECT_EQ(run({{&fine}, {&broken}}, Goal::count).states, 0U);
}

TEST(Search, TakesAPartWithoutStatesForTheEmptyLanguage) {
  const Lts nothing = lts("states=0, +a"), fine = lts("0 a 0");
  EXPECT_EQ(run({{&fine}, {&nothing}}, Goal::violation).outcome, Outcome::exhausted);
  EXPECT_EQ(run({{&fine}, {&nothing, Role::watch}}, Goal::violation).outcome, Outcome::found);
  EXPECT_EQ(run({{&fine}, {&nothing, Role::watch, false}}, Goal::violation).outcome, Outcome::exhausted);
}

TEST(Search, TellsTerminationFromDeadlock) {
  const Lts job = lts("0 work 1, end=1"), helper = lts("0 work 1, end=1"), endless = lts("0 work 1");
  EXPECT_EQ(run({{&job}, {&helper}}, Goal::deadlock).outcome, Outcome::exhausted);
  EXPECT_EQ(run({{&job}, {&endless}}, Goal::deadlock).outcome, Outcome::exhausted);  // its actions are the job's
  const Lts busy = lts("0 work 1, 1 rest 2, +rest");
  const auto result = run({{&job}, {&busy}}, Goal::deadlock);
  EXPECT_EQ(result.outcome, Outcome::found);
  EXPECT_EQ(result.trace, word("work rest"));
  EXPECT_EQ(result.last, (std::vector{State{1}, State{2}}));
}

TEST(Search, CountsAStepIntoTheErrorStateAsAStepThatIsPossible) {
  const Lts m = lts("0 a 1, 1 b 2, error=2");
  EXPECT_EQ(run({{&m}}, Goal::deadlock).outcome, Outcome::exhausted);
  EXPECT_EQ(run({{&m}}, Goal::violation).transitions, 2U);
}

// A long way to the error state, with detours, that leaves `spare` bits of the words for depths.
TEST(Search, FindsAShortestTraceHoweverFewBitsAreLeftForDepths) {
  LtsBuilder builder;
  builder.set_state_count(31);
  for (std::uint32_t s = 0; s < 29; ++s) {
    builder.add_step(State{s}, action("go"), State{s + 1});
    builder.add_step(State{s}, s % 3 == 0 ? kTau : action("back"), State{s / 2});
  }
  builder.add_step(State{29}, action("fall"), State{30});
  builder.set_error(State{30});
  const Lts way = builder.build();  // 5 bits
  const Lts clock = cycle(3, "tick");
  for (const std::uint32_t words : {1U, 2U, 3U})
    for (const std::uint32_t spare : {0U, 1U, 2U, 3U, 10U}) {
      auto idle = idle_parts(words * 63 - 5 - 2 - spare);
      std::vector<Part> parts = all_of(idle);
      parts.push_back({&way});
      parts.push_back({&clock});
      const Product product(parts, Product::Direction::forward);
      ASSERT_EQ(product.words(), words);
      if (words == 1) {
        ASSERT_EQ(product.spare_bits(), spare);
      }
      const auto result = run(parts, Goal::violation);
      EXPECT_EQ(result.outcome, Outcome::found);
      EXPECT_EQ(result.trace.size(), 30U) << words << " words, " << spare << " spare bits";
      EXPECT_TRUE(reference::replays({&way, &clock}, nullptr, result.trace));
    }
}

TEST(Search, WorksOnVeryManyParts) {
  auto parts = cycles(3, 5);
  for (auto& idle : idle_parts(2000)) parts.push_back(std::move(idle));
  const auto result = run(all_of(parts), Goal::count);
  EXPECT_EQ(result.states, 125U);
  EXPECT_EQ(result.transitions, 375U);
}

TEST(Search, KeepsPartsApartWhenThereAreMoreThanSixtyFour) {
  // Parts 0 and 64 share a bit of the set of participants.
  std::vector<Lts> parts = {cycle(3, "first")};
  for (int i = 1; i < 64; ++i) parts.push_back(lts("0 idle" + std::to_string(i) + " 0"));
  parts.push_back(cycle(3, "second"));
  const auto result = run(all_of(parts), Goal::count);
  EXPECT_EQ(result.states, 9U);
  EXPECT_EQ(result.transitions, 9U * 65);
}

// --- Threads. A layer must be wide before they are used.

TEST(Search, AnswersTheSameForAnyNumberOfThreads) {
  auto parts = cycles(5, 13);  // 371,293 states
  parts.push_back(
      lts("0 turn.0 1, 1 turn.1 2, 2 turn.2 0, 1 turn.0 1, 2 turn.0 2, 0 turn.1 0, 2 turn.1 2, 0 turn.2 0,"
          "1 turn.2 1, 2 turn.3 3, 0 turn.3 0, 1 turn.3 1, error=3"));
  const auto counted = run(all_of(parts), Goal::count);
  const auto found = run(all_of(parts), Goal::violation);
  EXPECT_EQ(found.outcome, Outcome::found);
  EXPECT_EQ(found.trace.size(), 3U);
  EXPECT_GT(counted.states, 300000U);
  for (const unsigned threads : {2U, 4U}) {
    EXPECT_EQ(run(all_of(parts), Goal::count, threads).states, counted.states);
    EXPECT_EQ(run(all_of(parts), Goal::count, threads).transitions, counted.transitions);
    EXPECT_EQ(run(all_of(parts), Goal::count, threads).depth, counted.depth);
    EXPECT_EQ(run(all_of(parts), Goal::violation, threads).trace, found.trace);
  }
}

TEST(Search, FindsTheSameDeepTraceForAnyNumberOfThreadsAndWords) {
  // The error comes after 30 turns of the first three cycles, in any order: many states of a layer that is
  // 20,000 states wide lead to it, and one of them must be chosen.
  LtsBuilder chain;
  chain.set_state_count(31);
  for (std::uint32_t s = 0; s < 30; ++s)
    for (const char* turn : {"turn.0", "turn.1", "turn.2"}) chain.add_step(State{s}, action(turn), State{s + 1});
  chain.set_error(State{30});
  const Lts counter = chain.build();
  for (const std::uint32_t idle_bits : {0U, 60U, 150U}) {
    auto parts = cycles(5, 13);
    parts.push_back(counter);
    for (auto& idle : idle_parts(idle_bits)) parts.push_back(std::move(idle));
    const auto one = run(all_of(parts), Goal::violation, 1);
    ASSERT_EQ(one.outcome, Outcome::found);
    EXPECT_EQ(one.trace.size(), 30U);
    for (const unsigned threads : {2U, 4U}) EXPECT_EQ(run(all_of(parts), Goal::violation, threads).trace, one.trace);
  }
}

// --- Budgets.

struct Stopped {
  SearchResult result;
  Stop why;
  double seconds;
};

Stopped run_with(const Limits& limits, unsigned threads, const std::atomic<bool>* interrupted = nullptr) {
  const auto parts = cycles(12, 16);  // 2^48 states
  Budget budget(limits, interrupted);
  const auto result = search(all_of(parts), Goal::count, budget, threads);
  return {result, budget.why(), budget.seconds_used()};
}

TEST(SearchBudget, EndsWithTheTime) {
  for (const unsigned threads : {1U, 2U}) {
    Limits limits;
    limits.time = std::chrono::milliseconds(100);
    const auto stopped = run_with(limits, threads);
    EXPECT_EQ(stopped.result.outcome, Outcome::stopped);
    EXPECT_EQ(stopped.why, Stop::time);
    EXPECT_GT(stopped.result.states, 1000U);
  }
}

TEST(SearchBudget, EndsWithTheStatesAndHardlyExceedsThem) {
  for (const unsigned threads : {1U, 2U}) {
    Limits limits;
    limits.states = 200000;
    const auto stopped = run_with(limits, threads);
    EXPECT_EQ(stopped.result.outcome, Outcome::stopped);
    EXPECT_EQ(stopped.why, Stop::states);
    EXPECT_GE(stopped.result.states, 200000U);
    EXPECT_LE(stopped.result.states, 202000U);
  }
}

TEST(SearchBudget, EndsWithTheMemoryBeforeItIsExceeded) {
  SKIP_UNDER_SANITIZERS();
  for (const unsigned threads : {1U, 2U}) {
    Limits limits;
    const std::uint64_t before = resident_bytes();
    limits.memory = before + (30ULL << 20);
    const auto stopped = run_with(limits, threads);
    EXPECT_EQ(stopped.result.outcome, Outcome::stopped);
    EXPECT_EQ(stopped.why, Stop::memory);
    EXPECT_LE(stopped.result.bytes, 30ULL << 20);
    EXPECT_GT(stopped.result.states, 500000U);
  }
}

TEST(SearchBudget, EndsWhenInterrupted) {
  for (const unsigned threads : {1U, 2U}) {
    std::atomic<bool> interrupted{false};
    const std::jthread user([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      interrupted = true;
    });
    const auto stopped = run_with({}, threads, &interrupted);
    EXPECT_EQ(stopped.result.outcome, Outcome::stopped);
    EXPECT_EQ(stopped.why, Stop::interrupted);
  }
}

TEST(SearchBudget, IsAskedEvenInTheMiddleOfOneStateWithVeryManySteps) {
  SKIP_UNDER_SANITIZERS();
  // Three parts that choose among 2,000 targets each, together: 8 * 10^9 steps of one state.
  LtsBuilder builder;
  builder.set_state_count(2001);
  for (std::uint32_t s = 1; s <= 2000; ++s) builder.add_step(State{0}, action("choose"), State{s});
  const Lts chooser = builder.build();
  Limits limits;
  limits.states = 1000000;
  limits.memory = resident_bytes() + (200ULL << 20);
  Budget budget(limits);
  const auto result = search({{&chooser}, {&chooser}, {&chooser}}, Goal::deadlock, budget);
  EXPECT_EQ(result.outcome, Outcome::stopped);
  EXPECT_EQ(budget.why(), Stop::memory);
}

}  // namespace
}  // namespace surety
