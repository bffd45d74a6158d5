#include <gtest/gtest.h>

#include "model/minimise.hpp"
#include "model/transform.hpp"
#include "product/compose.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using namespace reference;

Limits only_states(std::uint64_t n) {
  Limits limits;
  limits.states = n;
  return limits;
}

Limits only_memory(std::uint64_t bytes) {
  Limits limits;
  limits.memory = bytes;
  return limits;
}

Limits only_time(std::chrono::nanoseconds time) {
  Limits limits;
  limits.time = time;
  return limits;
}

std::vector<const Lts*> pointers_to(const std::vector<Lts>& parts) {
  std::vector<const Lts*> pointers;
  for (const Lts& part : parts) pointers.push_back(&part);
  return pointers;
}

Lts composed(const std::vector<Lts>& parts) {
  Budget budget;
  return compose(pointers_to(parts), budget).value();
}

// n places for a thing, each handed on to the next by c1, c2, ...
std::vector<Lts> buffers(int n) {
  std::vector<Lts> parts;
  for (int i = 0; i < n; ++i)
    parts.push_back(lts("0 c" + std::to_string(i) + " 1, 1 c" + std::to_string(i + 1) + " 0"));
  return parts;
}

TEST(Compose, SharedActionsHappenTogetherAndOthersInterleave) {
  EXPECT_EQ(text(composed({lts("0 a 1, 1 shared 0"), lts("0 b 1, 1 shared 0")})),
            "0 a 1, 0 b 2, 1 b 3, 2 a 3, 3 shared 0");
}

TEST(Compose, TauIsNeverShared) { EXPECT_EQ(composed({lts("0 tau 1"), lts("0 tau 1")}).state_count(), 4U); }

TEST(Compose, AnActionThatOnePartOnlyHasInItsAlphabetIsBlocked) {
  const Lts blocked = composed({lts("0 a 1"), lts("+a")});
  EXPECT_EQ(text(blocked), "+a");
}

TEST(Compose, TheAlphabetIsThatOfAllPartsEvenOfActionsThatNeverHappen) {
  EXPECT_EQ(composed({lts("0 a 0, +x"), lts("+y")}).alphabet(), alphabet("a x y"));
}

TEST(Compose, TriesAllCombinationsOfANondeterministicAction) {
  const Lts coin = lts("0 toss 1, 0 toss 2, 1 heads 1, 2 tails 2");
  const Lts dice = lts("0 toss 1, 0 toss 2, 0 toss 3, 1 one 1, 2 two 2, 3 three 3");
  const Lts both = composed({coin, dice});
  EXPECT_EQ(both.steps(State{0}, action("toss")).size(), 6U);
  EXPECT_EQ(both.state_count(), 7U);
}

TEST(Compose, AnyErrorIsTheOneErrorState) {
  const Lts whole = composed({lts("0 a 1, error=1"), lts("0 b 1, 1 b 0"), lts("0 c 1, error=1")});
  EXPECT_EQ(whole.state_count(), 3U);
  EXPECT_EQ(text(whole), "0 a 2, 0 b 1, 0 c 2, 1 a 2, 1 b 0, 1 c 2, error=2");
}

TEST(Compose, APartThatStartsInErrorIsAllThereIs) {
  EXPECT_EQ(text(composed({lts("0 a 1, 1 a 0"), lts("error=0")})), "error=0, +a");
}

TEST(Compose, WithTheEmptyLanguageThereIsNothing) {
  const Lts nothing = composed({lts("0 a 0"), lts("states=0, +b"), lts("error=0")});
  EXPECT_EQ(nothing.state_count(), 0U);
  EXPECT_EQ(nothing.alphabet(), alphabet("a b"));
}

TEST(Compose, NoPartsAreOneStateThatDoesNothing) { EXPECT_EQ(text(composed({})), ""); }

TEST(Compose, TuplesMayNeedMoreThanOneWord) {
  // 40 rings of 5 states that turn together, and one that turns alone: 40 * 3 bits.
  std::vector<Lts> parts(40, lts("0 turn 1, 1 turn 2, 2 turn 3, 3 turn 4, 4 turn 0"));
  parts.push_back(lts("0 flip 1, 1 flip 0"));
  EXPECT_EQ(composed(parts).state_count(), 10U);
}

TEST(Compose, PartsMayHaveVeryDifferentSizes) {
  std::string ring;
  for (int i = 0; i < 1000; ++i) ring += std::to_string(i) + " turn " + std::to_string((i + 1) % 1000) + ",";
  EXPECT_EQ(
      composed({lts("0 a 0"), lts(ring), lts("0 b 1"), lts(ring + "0 reset 0"), lts(ring), lts(ring)}).state_count(),
      2000U);
}

// Termination (doc/semantics.md#end-and-deadlock).
TEST(Compose, HasEndedWhenAllPartsHave02) {
  const Lts p = lts("0 pa 1, 1 pb 2, end=2"), q = lts("0 qa 1, 1 qb 2, end=2");
  const Lts both = composed({p, q});
  EXPECT_EQ(both.state_count(), 9U);
  EXPECT_TRUE(both.end());
}

TEST(Compose, HasNotEndedWhileAnotherPartHasActionsOfItsOwn03And04And06) {
  const Lts p = lts("0 a 1, end=1");
  EXPECT_FALSE(composed({p, lts("0 b 0")}).end());
  EXPECT_FALSE(composed({p, lts("0 b 1")}).end());
  EXPECT_FALSE(composed({lts("0 a 1, 1 b 2, end=2"), lts("0 a 1, 1 c 0")}).end());
}

TEST(Compose, HasEndedWhenTheOthersOnlyHaveActionsOfThoseThatEnd05) {
  EXPECT_TRUE(composed({lts("0 a 1, 1 b 2, end=2"), lts("0 a 0")}).end());
}

TEST(Compose, EndFromTheStartCountsAsNoEnd07) {
  const Lts p = lts("end=0"), q = lts("0 a 1, end=1");
  EXPECT_EQ(text(composed({p, q})), "0 a 1, end=1");
  EXPECT_EQ(text(composed({p})), "");
  EXPECT_FALSE(may_terminate({&p}));
  EXPECT_TRUE(may_terminate({&p, &q}));
  const Lts busy = lts("end=0, +x");
  EXPECT_FALSE(may_terminate({&busy, &q}));
}

TEST(Compose, AllEndsAreOneStateG9) {
  const Lts t = lts("0 a 1, 0 b 2, 1 c 1, 2 d 2"), u = lts("0 a 1, 0 b 1, end=1, +c, +d");
  EXPECT_EQ(text(composed({t, u})), "0 a 1, 0 b 1, end=1, +c, +d");
}

TEST(Compose, HasNotEndedWhileSomethingSilentGoesOn) {
  const Lts whole = composed({lts("0 a 1, end=1"), lts("0 a 1, 1 tau 2")});
  EXPECT_EQ(text(whole), "0 a 1, 1 tau 2, end=2");
}

TEST(Compose, AChainOfBuffersHasAStateForEachSetOfFullOnes) {
  const Lts chain = composed(buffers(12));
  EXPECT_EQ(chain.state_count(), 4096U);
  EXPECT_EQ(chain.transition_count(), 15 * 1024U);
}

TEST(Compose, StopsAtALimitOfStates) {
  const auto parts = buffers(10);
  Budget exact(only_states(1024)), less(only_states(1023));
  EXPECT_TRUE(compose(pointers_to(parts), exact));
  EXPECT_FALSE(compose(pointers_to(parts), less));
  EXPECT_EQ(less.why(), Stop::states);
}

TEST(Compose, StopsWhenMemoryIsRefusedAndGivesBackWhatItHad) {
  const auto parts = buffers(18);
  const std::uint64_t room = 16 << 20;
  Budget budget(only_memory(resident_bytes() + room));
  EXPECT_FALSE(compose(pointers_to(parts), budget));
  EXPECT_EQ(budget.why(), Stop::memory);
  EXPECT_TRUE(budget.charge(room / 2));
}

TEST(Compose, StopsWhenInterruptedOrOutOfTime) {
  const Lts part = lts("0 a 0");
  const std::atomic<bool> interrupted = true;
  Budget cancelled({}, &interrupted), late(only_time(std::chrono::nanoseconds(0)));
  EXPECT_FALSE(compose({&part}, cancelled));
  EXPECT_EQ(cancelled.why(), Stop::interrupted);
  EXPECT_FALSE(compose({&part}, late));
  EXPECT_EQ(late.why(), Stop::time);
}

TEST(Compose, StopsInTheMiddleOfOneStateWithVeryManySteps) {
  std::string choices;
  for (int i = 1; i <= 30; ++i) choices += "0 roll " + std::to_string(i) + ",";
  const Lts dice = lts(choices);
  Budget budget(only_time(std::chrono::milliseconds(50)));  // 30^8 combinations would take days
  EXPECT_FALSE(compose(std::vector<const Lts*>(8, &dice), budget));
}

}  // namespace
}  // namespace surety
