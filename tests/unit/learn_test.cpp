// The pieces around the learners: the cache, the loop, the W-method. The learners: learner_contract_test.cpp.

#include <gtest/gtest.h>

#include "learn/caching_teacher.hpp"
#include "learn/conformance.hpp"
#include "learn/cover.hpp"
#include "learn/learner.hpp"
#include "learn/prove.hpp"
#include "learner_help.hpp"

namespace surety {
namespace {

using namespace test;
using reference::lts;
using reference::word;

TEST(Learners, AreFoundByTheirNames) {
  for (const auto kind : kLearnerKinds) EXPECT_EQ(learner_from_name(learner_name(kind)), kind);
  EXPECT_EQ(learner_from_name("lstar-angluin"), LearnerKind::lstar_angluin);
  EXPECT_FALSE(learner_from_name("L*"));
}

TEST(CachingTeacher, AnswersExtensionsOfRejectedAndPrefixesOfAcceptedWordsItself) {
  KnowingTeacher teacher(lts("0 a 1, 1 a 2, +b"), reference::alphabet("a b"));
  Budget budget;
  CachingTeacher cache(teacher, budget);
  EXPECT_TRUE(cache.member(word("a a")));
  EXPECT_TRUE(cache.member(word("a")));
  EXPECT_TRUE(cache.member(word("")));
  EXPECT_FALSE(cache.member(word("b")));
  EXPECT_FALSE(cache.member(word("b a a")));
  EXPECT_FALSE(cache.member(word("b")));
  EXPECT_EQ(cache.queries(), 2U);
}

TEST(CachingTeacher, AgreesWithItsTeacherOnRandomWords) {
  Random random(21);
  for (int i = 0; i < 100; ++i) {
    const Alphabet alphabet = first_letters(1 + random.below(4));
    KnowingTeacher teacher(random_deterministic(random, 10, alphabet), alphabet);
    Budget budget;
    CachingTeacher cache(teacher, budget);
    for (int j = 0; j < 200; ++j) {
      Trace w;
      for (std::uint32_t n = random.below(12); n > 0; --n)
        w.push_back(alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))]);
      EXPECT_EQ(cache.member(w), teacher.target().has(w));
    }
  }
}

TEST(Prove, EndsWithTheLastConjectureWhenTheQueriesRunOut) {
  KnowingTeacher teacher(lts("0 a 1, 1 a 2, 2 b 0"), reference::alphabet("a b"));
  Limits limits;
  limits.queries = 6;
  Budget budget(limits);
  CachingTeacher cache(teacher, budget);
  const auto learner = make_learner(LearnerKind::lstar, cache);
  const Learned learned = prove(*learner, cache, budget);
  const auto* unknown = std::get_if<Unknown>(&learned);
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(unknown->why, Stop::queries);
  EXPECT_FALSE(unknown->assumptions.empty());
}

// --- The W-method.

TEST(TestWords, ReachEveryStepAndTellAllStatesApart) {
  Random random(22);
  for (int i = 0; i < 500; ++i) {
    const Alphabet alphabet = first_letters(random.below(4));
    const Lts target = random_deterministic(random, 12, alphabet);
    const Language language(target, alphabet);
    const auto tests = test_words(Dfa(target, alphabet));
    EXPECT_EQ(tests.classes, complete_size(language));
    EXPECT_EQ(tests.cover.at(0), Trace{});
    EXPECT_EQ(tests.characterising.at(0), Trace{});

    const std::set<Trace> cover(tests.cover.begin(), tests.cover.end());
    EXPECT_EQ(cover.size(), tests.cover.size());
    std::set<int> reached;
    std::set<std::vector<bool>> signatures;
    std::set<std::pair<int, Action>> steps;
    for (const Trace& w : tests.cover) {
      int s = language.start();
      for (std::size_t k = 0; k < w.size(); ++k) {
        if (k + 1 == w.size()) steps.emplace(s, w[k]);
        s = language.next(s, w[k]);
      }
      reached.insert(s);
      std::vector<bool> signature;
      for (const Trace& end : tests.characterising) {
        Trace whole = w;
        whole.insert(whole.end(), end.begin(), end.end());
        signature.push_back(language.has(whole));
      }
      signatures.insert(signature);
    }
    EXPECT_EQ(signatures.size(), tests.classes);
    reached.erase(-1);
    EXPECT_EQ(steps.size(), reached.size() * alphabet.size());
    EXPECT_LE(tests.characterising.size(), std::max<std::size_t>(tests.classes, 1));
  }
}

TEST(Conformance, FindsADifferenceIffThereIsOneWithinTheBound) {
  Random random(23);
  int different = 0;
  for (int i = 0; i < 2000; ++i) {
    const Alphabet alphabet = first_letters(1 + random.below(2));
    const Lts guess = random.chance(5) ? Lts() : random_deterministic(random, 4, alphabet);
    const Lts target = random.chance(5) ? Lts() : random_deterministic(random, 5, alphabet);
    KnowingTeacher teacher(target, alphabet);
    Budget budget;
    CachingTeacher cache(teacher, budget);
    const Language language(guess, alphabet);
    const auto word = find_nonconformance(guess, cache, complete_size(teacher.target()), budget);
    EXPECT_EQ(word.has_value(), shortest_difference(language, teacher.target()).has_value());
    if (word) {
      EXPECT_NE(language.has(*word), teacher.target().has(*word));
    }
    different += word.has_value();
  }
  EXPECT_GT(different, 500);
  EXPECT_LT(different, 1950);
}

TEST(Conformance, MissesWhatLiesBeyondTheBound) {
  const Lts target = lts("0 a 1, 1 a 2, 2 a 3, 3 a 4, 4 a 5");  // 7 states with the sink
  KnowingTeacher teacher(target, reference::alphabet("a"));
  Budget budget;
  CachingTeacher cache(teacher, budget);
  const Lts guess = lts("0 a 0");
  EXPECT_FALSE(find_nonconformance(guess, cache, 5, budget));
  EXPECT_EQ(find_nonconformance(guess, cache, 7, budget), word("a a a a a a"));
}

// However large the bound: five letters are the longest word there is.
TEST(Conformance, EndsWithTheLanguage) {
  const Lts target = lts("0 a 1, 1 a 2, 2 a 3, 3 a 4, 4 a 5");
  KnowingTeacher teacher(target, reference::alphabet("a"));
  Budget budget;
  CachingTeacher cache(teacher, budget);
  EXPECT_FALSE(find_nonconformance(target, cache, std::uint64_t{1} << 60, budget));
}

TEST(Conformance, StopsWithTheBudget) {
  LtsBuilder builder;
  for (const Action a : first_letters(5)) builder.add_step(State{0}, a, State{0});
  const Lts full = builder.build();
  KnowingTeacher teacher(full, first_letters(5));
  Limits limits;
  limits.queries = 100;
  Budget budget(limits);
  CachingTeacher cache(teacher, budget);
  EXPECT_FALSE(find_nonconformance(full, cache, 50, budget));
  EXPECT_EQ(budget.why(), Stop::queries);
  EXPECT_EQ(teacher.asked.size(), 100U);
}

}  // namespace
}  // namespace surety
