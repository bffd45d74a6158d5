#include "rules/cegar.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "agreement/problems.hpp"
#include "certificate/law.hpp"
#include "certify/certify.hpp"
#include "model/equivalence.hpp"
#include "reference/reference.hpp"
#include "rules/blocks.hpp"

namespace surety {
namespace {

struct Whole {
  explicit Whole(const Problem& problem) : network(network_of(problem)), property{"p", problem.property} {
    split.emplace_back();
    for (const auto& component : network.components) {
      side.push_back(&component.lts);
      split[0].push_back(component.name);
    }
  }
  Verdict prove(Budget& budget, Cost& cost) const {
    return prove_cegar({{side}, {&property.lts}}, {.budget = budget, .cost = cost});
  }
  certify::Judgement judge(Certificate certificate) const {
    Budget budget;
    certificate.split = split;
    if (auto lost = api::lost_in_a_file(CheckKind::safety, "p", certificate, reference::actions()); !lost.empty())
      return {certify::Judgement::Kind::refused, lost, {}, 0};
    return certify::check_safety(network, {&property}, certificate, budget);
  }
  bool accepts(const Certificate& certificate) const {
    return judge(certificate).kind == certify::Judgement::Kind::accepted;
  }

  Network network;
  Property property;
  ComponentSet side;
  Split split;
};

// The LTS without its step number `skip`.
Lts without_step(const Lts& lts, std::uint64_t skip) {
  LtsBuilder builder;
  builder.add_to_alphabet(lts.alphabet());
  builder.set_state_count(lts.state_count());
  std::uint64_t n = 0;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      if (n++ != skip) builder.add_step(State{s}, step.action, step.target);
  return builder.build();
}

TEST(Cegar, AgreesWithBruteForceAndItsProofsAndTracesAreAccepted) {
  Problems problems(31);
  std::uint64_t rounds = 0, absent = 0, members = 0;
  for (int i = 0; i < 5000; ++i) {
    const Problem problem = problems.next();
    const Whole whole(problem);
    Budget budget;
    Cost cost;
    const Verdict verdict = whole.prove(budget, cost);
    rounds += cost.conjectures;
    if (const auto* holds = std::get_if<Holds>(&verdict)) {
      ASSERT_TRUE(problem.holds) << i;
      const auto judgement = whole.judge(holds->certificate);
      ASSERT_EQ(judgement.kind, certify::Judgement::Kind::accepted) << i << ": " << judgement.reason;
      for (const Lts& a : holds->certificate.assumptions) ++members, absent += a.state_count() == 1;
      continue;
    }
    const auto* violated = std::get_if<Violated>(&verdict);
    ASSERT_NE(violated, nullptr) << i;
    ASSERT_FALSE(problem.holds) << i;
    ASSERT_EQ(certify::replay_violation(whole.network, whole.property, violated->trace), std::nullopt) << i;
    ASSERT_TRUE(reference::replays(whole.side, &whole.property.lts, violated->trace)) << i;
  }
  EXPECT_GT(rounds, 5000U * 3);
  EXPECT_GT(absent, 0U);
  EXPECT_LT(absent, members);
}

// Each component as its own abstraction is a proof exactly if the property holds; a step less, or an action more, never
// makes a proof of what does not hold.
TEST(Cegar, ForgedCertificatesAreRefused) {
  Problems problems(32);
  Random random(5);
  std::uint64_t refused = 0;
  for (int i = 0; i < 1500; ++i) {
    const Problem problem = problems.next();
    const Whole whole(problem);
    Certificate honest{Method::cegar, {}, {}};
    for (const Lts* lts : whole.side) honest.assumptions.push_back(*lts);
    ASSERT_EQ(whole.accepts(honest), problem.holds) << i;
    if (problem.holds) continue;
    for (std::size_t c = 0; c < whole.side.size(); ++c) {
      Certificate forged = honest;
      forged.assumptions[c] =
          without_step(*whole.side[c], random.below(static_cast<std::uint32_t>(whole.side[c]->transition_count())));
      ASSERT_FALSE(whole.accepts(forged)) << i;
      refused += whole.judge(forged).reason.find("simulate") != std::string::npos;
      forged.assumptions[c] = problem.property;  // would be convenient
      ASSERT_FALSE(whole.accepts(forged)) << i;
      forged.assumptions[c] = Lts();
      ASSERT_FALSE(whole.accepts(forged)) << i;
      forged.assumptions.pop_back();
      ASSERT_FALSE(whole.accepts(forged)) << i;
    }
  }
  EXPECT_GT(refused, 500U);
}

TEST(Cegar, ABudgetThatEndsLeavesUnknownOrTheRightAnswer) {
  Problems problems(33);
  Random random(6);
  int unknown = 0;
  for (int i = 0; i < 1000; ++i) {
    const Problem problem = problems.next();
    const Whole whole(problem);
    Limits limits;
    limits.states = random.below(60);
    Budget budget(limits);
    Cost cost;
    const Verdict verdict = whole.prove(budget, cost);
    if (const auto* u = std::get_if<Unknown>(&verdict)) {
      ASSERT_EQ(u->why, Stop::states);
      ++unknown;
    } else {
      ASSERT_EQ(std::holds_alternative<Holds>(verdict), problem.holds) << i;
    }
  }
  EXPECT_GT(unknown, 100);
  EXPECT_LT(unknown, 900);
}

// By the definition: block B does a into C iff some state of B does a into some state of C.
Lts from_scratch(const Blocks& blocks) {
  const Lts& lts = blocks.component();
  const auto first = blocks.block_of(lts.initial());
  const auto number = [&](State s) {
    const auto b = blocks.block_of(s);
    return State{b == first ? 0 : b == 0 ? first : b};
  };
  LtsBuilder builder;
  builder.add_to_alphabet(lts.alphabet());
  builder.set_state_count(blocks.size());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      if (step.action != kTau || number(State{s}) != number(step.target))
        builder.add_step(number(State{s}), step.action, number(step.target));
  return builder.build();
}

bool same(const Lts& a, const Lts& b) {
  if (a.state_count() != b.state_count() || a.alphabet() != b.alphabet()) return false;
  for (std::uint32_t s = 0; s < a.state_count(); ++s)
    if (!std::ranges::equal(a.steps(State{s}), b.steps(State{s}))) return false;
  return true;
}

// All words of random LTSs that they do not have are excluded one by one; none that they have is lost.
TEST(Blocks, ExcludeAWordKeepTheTracesAndAreWhatTheirDefinitionSays) {
  Problems problems(34);
  Random random(7);
  std::uint64_t splits = 0;
  for (int i = 0; i < 2000; ++i) {
    const Problem problem = problems.next();
    const Lts& lts = problem.m1[0];
    Budget all_the_time;
    Blocks blocks(lts, all_the_time);
    ASSERT_EQ(difference(blocks.component(), lts, Equivalence::trace).has_value() &&
                  difference(blocks.component(), lts, Equivalence::trace)->by_trace,
              false);
    for (int j = 0; j < 12; ++j) {
      Trace word;
      for (auto n = 1 + random.below(6); n-- > 0;)
        word.push_back(lts.alphabet()[random.below(static_cast<std::uint32_t>(lts.alphabet().size()))]);
      const auto at = refused_at(lts, word, lts.alphabet());
      ASSERT_EQ(reference::words_up_to(word.size(), lts).contains(word), !at);
      if (!at) {
        ASSERT_EQ(project(path_of(lts, word), lts.alphabet()), word);
        ASSERT_EQ(refused_at(blocks.lts(), word, lts.alphabet()), std::nullopt) << "a trace is lost";
        continue;
      }
      Budget budget;
      const auto before = blocks.size();
      ASSERT_TRUE(blocks.exclude(word, lts.alphabet(), budget));
      splits += blocks.size() - before;
      ASSERT_TRUE(refused_at(blocks.lts(), word, lts.alphabet()).has_value());
      ASSERT_TRUE(same(blocks.lts(), from_scratch(blocks)));
      ASSERT_LE(blocks.size(), blocks.component().state_count());
    }
  }
  EXPECT_GT(splits, 2000U);
}

}  // namespace
}  // namespace surety
