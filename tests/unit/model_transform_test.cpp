#include <gtest/gtest.h>

#include "base/check.hpp"
#include "model/transform.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using namespace reference;

TEST(Project, TurnsTheOtherActionsIntoTau) {
  EXPECT_EQ(text(project(lts("0 a 1, 1 b 0, +c"), alphabet("a c d"))), "0 a 1, 1 tau 0, +c");
}

TEST(Project, MergesStepsThatHaveBecomeEqual) { EXPECT_EQ(text(project(lts("0 a 1, 0 b 1"), {})), "0 tau 1"); }

TEST(Hide, TurnsItsActionsIntoTauAndForgetsThem) {
  const Lts hidden = hide(lts("0 a 1, 1 b 0, error=2, end=3"), alphabet("b x"));
  EXPECT_EQ(text(hidden), "0 a 1, 1 tau 0, error=2, end=3");
  EXPECT_EQ(hidden.alphabet(), alphabet("a"));
}

TEST(Relabel, RenamesAllPairsAtOnce) {
  EXPECT_EQ(text(relabel(lts("0 a 1, 1 b 0"), {{action("a"), action("b")}, {action("b"), action("a")}})),
            "0 b 1, 1 a 0");
}

TEST(Relabel, CopiesAStepForEachNewName) {
  EXPECT_EQ(text(relabel(lts("0 a 1"), {{action("a"), action("b")}, {action("a"), action("c")}})), "0 b 1, 0 c 1");
}

TEST(Relabel, MergesActionsWithTheSameNewName) {
  const Lts merged = relabel(lts("0 a 1, 0 b 1, 0 b 2"), {{action("a"), action("c")}, {action("b"), action("c")}});
  EXPECT_EQ(text(merged), "0 c 1, 0 c 2");
  EXPECT_EQ(merged.alphabet(), alphabet("c"));
}

TEST(Relabel, RenamesActionsThatNeverHappenAndIgnoresUnknownOnes) {
  EXPECT_EQ(text(relabel(lts("+a"), {{action("a"), action("b")}, {action("unknown"), action("c")}})), "+b");
}

TEST(Relabel, LeavesTauAlone) {
  EXPECT_EQ(text(relabel(lts("0 tau 0, 0 a 0"), {{action("a"), action("b")}})), "0 tau 0, 0 b 0");
  EXPECT_THROW(relabel(lts("0 tau 0"), {{kTau, action("b")}}), InternalError);
  EXPECT_THROW(relabel(lts("0 a 0"), {{action("a"), kTau}}), InternalError);
}

TEST(Reachable, DropsStatesButNotTheirActions) {
  EXPECT_EQ(text(reachable(lts("0 a 0, 1 b 2, error=2"))), "0 a 0, +b");
}

TEST(Reachable, NumbersStatesBreadthFirst) {
  EXPECT_EQ(text(reachable(lts("0 a 3, 0 b 2, 3 c 4, 2 c 1, end=4"))), "0 a 1, 0 b 2, 1 c 3, 2 c 4, end=3");
}

TEST(TraceLts, IsAChainOverTheWholeAlphabet) {
  EXPECT_EQ(text(trace_lts(word("a b a"), alphabet("a b c"))), "0 a 1, 1 b 2, 2 a 3, +c");
  EXPECT_EQ(text(trace_lts({}, {})), "");
  EXPECT_THROW(trace_lts(word("a"), alphabet("b")), InternalError);
}

TEST(Transform, TheEmptyLanguageStaysEmpty) {
  const Lts nothing = lts("states=0, +a");
  for (const Lts& still : {project(nothing, {}), hide(nothing, alphabet("a")), reachable(nothing),
                           relabel(nothing, {{action("a"), action("b")}})})
    EXPECT_EQ(still.state_count(), 0U);
  EXPECT_EQ(relabel(nothing, {{action("a"), action("b")}}).alphabet(), alphabet("b"));
  EXPECT_EQ(reachable(nothing).alphabet(), alphabet("a"));
}

}  // namespace
}  // namespace surety
