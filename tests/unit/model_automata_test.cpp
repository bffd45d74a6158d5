#include <gtest/gtest.h>

#include "base/check.hpp"
#include "model/automata.hpp"
#include "model/transform.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using namespace reference;

TEST(Determinise, KeepsTheTracesOfANondeterministicChoice) {
  const Lts coin = lts("0 toss 1, 0 toss 2, 1 heads 0, 2 tails 0");
  EXPECT_EQ(text(determinise(coin)), "0 toss 1, 1 heads 0, 1 tails 0");
}

TEST(Determinise, ClosesUnderTau) {
  EXPECT_EQ(text(determinise(lts("0 tau 1, 1 tau 2, 2 tau 0, 1 a 3, 3 tau 0"))), "0 a 1, 1 a 1");
}

TEST(Determinise, WhatMayBeInErrorIsInError) {
  EXPECT_EQ(text(determinise(lts("0 a 1, 0 a 2, 2 b 0, error=1"))), "0 a 1, error=1, +b");
  EXPECT_EQ(text(determinise(lts("0 tau 1, 0 a 0, error=1"))), "error=0, +a");
}

TEST(Determinise, WhatMayHaveEndedAndDoesNothingElseHasEnded) {
  EXPECT_EQ(text(determinise(lts("0 a 1, 0 a 2, 2 tau 3, end=3"))), "0 a 1, end=1");
  EXPECT_EQ(text(determinise(lts("0 a 1, 0 a 2, 2 b 0, end=1"))), "0 a 1, 1 b 0");
}

TEST(Determinise, TwoSetsThatHaveEndedAreOneState) {
  EXPECT_EQ(text(determinise(lts("0 a 1, 0 b 2, 2 tau 1, end=1"))), "0 a 1, 0 b 1, end=1");
}

TEST(Determinise, MayNeedExponentiallyManyStates) {
  // The fourth letter from the end is an a.
  const Lts guess = lts("0 a 0, 0 b 0, 0 a 1, 1 a 2, 1 b 2, 2 a 3, 2 b 3, 3 a 4, 3 b 4, 4 end 4");
  EXPECT_EQ(determinise(guess).state_count(), 17U);
}

TEST(Determinise, OfADeterministicLtsOnlyRenumbers) {
  const Lts plain = lts("0 a 2, 2 b 1, 3 c 3");
  EXPECT_EQ(text(determinise(plain)), text(reachable(plain)));
}

TEST(Determinise, TheEmptyLanguageStaysEmpty) { EXPECT_EQ(determinise(lts("states=0")).state_count(), 0U); }

TEST(Complete, SendsEveryMissingStepToError) {
  EXPECT_EQ(text(complete(lts("0 a 1, 1 b 0"))), "0 a 1, 0 b 2, 1 a 2, 1 b 0, error=2");
}

TEST(Complete, NeedsNoErrorStateWhenNothingIsMissing) {
  EXPECT_EQ(text(complete(lts("0 a 0, 0 b 0"))), "0 a 0, 0 b 0");
}

TEST(Complete, ForgetsThatAPropertyEnds) { EXPECT_EQ(text(complete(lts("0 a 1, end=1"))), "0 a 1, 1 a 2, error=2"); }

TEST(Complete, UsesTheErrorStateThatIsThere) {
  EXPECT_EQ(text(complete(lts("0 a 1, 0 b 2, error=1"))), "0 a 1, 0 b 2, 2 a 1, 2 b 1, error=1");
}

TEST(Complete, OfTheEmptyLanguageIsErrorFromTheStart) { EXPECT_EQ(text(complete(lts("states=0, +a"))), "error=0, +a"); }

TEST(Complete, RefusesANondeterministicLts) { EXPECT_THROW(complete(lts("0 a 0, 0 a 1")), InternalError); }

TEST(Complement, AcceptsWhatTheLtsCannotDo) {
  const Automaton co = complement(lts("0 a 1, 1 b 0"));
  EXPECT_EQ(text(co.lts), "0 a 1, 0 b 2, 1 a 2, 1 b 0, 2 a 2, 2 b 2");
  EXPECT_EQ(co.accepting, (std::vector<bool>{false, false, true}));
}

TEST(Complement, AcceptsAWordThatCanReachErrorAndAllThatFollows) {
  const Automaton co = complement(lts("0 a 1, 0 b 0, error=1"));
  EXPECT_EQ(text(co.lts), "0 a 1, 0 b 0, 1 a 1, 1 b 1");
  EXPECT_EQ(co.accepting, (std::vector<bool>{false, true}));
}

TEST(Complement, OfAllWordsIsNothing) {
  const Automaton co = complement(lts("0 a 0, 0 b 0"));
  EXPECT_EQ(co.accepting, std::vector<bool>{false});
}

TEST(Complement, OfTheEmptyLanguageIsEveryWord) {
  const Automaton co = complement(lts("states=0, +a"));
  EXPECT_EQ(text(co.lts), "0 a 0");
  EXPECT_EQ(co.accepting, std::vector<bool>{true});
}

}  // namespace
}  // namespace surety
