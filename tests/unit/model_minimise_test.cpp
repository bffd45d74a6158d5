#include <gtest/gtest.h>

#include "model/minimise.hpp"
#include "model/partition.hpp"
#include "model/tau_components.hpp"
#include "model/transform.hpp"
#include "product/compose.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using namespace reference;

// A line of n+1 states, each with a step to the next.
Lts line(std::uint32_t n, Action a) {
  LtsBuilder builder;
  builder.set_state_count(n + 1);
  for (std::uint32_t s = 0; s < n; ++s) builder.add_step(State{s}, a, State{s + 1});
  return builder.build();
}

TEST(Partition, SplitsAClassIntoMarkedAndUnmarked) {
  Partition partition(5);
  for (const std::uint32_t e : {1, 3, 1}) partition.mark(e);
  int splits = 0;
  partition.split_marked([&](std::uint32_t old, std::uint32_t fresh) {
    ++splits;
    EXPECT_EQ(old, 0U);
    EXPECT_EQ(fresh, 1U);
    EXPECT_EQ(partition.size(fresh), 2U);
  });
  EXPECT_EQ(splits, 1);
  EXPECT_EQ(partition.classes(), (std::vector<std::uint32_t>{0, 1, 0, 1, 0}));
}

TEST(Partition, GivesTheNewNumberToTheSmallerHalf) {
  Partition partition(5);
  for (const std::uint32_t e : {0, 1, 2, 3}) partition.mark(e);
  partition.split_marked([](std::uint32_t, std::uint32_t) {});
  EXPECT_EQ(partition.classes(), (std::vector<std::uint32_t>{0, 0, 0, 0, 1}));
}

TEST(Partition, DoesNotSplitAClassThatIsMarkedWhole) {
  Partition partition({0, 1, 0}, 2);
  partition.mark(0);
  partition.mark(2);
  partition.split_marked([](std::uint32_t, std::uint32_t) { FAIL(); });
  partition.mark(0);  // the marks are gone
  partition.split_marked([](std::uint32_t, std::uint32_t) {});
  EXPECT_EQ(partition.class_count(), 3U);
}

TEST(TauComponents, PutSuccessorsFirst) {
  const auto component = tau_components(lts("0 tau 1, 1 tau 2, 2 tau 1, 2 tau 3, 3 a 0"));
  EXPECT_EQ(component[1], component[2]);
  EXPECT_LT(component[3], component[2]);
  EXPECT_LT(component[1], component[0]);
}

TEST(TauComponents, NeedNoStackForALongLine) { EXPECT_EQ(tau_components(line(300000, kTau))[0], 300000U); }

TEST(MinimiseStrong, MergesEqualBranches) {
  EXPECT_EQ(text(minimise_strong(lts("0 a 1, 0 a 2, 1 b 0, 2 b 0"))), "0 a 1, 1 b 0");
}

TEST(MinimiseStrong, KeepsDifferentBranchesApart) {
  EXPECT_EQ(minimise_strong(lts("0 a 1, 0 a 2, 1 b 3, 1 c 3, 2 b 3")).state_count(), 4U);
}

TEST(MinimiseStrong, SeesTauAsAnAction) {
  EXPECT_EQ(minimise_strong(lts("0 tau 1, 1 a 0")).state_count(), 2U);
  EXPECT_EQ(text(minimise_strong(lts("0 tau 1, 1 tau 0"))), "0 tau 0");
}

TEST(MinimiseStrong, TellsErrorEndAndStopApart) {
  EXPECT_EQ(text(minimise_strong(lts("0 a 1, 0 a 2, 0 a 3, 0 a 4, error=1, end=2"))),
            "0 a 1, 0 a 2, 0 a 3, error=1, end=2");
}

TEST(MinimiseStrong, DropsUnreachableStatesButNotTheirActions) {
  EXPECT_EQ(text(minimise_strong(lts("0 a 0, 1 b 1"))), "0 a 0, +b");
}

TEST(MinimiseStrong, FoldsARingIntoItsPeriod) {
  LtsBuilder builder;
  builder.set_state_count(999);
  for (std::uint32_t s = 0; s < 999; ++s)
    builder.add_step(State{s}, action(s % 3 == 0 ? "a" : "b"), State{(s + 1) % 999});
  EXPECT_EQ(text(minimise_strong(builder.build())), "0 a 1, 1 b 2, 2 b 0");
}

TEST(MinimiseStrong, NeedsTheCountingSplit) {
  // 1 has an a-step to both kinds of states, 2 and 3 to one each: only counting tells 1 from 2.
  EXPECT_EQ(minimise_strong(lts("0 x 1, 0 x 2, 0 x 3, 1 a 4, 1 a 5, 2 a 4, 3 a 5, 4 b 4")).state_count(), 6U);
}

TEST(MinimiseStrong, KeepsALineAsLongAsItIs) {
  EXPECT_EQ(minimise_strong(line(20000, action("a"))).state_count(), 20001U);
}

TEST(MinimiseWeak, DropsInertSilentSteps) {
  EXPECT_EQ(text(minimise_weak(lts("0 a 1, 1 tau 2, 2 tau 3, 3 b 0"))), "0 a 1, 1 b 0");
}

TEST(MinimiseWeak, KeepsASilentStepThatDecides) {
  EXPECT_EQ(text(minimise_weak(lts("0 tau 1, 0 a 0, 1 b 1"))), "0 tau 1, 0 a 0, 1 b 1");
}

TEST(MinimiseWeak, DoesNotSeeThatASilentDecisionCouldBeTakenEarlier) {
  // a.(tau.b + tau.c) is not a.b + a.c (doc/semantics.md#minimising).
  EXPECT_EQ(minimise_weak(lts("0 a 1, 1 tau 2, 1 tau 3, 2 b 0, 3 c 0")).state_count(), 4U);
}

TEST(MinimiseWeak, MergesWhatBranchingBisimulationWouldNot) {
  // a.(tau.b + c) + a.b = a.(tau.b + c): weakly, the a-step into b is there already (Milner's third tau law).
  const Lts law = lts("0 a 1, 0 a 2, 1 tau 2, 1 c 3, 2 b 3");
  EXPECT_EQ(minimise_weak(law).state_count(), minimise_weak(lts("0 a 1, 1 tau 2, 1 c 3, 2 b 3")).state_count());
  EXPECT_TRUE(weakly_bisimilar(law, lts("0 a 1, 1 tau 2, 1 c 3, 2 b 3")));
}

TEST(MinimiseWeak, ASilentLoopIsAStop) {
  EXPECT_EQ(text(minimise_weak(lts("0 a 1, 1 tau 1"))), "0 a 1");
  EXPECT_EQ(text(minimise_weak(lts("0 tau 1, 1 tau 0"))), "");
}

TEST(MinimiseWeak, WhatCanOnlySilentlyEndHasEnded) {
  EXPECT_EQ(text(minimise_weak(lts("0 a 1, 1 tau 2, end=2"))), "0 a 1, end=1");
  EXPECT_EQ(text(minimise_weak(lts("0 tau 1, end=1"))), "end=0");
}

TEST(MinimiseWeak, EndIsNotStop) { EXPECT_EQ(text(minimise_weak(lts("0 a 1, 0 b 2, end=1"))), "0 a 1, 0 b 2, end=1"); }

TEST(MinimiseWeak, WhatCanEndOrDoSomethingElseHasNotEnded) {
  EXPECT_EQ(text(minimise_weak(lts("0 tau 1, 0 a 0, end=1"))), "0 tau 1, 0 a 0, end=1");
}

TEST(MinimiseWeak, ASilentStepToErrorIsNotError) {
  EXPECT_EQ(text(minimise_weak(lts("0 tau 1, error=1"))), "0 tau 1, error=1");
}

TEST(MinimiseWeak, UnreachableStatesAddNoSteps) {
  // State 3 is equivalent to 1, but does by itself what 1 does by way of 2.
  EXPECT_EQ(text(minimise_weak(lts("0 a 1, 1 tau 2, 1 c 0, 2 b 0, 3 tau 2, 3 b 0, 3 c 0"))),
            "0 a 1, 1 tau 2, 1 c 0, 2 b 0");
}

TEST(MinimiseWeak, AChainOfBuffersIsOneBufferWithAsManyPlaces) {
  std::vector<Lts> parts;
  for (int i = 0; i < 12; ++i)
    parts.push_back(lts("0 c" + std::to_string(i) + " 1, 1 c" + std::to_string(i + 1) + " 0"));
  std::vector<const Lts*> pointers;
  for (const Lts& part : parts) pointers.push_back(&part);
  Budget budget;
  const Lts buffer = minimise_weak(project(compose(pointers, budget).value(), alphabet("c0 c12")));
  EXPECT_EQ(buffer.state_count(), 13U);
  EXPECT_EQ(buffer.transition_count(), 24U);
}

TEST(MinimiseWeak, KeepsMoreBranchesApartThanItSearchesFromAtOnce) {
  std::string branches;
  for (int i = 1; i <= 200; ++i) {
    const std::string middle = std::to_string(i), last = std::to_string(200 + i);
    branches += "0 x " + middle + "," + middle + " a " + last + "," + last + " b" + middle + " 0,";
  }
  EXPECT_EQ(minimise_weak(lts(branches)).state_count(), 401U);
}

TEST(MinimiseTrace, IsTheSmallestDeterministicLts) {
  EXPECT_EQ(text(minimise_trace(lts("0 a 1, 0 a 2, 1 b 3, 2 c 4, 3 d 0, 4 d 0"))), "0 a 1, 1 b 2, 1 c 2, 2 d 0");
}

TEST(MinimiseTrace, DoesNotSeeSilentDecisions) {
  EXPECT_EQ(text(minimise_trace(lts("0 tau 1, 0 tau 2, 1 a 1, 2 b 2"))), "0 a 1, 0 b 2, 1 a 1, 2 b 2");
}

TEST(Minimise, TheEmptyLanguageStaysEmpty) {
  const Lts nothing = lts("states=0, +a");
  for (const auto minimise : {minimise_strong, minimise_weak, minimise_trace}) {
    EXPECT_EQ(minimise(nothing, nullptr).state_count(), 0U);
    EXPECT_EQ(minimise(nothing, nullptr).alphabet(), alphabet("a"));
  }
  EXPECT_TRUE(strong_classes(nothing).empty());
  EXPECT_TRUE(weak_classes(nothing).empty());
}

TEST(Minimise, ALoneErrorStateStaysAsItIs) {
  for (const auto minimise : {minimise_strong, minimise_weak, minimise_trace})
    EXPECT_EQ(text(minimise(lts("error=0"), nullptr)), "error=0");
}

TEST(Minimise, ClassesAreNumberedInTheOrderOfTheStates) {
  EXPECT_EQ(strong_classes(lts("0 a 1, 1 b 0, 2 a 3, 3 b 2, 4 c 4")), (std::vector<std::uint32_t>{0, 1, 0, 1, 2}));
  EXPECT_EQ(weak_classes(lts("0 a 1, 1 tau 2, 2 b 0")), (std::vector<std::uint32_t>{0, 1, 1}));
}

}  // namespace
}  // namespace surety
