// Laws of FLAVERS on random networks: what a proof by flow analysis says is never wrong, whatever the constraints; with
// all of them the answer is that of plain search; what tasks can reach together is in the relation.
//
// 2,000 problems in each run; SURETY_PROGRAMS and SURETY_SEED ask for others.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "agreement/problems.hpp"
#include "certify/certify.hpp"
#include "engine/flow/flow_graph.hpp"
#include "reference/flow.hpp"
#include "reference/reference.hpp"
#include "rules/flavers_asym.hpp"

namespace surety {
namespace {

using FlowRole = FlowComponent::Role;
using Mode = ConstraintChoice::Mode;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// A problem with roles: a component may be a task or a constraint only.
struct Case {
  Network network;
  Property property;
  bool holds = false;
  FlowSystem system;
  std::vector<std::size_t> of_m1;
};

std::vector<FlowComponent> with_roles(const Network& network, Random& random) {
  std::vector<FlowComponent> out;
  for (const Component& component : network.components)
    out.push_back({component.name, &component.lts, random.below(3) == 0 ? FlowRole::variable : FlowRole::task});
  return out;
}

class Cases {
 public:
  explicit Cases(std::uint64_t seed) : problems_(seed), random_(seed + 1) {}
  Random& random() { return random_; }

  std::unique_ptr<Case> next() {
    const Problem problem = problems_.next();
    auto network = std::make_unique<Network>(network_of(problem));
    auto parts = with_roles(*network, random_);
    auto out = std::unique_ptr<Case>(
        new Case{std::move(*network), {"P", problem.property}, problem.holds, FlowSystem({}, {}), {}});
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].lts = &out->network.components[i].lts;
    out->system = FlowSystem(parts, {});
    for (std::size_t i = 0; i < problem.m1.size(); ++i) out->of_m1.push_back(i);
    return out;
  }

 private:
  Problems problems_;
  Random random_;
};

std::string show(const Case& c) {
  std::string out;
  for (std::size_t i = 0; i < c.network.components.size(); ++i)
    out += fmt::format("{} {}: {}\n", c.system.is_task(i) ? "task" : "constraint", c.network.components[i].name,
                       reference::text(c.network.components[i].lts));
  return out + "property: " + reference::text(c.property.lts) + "\n";
}

std::string certify_or_why(const Case& c, const Verdict& verdict) {
  Certificate certificate = std::get<Holds>(verdict).certificate;
  certificate.split.emplace_back();
  for (const Component& component : c.network.components) certificate.split[0].push_back(component.name);
  Budget budget;
  const auto judgement = certify::check_safety(c.network, {&c.property}, certificate, budget);
  return judgement.kind == certify::Judgement::Kind::accepted ? "" : "refused: " + judgement.reason;
}

ConstraintSet some(const Case& c, Random& random) {
  ConstraintSet out;
  for (std::size_t i = 0; i < c.system.constraints.size(); ++i)
    if (random.below(2) == 0) out.push_back(i);
  return out;
}

// An answer is what brute force says, or it is not known.
std::string wrong(const Case& c, const Verdict& verdict) {
  if (std::holds_alternative<Holds>(verdict)) return c.holds ? certify_or_why(c, verdict) : "a false proof";
  if (const auto* violated = std::get_if<Violated>(&verdict)) {
    if (c.holds) return "a false violation";
    return certify::replay_violation(c.network, c.property, violated->trace).value_or("");
  }
  return "";
}

Verdict prove(const Case& c, const ConstraintChoice& choice, FlowAnswer* answer = nullptr) {
  Budget budget;
  Cost cost;
  const Context context{.budget = budget, .cost = cost};
  Flavers flavers(c.system, c.property.lts, context);
  Verdict verdict = flavers.prove(choice);
  if (answer != nullptr) *answer = flavers.answer();
  return verdict;
}

class FlaversLaws : public ::testing::Test {
 protected:
  std::uint64_t seed_ = number_from("SURETY_SEED", 1);
  std::uint64_t count_ = number_from("SURETY_PROGRAMS", 2'000);
};

TEST_F(FlaversLaws, AProofIsNeverWrongAndWithAllConstraintsTheAnswerIsThatOfPlainSearch) {
  Cases cases(seed_);
  std::uint64_t proved_by_some = 0;
  for (std::uint64_t i = 0; i < count_; ++i) {
    const auto c = cases.next();
    const Verdict by_some = prove(*c, {Mode::listed, some(*c, cases.random())});
    EXPECT_EQ(wrong(*c, by_some), "") << show(*c);
    proved_by_some += std::holds_alternative<Holds>(by_some) ? 1 : 0;
    const Verdict all = prove(*c, {Mode::all, {}});
    EXPECT_EQ(wrong(*c, all), "") << show(*c);
    EXPECT_FALSE(std::holds_alternative<Unknown>(all)) << show(*c);
    if (HasFailure()) return;
  }
  EXPECT_GT(proved_by_some, count_ / 50);
}

TEST_F(FlaversLaws, AutoGivesTheAnswerOfPlainSearchWithAMinimalSet) {
  Cases cases(seed_ + 10);
  std::uint64_t with_less = 0;
  for (std::uint64_t i = 0; i < count_; ++i) {
    const auto c = cases.next();
    FlowAnswer answer;
    const Verdict verdict = prove(*c, {}, &answer);
    EXPECT_EQ(wrong(*c, verdict), "") << show(*c);
    EXPECT_FALSE(std::holds_alternative<Unknown>(verdict)) << show(*c);
    if (std::holds_alternative<Holds>(verdict)) {
      with_less += answer.constraints.size() < c->system.constraints.size() ? 1 : 0;
      ConstraintSet used;
      for (std::size_t k = 0; k < c->system.constraints.size(); ++k)
        if (std::ranges::find(answer.constraints, c->system.constraints[k].name) != answer.constraints.end())
          used.push_back(k);
      for (const std::size_t left_out : used) {
        ConstraintSet less = used;
        std::erase(less, left_out);
        EXPECT_FALSE(std::holds_alternative<Holds>(prove(*c, {Mode::listed, less}))) << show(*c);
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(with_less, count_ / 10);
}

TEST_F(FlaversLaws, WhatIsReachedTogetherIsInTheRelation) {
  Cases cases(seed_ + 20);
  std::uint64_t real = 0, found = 0;
  for (std::uint64_t i = 0; i < count_; ++i) {
    const auto c = cases.next();
    const auto pairs = reference::pairs_of(c->system);
    ASSERT_TRUE(pairs && pairs->complete) << show(*c);
    real += pairs->real;
    found += pairs->found;
  }
  RecordProperty("spurious_pairs_per_100", std::to_string(100 * (found - real) / real));
  EXPECT_LT(found, 2 * real);
}

// With the order of every task's nodes a path is a run of the flow graphs, whatever else is forbidden; refinement keeps
// their traces, so nothing changes. Where a task's order is missing a path forgets after a silent node which node was
// before it, so that graphs with more silent nodes may prove less, but never more.
TEST_F(FlaversLaws, RefinedGraphsHaveTheSameTracesAndGiveTheSameAnswers) {
  Cases cases(seed_ + 30);
  std::uint64_t more = 0;
  for (std::uint64_t i = 0; i < count_; ++i) {
    const auto c = cases.next();
    for (const std::size_t t : c->system.tasks()) {
      const Lts graph = flow_graph(*c->system.components[t].lts, c->property.lts.alphabet());
      ASSERT_EQ(reference::words_up_to(6, refine(graph)), reference::words_up_to(6, graph)) << reference::text(graph);
    }
    const ConstraintSet constraints = some(*c, cases.random());
    const auto proved = [&](const ConstraintSet& set, bool refined) {
      return *reference::proves(c->system, c->property.lts, set, refined);
    };
    const ConstraintSet ordered = reference::with_all_tasks(c->system, constraints);
    EXPECT_EQ(proved(ordered, true), proved(ordered, false)) << show(*c);
    const bool refined = proved(constraints, true), plain = proved(constraints, false);
    EXPECT_TRUE(refined || !plain) << show(*c);
    EXPECT_TRUE(!refined || c->holds) << show(*c);
    more += refined && !plain ? 1 : 0;
    ConstraintSet all(c->system.constraints.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(proved(all, false), c->holds) << show(*c);
    if (HasFailure()) return;
  }
  RecordProperty("refined_proves_more", std::to_string(more));
}

TEST_F(FlaversLaws, TheTeacherIsNeverWrong) {
  Cases cases(seed_ + 40);
  std::uint64_t proved = 0;
  for (std::uint64_t i = 0; i < count_; ++i) {
    const auto c = cases.next();
    FlowSplit split;
    for (const std::size_t t : c->system.tasks())
      (std::ranges::find(c->of_m1, t) != c->of_m1.end() ? split.s1 : split.s2).push_back(t);
    if (split.s1.empty() || split.s2.empty()) continue;
    Budget budget;
    Cost cost;
    FlowAnswer answer;
    const ConstraintChoice choice =
        i % 2 == 0 ? ConstraintChoice{} : ConstraintChoice{Mode::listed, some(*c, cases.random())};
    const Verdict verdict = prove_flavers_asym(c->system, split, c->property.lts, choice,
                                               {.budget = budget,
                                                .cost = cost,
                                                .learner = kLearnerKinds[i % std::size(kLearnerKinds)],
                                                .alphabet = i % 3 == 0 ? AlphabetMode::full : AlphabetMode::refine},
                                               answer);
    EXPECT_EQ(wrong(*c, verdict), "") << show(*c);
    proved += std::holds_alternative<Holds>(verdict) ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(proved, count_ / 20);
}

}  // namespace
}  // namespace surety
