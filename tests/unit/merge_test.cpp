#include "rules/merge.hpp"

#include <gtest/gtest.h>

#include "reference/reference.hpp"

namespace surety {
namespace {

using reference::alphabet;
using reference::word;

TEST(Merge, TakesOfTheOthersOnlyWhatTheFirstNeeds) {
  const auto merged = merge({{word("x go"), alphabet("x go")}, {word("y tau go z"), alphabet("y go z")}});
  EXPECT_TRUE(merged.stuck.empty());
  EXPECT_EQ(merged.trace, word("x y tau go"));
}

TEST(Merge, PassesOverActionsThatAreSomebodyElses) {
  const auto merged = merge({{word("a b c"), alphabet("a c")}, {word("b"), alphabet("b")}});
  EXPECT_EQ(merged.trace, word("a c"));
}

TEST(Merge, NamesTheActionsThatWaitForEachOther) {
  const auto merged = merge({{word("a b"), alphabet("a b")}, {word("b a"), alphabet("a b")}});
  EXPECT_EQ(merged.stuck, alphabet("a b"));
}

TEST(Merge, NamesAnActionThatAPartnerNeverDoes) {
  const auto merged = merge({{word("a"), alphabet("a")}, {word(""), alphabet("a")}});
  EXPECT_EQ(merged.stuck, alphabet("a"));
}

// Each two agree, all three do not.
TEST(Merge, FindsCircles) {
  const auto merged =
      merge({{word("a c"), alphabet("a c")}, {word("b a"), alphabet("a b")}, {word("c b"), alphabet("b c")}});
  EXPECT_FALSE(merged.stuck.empty());
}

// Traces of the parts of one run always fit together, and to a run of the whole.
TEST(Merge, PutsRunsTogetherThatWereTakenApart) {
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Alphabet> alphabets;
    for (int i = 0; i < 3; ++i) {
      std::vector<Action> letters;
      for (char c = 'a'; c < 'g'; ++c)
        if (random.chance(50)) letters.push_back(reference::action(std::string(1, c)));
      alphabets.emplace_back(letters);
    }
    Trace run;
    const Alphabet all = unite(alphabets[0], unite(alphabets[1], alphabets[2]));
    if (all.empty()) continue;
    for (int i = 0; i < 8; ++i) run.push_back(all[random.below(static_cast<std::uint32_t>(all.size()))]);
    std::vector<LocalTrace> locals{{run, all}};
    for (const auto& a : alphabets) locals.push_back({project(run, a), a});
    EXPECT_EQ(merge(locals).trace, run);
    locals.erase(locals.begin());
    const auto merged = merge(locals);
    EXPECT_TRUE(merged.stuck.empty());
    EXPECT_EQ(project(merged.trace, alphabets[0]), project(run, alphabets[0]));
    for (const auto& a : alphabets) {
      const Trace part = project(merged.trace, a), whole = project(run, a);
      EXPECT_TRUE(part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin()));
    }
  }
}

}  // namespace
}  // namespace surety
