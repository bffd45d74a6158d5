#include "rules/sym.hpp"

#include <gtest/gtest.h>

#include "certify/certify.hpp"
#include "reference/reference.hpp"
#include "rules/triple.hpp"

namespace surety {
namespace {

using reference::lts;

const Lts kInput = lts("0 input 1, 1 send 2, 2 ack 0");
const Lts kOutput = lts("0 send 1, 1 output 2, 2 ack 0");
const Lts kOrder = lts("0 input 1, 1 output 0");

using Closing = SymRule::Closing;
constexpr SymRule kRules[] = {{Method::sym, Closing::nothing, false},     {Method::sym_a, Closing::property, false},
                              {Method::sym_b, Closing::component, false}, {Method::sym_2, Closing::nothing, true},
                              {Method::sym_2a, Closing::property, true},  {Method::sym_2b, Closing::component, true}};

Verdict prove(const SymRule& rule, const ProofGoal& goal, AlphabetMode alphabet) {
  Budget budget;
  Cost cost;
  return prove_sym(rule, goal, {.budget = budget, .cost = cost, .alphabet = alphabet});
}

TEST(Sym, EveryRuleProvesTheChannelAndItsProofIsAccepted) {
  const Network network{"channel", {{"input", kInput}, {"output", kOutput}}};
  const Property order{"order", kOrder}, turns{"turns", lts("0 send 1, 1 ack 0")};
  for (const SymRule& rule : kRules)
    for (const auto mode : {AlphabetMode::full, AlphabetMode::refine}) {
      ProofGoal goal{{{&kInput}, {&kOutput}}, {&kOrder}};
      std::vector<const Property*> properties{&order};
      if (rule.crossed) goal.properties.push_back(&turns.lts), properties.push_back(&turns);
      Verdict verdict = prove(rule, goal, mode);
      ASSERT_TRUE(std::holds_alternative<Holds>(verdict)) << name_of(rule.method);
      auto& certificate = std::get<Holds>(verdict).certificate;
      EXPECT_EQ(certificate.rule, rule.method);
      certificate.split = {{"input"}, {"output"}};
      Budget budget;
      EXPECT_EQ(certify::check_safety(network, properties, certificate, budget).kind,
                certify::Judgement::Kind::accepted)
          << name_of(rule.method);
      // Assumptions that allow everything leave the first premise open.
      certificate.assumptions.assign(2, lts("0 input 0, 0 output 0, 0 send 0, 0 ack 0"));
      EXPECT_EQ(certify::check_safety(network, properties, certificate, budget).kind,
                certify::Judgement::Kind::refused);
      // Assumptions that allow nothing prove nothing: all reject every word.
      certificate.assumptions.assign(2, lts("states=1, +input, +output, +send, +ack"));
      EXPECT_EQ(certify::check_safety(network, properties, certificate, budget).kind, certify::Judgement::Kind::refused)
          << name_of(rule.method);
    }
}

// The example of the paper against the unsound rule (doc/rules.md#an-unsound-rule): M1 = M2 may start with b, P wants a
// first. All four premises of it hold with A1 = A2 = P, yet M1 || M2 does b. No rule here may be fooled.
TEST(Sym, TheUnsoundRuleWouldProveWhatIsFalse) {
  const Lts m = lts("0 a 1, 1 b 0, 0 b 0"), p = lts("0 a 1, 1 b 0");
  Budget budget;
  Cost cost;
  const Context context{.budget = budget, .cost = cost};
  EXPECT_EQ(check_triple(&p, {&m}, p, context).outcome, SearchResult::Outcome::exhausted);       // <P> Mi <P>
  EXPECT_EQ(check_triple(nullptr, {&p}, p, context).outcome, SearchResult::Outcome::exhausted);  // P satisfies Ai
  ASSERT_TRUE(reference::shortest_violation({&m, &m}, p));
  for (const SymRule& rule : kRules)
    for (const auto mode : {AlphabetMode::full, AlphabetMode::refine}) {
      ProofGoal goal{{{&m}, {&m}}, {&p}};
      if (rule.crossed) goal.properties.push_back(&p);
      const Verdict verdict = prove(rule, goal, mode);
      ASSERT_TRUE(std::holds_alternative<Violated>(verdict)) << name_of(rule.method);
      EXPECT_EQ(std::get<Violated>(verdict).trace, reference::word("b"));
    }
}

// Premises with co-automata speak of accepted words: A2 may reject long before coA1 accepts.
TEST(Sym, ARejectionThatComesBeforeTheOtherCounts) {
  // A1 rejects "a b", A2 rejects "a": together they reject "a b", so the closing premise of rule 1 fails.
  const Lts a1 = lts("0 a 1, 0 b 0, 1 a 1"), a2 = lts("0 b 0, +a");
  const Lts anything = lts("0 a 0, 0 b 0");
  const Network network{"n", {{"x", anything}, {"y", anything}}};
  const Property property{"p", anything};
  Budget budget;
  const Certificate certificate{Method::sym, {{"x"}, {"y"}}, {a1, a2}};
  const auto judgement = certify::check_safety(network, {&property}, certificate, budget);
  EXPECT_EQ(judgement.kind, certify::Judgement::Kind::refused);
  EXPECT_EQ(judgement.trace, reference::word("a b"));
}

TEST(Sym, WhatIsLeftWhenABudgetEndsWasChecked) {
  for (std::uint64_t queries = 1; queries < 80; ++queries) {
    Limits limits;
    limits.queries = queries;
    Budget budget(limits);
    Cost cost;
    const Verdict verdict =
        prove_sym(kRules[0], {{{&kInput}, {&kOutput}}, {&kOrder}}, {.budget = budget, .cost = cost});
    const auto* unknown = std::get_if<Unknown>(&verdict);
    ASSERT_NE(unknown, nullptr);
    for (const Lts& assumption : unknown->assumptions) EXPECT_GT(assumption.state_count(), 0U) << queries;
    if (queries > 20) {
      EXPECT_EQ(unknown->assumptions.size(), 2U) << queries;
    }
  }
}

}  // namespace
}  // namespace surety
