#include "rules/weakest.hpp"

#include <gtest/gtest.h>

#include "certify/certify.hpp"
#include "engine/product/subset.hpp"
#include "learn/caching_teacher.hpp"
#include "learn/prove.hpp"
#include "model/equivalence.hpp"
#include "model/transform.hpp"
#include "reference/reference.hpp"
#include "rules/interface.hpp"
#include "rules/rules.hpp"
#include "rules/triple.hpp"

namespace surety {
namespace {

using reference::alphabet;
using reference::lts;
using reference::text;
using reference::word;

// The communication channel of the papers (examples/channel).
const Lts kInput = lts("0 input 1, 1 send 2, 2 ack 0");
const Lts kOutputEager = lts("0 send 1, 1 send 1, 1 output 2, 2 ack 0");
const Lts kOutputHasty = lts("0 send 1, 1 output 2, 1 ack 0, 2 ack 0");
const Lts kOrder = lts("0 input 1, 1 output 0");

struct Trial {
  Budget budget;
  Cost cost;
  Context context(LearnerKind learner = LearnerKind::lstar) {
    return {.budget = budget, .cost = cost, .threads = 1, .learner = learner};
  }
};

Lts weakest(const std::vector<Part>& system, const Alphabet& letters) {
  Trial run;
  return *weakest_assumption(system, letters, run.context());
}
Lts weakest(const Lts& m1, const Lts& property, const Alphabet& letters) {
  return weakest(triple(nullptr, {&m1}, property), letters);
}

TEST(Weakest, HasFourStatesForTheInputOfTheChannel) {
  const Lts found = weakest(kInput, kOrder, alphabet("send output ack"));
  EXPECT_EQ(found.state_count(), 4U);
  EXPECT_TRUE(reference::is_weakest_assumption(found, {&kInput}, kOrder, 6)) << found;
}

TEST(Weakest, IsTheEmptyLanguageIfTheSystemFailsByItself) {
  const Lts found = weakest(lts("0 tau 1, 1 bad 1, 0 go 0"), lts("states=1, +bad"), alphabet("go"));
  EXPECT_EQ(found.state_count(), 0U);
  EXPECT_EQ(found.alphabet(), alphabet("go"));
}

TEST(Weakest, LeavesEverythingThatTheSystemCannotDo) {
  // After a, M cannot do b, so b never hurts; that is the state with all loops.
  EXPECT_EQ(text(weakest(lts("0 a 1, 0 b 0"), lts("0 a 0, +b"), alphabet("a b"))), text(lts("0 a 1, 1 a 1, 1 b 1")));
}

TEST(Weakest, LetsLettersBeThatNobodyHas) {
  EXPECT_EQ(text(weakest(lts("0 a 0"), lts("0 a 0"), alphabet("z"))), text(lts("0 z 0")));
  EXPECT_EQ(text(weakest(lts("0 a 0"), lts("0 a 0"), {})), text(lts("states=1")));
}

TEST(Weakest, CountsTheErrorOfAComponentAndSeveralProperties) {
  const Lts m = lts("0 a 1, 1 a 2, 0 b 0, 0 c 0, 1 b 1, 1 c 1, error=2");
  const Lts p = lts("0 c 0, +b"), q = lts("0 b 0, +c");
  const Lts once = weakest({{&m}, {&p, Role::watch}, {&q, Role::watch}}, alphabet("a b c"));
  EXPECT_EQ(text(once), text(lts("0 a 1, +b, +c")));  // neither b nor c, and a once
}

TEST(Weakest, StopsWithTheBudget) {
  Limits limits;
  limits.states = 2;
  Budget budget(limits);
  Cost cost;
  const Context context{.budget = budget, .cost = cost};
  EXPECT_FALSE(weakest_assumption(triple(nullptr, {&kInput}, kOrder), alphabet("send output ack"), context));
  EXPECT_EQ(budget.why(), Stop::states);
}

// --- generate and discharge

TEST(GenerateAndDischarge, ProvesTheEagerChannelAndRefutesTheHastyOne) {
  Trial run;
  const Verdict good = prove_weakest({{{&kInput}, {&kOutputEager}}, {&kOrder}}, run.context());
  ASSERT_TRUE(std::holds_alternative<Holds>(good));
  EXPECT_EQ(std::get<Holds>(good).certificate.assumptions[0].state_count(), 4U);
  ASSERT_EQ(run.cost.iterations.size(), 1U);
  EXPECT_EQ(run.cost.iterations[0].result, "holds");
  const Verdict bad = prove_weakest({{{&kInput}, {&kOutputHasty}}, {&kOrder}}, run.context());
  ASSERT_TRUE(std::holds_alternative<Violated>(bad));
  EXPECT_TRUE(reference::replays({&kInput, &kOutputHasty}, &kOrder, std::get<Violated>(bad).trace));
}

TEST(GenerateAndDischarge, IsViolatedByM1AloneWhateverM2Does) {
  const Lts m1 = lts("0 tau 1, 1 bad 1, 0 go 0"), m2 = lts("0 go 0"), property = lts("states=1, +bad");
  Trial run;
  const Verdict verdict = prove_weakest({{{&m1}, {&m2}}, {&property}}, run.context());
  ASSERT_TRUE(std::holds_alternative<Violated>(verdict));
  EXPECT_EQ(std::get<Violated>(verdict).trace, word("tau bad"));
}

TEST(GenerateAndDischarge, IsAMethod) {
  ASSERT_NE(find_rule(Method::weakest), nullptr);
  EXPECT_FALSE(find_rule(Method::weakest)->learns);
}

// --- random systems

struct Problem {
  Lts m1, m2, property;
  Alphabet letters;  // of an assumption
};

// Its actions begin with the one of this number.
Lts shifted(Random& random, reference::Shape shape, std::uint32_t first) {
  std::vector<std::pair<Action, Action>> pairs;
  const auto name = [](std::uint32_t i) { return reference::action(std::string(1, static_cast<char>('a' + i))); };
  for (std::uint32_t i = 0; i < shape.actions; ++i) pairs.emplace_back(name(i), name(i + first));
  return relabel(reference::random_lts(random, shape), pairs);
}

// M1 over a..d, M2 over b..e, P over some of them.
Problem random_problem(Random& random, std::uint32_t error_percent = 0) {
  reference::Shape shape{.states = 4, .actions = 4, .steps = 8};
  shape.end_percent = 0;
  shape.error_percent = error_percent;
  Problem p;
  p.m1 = shifted(random, shape, 0);
  shape.error_percent = 0;
  p.m2 = shifted(random, shape, 1);
  shape = {.states = 3, .actions = 3, .steps = 7};
  shape.error_percent = shape.end_percent = 0;
  shape.deterministic = true;
  p.property = shifted(random, shape, random.below(3));
  for (const char* sigma : {"a b", "b c d", "c d e", "a b c d e"})
    if (p.letters.empty() && random.chance(35)) p.letters = alphabet(sigma);
  return p;
}

std::string show(const Problem& p) {
  return "m1: " + text(p.m1) + "\nm2: " + text(p.m2) + "\nproperty: " + text(p.property) + "\n";
}

std::vector<Part> system_of(const Problem& p) { return {{&p.m1}, {&p.property, Role::watch}}; }

// Queries are answered by brute force, conjectures by comparing with the direct construction.
class ExactTeacher : public Teacher {
 public:
  ExactTeacher(const Problem& problem, const Lts& target) : problem_(problem), target_(target) {}
  const Alphabet& alphabet() const override { return problem_.letters; }
  bool member(Word w) override {
    return reference::in_weakest_assumption(w, problem_.letters, {&problem_.m1}, problem_.property);
  }
  Answer conjecture(const Lts& hypothesis) override {
    if (hypothesis.state_count() == 0) return Accepted{};
    if (auto different = difference(hypothesis, target_, Equivalence::trace)) return Refine{different->trace};
    return Accepted{};
  }

 private:
  const Problem& problem_;
  const Lts& target_;
};

TEST(WeakestAtRandom, EqualsBruteForceAndIsMinimal) {
  Random random(11);
  std::array<int, 2> empty{};
  std::uint32_t largest = 0;
  for (int i = 0; i < 1500; ++i) {
    const Problem p = random_problem(random, 30);
    const Lts found = weakest(system_of(p), p.letters);
    const std::size_t length = p.letters.size() > 3 ? 3 : 5;
    for (const Trace& w : reference::all_words_up_to(length, p.letters))
      ASSERT_EQ(found.state_count() > 0 && reference::has_word(found, w),
                reference::in_weakest_assumption(w, p.letters, {&p.m1}, p.property))
          << show(p) << text(found);
    ++empty[found.state_count() == 0];
    if (found.state_count() == 0) continue;
    largest = std::max(largest, found.state_count());
    EXPECT_EQ(found.alphabet(), p.letters);
    const auto same = reference::strong_bisimulation(found);
    for (std::uint32_t s = 0; s < found.state_count(); ++s)
      for (std::uint32_t t = 0; t < s; ++t) ASSERT_FALSE(same[s][t]) << text(found);
  }
  EXPECT_GT(empty[0], 300);
  EXPECT_GT(empty[1], 50);
  EXPECT_GT(largest, 6U);
}

TEST(WeakestAtRandom, SaysWhichEnvironmentsAreSafe) {
  Random random(12);
  std::array<int, 2> seen{};
  for (int i = 0; i < 1500; ++i) {
    const Problem p = random_problem(random);
    const Lts found = weakest(system_of(p), p.letters);
    if (found.state_count() == 0) continue;
    // An environment over the letters, all of them.
    reference::Shape shape{.states = 3, .actions = 5, .steps = 7, .error_percent = 0, .end_percent = 0};
    LtsBuilder builder;
    const Lts raw = reference::random_lts(random, shape);
    builder.set_state_count(raw.state_count());
    builder.add_to_alphabet(p.letters);
    for (std::uint32_t s = 0; s < raw.state_count(); ++s)
      for (const Step& step : raw.steps(State{s}))
        if (step.action == kTau || p.letters.contains(step.action))
          builder.add_step(State{s}, step.action, step.target);
    const Lts environment = builder.build();
    const bool safe = !reference::shortest_violation({&p.m1, &environment}, p.property);
    const bool keeps = !reference::shortest_violation({&environment}, found);
    ASSERT_EQ(safe, keeps) << show(p) << text(environment);
    ++seen[safe];
  }
  EXPECT_GT(seen[0], 150);
  EXPECT_GT(seen[1], 150);
}

class WeakestByLearning : public testing::TestWithParam<LearnerKind> {};

TEST_P(WeakestByLearning, IsWhatEveryLearnerConvergesTo) {
  Random random(13);
  for (int i = 0; i < 150; ++i) {
    const Problem p = random_problem(random);
    if (p.letters.size() > 3) continue;
    const Lts target = weakest(system_of(p), p.letters);
    ExactTeacher exact(p, target);
    Budget budget;
    CachingTeacher teacher(exact, budget);
    const auto learner = make_learner(GetParam(), teacher);
    const Learned learned = prove(*learner, teacher, budget);
    ASSERT_TRUE(std::holds_alternative<Proved>(learned));
    const Lts& found = std::get<Proved>(learned).assumption;
    ASSERT_EQ(found.state_count(), target.state_count()) << show(p);
    ASSERT_EQ(found.transition_count(), target.transition_count()) << show(p);
    if (found.state_count() == 0) continue;
    ASSERT_TRUE(reference::trace_equivalent(found, target)) << show(p);
  }
}

TEST(GenerateAndDischargeAtRandom, AgreesWithBruteForce) {
  Random random(14);
  std::array<int, 2> seen{};
  int long_traces = 0;
  for (int i = 0; i < 6000; ++i) {
    const Problem p = random_problem(random);
    const bool holds = !reference::shortest_violation({&p.m1, &p.m2}, p.property);
    Trial run;
    Verdict verdict = prove_weakest({{{&p.m1}, {&p.m2}}, {&p.property}}, run.context());
    const Network network{"n", {{"m1", p.m1}, {"m2", p.m2}}};
    const Property property{"p", p.property};
    ++seen[holds];
    if (holds) {
      ASSERT_TRUE(std::holds_alternative<Holds>(verdict)) << show(p);
      auto& certificate = std::get<Holds>(verdict).certificate;
      certificate.split = {{"m1"}, {"m2"}};
      ASSERT_EQ(certify::check_safety(network, {&property}, certificate, run.budget).kind,
                certify::Judgement::Kind::accepted)
          << show(p);
      continue;
    }
    ASSERT_TRUE(std::holds_alternative<Violated>(verdict)) << show(p);
    const Trace& trace = std::get<Violated>(verdict).trace;
    ASSERT_EQ(certify::replay_violation(network, property, trace), std::nullopt) << show(p);
    ASSERT_TRUE(reference::replays({&p.m1, &p.m2}, &p.property, trace)) << show(p);
    long_traces += trace.size() > 3;
  }
  EXPECT_GT(seen[0], 1000);
  EXPECT_GT(seen[1], 1000);
  EXPECT_GT(long_traces, 200);
}

// --- interfaces

bool sound(const Problem& p, const Lts& assumption) {
  if (assumption.state_count() == 0) return true;
  return !reference::shortest_violation({&assumption, &p.m1}, p.property);
}

TEST_P(WeakestByLearning, InterfacesAreSoundAndTellWhetherTheyAreTheWeakest) {
  using Weakest = Interface::Weakest;
  Random random(15);
  std::array<int, 3> seen{};
  for (int i = 0; i < 600; ++i) {
    const Problem p = random_problem(random, 30);
    const Lts target = weakest(system_of(p), p.letters);
    Trial run;
    const auto result = generate_interface(system_of(p), p.letters, std::nullopt, run.context(GetParam()));
    ASSERT_TRUE(std::holds_alternative<Interface>(result));
    const auto& interface = std::get<Interface>(result);
    ASSERT_TRUE(sound(p, interface.assumption)) << show(p) << text(interface.assumption);
    ASSERT_EQ(interface.assumption.alphabet(), p.letters);
    ++seen[static_cast<std::size_t>(interface.weakest)];
    ASSERT_EQ(interface.weakest == Weakest::yes,
              (target.state_count() == 0 && interface.assumption.state_count() == 0) ||
                  (target.state_count() > 0 && interface.assumption.state_count() > 0 &&
                   reference::trace_equivalent(interface.assumption, target)))
        << show(p);
    if (interface.weakest == Weakest::no) {
      ASSERT_TRUE(reference::in_weakest_assumption(interface.lacks, p.letters, {&p.m1}, p.property)) << show(p);
      ASSERT_FALSE(reference::has_word(interface.assumption, interface.lacks)) << show(p);
    }
    // What the property allows and the system survives is there.
    for (const Trace& w : reference::words_up_to(3, p.property, p.letters))
      if (reference::in_weakest_assumption(w, p.letters, {&p.m1}, p.property)) {
        ASSERT_TRUE(reference::has_word(interface.assumption, w)) << show(p);
      }
  }
  EXPECT_GT(seen[static_cast<std::size_t>(Weakest::yes)], 100);
  EXPECT_GT(seen[static_cast<std::size_t>(Weakest::no)], 30);
  EXPECT_EQ(seen[static_cast<std::size_t>(Weakest::open)], 0);
}

TEST_P(WeakestByLearning, ConformanceWithABoundThatIsLargeEnoughGivesTheWeakest) {
  Random random(16);
  int tried = 0, larger = 0;
  for (int i = 0; i < 400; ++i) {
    const Problem p = random_problem(random);
    const Lts target = weakest(system_of(p), p.letters);
    if (p.letters.size() > 3 || target.state_count() > 6) continue;
    Trial run;
    const auto result =
        generate_interface(system_of(p), p.letters, std::max(1U, target.state_count()), run.context(GetParam()));
    ASSERT_TRUE(std::holds_alternative<Interface>(result));
    const auto& interface = std::get<Interface>(result);
    ASSERT_EQ(interface.weakest, Interface::Weakest::yes) << show(p);
    ASSERT_EQ(interface.assumption.state_count(), target.state_count()) << show(p);
    ++tried;
    larger += target.state_count() > 2;
  }
  EXPECT_GT(tried, 80);
  EXPECT_GT(larger, 20);
}

TEST_P(WeakestByLearning, InterfacesEndWithTheBudget) {
  Limits limits;
  limits.queries = 9;
  Budget budget(limits);
  Cost cost;
  const Context context{.budget = budget, .cost = cost, .threads = 1, .learner = GetParam()};
  const auto result = generate_interface(triple(nullptr, {&kInput}, kOrder), alphabet("send output ack"), 4, context);
  ASSERT_TRUE(std::holds_alternative<Unknown>(result));
  EXPECT_EQ(std::get<Unknown>(result).why, Stop::queries);
}

INSTANTIATE_TEST_SUITE_P(Learners, WeakestByLearning, testing::ValuesIn(kLearnerKinds), [](const auto& kind) {
  std::string name(learner_name(kind.param));
  std::erase(name, '-');
  return name;
});

TEST(Interfaces, OfTheInputOfTheChannelIsTheWeakest) {
  Trial run;
  const auto result =
      generate_interface(triple(nullptr, {&kInput}, kOrder), alphabet("send output ack"), 4, run.context());
  const auto& interface = std::get<Interface>(result);
  EXPECT_EQ(interface.weakest, Interface::Weakest::yes);
  EXPECT_EQ(interface.assumption.state_count(), 4U);
}

}  // namespace
}  // namespace surety
