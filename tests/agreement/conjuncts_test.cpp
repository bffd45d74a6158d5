// Properties that are taken apart, and conjuncts that are proved by symmetry.

#include "decompose/properties/conjuncts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "agreement/problems.hpp"
#include "certificate/law.hpp"
#include "certify/certify.hpp"
#include "decompose/properties/prove_by_conjuncts.hpp"
#include "decompose/properties/symmetry.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using Kind = certify::Judgement::Kind;
using reference::lts;

struct System {
  explicit System(std::vector<Lts> components) {
    split.emplace_back();
    for (Lts& component : components) {
      split[0].push_back(fmt::format("c{}", network.components.size()));
      network.components.push_back({split[0].back(), std::move(component)});
    }
    for (const auto& component : network.components) side.push_back(&component.lts);
  }
  Verdict prove(const Lts& property, Cost& cost, const Limits& limits = {}) const {
    Budget budget(limits);
    return prove_by_conjuncts(*find_rule(Method::cegar), {{side}, {&property}}, {.budget = budget, .cost = cost});
  }
  certify::Judgement judge(Certificate certificate, const Lts& property) const {
    Budget budget;
    certificate.split = split;
    const Property named{"p", property};
    if (auto lost = api::lost_in_a_file(CheckKind::safety, "p", certificate, reference::actions()); !lost.empty())
      return {Kind::refused, lost, {}, 0};
    return certify::check_safety(network, {&named}, certificate, budget);
  }
  // Nothing: the verdict is right, and its proof or trace accepted.
  std::string fault(const Verdict& verdict, const Lts& property) const {
    const bool holds = !reference::shortest_violation(side, property);
    if (const auto* proved = std::get_if<Holds>(&verdict)) {
      if (!holds) return "holds, but brute force finds a violation";
      const auto judgement = judge(proved->certificate, property);
      return judgement.kind == Kind::accepted ? "" : "the checker says: " + judgement.reason;
    }
    const auto* violated = std::get_if<Violated>(&verdict);
    if (violated == nullptr) return "unknown";
    if (holds) return "violated, but brute force finds no violation";
    return reference::replays(side, &property, violated->trace) ? "" : "the trace does not replay";
  }

  Network network;
  ComponentSet side;
  Split split;
};

// An LTS of its own alphabet with all words that each conjunct allows.
bool allowed_by_all(const std::vector<Lts>& conjuncts, const Trace& word) {
  return std::ranges::all_of(conjuncts, [&](const Lts& c) {
    return reference::words_up_to(word.size(), c).contains(project(word, c.alphabet()));
  });
}

TEST(Conjuncts, AllowExactlyTheWordsOfTheProperty) {
  Problems problems(41);
  int apart = 0;
  for (int i = 0; i < 5000; ++i) {
    const Problem problem = problems.next();
    std::vector<Lts> components = problem.m1;
    components.insert(components.end(), problem.m2.begin(), problem.m2.end());
    Budget budget;
    const auto conjuncts = conjuncts_of(problem.property, pointers(components), budget);
    if (conjuncts.empty()) continue;
    ++apart;
    for (const Lts& c : conjuncts) {
      ASSERT_TRUE(is_deterministic(c));
      ASSERT_LT(c.alphabet().size(), problem.property.alphabet().size());
    }
    const auto words = reference::words_up_to(3, problem.property);
    for (const Trace& word : reference::all_words_up_to(3, problem.property.alphabet()))
      ASSERT_EQ(allowed_by_all(conjuncts, word), words.contains(word)) << i;
  }
  EXPECT_GT(apart, 100);
}

TEST(Conjuncts, ProofsByThemAgreeWithBruteForce) {
  Problems problems(42);
  int by_conjuncts = 0;
  for (int i = 0; i < 3000; ++i) {
    const Problem problem = problems.next();
    std::vector<Lts> components = problem.m1;
    components.insert(components.end(), problem.m2.begin(), problem.m2.end());
    const System system(components);
    Cost cost;
    ASSERT_EQ(system.fault(system.prove(problem.property, cost), problem.property), "") << i;
    // The conjuncts alone, without the race against the whole property.
    Budget budget;
    const auto conjuncts = conjuncts_of(problem.property, system.side, budget);
    if (conjuncts.empty()) continue;
    Certificate whole{Method::conjunction, {}, {}};
    bool holds = true;
    for (const Lts& c : conjuncts) {
      const Verdict verdict = find_rule(Method::cegar)->prove({{system.side}, {&c}}, {.budget = budget, .cost = cost});
      ASSERT_EQ(system.fault(verdict, c), "") << i;
      if (const auto* proved = std::get_if<Holds>(&verdict))
        whole.parts.push_back({c, proved->certificate});
      else
        holds = false;
    }
    ASSERT_EQ(holds, problem.holds) << i;
    if (!holds) continue;
    ++by_conjuncts;
    ASSERT_EQ(system.judge(whole, problem.property).kind, Kind::accepted);
    // Without one of them it may still be a proof, but never without all.
    whole.parts.clear();
    ASSERT_EQ(system.judge(whole, problem.property).kind, Kind::refused);
  }
  EXPECT_GT(by_conjuncts, 20);
}

// A server that lends one thing to n clients, its notes about who has it included. Client 1 may be another one.
std::vector<Lts> clients_and_server(int n, const std::string& first = "0 request.1 1, 1 grant.1 2, 2 cancel.1 0") {
  std::vector<Lts> out{lts(first)};
  std::string server = "0 note.0 0";
  for (int c = 1; c <= n; ++c) {
    if (c > 1) out.push_back(lts(fmt::format("0 request.{0} 1, 1 grant.{0} 2, 2 cancel.{0} 0", c)));
    server +=
        fmt::format(", 0 request.{0} {1}, {1} grant.{0} {2}, {2} note.{0} {2}, {2} cancel.{0} 0", c, 2 * c - 1, 2 * c);
  }
  out.push_back(lts(server));
  return out;
}

Lts mutex(int n) {
  std::string text;
  for (int c = 1; c <= n; ++c) text += fmt::format("{}0 grant.{} {}, {} cancel.{} 0", c > 1 ? ", " : "", c, c, c, c);
  return lts(text);
}

TEST(Conjuncts, OfMutualExclusionArePairs) {
  const System system(clients_and_server(5));
  Budget budget;
  const auto conjuncts = conjuncts_of(mutex(5), system.side, budget);
  EXPECT_EQ(conjuncts.size(), 10U);
  for (const Lts& c : conjuncts) EXPECT_EQ(c.alphabet().size(), 4U);
}

TEST(Symmetry, FindsTheClientsAndWhatTheServerDoesForThem) {
  const System system(clients_and_server(4));
  Budget budget;
  const Symmetry exchange(system.side, budget);
  ASSERT_EQ(exchange.groups().size(), 1U);
  EXPECT_EQ(exchange.groups()[0], (std::vector<std::size_t>{0, 1, 2, 3}));
  // Every permutation that it offers takes the system to itself.
  for (int c = 1; c <= 4; ++c) {
    const Renaming to_front = exchange.to_front(system.side[static_cast<std::size_t>(c - 1)]->alphabet());
    const Lts& server = *system.side.back();
    EXPECT_TRUE(same_behaviour(renamed(server, to_front), server));
    EXPECT_TRUE(same_behaviour(renamed(*system.side[static_cast<std::size_t>(c - 1)], to_front), *system.side[0]));
  }
}

TEST(Symmetry, LeavesOutAClientThatIsDifferent) {
  // It has the same actions, and may do without asking; or the same steps in another order.
  for (const char* first : {"0 request.1 1, 1 grant.1 2, 2 cancel.1 0, 0 grant.1 2",
                            "0 grant.1 1, 1 request.1 2, 2 cancel.1 0", "0 request.1 1, 1 grant.1 2, 2 cancel.1 1"}) {
    const System system(clients_and_server(4, first));
    Budget budget;
    const Symmetry exchange(system.side, budget);
    ASSERT_EQ(exchange.groups().size(), 1U) << first;
    EXPECT_EQ(exchange.groups()[0], (std::vector<std::size_t>{1, 2, 3})) << first;
  }
}

// A random component that the clients of a kind all have, with a random server: symmetric ones and near misses.
TEST(Symmetry, RenamedSystemsAreTheSameSystem) {
  Random random(9);
  int found = 0;
  for (int i = 0; i < 400; ++i) {
    std::vector<std::string> clients(3);
    std::string server = "0 start 0";
    for (std::uint32_t s = 0; s < 3; ++s)
      for (const char* name : {"a", "b"}) {
        const auto target = random.below(3);
        for (std::size_t c = 0; c < 3; ++c) {
          if (random.chance(3)) continue;  // this one is different
          clients[c] += fmt::format("{}{} {}.{} {}", clients[c].empty() ? "" : ", ", s, name, c, target);
          if (!random.chance(3)) server += fmt::format(", {} {}.{} {}", s == 0 ? 0 : 1, name, c, target == 0 ? 0 : 1);
        }
      }
    std::vector<Lts> components;
    for (auto& text : clients) components.push_back(lts(text.empty() ? "0 x 0" : text));
    components.push_back(lts(server));
    const System system(components);
    Budget budget;
    const Symmetry exchange(system.side, budget);
    for (const auto& group : exchange.groups())
      for (const std::size_t member : group) {
        ++found;
        const Renaming renaming = exchange.to_front(system.side[member]->alphabet());
        for (std::size_t c = 0; c < components.size(); ++c) {
          const auto it = renaming.components.find(c);
          const std::size_t to = it == renaming.components.end() ? c : it->second;
          ASSERT_TRUE(reference::words_up_to(3, renamed(components[c], renaming)) ==
                      reference::words_up_to(3, components[to]))
              << i;
        }
      }
  }
  EXPECT_GT(found, 100);
}

// A rule that gives up on what speaks of more than two clients, so that mutual exclusion has to come apart.
Verdict prove_pairs(const ProofGoal& goal, const Context& context) {
  if (goal.property().alphabet().size() > 4) return Unknown{Stop::states, {}, {}};
  return find_rule(Method::cegar)->prove(goal, context);
}

Rule rule_for_pairs() {
  Rule rule = *find_rule(Method::cegar);
  rule.prove = prove_pairs;
  return rule;
}

TEST(ProveSplit, ProvesOneOfManyPairsAndTheCheckerAcceptsAllCopies) {
  for (const int n : {3, 4, 6}) {
    const System system(clients_and_server(n));
    Budget budget;
    Cost once, all;
    const Lts property = mutex(n);
    const auto conjuncts = conjuncts_of(property, system.side, budget);
    for (const Lts& c : conjuncts)
      find_rule(Method::cegar)->prove({{system.side}, {&c}}, {.budget = budget, .cost = all});
    const Verdict verdict =
        prove_by_conjuncts(rule_for_pairs(), {{system.side}, {&property}}, {.budget = budget, .cost = once});
    ASSERT_EQ(system.fault(verdict, property), "");
    EXPECT_EQ(std::get<Holds>(verdict).certificate.parts.size(), conjuncts.size());
    EXPECT_EQ(once.conjectures * conjuncts.size(), all.conjectures);
    // A part without its assumptions proves nothing.
    Certificate forged = std::get<Holds>(verdict).certificate;
    for (Lts& a : forged.parts.back().certificate.assumptions) a = lts("0 request.1 0");
    EXPECT_EQ(system.judge(forged, property).kind, Kind::refused);
  }
}

TEST(ProveSplit, ABrokenClientIsFoundAmongCopies) {
  const System system(clients_and_server(4, "0 request.1 1, 1 grant.1 2, 2 cancel.1 0, 0 cancel.1 0"));
  Budget budget;
  Cost cost;
  const Lts property = mutex(4);
  const Verdict verdict =
      prove_by_conjuncts(rule_for_pairs(), {{system.side}, {&property}}, {.budget = budget, .cost = cost});
  EXPECT_EQ(system.fault(verdict, property), "");
}

TEST(ProveSplit, ABudgetThatEndsLeavesUnknownOrTheRightAnswer) {
  const System system(clients_and_server(5));
  int unknown = 0;
  for (std::uint64_t states = 0; states < 60; ++states) {
    Cost cost;
    Limits limits;
    limits.states = states;
    const Verdict verdict = system.prove(mutex(5), cost, limits);
    unknown += std::holds_alternative<Unknown>(verdict);
    ASSERT_FALSE(std::holds_alternative<Violated>(verdict));
  }
  EXPECT_GT(unknown, 3);
}

}  // namespace
}  // namespace surety
