// Every way to an answer gives the same answer: brute force, plain search, rules.
//
// 10,000 problems a run; with SURETY_SOAK_SECONDS=N (./dev soak) as many as fit in
// N seconds, from a seed that is printed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "agreement/problems.hpp"
#include "certify/certify.hpp"
#include "reference/reference.hpp"
#include "rules/asym.hpp"
#include "rules/monolithic.hpp"

namespace surety {
namespace {

constexpr std::uint64_t kProblems = 10'000;

std::string show(const Problem& problem) {
  std::string out;
  for (const auto& lts : problem.m1) out += "m1: " + reference::text(lts) + "\n";
  for (const auto& lts : problem.m2) out += "m2: " + reference::text(lts) + "\n";
  return out + "property: " + reference::text(problem.property) + "\n";
}

// Nothing: the verdict is the right one and its proof or trace is accepted. Else what is wrong.
std::string fault(const Problem& problem, Verdict verdict) {
  const Network network = network_of(problem);
  const Property property{"p", problem.property};
  Budget budget;
  if (auto* holds = std::get_if<Holds>(&verdict)) {
    if (!problem.holds) return "holds, but brute force finds a violation";
    holds->certificate.split = holds->certificate.rule == "asym" ? split_of(problem) : Split{};
    if (holds->certificate.rule == "monolithic") {
      auto& all = holds->certificate.split.emplace_back();
      for (const auto& component : network.components) all.push_back(component.name);
    }
    const auto judgement = certify::check_safety(network, property, holds->certificate, budget);
    return judgement.kind == certify::Judgement::Kind::accepted ? "" : "the checker says: " + judgement.reason;
  }
  if (auto* violated = std::get_if<Violated>(&verdict)) {
    if (problem.holds) return "violated, but brute force finds no violation";
    if (auto wrong = certify::replay_violation(network, property, violated->trace)) return "the trace: " + *wrong;
    auto all = pointers(problem.m1);
    for (const auto& lts : problem.m2) all.push_back(&lts);
    return reference::replays(all, &problem.property, violated->trace) ? "" : "brute force cannot replay the trace";
  }
  return "unknown without a budget";
}

struct Totals {
  std::uint64_t conjectures = 0, queries = 0, largest_assumption = 0;
};

std::string solve(const Problem& problem, Totals& totals) {
  auto all = pointers(problem.m1);
  for (const auto& lts : problem.m2) all.push_back(&lts);
  Budget budget;
  Cost whole;
  Verdict monolithic = check_property(all, problem.property, nullptr, budget, 1, whole);
  if (auto* violated = std::get_if<Violated>(&monolithic))
    if (violated->trace.size() != reference::shortest_violation(all, problem.property)->size())
      return "monolithic: not a shortest trace";
  if (auto wrong = fault(problem, std::move(monolithic)); !wrong.empty()) return "monolithic: " + wrong;

  const AsymProblem asym{pointers(problem.m1), pointers(problem.m2), &problem.property};
  Cost cost;
  Verdict verdict = prove_asym(asym, budget, 1, cost);
  totals.conjectures += cost.conjectures;
  totals.queries += cost.queries;
  if (const auto* holds = std::get_if<Holds>(&verdict))
    totals.largest_assumption =
        std::max<std::uint64_t>(totals.largest_assumption, holds->certificate.assumptions[0].state_count());
  if (cost.conjectures != cost.iterations.size()) return "asym: conjectures and iterations differ";
  if (auto wrong = fault(problem, std::move(verdict)); !wrong.empty()) return "asym: " + wrong;
  return "";
}

TEST(Agreement, AsymAndMonolithicAgreeWithBruteForceOnProblemsThatNeedAnAssumption) {
  using Clock = std::chrono::steady_clock;
  const char* soak = std::getenv("SURETY_SOAK_SECONDS");
  const std::uint64_t seed = soak != nullptr ? static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()) : 1;
  const auto until = Clock::now() + std::chrono::seconds(soak != nullptr ? std::atol(soak) : 0);
  Problems problems(seed);
  Totals totals;
  std::uint64_t solved = 0;
  for (; soak != nullptr ? Clock::now() < until : solved < kProblems; ++solved) {
    const Problem problem = problems.next();
    const std::string wrong = solve(problem, totals);
    ASSERT_EQ(wrong, "") << "seed " << seed << ", problem " << solved << "\n" << show(problem);
  }
  const Mix& mix = problems.mix();
  fmt::print(
      "{} problems (seed {}): {} hold, {} violated; {} with tau, {} nondeterministic, {} with more than two "
      "components, "
      "{} with a free action\n"
      "of {} made: {} need no assumption, {} cannot be saved by one, {} are violated in fewer than 3 steps, {} too "
      "many of their kind\n"
      "{} conjectures, {} queries, largest assumption {} states\n",
      solved, seed, mix.kept[1], mix.kept[0], mix.with_tau, mix.nondeterministic, mix.several_components,
      mix.free_action, mix.tried, mix.trivial, mix.hopeless, mix.shallow, mix.surplus, totals.conjectures,
      totals.queries, totals.largest_assumption);
  // A test that sees only one kind of problem tests nothing.
  EXPECT_GT(mix.kept[0], solved * 2 / 5);
  EXPECT_GT(mix.kept[1], solved * 2 / 5);
  EXPECT_GT(mix.with_tau, solved / 10);
  EXPECT_GT(mix.nondeterministic, solved / 4);
  EXPECT_GT(totals.conjectures, solved * 3 / 2);
}

}  // namespace
}  // namespace surety
