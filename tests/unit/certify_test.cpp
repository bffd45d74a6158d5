// The checker refuses everything that is not a proof, and the reason says why.

#include "certify/certify.hpp"

#include <gtest/gtest.h>

#include "reference/reference.hpp"

namespace surety::certify {
namespace {

using reference::lts;
using reference::word;
using Kind = Judgement::Kind;

Network channel() {
  return {"channel",
          {{"input", lts("0 input 1, 1 send 2, 2 ack 0")}, {"output", lts("0 send 1, 1 output 2, 2 ack 0")}}};
}
const Property kOrder{"order", lts("0 input 1, 1 output 0")};
const Lts kAssumption = lts("0 send 1, 0 ack 0, 1 send 0, 1 output 0");

Certificate proof() { return {Method::asym, {{"input"}, {"output"}}, {kAssumption}}; }

Judgement judge(const Certificate& certificate, const Network& network = channel()) {
  Budget budget;
  return check_safety(network, {&kOrder}, certificate, budget);
}

TEST(Certify, AcceptsAProof) { EXPECT_EQ(judge(proof()).kind, Kind::accepted); }

TEST(Certify, RefusesAnAssumptionThatIsTooWeak) {
  auto c = proof();
  c.assumptions = {lts("0 send 0, 0 ack 0, 0 output 0")};
  const auto judgement = judge(c);
  EXPECT_EQ(judgement.kind, Kind::refused);
  EXPECT_NE(judgement.reason.find("premise 1"), std::string::npos) << judgement.reason;
  EXPECT_FALSE(judgement.trace.empty());
}

TEST(Certify, RefusesAnAssumptionThatM2DoesNotKeep) {
  auto c = proof();
  c.assumptions = {lts("0 ack 0, +send, +output")};
  const auto judgement = judge(c);
  EXPECT_EQ(judgement.kind, Kind::refused);
  EXPECT_NE(judgement.reason.find("premise 2"), std::string::npos) << judgement.reason;
}

TEST(Certify, RefusesTheEmptyLanguageAsAnAssumption) {
  auto c = proof();
  c.assumptions = {lts("states=0")};
  EXPECT_EQ(judge(c).kind, Kind::refused);
}

TEST(Certify, RefusesWrongSplitsRulesAndAssumptions) {
  const std::pair<std::string, Certificate> cases[] = {
      {"leaves out", {Method::asym, {{"input"}}, {kAssumption}}},
      {"no component", {Method::asym, {{"input"}, {"nobody"}}, {kAssumption}}},
      {"twice", {Method::asym, {{"input"}, {"output", "input"}}, {kAssumption}}},
      {"empty side", {Method::asym, {{"input", "output"}, {}}, {kAssumption}}},
      {"split in two", {Method::asym, {{"input", "output"}}, {kAssumption}}},
      {"needs an assumption", {Method::asym, {{"input"}, {"output"}}, {}}},
      {"two sides", {Method::asym_n, {{"input", "output"}}, {}}},
      {"an assumption less", {Method::asym_n, {{"input"}, {"output"}}, {kAssumption, kAssumption}}},
      {"an assumption per side", {Method::sym, {{"input"}, {"output"}}, {kAssumption}}},
      {"different alphabets", {Method::sym, {{"input"}, {"output"}}, {kAssumption, lts("0 send 0")}}},
      {"other properties", {Method::sym_2, {{"input"}, {"output"}}, {kAssumption, kAssumption}}},
      {"no rule", {Method::weakest, {{"input"}, {"output"}}, {kAssumption, kAssumption}}},
      {"not deterministic", {Method::asym, {{"input"}, {"output"}}, {lts("0 send 0, 0 send 1, 0 ack 0")}}},
      {"not deterministic", {Method::asym, {{"input"}, {"output"}}, {lts("0 tau 0, 0 send 1")}}},
      {"error state", {Method::asym, {{"input"}, {"output"}}, {lts("0 send 1, error=1")}}},
      {"no rule", {Method::automatic, {{"input"}, {"output"}}, {kAssumption}}},
      {"no rule", {Method::all_sizes, {{"input"}, {"output"}}, {kAssumption}}},
      {"no split", {Method::monolithic, {{"input"}, {"output"}}, {}}},
  };
  for (const auto& [reason, certificate] : cases) {
    const auto judgement = judge(certificate);
    EXPECT_EQ(judgement.kind, Kind::refused);
    EXPECT_NE(judgement.reason.find(reason), std::string::npos) << judgement.reason << " should say: " << reason;
  }
}

TEST(Certify, RefusesAProofOfAnotherSystem) {
  Network other = channel();
  other.components[1].lts = lts("0 send 1, 1 output 2, 1 ack 0, 2 ack 0");
  EXPECT_EQ(judge(proof(), other).kind, Kind::refused);
  EXPECT_EQ(judge({Method::monolithic, {{"input", "output"}}, {}}, other).kind, Kind::refused);
}

// Two components do what the property forbids, one of them after the other has gone wrong: the search would end before.
TEST(Certify, RefusesComponentsAndPropertiesWithErrorStates) {
  Budget budget;
  const Certificate whole{Method::monolithic, {{"x", "y"}}, {}};
  const Property never{"p", lts("0 fine 0, +b")};
  const Network wrong{"n", {{"x", lts("0 a 1, error=1")}, {"y", lts("0 a 1, 1 b 0")}}};
  EXPECT_EQ(check_safety(wrong, {&never}, whole, budget).reason, "component 'x' has an error state");
  const Network stands{"n", {{"x", lts("0 a 1")}, {"y", lts("0 a 1, 1 b 0")}}};
  EXPECT_EQ(check_safety(stands, {&never}, whole, budget).trace, word("a b"));
  const Property marked{"p", lts("0 fine 0, 0 b 1, error=1")};
  EXPECT_EQ(check_safety(stands, {&marked}, whole, budget).reason, "the property has an error state");
}

TEST(Certify, LetsActionsThatOnlyThePropertyHasHappenFreely) {
  const Network network{"n", {{"m", lts("0 a 0")}}};
  Budget budget;
  const Certificate whole{Method::monolithic, {{"m"}}, {}};
  const Property allows{"p", lts("0 free 0")}, once{"p", lts("0 free 1, states=2")};
  EXPECT_EQ(check_safety(network, {&allows}, whole, budget).kind, Kind::accepted);
  EXPECT_EQ(check_safety(network, {&once}, whole, budget).kind, Kind::refused);
}

TEST(Certify, AgreesWithBruteForceOnRandomSystems) {
  Random random(11);
  int holds = 0;
  for (int i = 0; i < 500; ++i) {
    reference::Shape shape{.states = 4, .actions = 3, .steps = 7};
    shape.error_percent = 0;
    Network network{"n", {{"x", reference::random_lts(random, shape)}, {"y", reference::random_lts(random, shape)}}};
    shape.deterministic = true;
    shape.end_percent = 0;
    const Property property{"p", reference::random_lts(random, shape)};
    const std::vector<const Lts*> parts{&network.components[0].lts, &network.components[1].lts};
    const Certificate whole{Method::monolithic, {{"x", "y"}}, {}};
    Budget budget;
    const auto violation = reference::shortest_violation(parts, property.lts);
    const auto judgement = check_safety(network, {&property}, whole, budget);
    ASSERT_EQ(judgement.kind == Kind::accepted, !violation.has_value());
    if (violation) {
      ASSERT_EQ(judgement.trace.size(), violation->size());
      ASSERT_EQ(replay_violation(network, property, judgement.trace), std::nullopt);
    }
    holds += !violation;
    const auto deadlock = reference::shortest_deadlock(parts);
    const auto free = check_deadlock_free(network, whole, budget);
    ASSERT_EQ(free.kind == Kind::accepted, !deadlock.has_value()) << parts[0] << parts[1];
  }
  EXPECT_GT(holds, 50);
  EXPECT_LT(holds, 450);
}

TEST(Certify, SaysUnfinishedWhenTheBudgetEnds) {
  Limits limits;
  limits.time = std::chrono::nanoseconds(0);
  Budget budget(limits);
  const auto judgement = check_safety(channel(), {&kOrder}, proof(), budget);
  EXPECT_EQ(judgement.kind, Kind::unfinished);
}

TEST(Replay, RefusesTracesThatAreNotViolations) {
  Network hasty = channel();
  hasty.components[1].lts = lts("0 send 1, 1 output 2, 1 ack 0, 2 ack 0");
  EXPECT_EQ(replay_violation(hasty, kOrder, word("input send ack input")), std::nullopt);
  EXPECT_TRUE(replay_violation(hasty, kOrder, word("input send ack")));  // allowed
  EXPECT_TRUE(replay_violation(hasty, kOrder, word("input input")));     // impossible
  EXPECT_TRUE(replay_violation(channel(), kOrder, word("input send ack input")));
  EXPECT_TRUE(replay_violation(hasty, kOrder, word("input send ack input nonsense")));
}

TEST(Replay, ChecksWhereADeadlockIs) {
  const Network network{"n", {{"x", lts("0 a 1, 1 tau 2")}, {"y", lts("0 a 1, 1 b 0")}}};
  const Network stuck{"n", {{"x", lts("0 a 1, 1 tau 2, +b")}, {"y", lts("0 a 1, 1 b 0")}}};
  EXPECT_EQ(replay_deadlock(stuck, word("a tau"), {State{2}, State{1}}), std::nullopt);
  EXPECT_TRUE(replay_deadlock(stuck, word("a"), {State{1}, State{1}}));        // a silent step is left
  EXPECT_TRUE(replay_deadlock(stuck, word("a tau"), {State{2}, State{0}}));    // not where y is
  EXPECT_TRUE(replay_deadlock(network, word("a tau"), {State{2}, State{1}}));  // b can happen
  const Network ended{"n", {{"x", lts("0 a 1, end=1")}}};
  EXPECT_TRUE(replay_deadlock(ended, word("a"), {State{1}}));  // that is termination
}

}  // namespace
}  // namespace surety::certify
