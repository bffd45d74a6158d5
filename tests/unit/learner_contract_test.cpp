// What every learner must keep. A new learner joins by its line in kLearnerKinds.

#include <gtest/gtest.h>

#include "learn/caching_teacher.hpp"
#include "learn/conformance.hpp"
#include "learn/learner.hpp"
#include "learn/prove.hpp"
#include "learn/seed.hpp"
#include "learner_help.hpp"

namespace surety {
namespace {

using namespace test;
using reference::lts;

std::string test_name(const testing::TestParamInfo<LearnerKind>& info) {
  std::string name(learner_name(info.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class LearnerContract : public testing::TestWithParam<LearnerKind> {
 protected:
  // Learns and checks the outcome; what holds in between is checked by the teacher. How many conjectures it took.
  std::size_t learn(KnowingTeacher& teacher, const Lts* start = nullptr) {
    Budget budget;
    CachingTeacher cache(teacher, budget);
    const auto learner = make_learner(GetParam(), cache);
    if (start != nullptr) seed(*learner, cache, *start, budget);
    const Learned learned = prove(*learner, cache, budget);
    const auto* proved = std::get_if<Proved>(&learned);
    EXPECT_NE(proved, nullptr);
    if (proved == nullptr) return 0;
    check_right(proved->assumption, teacher);
    EXPECT_EQ(cache.queries(), teacher.asked.size());
    return teacher.conjectures;
  }

  static void check_right(const Lts& got, const KnowingTeacher& teacher) {
    const Language language(got, teacher.alphabet());
    EXPECT_FALSE(shortest_difference(language, teacher.target())) << got;
    const auto complete = complete_size(teacher.target());
    const bool has_sink = complete_size(language) > got.state_count() && got.state_count() > 0;
    if (got.state_count() > 0) {
      EXPECT_EQ(got.state_count() + has_sink, complete) << "not minimal: " << got;
      EXPECT_EQ(got.alphabet(), teacher.alphabet());
    }
    EXPECT_LE(teacher.conjectures, std::max<std::size_t>(complete, 1));
  }

  std::size_t learn(const Lts& target, const Alphabet& alphabet, Random* stray = nullptr, const Lts* start = nullptr) {
    KnowingTeacher teacher(target, alphabet, stray);
    return learn(teacher, start);
  }
};
INSTANTIATE_TEST_SUITE_P(All, LearnerContract, testing::ValuesIn(kLearnerKinds), test_name);

TEST_P(LearnerContract, LearnsEverySmallLanguage) {
  Random stray(3);
  auto both = [&](const Lts& target, const Alphabet& alphabet) {
    learn(target, alphabet);
    learn(target, alphabet, &stray);
  };
  for (std::uint32_t letters = 0; letters <= 3; ++letters)
    for (std::uint32_t states = 1; states * letters <= 6 && states <= 4; ++states)
      for_each_deterministic(states, first_letters(letters),
                             [&](const Lts& target) { both(target, first_letters(letters)); });
}

TEST_P(LearnerContract, LearnsTheEmptyAndTheFullLanguage) {
  for (std::uint32_t letters = 0; letters <= 5; ++letters) {
    EXPECT_EQ(learn(lts("states=0"), first_letters(letters)), 1U);
    LtsBuilder full;
    for (const Action a : first_letters(letters)) full.add_step(State{0}, a, State{0});
    EXPECT_EQ(learn(full.build(), first_letters(letters)), 1U);
  }
}

TEST_P(LearnerContract, LearnsRandomLanguagesFromShortestCounterexamples) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const Alphabet alphabet = first_letters(1 + random.below(5));
    learn(random_deterministic(random, 30, alphabet), alphabet);
  }
}

TEST_P(LearnerContract, LearnsRandomLanguagesFromLongCounterexamples) {
  Random random(8), stray(9);
  for (int i = 0; i < 1000; ++i) {
    const Alphabet alphabet = first_letters(1 + random.below(5));
    learn(random_deterministic(random, 30, alphabet), alphabet, &stray);
  }
}

// Many states that look alike for long: what TTT's blocks and long suffixes are about.
TEST_P(LearnerContract, LearnsCountersAndRings) {
  Random stray(10);
  for (const std::uint32_t n : {2U, 3U, 17U, 40U})
    for (const bool ring : {false, true}) {
      LtsBuilder builder;
      builder.set_state_count(n);
      for (std::uint32_t i = 0; i + 1 < n || (ring && i < n); ++i) {
        builder.add_step(State{i}, reference::action("a"), State{(i + 1) % n});
        if (i + 1 < n) builder.add_step(State{i}, reference::action("b"), State{i});
      }
      const Lts target = builder.build();
      learn(target, reference::alphabet("a b"));
      learn(target, reference::alphabet("a b c"), &stray);
    }
}

TEST_P(LearnerContract, EndsQuietlyWhereverTheQueriesRunOut) {
  Random random(11);
  for (int i = 0; i < 40; ++i) {
    const Alphabet alphabet = first_letters(1 + random.below(3));
    const Lts target = random_deterministic(random, 12, alphabet);
    const Lts start = random_deterministic(random, 6, alphabet);
    KnowingTeacher whole(target, alphabet);
    learn(whole, &start);
    for (std::uint64_t queries = 0; queries <= whole.asked.size(); ++queries) {
      Random stray(queries);
      KnowingTeacher teacher(target, alphabet);
      Limits limits;
      limits.queries = queries;
      Budget budget(limits);
      CachingTeacher cache(teacher, budget);
      const auto learner = make_learner(GetParam(), cache);
      seed(*learner, cache, start, budget);
      const Learned learned = prove(*learner, cache, budget);
      if (queries == whole.asked.size()) {
        EXPECT_TRUE(std::holds_alternative<Proved>(learned));
      } else {
        const auto* unknown = std::get_if<Unknown>(&learned);
        ASSERT_NE(unknown, nullptr);
        EXPECT_EQ(unknown->why, Stop::queries);
        EXPECT_EQ(unknown->assumptions.empty(), teacher.conjectures == 0);
      }
    }
  }
}

// --- Seeds.

// The same language with every state there twice, and steps to either copy.
Lts doubled(const Lts& lts, Random& random) {
  LtsBuilder builder;
  builder.set_state_count(2 * lts.state_count());
  builder.add_to_alphabet(lts.alphabet());
  for (std::uint32_t s = 0; s < 2 * lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s / 2}))
      builder.add_step(State{s}, step.action, State{2 * step.target.value + random.below(2)});
  return builder.build();
}

TEST_P(LearnerContract, NeedsOneConjectureFromARightSeed) {
  Random random(12);
  for (int i = 0; i < 500; ++i) {
    const Alphabet alphabet = first_letters(1 + random.below(4));
    const Lts target = random_deterministic(random, 15, alphabet);
    EXPECT_EQ(learn(target, alphabet, nullptr, &target), 1U);
    const Lts copy = doubled(target, random);
    EXPECT_EQ(learn(target, alphabet, nullptr, &copy), 1U);
  }
  for_each_deterministic(2, first_letters(2),
                         [&](const Lts& target) { EXPECT_EQ(learn(target, first_letters(2), nullptr, &target), 1U); });
}

TEST_P(LearnerContract, NeedsOneConjectureFromARightSeedWithLettersToSpare) {
  Random random(13);
  for (int i = 0; i < 200; ++i) {
    const Alphabet alphabet = first_letters(2);
    const Lts start = random_deterministic(random, 12, first_letters(4));
    LtsBuilder builder;  // start without the letters c and d
    builder.set_state_count(start.state_count());
    for (std::uint32_t s = 0; s < start.state_count(); ++s)
      for (const Step& step : start.steps(State{s}))
        if (alphabet.contains(step.action)) builder.add_step(State{s}, step.action, step.target);
    EXPECT_EQ(learn(builder.build(), alphabet, nullptr, &start), 1U);
  }
}

TEST_P(LearnerContract, LearnsFromEverySmallSeedWhateverTheTarget) {
  const auto all = reference::small_ltss();
  for (const Lts& start : all)
    for (const Lts& target : all)
      if (is_deterministic(start) && is_deterministic(target))
        learn(target, reference::alphabet("a b"), nullptr, &start);
}

TEST_P(LearnerContract, LearnsFromWrongSeedsOverOtherAlphabets) {
  Random random(14), stray(15);
  for (int i = 0; i < 500; ++i) {
    const Alphabet alphabet = first_letters(1 + random.below(4));
    const Lts target = random_deterministic(random, 20, alphabet);
    const Lts start = random_deterministic(random, 40, first_letters(random.below(6)));
    learn(target, alphabet, i % 2 == 0 ? &stray : nullptr, &start);
  }
}

// --- Learning by queries alone.

class BoundedTeacher : public KnowingTeacher {
 public:
  BoundedTeacher(const Lts& target, const Alphabet& alphabet, std::size_t bound)
      : KnowingTeacher(target, alphabet), bound_(bound) {}
  CachingTeacher* cache = nullptr;
  Budget* budget = nullptr;

 private:
  std::optional<Trace> find_difference(const Lts& hypothesis, const Language&) override {
    return find_nonconformance(hypothesis, *cache, bound_, *budget);
  }
  std::size_t bound_;
};

TEST_P(LearnerContract, LearnsByTheWMethodWithARightBound) {
  Random random(16);
  auto by_queries = [&](const Lts& target, const Alphabet& alphabet, std::size_t slack) {
    BoundedTeacher teacher(target, alphabet, complete_size(Language(target, alphabet)) + slack);
    Budget budget;
    CachingTeacher cache(teacher, budget);
    teacher.cache = &cache;
    teacher.budget = &budget;
    const auto learner = make_learner(GetParam(), cache);
    const Learned learned = prove(*learner, cache, budget);
    ASSERT_TRUE(std::holds_alternative<Proved>(learned));
    check_right(std::get<Proved>(learned).assumption, teacher);
  };
  for_each_deterministic(2, first_letters(2), [&](const Lts& target) { by_queries(target, first_letters(2), 1); });
  for_each_deterministic(4, first_letters(1), [&](const Lts& target) { by_queries(target, first_letters(1), 0); });
  for (int i = 0; i < 200; ++i) {
    const Alphabet alphabet = first_letters(1 + random.below(3));
    by_queries(random_deterministic(random, 6, alphabet), alphabet, 0);
  }
}

}  // namespace
}  // namespace surety
