// The references are what everything else is compared with, so a few claims about them by hand.
#include "reference/reference.hpp"

#include <gtest/gtest.h>

#include "base/check.hpp"

namespace surety::reference {
namespace {

// The communication channel of the papers (examples/channel).
const char* kInput = "0 input 1, 1 send 2, 2 ack 0";
const char* kOutput = "0 send 1, 1 output 2, 2 ack 0";
const char* kOrder = "0 input 1, 1 output 0";

TEST(Reference, AnLtsReadsBackTheTextItIsShownAs) {
  for (const char* description : {"", "states=0", "states=3", "0 a 1, 1 tau 0", "0 a 1, error=1",
                                  "0 a 2, error=1, end=2", "0 a 0, +unused", "0 a 1, 0 b 1, end=1, states=4"})
    EXPECT_EQ(text(lts(description)), text(lts(text(lts(description))))) << description;
}

TEST(Reference, NonsenseIsNotAnLts) {
  EXPECT_THROW(lts("0 a"), std::invalid_argument);
  EXPECT_THROW(lts("x a 1"), std::invalid_argument);
  EXPECT_THROW(lts("error=1, 1 a 0"), InternalError);
}

TEST(Reference, WordsLeaveTauOut) {
  EXPECT_EQ(words_up_to(2, lts("0 tau 1, 1 a 0")), (Words{{}, word("a"), word("a a")}));
  EXPECT_EQ(words_up_to(2, lts("states=0")), Words{});
}

TEST(Reference, FailingWordsMayAlsoEndElsewhere) {
  const Lts risky = lts("0 a 1, 0 a 2, 1 tau 3, 2 b 2, error=3");
  EXPECT_EQ(failing_words_up_to(3, risky), Words{word("a")});
}

TEST(Reference, TheChannelKeepsItsOrder) {
  const Lts input = lts(kInput), output = lts(kOutput), order = lts(kOrder);
  EXPECT_EQ(shortest_violation({&input, &output}, order), std::nullopt);
  EXPECT_EQ(shortest_deadlock({&input, &output}), std::nullopt);
}

TEST(Reference, WithoutItsPartnerTheInputViolatesTheOrderByAFreeAction) {
  const Lts input = lts(kInput), order = lts(kOrder);
  EXPECT_EQ(shortest_violation({&input}, order), word("output"));
}

TEST(Reference, AMissingStepOfTheSecondLetterIsFoundByTheShortestTrace) {
  const Lts m = lts("0 tau 1, 1 a 2, 2 a 0"), once = lts("0 a 1");
  EXPECT_EQ(shortest_violation({&m}, once), word("tau a a"));
  EXPECT_TRUE(replays({&m}, &once, word("tau a a")));
  EXPECT_FALSE(replays({&m}, &once, word("tau a")));
  EXPECT_TRUE(replays({&m}, nullptr, word("tau a")));
}

TEST(Reference, ThePropertyWithoutStatesForbidsEverything) {
  const Lts idle = lts(""), nothing = lts("states=0");
  EXPECT_EQ(shortest_violation({&idle}, nothing), Trace{});
  EXPECT_EQ(shortest_violation({&nothing}, nothing), std::nullopt);
}

TEST(Reference, AStateWithoutStepsIsADeadlockUnlessAllHaveEnded) {
  const Lts ends = lts("0 a 1, end=1"), stops = lts("0 b 1");
  EXPECT_EQ(shortest_deadlock({&ends}), std::nullopt);
  EXPECT_EQ(shortest_deadlock({&ends, &stops})->size(), 2U);
}

TEST(Reference, MembershipQueriesAgreeWithTheWeakestAssumptionOfThePaper) {
  const Lts input = lts(kInput), order = lts(kOrder);
  const Alphabet interface = alphabet("send output ack");
  EXPECT_TRUE(in_weakest_assumption(word("send output ack"), interface, {&input}, order));
  EXPECT_FALSE(in_weakest_assumption(word("send ack"), interface, {&input}, order));
  EXPECT_FALSE(in_weakest_assumption(word("output"), interface, {&input}, order));
  // The weakest assumption has four states; what Input cannot do violates nothing
  // (doc/semantics.md#the-weakest-assumption).
  const Lts weakest = lts("0 send 1, 0 ack 3, 1 output 2, 1 send 3, 2 ack 0, 2 send 3, 3 send 3, 3 ack 3, 3 output 3");
  EXPECT_TRUE(is_weakest_assumption(weakest, {&input}, order, 5));
  EXPECT_FALSE(is_weakest_assumption(lts("0 send 1, 1 output 2, 2 ack 0"), {&input}, order, 5));
}

TEST(Reference, TheTextbookPairsAreToldApartByTheRightEquivalence) {
  const Lts early = lts("0 a 1, 0 a 2, 1 b 3, 2 c 3"), late = lts("0 a 1, 1 b 2, 1 c 2");
  EXPECT_TRUE(trace_equivalent(early, late));
  EXPECT_FALSE(weakly_bisimilar(early, late));
  const Lts delayed = lts("0 a 1, 1 tau 2, 2 b 3"), plain = lts("0 a 1, 1 b 2");
  EXPECT_TRUE(weakly_bisimilar(delayed, plain));
  EXPECT_FALSE(strongly_bisimilar(delayed, plain));
  EXPECT_EQ(strong_game_length(early, late), 2U);
  EXPECT_EQ(weak_game_length(delayed, plain), std::nullopt);
}

TEST(Reference, ThereAreAsManySmallLtssAsPromised) {
  EXPECT_EQ(small_ltss().size(), 261U);
  EXPECT_EQ(small_ltss_with_tau().size(), 4235U);
}

TEST(Reference, ADeterministicShapeGivesDeterministicLtss) {
  Random random(7);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(is_deterministic(random_lts(random, {.deterministic = true})));
}

}  // namespace
}  // namespace surety::reference
