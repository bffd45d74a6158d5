// Portfolios in parallel and in turns, of strategies made for the purpose.

#include "decompose/portfolio/race.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace surety {
namespace {

using namespace std::chrono_literals;

Verdict holds() { return Holds{{Method::monolithic, {}, {}}}; }

Verdict until_stopped(const Context& context) {
  while (context.budget.go_on()) std::this_thread::sleep_for(1ms);
  return Unknown{context.budget.why(), {}, {}};
}

Verdict after(std::chrono::milliseconds time, const Context& context, Verdict verdict) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (context.budget.go_on() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  return verdict;
}

std::vector<std::string> results(const Cost& cost) {
  std::vector<std::string> out;
  for (const Attempt& a : cost.attempts) out.push_back(std::string(name_of(a.method)) + ": " + a.result);
  return out;
}

TEST(Race, TheFirstAnswerCountsAndTheOthersStop) {
  Budget budget;
  Cost cost;
  std::vector<Strategy> all{{Method::monolithic, until_stopped}, {Method::cegar, [](const Context& m) {
                                                                    m.cost.add(7, 9);
                                                                    return after(20ms, m, holds());
                                                                  }}};
  const auto start = std::chrono::steady_clock::now();
  const auto winner = run_in_parallel(all, {.budget = budget, .cost = cost, .threads = 2});
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
  ASSERT_TRUE(winner);
  EXPECT_EQ(winner->index, 1U);
  EXPECT_EQ(winner->cost.max_states, 7U);
  EXPECT_EQ(results(cost), (std::vector<std::string>{"monolithic: too slow", "cegar: holds"}));
  EXPECT_EQ(budget.why(), Stop::none) << "the budget itself has not ended";
}

TEST(Race, NobodyHasAnAnswer) {
  Limits limits;
  limits.time = 100ms;
  Budget budget(limits);
  Cost cost;
  std::vector<Strategy> all{{Method::monolithic, until_stopped},
                            {Method::cegar, [](const Context&) { return Unknown{}; }}};
  EXPECT_FALSE(run_in_parallel(all, {.budget = budget, .cost = cost, .threads = 2}));
  EXPECT_EQ(all[0].why, Stop::time);
  EXPECT_EQ(all[1].why, Stop::none);
  EXPECT_EQ(results(cost), (std::vector<std::string>{"monolithic: stopped by time", "cegar: gave up"}));
}

TEST(Race, AFailureIsNotLost) {
  Budget budget;
  Cost cost;
  std::vector<Strategy> all{{Method::monolithic, until_stopped},
                            {Method::cegar, [](const Context&) -> Verdict { throw std::logic_error("no"); }}};
  EXPECT_THROW(run_in_parallel(all, {.budget = budget, .cost = cost, .threads = 2}), std::logic_error);
}

TEST(Race, TheHungryOneWaitsForWhatOthersHold) {
  Limits limits;
  limits.memory = resident_bytes() + (100ULL << 20);
  Budget budget(limits);
  Cost cost;
  const auto hold = [](const Context& m) -> Verdict {
    Charge charge(m.budget);
    EXPECT_TRUE(charge.grow_to(50 << 20));
    std::this_thread::sleep_for(100ms);
    return Unknown{};
  };
  bool had_to_wait = false;
  const auto heavy = [&](const Context& m) -> Verdict {
    std::this_thread::sleep_for(20ms);
    const auto start = std::chrono::steady_clock::now();
    Charge charge(m.budget);
    if (!charge.grow_to(80 << 20)) return Unknown{};
    had_to_wait = std::chrono::steady_clock::now() - start > 10ms;
    return holds();
  };
  std::vector<Strategy> all{{Method::minimise, hold}, {Method::monolithic, heavy, 1, true}};
  const auto winner = run_in_parallel(all, {.budget = budget, .cost = cost, .threads = 2});
  ASSERT_TRUE(winner);
  EXPECT_EQ(winner->index, 1U);
  EXPECT_TRUE(had_to_wait);
}

TEST(Race, TheHungryOneDoesNotWaitForLittle) {
  Limits limits;
  limits.memory = resident_bytes() + (100ULL << 20);
  Budget budget(limits);
  Cost cost;
  const auto heavy = [](const Context& m) -> Verdict {
    Charge charge(m.budget);
    if (!charge.grow_to(200 << 20)) return Unknown{};
    return holds();
  };
  std::vector<Strategy> all{{Method::cegar, [](const Context& m) { return after(300ms, m, holds()); }},
                            {Method::monolithic, heavy, 1, true}};
  const auto winner = run_in_parallel(all, {.budget = budget, .cost = cost, .threads = 2});
  ASSERT_TRUE(winner);
  EXPECT_EQ(results(cost), (std::vector<std::string>{"monolithic: gave up", "cegar: holds"}));
}

TEST(Race, AnAnswerWithAProofIsWorthWaitingFor) {
  const auto reduced = [](const Context& m) {
    m.cost.reduced = true;
    return holds();
  };
  for (const bool in_time : {true, false}) {
    Budget budget;
    Cost cost;
    std::vector<Strategy> all{
        {Method::minimise, [&](const Context& m) { return in_time ? after(100ms, m, holds()) : until_stopped(m); }},
        {Method::monolithic, reduced, 1, true}};
    const auto winner = run_in_parallel(all, {.budget = budget, .cost = cost, .threads = 2});
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->index, in_time ? 0U : 1U);
  }
}

TEST(Race, TurnsHaveMoreStatesEachTime) {
  Budget budget;
  Cost cost;
  std::vector<std::string> order;
  const auto needs = [&](std::string name, std::uint64_t states) {
    return Strategy{Method::cegar, [&order, name, states](const Context& m) -> Verdict {
                      order.push_back(name);
                      for (std::uint64_t i = 0; i < states; ++i)
                        if (!m.budget.add_states(1)) return Unknown{m.budget.why(), {}, {}};
                      return holds();
                    }};
  };
  std::vector<Strategy> all{needs("a", 1000), needs("b", 700), {Method::symbolic, [&](const Context&) {
                                                                  order.push_back("c");
                                                                  return Unknown{};
                                                                }}};
  const auto winner = run_in_turns(all, 10, {.budget = budget, .cost = cost});
  ASSERT_TRUE(winner);
  EXPECT_EQ(winner->index, 0U);  // with 10, 80 and 640 states none is done; with 5,120 the first one is asked first
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "c", "a", "b", "a", "b", "a"}));
}

}  // namespace
}  // namespace surety
