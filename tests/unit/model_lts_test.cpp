#include <gtest/gtest.h>

#include <algorithm>

#include "base/check.hpp"
#include "model/action_name.hpp"
#include "model/lts.hpp"
#include "model/network.hpp"
#include "model/sequence_table.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using namespace reference;

TEST(Actions, AreInternedOnce) {
  ActionTable table;
  const Action a = table.intern("go");
  EXPECT_EQ(table.intern("go"), a);
  EXPECT_NE(table.intern("stop"), a);
  EXPECT_EQ(table.name(a), "go");
}

TEST(Actions, ANameThatLooksLikeTauIsNotTau) {
  ActionTable table;
  EXPECT_NE(table.intern("tau"), kTau);
  EXPECT_EQ(table.name(kTau), "tau");
}

TEST(Actions, NamesStayValidWhenTheTableGrows) {
  ActionTable table;
  const std::string_view first = table.name(table.intern("first"));
  for (int i = 0; i < 10000; ++i) table.intern("a" + std::to_string(i));
  EXPECT_EQ(first, "first");
  EXPECT_EQ(table.intern("a77"), table.intern("a77"));
}

TEST(ActionNames, ComeApartAtTheirDotsAndTogetherAgain) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(ActionName("request.1.-2").parts, (Parts{"request", "1", "-2"}));
  EXPECT_EQ(ActionName("a").parts, Parts{"a"});
  EXPECT_EQ(ActionName("a.").parts, (Parts{"a", ""}));
  EXPECT_EQ(ActionName("").parts, Parts{""});
  for (const auto* name : {"request.1.-2", "a", "a.", ".a", "", ".."}) EXPECT_EQ(ActionName(name).text(), name);
  EXPECT_EQ(ActionName::number("-2"), -2);
  EXPECT_FALSE(ActionName::number("2a"));
  EXPECT_FALSE(ActionName::number(""));
}

TEST(Alphabets, AreSortedSetsWithoutTau) {
  const Action a = action("a"), b = action("b");
  EXPECT_EQ(Alphabet({b, a, kTau, b}), Alphabet({a, b}));
  EXPECT_FALSE(Alphabet({kTau}).contains(kTau));
  EXPECT_EQ(Alphabet({a, b}).index(std::max(a, b)), 1U);
  EXPECT_EQ(Alphabet({a}).index(b), std::nullopt);
}

TEST(Alphabets, HaveTheOperationsOfSets) {
  EXPECT_EQ(unite(alphabet("a b"), alphabet("b c")), alphabet("a b c"));
  EXPECT_EQ(intersect(alphabet("a b"), alphabet("b c")), alphabet("b"));
  EXPECT_EQ(subtract(alphabet("a b"), alphabet("b c")), alphabet("a"));
  EXPECT_EQ(subtract({}, alphabet("a")), Alphabet{});
}

TEST(Alphabets, ShowTheirNamesInAlphabeticalOrder) {
  const Alphabet mixed = alphabet("zebra ant mouse");
  EXPECT_EQ(sorted_names(actions(), mixed), (std::vector<std::string>{"ant", "mouse", "zebra"}));
}

TEST(Words, ProjectToTheLettersOfAnAlphabet) {
  EXPECT_EQ(project(word("a tau b a c"), alphabet("a c")), word("a a c"));
}

TEST(LtsBuilder, SortsStepsAndDropsRepetitions) {
  const Lts built = lts("0 b 1, 0 a 1, 0 tau 1, 0 a 0, 0 b 1");
  const Action a = action("a"), b = action("b");
  const std::vector<Step> sorted{{kTau, State{1}}, {a, State{0}}, {a, State{1}}, {b, State{1}}};
  EXPECT_TRUE(std::ranges::equal(built.steps(State{0}), sorted));
  EXPECT_EQ(built.transition_count(), 4U);
}

TEST(LtsBuilder, ForgetsWhatItHasBuilt) {
  LtsBuilder builder;
  builder.set_state_count(3);
  builder.add_step(State{0}, action("a"), State{2});
  builder.set_error(State{2});
  builder.build();
  EXPECT_EQ(text(builder.build()), "");
}

TEST(LtsBuilder, KeepsActionsWithoutSteps) {
  const Lts refusing = lts("0 a 0, +b");
  EXPECT_EQ(refusing.alphabet(), alphabet("a b"));
  EXPECT_TRUE(refusing.steps(State{0}, action("b")).empty());
}

TEST(LtsBuilder, RefusesStepsFromErrorAndEnd) {
  EXPECT_THROW(lts("0 a 1, 1 a 0, error=1"), InternalError);
  EXPECT_THROW(lts("0 a 1, 1 a 0, end=1"), InternalError);
  EXPECT_THROW(lts("0 a 1, error=1, end=1"), InternalError);
}

TEST(LtsBuilder, RefusesStepsToStatesThatAreNotThere) { EXPECT_THROW(lts("0 a 1, states=1"), InternalError); }

TEST(LtsBuilder, CanBuildTheEmptyLanguage) {
  const Lts nothing = lts("states=0, +a");
  EXPECT_EQ(nothing.state_count(), 0U);
  EXPECT_EQ(nothing.alphabet(), alphabet("a"));
  EXPECT_EQ(Lts().state_count(), 0U);
}

TEST(Lts, FindsTheStepsOfOneAction) {
  const Lts coin = lts("0 toss 1, 0 toss 2, 0 walk 0, 1 heads 0, 2 tails 0");
  EXPECT_EQ(coin.steps(State{0}, action("toss")).size(), 2U);
  EXPECT_EQ(coin.steps(State{0}, action("heads")).size(), 0U);
  EXPECT_EQ(coin.steps(State{1}, action("heads")).front().target, State{0});
}

TEST(Lts, IsDeterministicWithoutTauAndWithoutChoicesOfOneAction) {
  EXPECT_TRUE(is_deterministic(lts("0 a 1, 0 b 1")));
  EXPECT_TRUE(is_deterministic(lts("states=0")));
  EXPECT_FALSE(is_deterministic(lts("0 a 0, 0 a 1")));
  EXPECT_FALSE(is_deterministic(lts("0 a 1, 1 tau 0")));
}

TEST(Network, HasTheActionsOfItsComponents) {
  EXPECT_EQ(alphabet_of(Network{"", {{"A", lts("0 a 0")}, {"B", lts("+b")}}}), alphabet("a b"));
  EXPECT_EQ(alphabet_of(Network{}), Alphabet{});
}

TEST(SequenceTable, GivesEqualSequencesEqualNumbers) {
  SequenceTable table;
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(table.intern(Numbers{1, 2}), 0U);
  EXPECT_EQ(table.intern(Numbers{}), 1U);
  EXPECT_EQ(table.intern(Numbers{1}), 2U);
  EXPECT_EQ(table.intern(Numbers{1, 2}), 0U);
  EXPECT_EQ(table.intern(Numbers{}), 1U);
  EXPECT_EQ(table.size(), 3U);
}

TEST(SequenceTable, RemembersThousands) {
  SequenceTable table;
  for (std::uint32_t i = 0; i < 5000; ++i) ASSERT_EQ(table.intern(std::vector{i % 7, i}), i);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(table.intern(std::vector{i % 7, i}), i);
    ASSERT_EQ(table[i][1], i);
  }
}

}  // namespace
}  // namespace surety
