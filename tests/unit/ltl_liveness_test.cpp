// Assertions checked on systems: the corners of doc/semantics.md#assertions by hand.

#include <gtest/gtest.h>

#include "engine/product/liveness.hpp"
#include "unit/ltl_semantics.hpp"

namespace surety {
namespace {

using namespace reference;
using Outcome = LivenessResult::Outcome;
using Kind = LivenessResult::Kind;

LivenessResult check(const std::vector<Lts>& system, const Assertion& property, Fairness fairness = Fairness::choice,
                     const Priority* priority = nullptr) {
  std::vector<Part> parts;
  for (const Lts& lts : system) parts.push_back({&lts, Role::component, true});
  Budget budget;
  return check_assertion(parts, property, fairness, priority, budget);
}

bool holds(const std::vector<Lts>& system, const std::string& text, Fairness fairness = Fairness::choice) {
  const auto result = check(system, assertion(text), fairness);
  EXPECT_NE(result.outcome, Outcome::stopped);
  return result.outcome == Outcome::holds;
}
bool holds_unfairly(const std::vector<Lts>& system, const std::string& text) {
  return holds(system, text, Fairness::none);
}

TEST(Liveness, ByFairChoiceWhatCanHappenAgainAndAgainDoes57) {
  const Lts coin = lts("0 toss 1, 0 toss 2, 1 heads 0, 2 tails 0");
  EXPECT_TRUE(holds({coin}, "[]<>heads"));
  EXPECT_TRUE(holds({coin}, "[](tails -> <>heads)"));
  EXPECT_FALSE(holds_unfairly({coin}, "[]<>heads"));
}

TEST(Liveness, RequestsAreAnswered47) {
  const Lts p = lts("0 req 1, 1 ack 0, 1 nack 0");
  EXPECT_TRUE(holds({p}, "[](req -> <>ack)"));
  EXPECT_TRUE(holds({p}, "<>ack"));
  EXPECT_FALSE(holds({p}, "[]!nack"));
  EXPECT_TRUE(holds({p}, "[]<>req"));
  EXPECT_FALSE(holds({p}, "<>[]req"));
  EXPECT_TRUE(holds({p}, "(req | !req)"));
}

TEST(Liveness, UntilAndNext48) {
  const Lts p = lts("0 a 1, 1 a 2, 2 b 3, 3 c 0");
  for (const char* yes : {"(a U b)", "(b U a)", "(a W b)", "(!b W a)", "X a", "(c | <>b)"})
    EXPECT_TRUE(holds({p}, yes));
  for (const char* no : {"X b", "X X X b", "[](a <-> !b)", "!<>c"}) EXPECT_FALSE(holds({p}, no)) << no;
}

TEST(Liveness, InitialValuesOfFluentsShowOnlyIfTheFirstEventLeavesThemAlone49) {
  const Lts lamp = lts("0 on 1, 1 off 0");
  const std::vector<Fluent> fluents = {{"LIT", alphabet("on"), alphabet("off"), true},
                                       {"DARK", alphabet("off"), alphabet("on"), false},
                                       {"LIT0", alphabet("on"), alphabet("off"), false}};
  const auto yes = [&](const char* text) { return check({lamp}, assertion(text, fluents)).outcome == Outcome::holds; };
  EXPECT_TRUE(yes("[](F0 | F1)"));
  EXPECT_TRUE(yes("F0"));
  EXPECT_FALSE(yes("F1"));
  EXPECT_FALSE(yes("!F2"));
  EXPECT_TRUE(yes("[](F2 -> X !F2)"));
  EXPECT_TRUE(yes("[]<>F2"));
  EXPECT_FALSE(yes("<>[]F2"));
}

TEST(Liveness, EveryEventIsAStepEvenASilentOne51) {
  const Lts p = lts("0 a 1, 1 x 2, 2 y 3, 3 b 0"), silent = lts("0 a 1, 1 tau 2, 2 b 0");
  EXPECT_FALSE(holds({p}, "[](a -> X b)"));
  EXPECT_TRUE(holds({p}, "[](a -> X X X b)"));
  EXPECT_TRUE(holds({p}, "[](a -> X !b)"));
  EXPECT_FALSE(holds({silent}, "[](a -> X b)"));
  EXPECT_TRUE(holds({silent}, "[](a -> X X b)"));
}

TEST(Liveness, AnActionThatOnlyTheAssertionKnowsIsFree53) {
  const Lts p = lts("0 a 1, 1 b 2");
  EXPECT_TRUE(holds({p}, "<>b"));
  EXPECT_TRUE(holds({p}, "<>c"));
  EXPECT_FALSE(holds_unfairly({lts("0 a 0")}, "<>c"));
  const auto never = check({p}, assertion("[]!c"));
  EXPECT_EQ(never.outcome, Outcome::violated);
  EXPECT_EQ(never.kind, Kind::beginning);
  EXPECT_EQ(never.trace, word("c"));
}

TEST(Liveness, ADeadlockWithAnOpenPromiseIsAViolation53) {
  const auto result = check({lts("0 a 1, 1 b 2")}, assertion("[]<>a"));
  EXPECT_EQ(result.outcome, Outcome::violated);
  EXPECT_EQ(result.kind, Kind::end);
  EXPECT_EQ(result.trace, word("a b"));
  EXPECT_TRUE(result.cycle.empty());
  EXPECT_FALSE(holds_unfairly({lts("0 a 1, 1 b 2")}, "[]<>a"));
}

TEST(Liveness, SoIsASuccessfulEnd54) { EXPECT_FALSE(holds({lts("0 a 1, 1 b 2, end=2")}, "[]<>a")); }

TEST(Liveness, ASystemThatCannotBeginFulfilsNoPromise) {
  EXPECT_FALSE(holds({lts("+a")}, "<>a"));
  EXPECT_TRUE(holds({lts("+a")}, "[]!a"));
}

TEST(Liveness, TheErrorStateIsAnAnswerOfItsOwn55) {
  const Lts p = lts("0 a 0, 0 bad 1, error=1");
  const auto result = check({p}, assertion("[]<>a"));
  EXPECT_EQ(result.outcome, Outcome::holds);
  EXPECT_EQ(result.error, word("bad"));
  EXPECT_FALSE(holds({p}, "[]!bad"));  // that it happened is known, whatever comes
  EXPECT_TRUE(holds({lts("error=0, +a")}, "<>a"));
}

TEST(Liveness, PriorityAppliesInTheProduct56) {
  const Lts p = lts("0 a 0, 0 b 0");
  const Priority low_b{alphabet("b"), false};
  EXPECT_EQ(check({p}, assertion("[]<>b"), Fairness::choice, &low_b).outcome, Outcome::violated);
  EXPECT_EQ(check({p}, assertion("[]<>a"), Fairness::none, &low_b).outcome, Outcome::holds);
}

TEST(Liveness, IsRightWhereTheAutomatonMustGuessAgainAndAgainB1) {
  const Lts p = lts("0 a 1, 0 a 2, 1 b 0, 2 c 0");
  EXPECT_FALSE(holds({p}, "<>[](a -> X !b)"));  // LTSA finds no violation
  EXPECT_FALSE(holds({p}, "<>[](a -> X b)"));   // here neither
  EXPECT_TRUE(holds({p}, "[]<>(a & X b)"));
  EXPECT_FALSE(holds_unfairly({p}, "[]<>(a & X b)"));
}

TEST(Liveness, FindsWhatATerminalSetDoesB2) {
  const Lts p = lts("0 a 1, 1 b 0, 1 c 2, 2 d 2, 2 e 2");
  EXPECT_TRUE(holds({p}, "<>d"));
  EXPECT_FALSE(holds({p}, "[]<>b"));
  EXPECT_TRUE(holds({p}, "(<>[]!b & []<>d)"));
  EXPECT_TRUE(holds({p}, "([]<>d -> []<>e)"));
  EXPECT_FALSE(holds({p}, "<>[](d -> X e)"));  // LTSA finds no violation
  EXPECT_TRUE(holds({p}, "[](c -> <>[]!a)"));
  for (const char* text : {"<>d", "[]<>b", "(<>[]!b & []<>d)", "([]<>d -> []<>e)", "<>[](d -> X e)"})
    EXPECT_FALSE(holds_unfairly({p}, text)) << text;
  EXPECT_TRUE(holds_unfairly({p}, "[](c -> <>[]!a)"));
}

TEST(Liveness, FairChoiceIsMoreThanTakingEveryStep) {
  const Lts p = lts("0 a 0, 0 b 0");
  EXPECT_TRUE(holds({p}, "[]<>(a & X (a & X a))"));
  EXPECT_FALSE(holds_unfairly({p}, "[]<>(a & X a)"));
}

TEST(Liveness, AnAutomatonThatLeavesItsComponentHasLost) {
  // In the terminal set, a W []<>c survives every b, but only by betting on c.
  EXPECT_TRUE(holds({lts("0 c 0, 0 go 1, 1 a 1, 1 b 1")}, "!<>(a W []<>c)"));
}

TEST(Liveness, TheCycleIsAViolationByItself) {
  const auto result = check({lts("0 go 1, 1 a 2, 2 b 1, 2 c 1")}, assertion("<>[](a -> X !b)"));
  ASSERT_EQ(result.outcome, Outcome::violated);
  EXPECT_EQ(result.kind, Kind::cycle);
  EXPECT_FALSE(true_on(assertion("<>[](a -> X !b)"), result.trace, result.cycle));
}

TEST(Liveness, MixesFluentsAndActionsB5) {
  const Lts p = lts("0 in 1, 1 work 2, 2 out 0");
  const std::vector<Fluent> inside = {{"INSIDE", alphabet("in"), alphabet("out"), false}};
  for (const char* text : {"[](work -> F0)", "[](F0 -> <>out)", "[](out -> !F0)", "[](in -> F0)", "F0"})
    EXPECT_EQ(check({p}, assertion(text, inside)).outcome, Outcome::holds) << text;
}

TEST(Liveness, StopsWithTheBudget) {
  const Lts p = lts("0 a 1, 1 a 2, 2 a 3, 3 a 0");
  Limits limits;
  limits.states = 2;
  Budget budget(limits);
  EXPECT_EQ(check_assertion({{&p}}, assertion("[]<>a"), Fairness::choice, nullptr, budget).outcome, Outcome::stopped);
  EXPECT_EQ(budget.why(), Stop::states);
}

}  // namespace
}  // namespace surety
