// Abstraction refinement gives the answers of brute force: every split of a problem,
// both alphabet modes, M2's product built or not, chains.

#include "rules/agar.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "agreement/problems.hpp"
#include "certificate/law.hpp"
#include "certify/certify.hpp"
#include "certify/simulate.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

constexpr int kProblems = 5'000;

struct Totals {
  std::uint64_t proofs = 0, traces = 0, splits = 0, alphabets = 0, nondeterministic = 0, side_by_side = 0, largest = 0,
                stopped = 0;
};

// Nothing: the verdict is the right one and its proof or trace is accepted. Else what is wrong.
std::string fault(const Problem& problem, const Network& network, const Split& split, Verdict verdict, Totals& totals) {
  const Property property{"p", problem.property};
  if (auto* holds = std::get_if<Holds>(&verdict)) {
    if (!problem.holds) return "holds, but brute force finds a violation";
    ++totals.proofs;
    for (const Lts& a : holds->certificate.assumptions) {
      totals.largest = std::max<std::uint64_t>(totals.largest, a.state_count());
      totals.nondeterministic += !is_deterministic(a);
    }
    holds->certificate.split = split;
    Budget budget;
    const auto judgement = certify::check_safety(network, {&property}, holds->certificate, budget);
    if (judgement.kind != certify::Judgement::Kind::accepted) return "the checker says: " + judgement.reason;
    return api::lost_in_a_file(CheckKind::safety, "p", holds->certificate, reference::actions());
  }
  if (auto* violated = std::get_if<Violated>(&verdict)) {
    if (problem.holds) return "violated, but brute force finds no violation";
    ++totals.traces;
    if (auto wrong = certify::replay_violation(network, property, violated->trace)) return "the trace: " + *wrong;
    std::vector<const Lts*> all;
    for (const auto& component : network.components) all.push_back(&component.lts);
    return reference::replays(all, &problem.property, violated->trace) ? "" : "brute force cannot replay the trace";
  }
  return "unknown without a budget";
}

std::string solve(const Problem& problem, const Split& split, Totals& totals) {
  const Network network = network_of(problem);
  ProofGoal goal;
  goal.properties = {&problem.property};
  for (const auto& side : split) {
    auto& components = goal.sides.emplace_back();
    for (const auto& name : side)
      for (const auto& component : network.components)
        if (component.name == name) components.push_back(&component.lts);
  }
  for (const auto mode : {AlphabetMode::full, AlphabetMode::refine})
    for (const std::uint64_t most : {kMostBuiltStates, std::uint64_t{0}}) {
      const bool several = split.size() == 2 && split[1].size() > 1;
      if (most == 0 && !several) continue;
      Budget budget;
      Cost cost;
      Verdict verdict = prove_agar_with(most, goal, {.budget = budget, .cost = cost, .alphabet = mode});
      for (const auto& line : cost.iterations) {
        totals.splits += line.split.has_value();
        totals.alphabets += line.result == "alphabet too small";
      }
      if (const auto* holds = std::get_if<Holds>(&verdict)) {
        const std::size_t expected = most == 0 ? split[1].size() : split.size() - 1;
        totals.side_by_side += most == 0;
        if (holds->certificate.assumptions.size() != expected) return "not as many assumptions as expected";
      }
      if (cost.conjectures != cost.iterations.size()) return "conjectures and iterations differ";
      if (auto wrong = fault(problem, network, split, std::move(verdict), totals); !wrong.empty())
        return fmt::format("{} alphabet, product of M2 up to {} states: {}",
                           mode == AlphabetMode::full ? "full" : "refined", most, wrong);
    }
  return "";
}

std::string show(const Problem& problem, const Split& split) {
  std::string out;
  for (const auto& side : split) out += (out.empty() ? "" : " | ") + fmt::format("{}", fmt::join(side, ","));
  for (const auto& component : network_of(problem).components)
    out += "\n" + component.name + ": " + reference::text(component.lts);
  return out + "\nproperty: " + reference::text(problem.property) + "\n";
}

// Whatever the budget: the right answer, or none with abstractions that the rest keeps.
std::string solve_with_little(const Problem& problem, std::uint64_t most_built, std::uint64_t states, Totals& totals) {
  const Split split = split_of(problem);
  const Network network = network_of(problem);
  const ProofGoal goal{{pointers(problem.m1), pointers(problem.m2)}, {&problem.property}};
  Limits limits;
  limits.states = states;
  Budget budget(limits);
  Cost cost;
  Verdict verdict = prove_agar_with(most_built, goal, {.budget = budget, .cost = cost});
  const auto* unknown = std::get_if<Unknown>(&verdict);
  if (unknown == nullptr) return fault(problem, network, split, std::move(verdict), totals);
  if (unknown->why != Stop::states) return "stopped by " + describe(unknown->why);
  if (unknown->assumptions.size() > 1 && unknown->assumptions.size() != problem.m2.size()) return "some are missing";
  for (std::size_t i = 0; i < unknown->assumptions.size(); ++i) {
    std::vector<const Lts*> rest = pointers(problem.m2);
    if (unknown->assumptions.size() > 1) rest = {rest[i]};
    Budget plenty;
    const auto judgement = certify::simulates(unknown->assumptions[i], rest, plenty);
    if (judgement.kind != certify::Judgement::Kind::accepted) return "not an abstraction: " + judgement.reason;
    ++totals.stopped;
  }
  return "";
}

TEST(AgarAgreement, EndsWithAnAnswerOrAnAbstractionWhateverTheBudget) {
  Problems problems(12);
  Totals totals;
  for (int i = 0; i < 500; ++i) {
    const Problem problem = problems.next();
    for (const std::uint64_t most : {kMostBuiltStates, std::uint64_t{0}})
      for (std::uint64_t states = 1; states < 200; states += 1 + states / 3)
        ASSERT_EQ(solve_with_little(problem, most, states, totals), "")
            << "problem " << i << ", " << states << " states, split " << show(problem, split_of(problem));
  }
  EXPECT_GT(totals.stopped, 1000U);
  EXPECT_GT(totals.proofs, 1000U);
}

// Both ways round, the first or the last component against the others, and all in a row in both orders.
std::vector<Split> splits_of(const Problem& problem) {
  const Split split = split_of(problem);
  std::vector<std::string> names;
  for (const auto& side : split) names.insert(names.end(), side.begin(), side.end());
  std::vector<Split> out{split, {split[1], split[0]}};
  if (names.size() == 2) return out;
  out.push_back({{names.front()}, {names.begin() + 1, names.end()}});
  out.push_back({{names.back()}, {names.begin(), names.end() - 1}});
  Split chain, reversed;
  for (const auto& name : names) chain.push_back({name});
  reversed.assign(chain.rbegin(), chain.rend());
  out.insert(out.end(), {chain, reversed});
  return out;
}

// As the other agreement test: with SURETY_SOAK_SECONDS=N as many problems as fit in N seconds, from a seed of the day.
TEST(AgarAgreement, AgreesWithBruteForceInEveryForm) {
  using Clock = std::chrono::steady_clock;
  const char* soak = std::getenv("SURETY_SOAK_SECONDS");
  const std::uint64_t seed = soak != nullptr ? static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()) : 11;
  const auto until = Clock::now() + std::chrono::seconds(soak != nullptr ? std::atol(soak) : 0);
  Problems problems(seed);
  Totals totals;
  int solved = 0;
  for (; soak != nullptr ? Clock::now() < until : solved < kProblems; ++solved) {
    const Problem problem = problems.next();
    for (const Split& split : splits_of(problem))
      ASSERT_EQ(solve(problem, split, totals), "")
          << "seed " << seed << ", problem " << solved << ", split " << show(problem, split);
  }
  fmt::print(
      "{} problems (seed {}): {} proofs ({} with one abstraction per component), {} traces; {} splits, {} alphabets "
      "too "
      "small, {} "
      "nondeterministic abstractions, largest {} states\n",
      solved, seed, totals.proofs, totals.side_by_side, totals.traces, totals.splits, totals.alphabets,
      totals.nondeterministic, totals.largest);
  if (soak != nullptr) return;
  EXPECT_GT(totals.side_by_side, 1000U);
  EXPECT_GT(totals.nondeterministic, 1000U);
  EXPECT_GT(totals.alphabets, 1000U);
}

}  // namespace
}  // namespace surety
