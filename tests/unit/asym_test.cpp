#include "rules/asym.hpp"

#include <gtest/gtest.h>

#include "engine/subset.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using reference::lts;
using reference::word;

// SPEC 3: the communication channel of the papers.
const Lts kInput = lts("0 input 1, 1 send 2, 2 ack 0");
const Lts kOutput = lts("0 send 1, 1 output 2, 2 ack 0");
const Lts kOutputEager = lts("0 send 1, 1 send 1, 1 output 2, 2 ack 0");
const Lts kOrder = lts("0 input 1, 1 output 0");

Verdict prove(const Lts& m1, const Lts& m2, const Lts& property, Cost& cost,
              AlphabetMode alphabet = AlphabetMode::full) {
  Budget budget;
  return prove_asym({{{&m1}, {&m2}}, {&property}}, {.budget = budget, .cost = cost, .alphabet = alphabet});
}

TEST(Asym, ProvesTheChannelWithTwoConjectures) {
  Cost cost;
  const Verdict verdict = prove(kInput, kOutput, kOrder, cost);
  ASSERT_TRUE(std::holds_alternative<Holds>(verdict));
  EXPECT_EQ(cost.conjectures, 2U);
  EXPECT_EQ(std::get<Holds>(verdict).certificate.assumptions[0].state_count(), 2U);
  EXPECT_EQ(cost.iterations[0].size, 1U);
  EXPECT_EQ(cost.iterations[0].result, "too weak");
}

TEST(Asym, ProvesTheEagerChannelWithFourConjecturesAndTheWeakestAssumption) {
  Cost cost;
  const Verdict verdict = prove(kInput, kOutputEager, kOrder, cost);
  ASSERT_TRUE(std::holds_alternative<Holds>(verdict));
  EXPECT_EQ(cost.conjectures, 4U);
  const Lts& assumption = std::get<Holds>(verdict).certificate.assumptions[0];
  EXPECT_EQ(assumption.state_count(), 4U);
  EXPECT_TRUE(reference::is_weakest_assumption(assumption, {&kInput}, kOrder, 6));
}

TEST(Asym, NeedsASmallerAssumptionWithTheRolesSwapped) {
  Cost cost;
  const Verdict verdict = prove(kOutputEager, kInput, kOrder, cost);
  ASSERT_TRUE(std::holds_alternative<Holds>(verdict));
  EXPECT_EQ(cost.conjectures, 2U);
  EXPECT_EQ(std::get<Holds>(verdict).certificate.assumptions[0].state_count(), 2U);
}

TEST(Asym, MergesTheTwoHalvesOfACounterexample) {
  // M2 does something of its own before the fatal action; M1 too.
  const Lts m1 = lts("0 x 1, 1 go 2, 2 bad 2");
  const Lts m2 = lts("0 y 1, 1 tau 2, 2 go 2");
  const Lts property = lts("0 go 0, +bad");
  Cost cost;
  const Verdict verdict = prove(m1, m2, property, cost);
  ASSERT_TRUE(std::holds_alternative<Violated>(verdict));
  const Trace& trace = std::get<Violated>(verdict).trace;
  EXPECT_TRUE(reference::replays({&m1, &m2}, &property, trace));
  EXPECT_EQ(trace.size(), 5U);
}

TEST(Asym, IsViolatedByM1AloneWhateverM2Does) {
  const Lts m1 = lts("0 tau 1, 1 bad 1, 0 go 0");
  const Lts m2 = lts("0 go 0");
  const Lts property = lts("states=1, +bad");
  Cost cost;
  const Verdict verdict = prove(m1, m2, property, cost);
  ASSERT_TRUE(std::holds_alternative<Violated>(verdict));
  EXPECT_EQ(std::get<Violated>(verdict).trace, word("tau bad"));
  EXPECT_EQ(cost.iterations.back().size, 0U);  // the empty language
}

TEST(Asym, WorksWithoutAnyInterface) {
  const Lts m1 = lts("0 a 0"), m2 = lts("0 b 0");
  Cost cost;
  EXPECT_TRUE(std::holds_alternative<Holds>(prove(m1, m2, lts("0 a 0"), cost)));
  EXPECT_TRUE(std::holds_alternative<Violated>(prove(m1, m2, lts("0 a 1, states=2"), cost)));
}

TEST(Asym, IsSoundWhenThePropertyWatchesAnActionThatOnlyM2Has) {
  // P forbids b before a. M1 knows nothing of b; only M2 can break the order.
  const Lts m1 = lts("0 a 0"), m2 = lts("0 b 0"), property = lts("0 a 1, 1 a 1, 1 b 1");
  Cost cost;
  EXPECT_TRUE(std::holds_alternative<Violated>(prove(m1, m2, property, cost)));
}

TEST(Asym, GivesItsLastConjectureWhenTheBudgetEnds) {
  Limits limits;
  limits.queries = 12;
  Budget budget(limits);
  Cost cost;
  const Verdict verdict = prove_asym({{{&kInput}, {&kOutputEager}}, {&kOrder}},
                                     {.budget = budget, .cost = cost, .alphabet = AlphabetMode::full});
  const auto* unknown = std::get_if<Unknown>(&verdict);
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(unknown->why, Stop::queries);
  ASSERT_EQ(unknown->assumptions.size(), 1U);
  EXPECT_EQ(unknown->known, "too strong");
}

TEST(SubsetWalk, AnswersMembershipQueriesAsBruteForceDoes) {
  Random random(3);
  int rejected = 0, accepted = 0;
  for (int i = 0; i < 300; ++i) {
    reference::Shape shape{.states = 4, .actions = 4, .steps = 9};
    shape.error_percent = shape.end_percent = 0;
    const Lts m1 = reference::random_lts(random, shape);
    shape.deterministic = true;
    shape.states = 2;
    shape.actions = 3;
    shape.steps = 5;
    const Lts property = reference::random_lts(random, shape);
    const Alphabet letters = reference::alphabet(random.chance(50) ? "a b" : "b c z");
    Budget budget;
    SubsetWalk walk({{&m1}, {&property, Role::watch}}, letters, budget);
    for (const Trace& w : reference::all_words_up_to(4, letters)) {
      const bool in = walk.walk(w) != SubsetWalk::kRejected;
      ASSERT_EQ(in, reference::in_weakest_assumption(w, letters, {&m1}, property)) << m1 << "\n" << property;
      ++(in ? accepted : rejected);
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(rejected, 1000);
}

}  // namespace
}  // namespace surety
