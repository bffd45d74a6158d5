// Abstraction refinement: the worked example to the letter, the bookkeeping of a split
// against the definition, and what the checker makes of forged abstractions.

#include "rules/agar.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "certify/certify.hpp"
#include "certify/simulate.hpp"
#include "reference/reference.hpp"
#include "rules/abstraction.hpp"

namespace surety {
namespace {

using reference::action;
using reference::lts;
using reference::word;
using Kind = Abstraction::Replayed::Kind;

const Lts kInput = lts("0 input 1, 1 send 2, 2 ack 0");
const Lts kOutput = lts("0 send 1, 1 output 2, 2 ack 0");
const Lts kHasty = lts("0 send 1, 1 output 2, 1 ack 0, 2 ack 0");
const Lts kOrder = lts("0 input 1, 1 output 0");

Verdict prove(const ProofGoal& goal, AlphabetMode mode, Cost& cost, Budget& budget) {
  return prove_agar(goal, {.budget = budget, .cost = cost, .alphabet = mode});
}

TEST(Agar, NeedsOneRefinementForTheChannel) {
  Budget budget;
  Cost cost;
  const Verdict verdict = prove({{{&kInput}, {&kOutput}}, {&kOrder}}, AlphabetMode::full, cost, budget);
  ASSERT_TRUE(std::holds_alternative<Holds>(verdict));
  const auto& assumptions = std::get<Holds>(verdict).certificate.assumptions;
  ASSERT_EQ(assumptions.size(), 1U);
  EXPECT_EQ(reference::text(assumptions[0]), reference::text(lts("0 send 1, 0 ack 0, 1 output 0")));
  ASSERT_EQ(cost.iterations.size(), 2U);
  EXPECT_EQ(cost.iterations[0].size, 1U);
  EXPECT_EQ(cost.iterations[0].word, word("output"));
  EXPECT_EQ(cost.iterations[0].split, 0U);
  EXPECT_EQ(cost.iterations[1].size, 2U);
  EXPECT_EQ(cost.iterations[1].result, "holds");
}

// The set difference of the paper would add nothing here and go on for ever (doc/rules.md#asym).
TEST(Agar, GrowsTheAlphabetOfTheChannel) {
  Budget budget;
  Cost cost;
  const Verdict verdict = prove({{{&kInput}, {&kOutput}}, {&kOrder}}, AlphabetMode::refine, cost, budget);
  ASSERT_TRUE(std::holds_alternative<Holds>(verdict));
  EXPECT_EQ(cost.iterations[0].result, "alphabet too small");
}

TEST(Agar, FindsTheViolationOfAHastyOutput) {
  for (const auto mode : {AlphabetMode::full, AlphabetMode::refine}) {
    Budget budget;
    Cost cost;
    const Verdict verdict = prove({{{&kInput}, {&kHasty}}, {&kOrder}}, mode, cost, budget);
    ASSERT_TRUE(std::holds_alternative<Violated>(verdict));
    EXPECT_EQ(std::get<Violated>(verdict).trace, word("input send ack input"));
  }
}

TEST(Agar, EndsInUnknownWithTheLastAbstraction) {
  Limits limits;
  limits.states = 6;
  Budget budget(limits);
  Cost cost;
  const Verdict verdict = prove({{{&kInput}, {&kOutput}}, {&kOrder}}, AlphabetMode::full, cost, budget);
  ASSERT_TRUE(std::holds_alternative<Unknown>(verdict));
  const auto& unknown = std::get<Unknown>(verdict);
  EXPECT_EQ(unknown.why, Stop::states);
  ASSERT_EQ(unknown.assumptions.size(), 1U);
  EXPECT_GE(unknown.assumptions[0].state_count(), 1U);
  EXPECT_FALSE(unknown.known.empty());
}

TEST(Agar, TakesAnEnvironmentThatDoesNotEvenStart) {
  const Lts nothing = lts("states=0, +send, +ack, +output");
  Budget budget;
  Cost cost;
  const Verdict verdict = prove({{{&kInput}, {&nothing}}, {&kOrder}}, AlphabetMode::full, cost, budget);
  EXPECT_TRUE(std::holds_alternative<Holds>(verdict));
}

// --- The abstraction itself.

using AbstractStep = std::tuple<std::uint32_t, Action, std::uint32_t>;

// By definition: X does a into Y iff some x in X reaches some y in Y by silent steps and then a.
std::set<AbstractStep> steps_by_definition(const Abstraction& abstraction) {
  const Lts& concrete = abstraction.concrete();
  std::set<AbstractStep> out;
  for (std::uint32_t x = 0; x < concrete.state_count(); ++x) {
    if (abstraction.block_of(State{x}) == Abstraction::kNone) continue;
    std::set<State> silent{State{x}};
    for (std::size_t before = 0; before != silent.size();) {
      before = silent.size();
      for (const State s : std::set<State>(silent))
        for (const Step& step : concrete.steps(s, kTau)) silent.insert(step.target);
    }
    for (const State s : silent)
      for (const Step& step : concrete.steps(s))
        if (step.action != kTau)
          out.emplace(abstraction.block_of(State{x}), step.action, abstraction.block_of(step.target));
  }
  return out;
}

std::set<AbstractStep> steps_of(const Lts& lts) {
  std::set<AbstractStep> out;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) out.emplace(s, step.action, step.target.value);
  return out;
}

Trace random_word(Random& random, const Lts& lts) {
  Trace out;
  State at = lts.initial();
  for (std::uint32_t n = random.below(6); out.size() < n && !lts.steps(at).empty();) {
    const auto steps = lts.steps(at);
    const Step step = steps[random.below(static_cast<std::uint32_t>(steps.size()))];
    out.push_back(step.action);
    at = step.target;
  }
  return out;
}

TEST(Abstraction, KeepsItsStepsAsTheDefinitionWantsThemThroughAllSplits) {
  Random random(7);
  std::uint64_t splits = 0, largest = 0;
  for (int i = 0; i < 2000; ++i) {
    reference::Shape shape;
    shape.states = 2 + random.below(12);
    shape.steps = shape.states + random.below(2 * shape.states);
    shape.tau_percent = random.below(60);
    shape.error_percent = shape.end_percent = 0;
    Abstraction abstraction(reference::random_lts(random, shape));
    EXPECT_EQ(abstraction.size(), 1U);
    for (int tries = 0; tries < 30; ++tries) {
      const Trace trace = random_word(random, abstraction.lts());
      const bool has_it = reference::has_word(abstraction.concrete(), trace);
      while (true) {
        const std::uint32_t before = abstraction.size();
        const auto replayed = abstraction.replay(trace);
        ASSERT_EQ(steps_of(abstraction.lts()), steps_by_definition(abstraction));
        ASSERT_EQ(abstraction.block_of(abstraction.concrete().initial()), 0U);
        ASSERT_EQ(replayed.kind == Kind::performed, has_it);
        if (replayed.kind != Kind::split) break;
        ASSERT_EQ(abstraction.size(), before + 1);
        ASSERT_LT(replayed.block, before);
        ++splits;
      }
      ASSERT_EQ(reference::has_word(abstraction.lts(), trace), has_it);
    }
    ASSERT_LE(abstraction.size(), abstraction.concrete().state_count());
    largest = std::max<std::uint64_t>(largest, abstraction.size());
    Budget budget;
    ASSERT_EQ(certify::simulates(abstraction.lts(), {&abstraction.concrete()}, budget).kind,
              certify::Judgement::Kind::accepted);
  }
  EXPECT_GT(splits, 2000U);
  EXPECT_GT(largest, 6U);
}

TEST(Abstraction, HasMoreLettersThanAWordHasBits) {
  std::string text;
  for (int i = 0; i < 150; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(i) + " x" + std::to_string(i) + " " + std::to_string((i + 1) % 150);
  Abstraction abstraction(lts(text));
  while (abstraction.replay(word("x140")).kind == Kind::split) continue;
  while (abstraction.replay(word("x0 x70")).kind == Kind::split) continue;
  EXPECT_EQ(abstraction.size(), 3U);
  EXPECT_EQ(steps_of(abstraction.lts()), steps_by_definition(abstraction));
}

TEST(Abstraction, KeepsItsBlocksWhenItsStatesAreSplit) {
  Abstraction abstraction(lts("0 a 1, 1 b 0"));
  ASSERT_EQ(abstraction.replay(word("b")).kind, Kind::split);
  abstraction.settle();
  // State 1 comes in two copies; state 0 is where it was.
  abstraction.rebase(lts("0 a 1, 1 b 0, 0 a 2, 2 b 0"), {0, 1, 1});
  EXPECT_EQ(abstraction.size(), 2U);
  EXPECT_EQ(abstraction.origin(1), 1U);
  EXPECT_EQ(steps_of(abstraction.lts()), steps_by_definition(abstraction));
}

// --- The checker.

certify::Judgement judge(const std::vector<Lts>& assumptions, const Split& split = {{"input"}, {"output"}}) {
  const Network network{"channel", {{"input", kInput}, {"output", kOutput}}};
  const Property property{"order", kOrder};
  Budget budget;
  return certify::check_safety(network, {&property}, {Method::agar, split, assumptions}, budget);
}

TEST(AgarCertificate, IsAcceptedOnlyIfItIsAProof) {
  using certify::Judgement;
  const Lts good = lts("0 send 1, 0 ack 0, 1 output 0");
  EXPECT_EQ(judge({good}).kind, Judgement::Kind::accepted);
  // Nondeterminism is no fault.
  EXPECT_EQ(judge({lts("0 send 1, 0 send 2, 0 ack 0, 1 output 0, 2 output 0")}).kind, Judgement::Kind::accepted);
  const auto refused = [](const std::vector<Lts>& assumptions, const Split& split, const char* because) {
    const auto judgement = judge(assumptions, split);
    EXPECT_EQ(judgement.kind, Judgement::Kind::refused) << because;
    EXPECT_NE(judgement.reason.find(because), std::string::npos) << judgement.reason;
  };
  const Split split{{"input"}, {"output"}};
  refused({lts("0 send 0, 0 ack 0, 0 output 0")}, split, "premise 1");
  refused({lts("0 ack 0, +send, +output")}, split, "premise 2");
  refused({lts("0 send 1, 1 output 2, 2 ack 3, +input")}, split, "premise 2");  // not for ever
  refused({lts("0 send 1, 0 ack 0, 1 output 0, +input")}, split, "premise 2");  // input is not M2's: free
  refused({lts("states=0, +send")}, split, "no states");
  refused({}, split, "needs an assumption");
  refused({good}, {{"input", "output"}}, "two sides");
  refused({good}, {{"output"}, {"input"}}, "premise");
}

TEST(AgarCertificate, ChecksEveryLinkOfAChain) {
  const Lts m1 = lts("0 a 1, 1 bad 0, 0 b 0"), m2 = lts("0 b 1, 1 a 0, +c"), m3 = lts("0 c 0");
  const Network network{"chain", {{"m1", m1}, {"m2", m2}, {"m3", m3}}};
  const Property property{"p", lts("0 b 1, 1 bad 0, 1 b 1")};
  const Split split{{"m1"}, {"m2"}, {"m3"}};
  const auto judged = [&](const std::vector<Lts>& assumptions) {
    Budget budget;
    return certify::check_safety(network, {&property}, {Method::agar, split, assumptions}, budget).kind;
  };
  using Is = certify::Judgement::Kind;
  const Lts a1 = lts("0 b 1, 1 a 0"), a2 = lts("0 c 0");
  EXPECT_EQ(judged({a1, a2}), Is::accepted);
  EXPECT_EQ(judged({a1}), Is::refused);
  EXPECT_EQ(judged({a1, lts("0 c 1")}), Is::refused);         // M3 does c again
  EXPECT_EQ(judged({lts("0 b 1, +a"), a2}), Is::refused);     // M2 does a
  EXPECT_EQ(judged({lts("0 b 0, 0 a 0"), a2}), Is::refused);  // too weak
}

// The largest simulation, by its definition: silent steps and actions that A lacks leave A where it is.
bool simulates_by_definition(const Lts& a, const Lts& m) {
  if (m.state_count() == 0) return true;
  if (a.state_count() == 0) return false;
  std::set<std::pair<State, State>> pairs;
  for (std::uint32_t s = 0; s < m.state_count(); ++s)
    for (std::uint32_t t = 0; t < a.state_count(); ++t) pairs.emplace(State{s}, State{t});
  const auto good = [&](const std::pair<State, State>& pair) {
    const auto [s, t] = pair;
    const auto follows = [&](Action action, State target) {
      if (!a.alphabet().contains(action)) return pairs.contains({target, t});
      const auto steps = a.steps(t, action);
      return std::any_of(steps.begin(), steps.end(), [&](const Step& b) { return pairs.contains({target, b.target}); });
    };
    for (const Step& step : m.steps(s))
      if (!follows(step.action, step.target)) return false;
    for (const Action free : subtract(a.alphabet(), m.alphabet()))
      if (!follows(free, s)) return false;
    return true;
  };
  while (std::erase_if(pairs, [&](const auto& pair) { return !good(pair); }) > 0) continue;
  return pairs.contains({State{0}, State{0}});
}

bool simulates(const Lts& a, const Lts& m) {
  static Budget budget;
  return certify::simulates(a, {&m}, budget).kind == certify::Judgement::Kind::accepted;
}

TEST(AgarCertificate, DecidesSimulationOnAllSmallLtss) {
  const auto all = reference::small_ltss();
  std::uint64_t yes = 0, no = 0;
  for (const Lts& a : all)
    for (const Lts& m : all) {
      const bool expected = simulates_by_definition(a, m);
      ASSERT_EQ(simulates(a, m), expected) << a << "\n" << m;
      (expected ? yes : no) += 1;
    }
  EXPECT_GT(yes, 5000U);
  EXPECT_GT(no, 5000U);
}

TEST(AgarCertificate, DecidesSimulationOnRandomLtssAndThatImpliesTraces) {
  Random random(3);
  std::uint64_t yes = 0;
  for (int i = 0; i < 4000; ++i) {
    reference::Shape shape;
    shape.states = 2 + random.below(4);
    shape.steps = 2 + random.below(8);
    shape.error_percent = shape.end_percent = 0;
    const Lts m = reference::random_lts(random, shape);
    shape.actions = 1 + random.below(4);
    shape.steps = 6 + random.below(20);
    shape.tau_percent = 0;
    const Lts a = reference::random_lts(random, shape);
    const bool expected = simulates_by_definition(a, m);
    ASSERT_EQ(simulates(a, m), expected) << a << "\n" << m;
    if (!expected) continue;
    ++yes;
    for (const Trace& trace : reference::words_up_to(4, m))
      ASSERT_TRUE(reference::has_word(a, project(trace, a.alphabet()))) << a << "\n" << m;
  }
  EXPECT_GT(yes, 300U);
}

// Trace inclusion without simulation: an abstraction would never look like this.
TEST(AgarCertificate, WantsASimulation) {
  const Lts late = lts("0 a 1, 1 b 2, 1 c 3"), early = lts("0 a 1, 0 a 2, 1 b 3, 2 c 3");
  Budget budget;
  EXPECT_EQ(certify::simulates(early, {&late}, budget).kind, certify::Judgement::Kind::refused);
  EXPECT_EQ(certify::simulates(late, {&early}, budget).kind, certify::Judgement::Kind::accepted);
}

}  // namespace
}  // namespace surety
