#include "rules/asym.hpp"

#include <gtest/gtest.h>

#include "certify/certify.hpp"
#include "engine/product/subset.hpp"
#include "reference/reference.hpp"
#include "rules/asym_n.hpp"

namespace surety {
namespace {

using reference::lts;
using reference::word;

// The communication channel of the papers (examples/channel).
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

// Each proof ends with a search of all of M2, here of three states.
TEST(Asym, LearnsNothingWhereTheSecondPremiseAloneIsTooLarge) {
  for (const std::uint64_t most : {2U, 100U}) {
    Budget budget;
    Cost cost;
    const Verdict verdict =
        prove_asym({{{&kInput}, {&kOutput}}, {&kOrder}}, {.budget = budget, .cost = cost, .search_states = most});
    if (most == 100) {
      Cost unbounded;
      prove(kInput, kOutput, kOrder, unbounded, AlphabetMode::refine);
      EXPECT_TRUE(std::holds_alternative<Holds>(verdict));
      EXPECT_EQ(cost.max_search, unbounded.max_search);
      EXPECT_EQ(cost.states, unbounded.states);
    } else {
      EXPECT_EQ(std::get<Unknown>(verdict).why, Stop::states);
      EXPECT_EQ(cost.conjectures, 0U);
      EXPECT_EQ(cost.queries, 0U);
      EXPECT_GT(cost.max_search, most);
    }
  }
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

// Over {output} alone, adding what the sets of actions differ by would go round for ever (doc/rules.md#asym).
TEST(Asym, GrowsTheAlphabetToTheSameVerdicts) {
  for (const Lts* m2 : {&kOutput, &kOutputEager}) {
    Cost cost;
    const Verdict verdict = prove(kInput, *m2, kOrder, cost, AlphabetMode::refine);
    ASSERT_TRUE(std::holds_alternative<Holds>(verdict));
    EXPECT_EQ(cost.iterations.front().result, "alphabet too small");
    EXPECT_LE(cost.conjectures, 8U);
  }
  const Lts hasty = lts("0 send 1, 1 ack 2, 2 output 0");
  Cost cost;
  const Verdict verdict = prove(kInput, hasty, kOrder, cost, AlphabetMode::refine);
  ASSERT_TRUE(std::holds_alternative<Violated>(verdict));
  EXPECT_TRUE(reference::replays({&kInput, &hasty}, &kOrder, std::get<Violated>(verdict).trace));
}

TEST(Asym, NeedsNoLargerAlphabetThanTheQuestion) {
  // M1 shares b and c with M2, but only a and b matter.
  const Lts m1 = lts("0 a 1, 1 b 0, 0 c 0, 1 c 1"), m2 = lts("0 b 1, 1 c 0"), property = lts("0 a 1, 1 b 0");
  Cost cost;
  const Verdict verdict = prove(m1, m2, property, cost, AlphabetMode::refine);
  ASSERT_TRUE(std::holds_alternative<Holds>(verdict));
  EXPECT_EQ(std::get<Holds>(verdict).certificate.assumptions[0].alphabet(), reference::alphabet("b"));
}

Verdict prove_supplied(const Lts& m2, const Lts& supplied, Cost& cost) {
  Budget budget;
  return prove_asym({{{&kInput}, {&m2}}, {&kOrder}},
                    {.budget = budget, .cost = cost, .alphabet = AlphabetMode::full, .supplied = &supplied});
}

// A supplied assumption: wrong, enough, or not enough.
TEST(Asym, ReportsASuppliedAssumptionThatIsWrong) {
  Cost cost;
  const Verdict verdict = prove_supplied(kOutput, lts("0 send 0, 0 ack 0, +output"), cost);
  const auto* unknown = std::get_if<Unknown>(&verdict);
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(unknown->why, Stop::assumption);
  EXPECT_EQ(unknown->trace, word("send output"));
}

TEST(Asym, TakesASuppliedAssumptionThatIsEnough) {
  Cost cost;
  const Verdict verdict = prove_supplied(kOutput, lts("0 send 1, 1 output 2, 2 ack 0"), cost);
  ASSERT_TRUE(std::holds_alternative<Holds>(verdict));
  EXPECT_EQ(cost.queries, 0U);
  EXPECT_EQ(std::get<Holds>(verdict).certificate.assumptions.size(), 1U);
}

TEST(Asym, LearnsWhatASuppliedAssumptionLacks) {
  Cost cost;
  const Lts supplied = lts("0 send 1, 1 ack 0, 0 output 0, 1 output 1");  // true, but says nothing of outputs
  Verdict verdict = prove_supplied(kOutput, supplied, cost);
  auto* holds = std::get_if<Holds>(&verdict);
  ASSERT_NE(holds, nullptr);
  ASSERT_EQ(holds->certificate.assumptions.size(), 2U);
  EXPECT_GT(cost.queries, 0U);
  holds->certificate.split = {{"input"}, {"output"}};
  const Network network{"channel", {{"input", kInput}, {"output", kOutput}}};
  const Property order{"order", kOrder};
  Budget budget;
  EXPECT_EQ(certify::check_safety(network, {&order}, holds->certificate, budget).kind,
            certify::Judgement::Kind::accepted);
  holds->certificate.assumptions.pop_back();  // without the second one the proof has a hole
  EXPECT_EQ(certify::check_safety(network, {&order}, holds->certificate, budget).kind,
            certify::Judgement::Kind::refused);
}

TEST(Asym, StartsFromASeedAndSavesConjectures) {
  Cost cold, warm, wrong;
  const Verdict first = prove(kInput, kOutputEager, kOrder, cold);
  const auto with = [&](const std::vector<Lts>& seeds, Cost& cost) {
    Budget budget;
    return prove_asym({{{&kInput}, {&kOutputEager}}, {&kOrder}},
                      {.budget = budget, .cost = cost, .alphabet = AlphabetMode::full, .seeds = &seeds});
  };
  const Verdict second = with({std::get<Holds>(first).certificate.assumptions[0]}, warm);
  EXPECT_TRUE(std::holds_alternative<Holds>(second));
  EXPECT_EQ(warm.conjectures, 1U);
  EXPECT_TRUE(std::holds_alternative<Holds>(with({lts("0 output 1, 1 send 0")}, wrong)));
}

TEST(Asym, ASeedBringsItsAlphabetAlong) {
  Cost cold, warm;
  const Verdict first = prove(kInput, kOutputEager, kOrder, cold, AlphabetMode::refine);
  const std::vector<Lts> seeds{std::get<Holds>(first).certificate.assumptions[0]};
  Budget budget;
  const Verdict second =
      prove_asym({{{&kInput}, {&kOutputEager}}, {&kOrder}}, {.budget = budget, .cost = warm, .seeds = &seeds});
  EXPECT_TRUE(std::holds_alternative<Holds>(second));
  EXPECT_EQ(warm.conjectures, 1U);
  EXPECT_LT(warm.queries, cold.queries);
}

TEST(Asym, AnyBudgetLeavesTheLastAssumptionOfASmallerAlphabet) {
  for (std::uint64_t queries = 1; queries < 30; ++queries) {
    Limits limits;
    limits.queries = queries;
    Budget budget(limits);
    Cost cost;
    const Verdict verdict = prove_asym({{{&kInput}, {&kOutputEager}}, {&kOrder}}, {.budget = budget, .cost = cost});
    const auto* unknown = std::get_if<Unknown>(&verdict);
    ASSERT_NE(unknown, nullptr) << queries;
    EXPECT_EQ(unknown->assumptions.size(), cost.conjectures == 0 ? 0U : 1U) << queries;
  }
}

TEST(AsymN, GivesTheAssumptionsOfAllLinksWhenTheBudgetEnds) {
  const Lts a = lts("0 a 1, 1 b 0"), b = lts("0 b 1, 1 c 0"), c = lts("0 c 1, 1 a 0, 0 a 0"), p = lts("0 a 1, 1 b 0");
  bool several = false;
  for (std::uint64_t queries = 1; queries < 60; ++queries) {
    Limits limits;
    limits.queries = queries;
    Budget budget(limits);
    Cost cost;
    const Verdict verdict = prove_asym_n({{{&b}, {&c}, {&a}}, {&p}}, {.budget = budget, .cost = cost});
    if (const auto* unknown = std::get_if<Unknown>(&verdict)) several |= unknown->assumptions.size() == 2;
  }
  EXPECT_TRUE(several);
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
