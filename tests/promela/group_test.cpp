// Variables and their users in one component: where that is smaller, and never with another meaning.

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "lang/promela/network/group.hpp"
#include "model/equivalence.hpp"
#include "model/transform.hpp"
#include "product/compose.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using namespace reference;
using Why = PromelaGlobal::Why;
using Names = std::vector<std::string>;

std::uint64_t size_of(const Lts& lts) { return lts.state_count() + lts.transition_count(); }

std::uint64_t size_of(const Network& network) {
  std::uint64_t size = 0;
  for (const Component& c : network.components) size += size_of(c.lts);
  return size;
}

Names names_of(const Network& network) {
  Names out;
  for (const Component& c : network.components) out.push_back(c.name);
  return out;
}

std::vector<const Lts*> parts(const Network& network) {
  std::vector<const Lts*> out;
  for (const Component& c : network.components) out.push_back(&c.lts);
  return out;
}

// Grouping renumbers the states of the whole and does nothing else.
void expect_same_whole(const PromelaNetwork& before, const PromelaNetwork& after, ActionTable& table) {
  EXPECT_EQ(alphabet_of(before.network), alphabet_of(after.network));
  const auto whole = [](const Network& network, bool errors) {
    Budget budget;
    Network copy = network;
    for (Component& c : copy.components)
      if (!errors) c.lts = without_error(c.lts);
    return compose(parts(copy), budget).value();
  };
  for (const bool errors : {true, false}) {
    const Lts a = whole(before.network, errors), b = whole(after.network, errors);
    EXPECT_EQ(a.state_count(), b.state_count());
    EXPECT_EQ(a.transition_count(), b.transition_count());
    EXPECT_FALSE(difference(a, b, Equivalence::strong));
  }
  const Lts a = whole(with_ends(before, table), true), b = whole(with_ends(after, table), true);
  EXPECT_EQ(a.state_count(), b.state_count());
  EXPECT_EQ(a.transition_count(), b.transition_count());
  EXPECT_FALSE(difference(a, b, Equivalence::strong));
}

// --- LTSs

PromelaNetwork network(const std::vector<Lts>& processes, const std::vector<Lts>& variables) {
  PromelaNetwork out;
  for (const Lts& lts : processes) {
    out.network.components.push_back({"P" + std::to_string(out.network.components.size()), lts});
    out.ended.emplace_back(lts.state_count(), false);
  }
  for (const Lts& lts : variables) {
    PromelaGlobal global;
    global.name = global.component = "x" + std::to_string(out.globals.size());
    global.states = lts.state_count();
    global.why = Why::larger;
    out.network.components.push_back({global.name, lts});
    out.ended.emplace_back();
    out.globals.push_back(global);
  }
  return out;
}

PromelaNetwork grouped(const PromelaNetwork& before, std::size_t processes) {
  PromelaNetwork after = before;
  const auto& components = before.network.components;
  std::vector<std::vector<std::size_t>> users(components.size() - processes);
  for (std::size_t v = 0; v < users.size(); ++v)
    for (std::size_t p = 0; p < processes; ++p)
      if (!intersect(components[p].lts.alphabet(), components[processes + v].lts.alphabet()).empty())
        users[v].push_back(p);
  Budget budget;
  promela::net::group_globals(after, processes, users, budget);
  return after;
}

TEST(Group, IsMadeExactlyWhereTheProductIsSmaller) {
  const Lts other = lts("0 c 1, 1 c 0");
  const std::vector<Lts> all = small_ltss();
  int made = 0, not_made = 0;
  for (const Lts& process : all)
    for (const Lts& variable : all) {
      if (process.state_count() == 0 || variable.state_count() == 0 || !is_deterministic(variable)) continue;
      const PromelaNetwork after = grouped(network({process, other}, {variable}), 2);
      const std::uint64_t together = size_of(product({&process, &variable}));
      const std::uint64_t apart = size_of(process) + size_of(variable);
      ASSERT_EQ(after.globals[0].apart, apart);
      if (together < apart) {
        ++made;
        ASSERT_EQ(names_of(after.network), (Names{"P0", "P1"}));
        ASSERT_EQ(after.globals[0].why, Why::smaller);
        ASSERT_EQ(after.globals[0].together, together);
        ASSERT_EQ(size_of(after.network), together + size_of(other));
      } else {
        ++not_made;
        ASSERT_EQ(names_of(after.network), (Names{"P0", "P1", "x0"}));
        ASSERT_EQ(after.globals[0].why, Why::larger);
      }
    }
  EXPECT_GT(made, 1000);
  EXPECT_GT(not_made, 1000);
}

TEST(Group, IsNotMadeIfItCanReachAnError) {
  const Lts other = lts("0 c 1, 1 c 0"), variable = lts("0 a 1, 1 a 0, +b");  // it never does b
  int errors = 0, gone = 0;
  for (const Lts& process : small_ltss_with_tau()) {
    if (process.state_count() == 0 || process.end() || process.error() == process.initial()) continue;
    const PromelaNetwork before = network({process, other}, {variable});
    const PromelaNetwork after = grouped(before, 2);
    if (!process.error()) continue;
    if (product({&process, &variable}).error()) {
      ASSERT_NE(after.globals[0].why, Why::smaller);
      errors += after.globals[0].why == Why::fails;
    } else if (after.globals[0].why == Why::smaller) {
      ASSERT_FALSE(after.network.components[0].lts.error());
      expect_same_whole(before, after, actions());
      ++gone;
    }
  }
  EXPECT_GT(errors, 10);
  EXPECT_GT(gone, 1);
}

// Actions that a part can never do, and those that several members share with outsiders, included.
TEST(Group, LeavesTheWholeAsItIs) {
  Random random(1);
  int groups = 0, large_ones = 0, ended = 0;
  const auto part = [&](std::uint32_t states, std::uint32_t steps, bool variable) {
    Shape shape{1 + random.below(states), 3, steps, variable ? 0u : 20u, variable ? 0u : 20u, 0, false};
    std::vector<std::pair<Action, Action>> renaming;  // any three of a to f
    std::vector<Action> letters;
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) letters.push_back(action(name));
    for (std::size_t i = 0; i < 3; ++i) {
      std::swap(letters[i], letters[i + random.below(static_cast<std::uint32_t>(6 - i))]);
      renaming.push_back({action(std::string(1, static_cast<char>('a' + i))), letters[i]});
    }
    return relabel(random_lts(random, shape), renaming);
  };
  for (int i = 0; i < 2000; ++i) {
    std::vector<Lts> processes, variables;
    for (std::uint32_t n = 2 + random.below(3); n > 0; --n) processes.push_back(part(3, 6, false));
    for (std::uint32_t n = 1 + random.below(3); n > 0; --n) variables.push_back(part(2, 8, true));
    PromelaNetwork before = network(processes, variables);
    for (std::size_t p = 0; p < processes.size(); ++p)
      for (std::uint32_t s = 0; s < before.ended[p].size(); ++s)
        before.ended[p][s] = processes[p].error() != State{s} && random.chance(60);
    const PromelaNetwork after = grouped(before, processes.size());
    expect_same_whole(before, after, actions());
    if (HasFailure()) FAIL() << "in round " << i;
    if (after.network.components.size() == before.network.components.size()) continue;
    EXPECT_LT(size_of(after.network), size_of(before.network));
    ++groups;
    std::size_t with_process = 0;
    for (std::size_t c = 0; c < after.network.components.size(); ++c) {
      with_process += !after.ended[c].empty();
      ended += std::count(after.ended[c].begin(), after.ended[c].end(), true) > 0;
      large_ones += after.network.components[c].name.find('+') != std::string::npos;
    }
    EXPECT_GE(with_process, 2u);
  }
  EXPECT_GT(groups, 200);
  EXPECT_GT(large_ones, 50);
  EXPECT_GT(ended, 50);
}

// --- programs

struct Both {
  ActionTable actions;
  PromelaNetwork apart, grouped;

  explicit Both(const std::string& text) {
    auto file = read_promela(text, "test.pml");
    EXPECT_TRUE(file) << (file ? "" : render(file.error()[0]));
    Budget budget;
    apart = promela_network(*file, actions, budget, {.group = false}).value();
    grouped = promela_network(*file, actions, budget).value();
    expect_same_whole(apart, grouped, actions);
  }

  const PromelaGlobal& global(const std::string& name) const {
    for (const PromelaGlobal& g : grouped.globals)
      if (g.name == name) return g;
    ADD_FAILURE() << "there is no global " << name;
    return grouped.globals.at(0);
  }
};

const std::string kOther = " chan c = [0] of { byte }; active proctype Q() { do :: c?_ od } ";

TEST(PromelaGroup, AVariableOfOneProcessGoesIntoIt) {
  const Both b("byte x;" + kOther + "active proctype P() { do :: x < 3 -> x++; c!x :: x == 3 -> x = 0 od }");
  EXPECT_EQ(names_of(b.apart.network), (Names{"Q", "P", "x"}));
  EXPECT_EQ(names_of(b.grouped.network), (Names{"Q", "P"}));
  EXPECT_EQ(b.global("x").component, "P");
  EXPECT_EQ(b.global("x").states, 256u);  // for all that is known of P
  EXPECT_EQ(b.global("x").users, Names{"P"});
  EXPECT_EQ(b.global("x").together + size_of(b.apart.network.components[0].lts), size_of(b.grouped.network));
}

TEST(PromelaGroup, ProcessesThatTakeTurnsAreOneComponentAndTheGroupIsAUserOfTheNextVariable) {
  const std::string turns =
      "bit turn; byte n; active proctype A() { do :: turn == 0 -> n = 1; turn = 1 od }"
      "active proctype B() { do :: turn == 1 -> n == 1; n = 0; turn = 0 od }";
  const Both b(turns + kOther + "active proctype P() { do :: c!1 od }");
  EXPECT_EQ(names_of(b.grouped.network), (Names{"A+B", "Q", "P"}));
  EXPECT_EQ(b.global("turn").component, "A+B");
  EXPECT_EQ(b.global("n").component, "A+B");
  // Without anybody else they stay apart.
  const Both alone(turns);
  EXPECT_EQ(names_of(alone.grouped.network), (Names{"A", "B", "turn", "n"}));
  EXPECT_EQ(alone.global("turn").why, Why::everybody);
}

TEST(PromelaGroup, ProcessesThatHaveLittleToDoWithEachOtherStayApart) {
  const std::string p = "() { byte i; do :: i < 5 -> i++; c!i :: i == 5 -> i = 0; x = 1 - x od } ";
  const Both b("bit x;" + kOther + "active proctype A" + p + "active proctype B" + p);
  EXPECT_EQ(names_of(b.grouped.network), (Names{"Q", "A", "B", "x"}));
  EXPECT_EQ(b.global("x").why, Why::larger);
  EXPECT_EQ(b.global("x").component, "x");
}

TEST(PromelaGroup, OnlyAnErrorThatCanHappenKeepsAVariableApart) {
  const auto program = [](const std::string& size) {
    return "byte x;" + kOther + "active proctype P() { bit a[" + size +
           "]; do :: x < 3 -> x++; a[x] = 0; c!x :: x == 3 -> x = 0 od }";
  };
  const Both fails(program("3"));
  EXPECT_EQ(fails.global("x").why, Why::fails);
  const Both works(program("4"));
  EXPECT_EQ(works.global("x").component, "P");
  for (const Component& c : works.apart.network.components) EXPECT_EQ(c.lts.error().has_value(), c.name == "P");
  for (const Component& c : works.grouped.network.components) EXPECT_FALSE(c.lts.error());
}

// Other than an error, a violated assertion is a step like any other.
TEST(PromelaGroup, AnAssertionDoesNotKeepAVariableApart) {
  const Both b("byte x;" + kOther +
               "active proctype P() { do :: x < 3 -> x++; assert(x < 3); c!x :: x == 3 -> x = 0 od }");
  EXPECT_EQ(b.global("x").component, "P");
  for (const PromelaNetwork* network : {&b.apart, &b.grouped})
    EXPECT_TRUE(shortest_violation(parts(network->network), b.grouped.assertions->lts));
}

TEST(PromelaGroup, WhoOnlyReceivesTheValueIsNoUser) {
  const Both b("bit x;" + kOther + "active proctype P() { do :: x = 1 - x; c!x od } active proctype R() { c!7 }");
  EXPECT_EQ(b.global("x").users, Names{"P"});
}

TEST(PromelaGroup, WhatNobodyWritesIsAConstantAndBuffersAreComponents) {
  const Both b(
      "byte n = 2; byte a[2]; chan q = [1] of { byte }; active proctype P() { do :: a[1] = 1 - a[1]; q!n od }"
      "active proctype Q() { do :: q?_ od }");
  EXPECT_EQ(names_of(b.grouped.network), (Names{"P", "Q", "q"}));
  EXPECT_EQ(b.global("n").why, Why::constant);
  EXPECT_EQ(b.global("a.0").why, Why::constant);
  EXPECT_EQ(b.global("a.1").component, "P");
}

TEST(PromelaGroup, TheOnlyProcessKeepsItsVariablesApart) {
  const Both b("byte x; active proctype P() { x = 1; x == 1 }");
  EXPECT_EQ(names_of(b.grouped.network), (Names{"P", "x"}));
  EXPECT_EQ(b.global("x").why, Why::everybody);
}

}  // namespace
}  // namespace surety
