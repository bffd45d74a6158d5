#include <gtest/gtest.h>

#include "model/equivalence.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using namespace reference;

constexpr Equivalence kAll[] = {Equivalence::trace, Equivalence::weak, Equivalence::strong};

void expect(const std::optional<Difference>& found, const char* trace, bool first_has_it, bool by_trace) {
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->trace, word(trace));
  EXPECT_EQ(found->first_has_it, first_has_it);
  EXPECT_EQ(found->by_trace, by_trace);
}

TEST(Difference, ThereIsNoneBetweenAnLtsAndItself) {
  const Lts m = lts("0 a 1, 0 a 2, 1 tau 0, 2 b 3, 2 c 4, error=3, end=4");
  for (const auto equivalence : kAll) EXPECT_FALSE(difference(m, m, equivalence));
}

TEST(Difference, AlphabetsAreNotCompared) {
  for (const auto equivalence : kAll) EXPECT_FALSE(difference(lts("0 a 0, +b"), lts("0 a 0"), equivalence));
}

TEST(Difference, IsAShortestWordThatOnlyOneSideHas) {
  const Lts loop = lts("0 a 1, 1 b 0"), once = lts("0 a 1, 1 b 2, 2 a 3");
  expect(difference(loop, once, Equivalence::trace), "a b a b", true, true);
  expect(difference(once, loop, Equivalence::trace), "a b a b", false, true);
}

TEST(Difference, OfBranchingIsNoneForTraces) {
  const Lts early = lts("0 a 1, 0 a 2, 1 b 3, 2 c 3"), late = lts("0 a 1, 1 b 2, 1 c 2");
  EXPECT_FALSE(difference(early, late, Equivalence::trace));
}

TEST(Difference, OfBranchingIsAPlayThatBothSidesHave) {
  const Lts early = lts("0 a 1, 0 a 2, 1 b 3, 2 c 3"), late = lts("0 a 1, 1 b 2, 1 c 2");
  // The first chooses b, then the second can do c.
  expect(difference(early, late, Equivalence::strong), "a c", false, false);
  expect(difference(early, late, Equivalence::weak), "a c", false, false);
}

TEST(Difference, OfTauStepsIsNoneWeakly) {
  const Lts delayed = lts("0 a 1, 1 tau 2, 2 b 0"), plain = lts("0 a 1, 1 b 0");
  EXPECT_FALSE(difference(delayed, plain, Equivalence::weak));
  expect(difference(delayed, plain, Equivalence::strong), "a tau", true, false);
}

TEST(Difference, ASilentMoveIsAMoveOfTheWeakGame) {
  const Lts decides = lts("0 tau 1, 0 tau 2, 1 a 1, 2 b 2"), offers = lts("0 a 1, 0 b 2, 1 a 1, 2 b 2");
  // The first silently decides for a; the second, which stayed, can still do b.
  expect(difference(decides, offers, Equivalence::weak), "tau b", false, false);
}

TEST(Difference, ErrorOnOneSideTellsApart) {
  const Lts fails = lts("0 a 1, error=1"), stops = lts("0 a 1");
  for (const auto equivalence : kAll) expect(difference(fails, stops, equivalence), "a", true, false);
  expect(difference(stops, fails, Equivalence::trace), "a", false, false);
}

TEST(Difference, EndOnOneSideTellsApart) {
  const Lts ends = lts("0 a 1, end=1"), stops = lts("0 a 1");
  for (const auto equivalence : kAll) expect(difference(ends, stops, equivalence), "a", true, false);
}

TEST(Difference, MayBeThereFromTheStart) {
  for (const auto equivalence : kAll) {
    expect(difference(lts("error=0"), lts(""), equivalence), "", true, false);
    expect(difference(lts(""), lts("end=0"), equivalence), "", false, false);
    expect(difference(lts("error=0"), lts("end=0"), equivalence), "", true, false);
  }
}

TEST(Difference, ASilentStepToErrorIsNotErrorWeakly) {
  const Lts fails = lts("error=0"), may_fail = lts("0 tau 1, error=1");
  EXPECT_FALSE(difference(fails, may_fail, Equivalence::trace));
  expect(difference(fails, may_fail, Equivalence::weak), "", true, false);
  expect(difference(may_fail, lts(""), Equivalence::weak), "tau", true, false);
}

TEST(Difference, ASilentStepToEndIsEndWeakly) {
  EXPECT_FALSE(difference(lts("end=0"), lts("0 tau 1, end=1"), Equivalence::weak));
  EXPECT_FALSE(difference(lts("end=0"), lts("0 tau 1, end=1"), Equivalence::trace));
  EXPECT_TRUE(difference(lts("end=0"), lts("0 tau 1, end=1"), Equivalence::strong));
}

TEST(Difference, TheEmptyLanguageLacksEvenTheEmptyWord) {
  for (const auto equivalence : kAll) {
    EXPECT_FALSE(difference(lts("states=0"), lts("states=0, +a"), equivalence));
    expect(difference(lts("states=0"), lts(""), equivalence), "", false, true);
    expect(difference(lts("0 a 0"), lts("states=0"), equivalence), "", true, true);
  }
}

TEST(Difference, TheGameTakesARoundForEachStepOfALongLine) {
  const auto line = [](std::uint32_t n) {
    LtsBuilder builder;
    builder.set_state_count(n + 1);
    for (std::uint32_t s = 0; s < n; ++s) builder.add_step(State{s}, action("a"), State{s + 1});
    return builder.build();
  };
  for (const auto equivalence : kAll) {
    const auto found = difference(line(3000), line(3001), equivalence);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->trace.size(), 3001U);
    EXPECT_FALSE(found->first_has_it);
    EXPECT_TRUE(found->by_trace);
  }
}

}  // namespace
}  // namespace surety
