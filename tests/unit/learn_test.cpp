// One contract suite for all learners; a new one joins by a line in kLearners.

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "learn/caching_teacher.hpp"
#include "learn/learner.hpp"
#include "learn/lstar.hpp"
#include "learn/prove.hpp"
#include "model/equivalence.hpp"
#include "model/minimise.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using reference::lts;
using reference::word;

// Knows the language: a deterministic LTS (without states: the empty language).
class PerfectTeacher : public Teacher {
 public:
  explicit PerfectTeacher(Lts target, Alphabet alphabet) : target_(std::move(target)), alphabet_(std::move(alphabet)) {}
  const Alphabet& alphabet() const override { return alphabet_; }
  bool member(Word w) override {
    ++asked;
    return target_.state_count() > 0 && reference::has_word(target_, w);
  }
  Answer conjecture(const Lts& hypothesis) override {
    ++conjectures;
    EXPECT_TRUE(is_deterministic(hypothesis));
    if (hypothesis.state_count() == 0 || target_.state_count() == 0) {
      if (hypothesis.state_count() == target_.state_count()) return Accepted{};
      return Refine{{}};
    }
    const auto wrong = difference(hypothesis, target_, Equivalence::trace);
    if (!wrong) return Accepted{};
    return Refine{wrong->trace};
  }
  std::uint64_t asked = 0, conjectures = 0;

 private:
  Lts target_;
  Alphabet alphabet_;
};

struct Named {
  const char* name;
  std::function<std::unique_ptr<Learner>(Teacher&)> make;
};
const Named kLearners[] = {
    {"lstar", [](Teacher& teacher) { return make_learner(LearnerKind::lstar, teacher); }},
    {"lstar_angluin", [](Teacher& teacher) { return make_learner(LearnerKind::lstar_angluin, teacher); }},
    {"kv", [](Teacher& teacher) { return make_learner(LearnerKind::kv, teacher); }},
    {"ttt", [](Teacher& teacher) { return make_learner(LearnerKind::ttt, teacher); }},
};

class LearnerContract : public testing::TestWithParam<Named> {
 protected:
  // Learns the target and checks what every learner must keep.
  void learns(const Lts& target, const Alphabet& alphabet) {
    PerfectTeacher teacher(target, alphabet);
    Budget budget;
    CachingTeacher cache(teacher, budget);
    const auto learner = GetParam().make(cache);
    Learned learned = prove(*learner, cache, budget);
    const auto* proved = std::get_if<Proved>(&learned);
    ASSERT_NE(proved, nullptr);
    const Lts& got = proved->assumption;
    if (target.state_count() == 0) {
      EXPECT_EQ(got.state_count(), 0U);
      return;
    }
    EXPECT_FALSE(difference(got, target, Equivalence::trace)) << got << "\n" << target;
    EXPECT_EQ(got.state_count(), minimise_trace(target).state_count()) << "not minimal: " << got;
    EXPECT_EQ(got.alphabet(), alphabet);
    // One conjecture at most for each state of the minimal complete automaton, sink included.
    EXPECT_LE(teacher.conjectures, got.state_count() + 1ULL);
    EXPECT_EQ(cache.queries(), teacher.asked);
  }
};
INSTANTIATE_TEST_SUITE_P(All, LearnerContract, testing::ValuesIn(kLearners),
                         [](const auto& p) { return p.param.name; });

TEST_P(LearnerContract, LearnsEverySmallLanguage) {
  reference::for_each_small_lts([&](const Lts& target) {
    if (is_deterministic(target)) learns(target, reference::alphabet("a b"));
  });
}

TEST_P(LearnerContract, LearnsRandomLanguages) {
  Random random(7);
  for (int i = 0; i < 400; ++i) {
    reference::Shape shape{
        .states = 1 + random.below(12), .actions = 1 + random.below(4), .steps = 5 + random.below(30)};
    shape.error_percent = shape.end_percent = 0;
    shape.deterministic = true;
    const Lts target = reference::random_lts(random, shape);
    learns(target, unite(target.alphabet(), reference::alphabet("z")));
  }
}

TEST_P(LearnerContract, LearnsACounterThatNeedsALongCounterexample) {
  LtsBuilder builder;
  builder.set_state_count(40);
  for (std::uint32_t i = 0; i + 1 < 40; ++i) builder.add_step(State{i}, reference::action("a"), State{i + 1});
  learns(builder.build(), reference::alphabet("a b"));
}

TEST_P(LearnerContract, LearnsOverAnEmptyAlphabet) { learns(lts("states=1"), Alphabet{}); }

TEST(CachingTeacher, AnswersExtensionsOfRejectedAndPrefixesOfAcceptedWordsItself) {
  PerfectTeacher teacher(lts("0 a 1, 1 a 2, +b"), reference::alphabet("a b"));
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

TEST(Prove, EndsWithTheLastConjectureWhenTheQueriesRunOut) {
  PerfectTeacher teacher(lts("0 a 1, 1 a 2, 2 b 0"), reference::alphabet("a b"));
  Limits limits;
  limits.queries = 6;
  Budget budget(limits);
  CachingTeacher cache(teacher, budget);
  LStar learner(cache);
  const Learned learned = prove(learner, cache, budget);
  const auto* unknown = std::get_if<Unknown>(&learned);
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(unknown->why, Stop::queries);
  EXPECT_FALSE(unknown->assumptions.empty());
}

}  // namespace
}  // namespace surety
