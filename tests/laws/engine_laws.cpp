// The engine against brute force.
//
// The reference knows plain components only, so a network with watchers, and with
// errors that do not count, is first written as one of components that behaves the
// same (`plain`). Wide states come from idle parts that never step.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdio>
#include <map>
#include <string>

#include "engine/product/search.hpp"
#include "model/transform.hpp"
#include "reference/generators.hpp"

namespace surety {
namespace {

using reference::action;
using Outcome = SearchResult::Outcome;

struct TestPart {
  Lts lts;
  Role role = Role::component;
  bool error_counts = true;
};
using TestNetwork = std::vector<TestPart>;

std::ostream& operator<<(std::ostream& out, const TestPart& part) {
  return out << (part.role == Role::watch ? "watch " : "") << (part.error_counts ? "" : "not counting ") << part.lts;
}

std::vector<Part> parts_of(const TestNetwork& network) {
  std::vector<Part> parts;
  for (const auto& part : network) parts.push_back({&part.lts, part.role, part.error_counts});
  return parts;
}

std::vector<const Lts*> pointers(const std::vector<Lts>& ltss) {
  std::vector<const Lts*> out;
  for (const Lts& lts : ltss) out.push_back(&lts);
  return out;
}

SearchResult run(const TestNetwork& network, Goal goal, unsigned threads = 1, Reduction reduction = Reduction::none) {
  static Budget budget;  // one for all: making one reads half a dozen files of /proc
  return search(parts_of(network), goal, budget, threads, reduction);
}

// --- Plain components that behave the same.

// A builder with the states, alphabet and marks of lts, and one state more: the error state, if it had none.
struct Copy {
  LtsBuilder builder;
  State error;
  explicit Copy(const Lts& lts) : error(lts.error().value_or(State{lts.state_count()})) {
    builder.set_state_count(lts.state_count() + 1);
    builder.add_to_alphabet(lts.alphabet());
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)
      for (const Step& step : lts.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
    if (lts.end()) builder.set_end(*lts.end());
    builder.set_error(error);
  }
};

// A watcher as a component: where it lacks a step for one of its actions, that action leads to error.
// (END is not for watchers: it could not have these steps.)
Lts with_missing_steps(const Lts& watcher) {
  Copy copy(watcher);
  for (std::uint32_t s = 0; s < watcher.state_count(); ++s)
    for (const Action a : watcher.alphabet())
      if (State{s} != watcher.error() && watcher.steps(State{s}, a).empty())
        copy.builder.add_step(State{s}, a, copy.error);
  return copy.builder.build();
}

std::vector<Lts> components(const TestNetwork& network) {
  std::vector<Lts> out;
  for (const auto& part : network) out.push_back(part.role == Role::watch ? with_missing_steps(part.lts) : part.lts);
  return out;
}

// tau made visible, so that others can block it.
Lts with_named_tau(const Lts& lts, std::size_t part) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  builder.add_to_alphabet(lts.alphabet());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      builder.add_step(State{s}, step.action == kTau ? action("tau." + std::to_string(part)) : step.action,
                       step.target);
  if (lts.error()) builder.set_error(*lts.error());
  return builder.build();
}

// An error that does not count as an ordinary state in which nobody can do anything any more.
Lts with_dead_end(const Lts& lts, const Alphabet& all) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  builder.add_to_alphabet(all);
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    for (const Step& step : lts.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
    if (State{s} == lts.error()) continue;
    for (const Action a : subtract(all, lts.alphabet())) builder.add_step(State{s}, a, State{s});
  }
  return builder.build();
}

std::vector<Lts> plain(const TestNetwork& network) {
  std::vector<Lts> out = components(network);
  Alphabet all;
  for (std::size_t p = 0; p < out.size(); ++p) all = unite(all, (out[p] = with_named_tau(out[p], p)).alphabet());
  for (std::size_t p = 0; p < out.size(); ++p)
    if (!network[p].error_counts) out[p] = with_dead_end(out[p], all);
  return out;
}

// --- The three questions.

void expect_same_violation(const TestNetwork& network, const SearchResult& result) {
  std::vector<Lts> same = plain(network);
  const auto expected = reference::shortest_error(pointers(same));
  ASSERT_EQ(result.outcome == Outcome::found, expected.has_value());
  if (!expected) return;
  ASSERT_EQ(result.trace.size(), expected->size());
  ASSERT_TRUE(reference::replays(pointers(components(network)), nullptr, result.trace));
  // And it ends in an error that counts: one is as near when all must keep to the visible part of the trace.
  Alphabet all;
  for (const auto& part : network) all = unite(all, part.lts.alphabet());
  same.push_back(trace_lts(project(result.trace, all), all));
  for (std::size_t p = 0; p < network.size(); ++p)
    if (!network[p].error_counts) same[p] = with_dead_end(same[p], unite(same[p].alphabet(), all));
  const auto along = reference::shortest_error(pointers(same));
  ASSERT_TRUE(along.has_value());
  ASSERT_EQ(along->size(), expected->size());
}

void expect_same_deadlock(const TestNetwork& network, const SearchResult& result) {
  const std::vector<Lts> same = components(network);
  const auto expected = reference::shortest_deadlock(pointers(same));
  ASSERT_EQ(result.outcome == Outcome::found, expected.has_value());
  if (!expected) return;
  ASSERT_EQ(result.trace.size(), expected->size());
  ASSERT_TRUE(reference::replays(pointers(same), nullptr, result.trace));
}

// The reference makes one state of all errors, and one of all ENDs.
void expect_same_count(const TestNetwork& network, const SearchResult& result) {
  std::vector<Lts> same = components(network);
  for (std::size_t p = 0; p < same.size(); ++p) same[p] = with_named_tau(same[p], p);  // and without END
  const Lts product = reference::product(pointers(same));
  ASSERT_EQ(result.outcome, Outcome::exhausted);
  ASSERT_EQ(result.states, product.state_count() - (product.error() ? 1 : 0));
}

void expect_same(const TestNetwork& network, unsigned threads) {
  expect_same_violation(network, run(network, Goal::violation, threads));
  expect_same_violation(network, run(network, Goal::violation, threads, Reduction::por));
  expect_same_deadlock(network, run(network, Goal::deadlock, threads));
  expect_same_deadlock(network, run(network, Goal::deadlock, threads, Reduction::por));
  expect_same_count(network, run(network, Goal::count, threads));
}

// --- Networks.

Lts idle_cycle(std::uint32_t states) {
  LtsBuilder builder;
  builder.set_state_count(states);
  for (std::uint32_t s = 0; s < states; ++s) builder.add_step(State{s}, action("never"), State{(s + 1) % states});
  return builder.build();
}

// The same behaviour in `bits` bits more. The part that refuses comes first, and shares no action with END.
TestNetwork widened(TestNetwork network, std::uint32_t bits) {
  static std::map<std::uint32_t, Lts> known;
  if (bits > 0) network.push_back({reference::lts("+never")});
  for (; bits > 0; bits -= std::min(bits, 9U)) {
    const std::uint32_t size = 1U << std::min(bits, 9U);
    if (!known.contains(size)) known[size] = idle_cycle(size);
    network.push_back({known[size]});
  }
  return network;
}

rc::Gen<TestPart> any_part(bool watch, bool marks) {
  reference::Variety variety;
  variety.states = watch ? 3 : 4;
  variety.steps = watch ? 9 : 8;
  variety.actions = 2;
  variety.end = marks && !watch;
  variety.error = marks;
  const auto lts = rc::gen::mapcat(reference::between(0, 2), [variety](std::uint32_t first) {
    auto v = variety;
    v.first_action = first;
    return reference::any_lts(v);
  });
  return rc::gen::map(rc::gen::pair(lts, reference::between(0, 3)),
                      [watch](const std::pair<Lts, std::uint32_t>& drawn) {
                        return TestPart{drawn.first, watch ? Role::watch : Role::component, drawn.second > 0};
                      });
}

// One to five parts, of which up to two watch.
rc::Gen<TestNetwork> any_network(bool marks = true) {
  const auto components = rc::gen::mapcat(reference::between(0, 3), [marks](std::uint32_t n) {
    return rc::gen::container<TestNetwork>(n, any_part(false, marks));
  });
  const auto watchers = rc::gen::mapcat(reference::between(0, 2), [marks](std::uint32_t n) {
    return rc::gen::container<TestNetwork>(n, any_part(true, marks));
  });
  return rc::gen::map(rc::gen::pair(components, watchers), [](std::pair<TestNetwork, TestNetwork> both) {
    both.first.insert(both.first.begin() + static_cast<std::ptrdiff_t>(both.first.size() / 2), both.second.begin(),
                      both.second.end());  // watchers may stand anywhere
    return both.first;
  });
}

void classify(const TestNetwork& network, const SearchResult& result) {
  RC_CLASSIFY(result.outcome == Outcome::found, result.trace.size() > 2 ? "found after 3 steps or more" : "found");
  RC_CLASSIFY(std::any_of(network.begin(), network.end(), [](auto& p) { return p.role == Role::watch; }), "watched");
}

RC_GTEST_PROP(EngineLaws, FindsAViolationExactlyAsFarAwayAsBruteForceDoes, ()) {
  const TestNetwork network = *any_network();
  const auto result = run(network, Goal::violation);
  classify(network, result);
  expect_same_violation(network, result);
  expect_same_violation(network, run(network, Goal::violation, 1, Reduction::por));
  RC_ASSERT(!testing::Test::HasFatalFailure());
}

RC_GTEST_PROP(EngineLaws, FindsADeadlockExactlyAsFarAwayAsBruteForceDoes, ()) {
  const TestNetwork network = *any_network();
  const auto result = run(network, Goal::deadlock);
  classify(network, result);
  expect_same_deadlock(network, result);
  expect_same_deadlock(network, run(network, Goal::deadlock, 1, Reduction::por));
  RC_ASSERT(!testing::Test::HasFatalFailure());
}

RC_GTEST_PROP(EngineLaws, CountsTheStatesThatBruteForceCounts, ()) {
  const TestNetwork network = *any_network(false);
  expect_same_count(network, run(network, Goal::count));
  RC_ASSERT(!testing::Test::HasFatalFailure());
}

// Deterministic parts without tau: then no two steps of a product state are the same.
RC_GTEST_PROP(EngineLaws, CountsTheStepsThatBruteForceCounts, ()) {
  TestNetwork network;
  const auto n = *reference::between(1, 4);
  for (std::uint32_t i = 0; i < n; ++i) {
    reference::Variety variety;
    variety.first_action = *reference::between(0, 2);
    network.push_back({*reference::any_property(variety), i == 1 ? Role::watch : Role::component});
  }
  const Lts product = reference::product(pointers(components(network)));
  RC_ASSERT(run(network, Goal::count).transitions == product.transition_count());
}

RC_GTEST_PROP(EngineLaws, AnswersTheSameHoweverManyWordsAStateTakes, ()) {
  const TestNetwork network = *any_network();
  const auto bits = *rc::gen::element(20U, 50U, 58U, 60U, 62U, 63U, 64U, 100U, 130U, 300U);
  const TestNetwork wide = widened(network, bits);
  for (const Goal goal : {Goal::violation, Goal::count}) {
    const auto narrow_result = run(network, goal), wide_result = run(wide, goal);
    RC_ASSERT(wide_result.outcome == narrow_result.outcome);
    RC_ASSERT(wide_result.states == narrow_result.states);
    RC_ASSERT(wide_result.transitions == narrow_result.transitions);
    RC_ASSERT(wide_result.trace.size() == narrow_result.trace.size());
    RC_ASSERT(reference::replays(pointers(components(network)), nullptr, wide_result.trace));
  }
  expect_same_deadlock(wide, run(wide, Goal::deadlock));
  RC_ASSERT(!testing::Test::HasFatalFailure());
}

// More of the same, with longer ways: parts that go round, of which the end of the round may be error or END.
TestPart random_part(Random& random, std::uint32_t most_states) {
  const bool watch = random.chance(15);
  const std::uint32_t n = 1 + random.below(most_states), first = random.below(7), actions = 2 + random.below(3);
  const auto label = [&] {
    return random.chance(15) ? kTau : reference::letter((first + random.below(actions)) % 7);  // some are shared
  };
  LtsBuilder builder;
  builder.set_state_count(n + 1);
  for (std::uint32_t s = 0; s < n; ++s) builder.add_step(State{s}, label(), State{(s + 1) % n});
  for (std::uint32_t extra = random.below(4); extra > 0; --extra)
    builder.add_step(State{random.below(n)}, label(), State{random.below(n)});
  const std::uint32_t mark = random.below(3);
  if (mark > 0) builder.add_step(State{n - 1}, label(), State{n});
  if (mark == 1) builder.set_error(State{n});
  if (mark == 2 && !watch) builder.set_end(State{n});
  return {builder.build(), watch ? Role::watch : Role::component, random.chance(75)};
}

TestNetwork random_network(Random& random) {
  TestNetwork network;
  const std::uint32_t n = 1 + random.below(5);
  for (std::uint32_t i = 0; i < n; ++i) network.push_back(random_part(random, n < 4 ? 6 : 4));
  return network;
}

// The mix is printed: a test that never finds anything tests nothing.
TEST(EngineLaws, AgreesWithBruteForceOnThousandsOfRandomNetworksOfAnyWidth) {
  int violations = 0, deadlocks = 0, deep = 0, fewer = 0;
  std::uint64_t all = 0, some = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    const TestNetwork network = widened(random_network(random), seed % 4 == 0 ? 57 + random.below(80) : 0);
    const auto violation = run(network, Goal::violation), deadlock = run(network, Goal::deadlock);
    expect_same_violation(network, violation);
    expect_same_deadlock(network, deadlock);
    expect_same_count(network, run(network, Goal::count));
    const auto fewer_v = run(network, Goal::violation, 1, Reduction::por);
    const auto fewer_d = run(network, Goal::deadlock, 1, Reduction::por);
    expect_same_violation(network, fewer_v);
    expect_same_deadlock(network, fewer_d);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
    all += violation.states + deadlock.states;
    some += fewer_v.states + fewer_d.states;
    fewer += fewer_v.states < violation.states || fewer_d.states < deadlock.states;
    violations += violation.outcome == Outcome::found;
    deadlocks += deadlock.outcome == Outcome::found;
    deep += violation.trace.size() > 3 || deadlock.trace.size() > 3;
  }
  std::printf("of 4000 networks %d with a violation, %d with a deadlock, %d with one after 4 steps or more\n",
              violations, deadlocks, deep);
  std::printf("reduced: %d of them, %llu of %llu states in all\n", fewer, static_cast<unsigned long long>(some),
              static_cast<unsigned long long>(all));
  EXPECT_GT(fewer, 1000);
  EXPECT_GT(violations, 400);
  EXPECT_GT(deadlocks, 400);
  EXPECT_GT(deep, 200);
}

// Any of the actions leads on to the next state; the last one leads round, or is error.
Lts chain_or_cycle(const std::vector<const char*>& names, std::uint32_t states, bool cycle) {
  LtsBuilder builder;
  builder.set_state_count(states);
  for (std::uint32_t s = 0; s < states; ++s)
    for (const char* name : names)
      if (cycle || s + 1 < states) builder.add_step(State{s}, action(name), State{(s + 1) % states});
  if (!cycle) builder.set_error(State{states - 1});
  return builder.build();
}

// Cycles beside a small network make its layers wide enough for threads to be used.
TEST(EngineLaws, AnswersTheSameForAnyNumberOfThreads) {
  Random random(7);
  int found = 0;
  for (int round = 0; round < 12; ++round) {
    TestNetwork network;
    for (int i = 0; i < 3; ++i) {
      reference::Shape shape;
      shape.error_percent = 40;
      network.push_back({reference::random_lts(random, shape), Role::component, i != 1});
    }
    for (const char* name : {"x", "y", "z"}) network.push_back({chain_or_cycle({name}, 40, true)});
    network.push_back({chain_or_cycle({"y", "z"}, 25, false)});
    if (round % 3 > 0) network = widened(network, round % 3 == 1 ? 60 : 150);
    for (const Goal goal : {Goal::violation, Goal::deadlock, Goal::count}) {
      const auto one = run(network, goal, 1);
      found += one.outcome == Outcome::found;
      for (const unsigned threads : {2U, 4U}) {
        const auto many = run(network, goal, threads);
        ASSERT_EQ(many.outcome, one.outcome);
        ASSERT_EQ(many.trace, one.trace);
        ASSERT_EQ(many.last, one.last);
        if (one.outcome == Outcome::found) continue;
        ASSERT_EQ(many.states, one.states);
        ASSERT_EQ(many.transitions, one.transitions);
      }
    }
  }
  EXPECT_GT(found, 10);
}

// --- All small cases.

TEST(EngineLaws, AgreesWithBruteForceOnEveryPairOfSmallLtss) {
  const auto small = reference::small_ltss();
  for (const Lts& a : small)
    for (const Lts& b : small) {
      if (a.state_count() == 0 || b.state_count() == 0) continue;  // the unit tests have these
      expect_same({{a}, {b}}, 1);
      expect_same({{a}, {b, Role::watch}}, 1);
      if (HasFatalFailure()) FAIL() << a << " | " << b;
    }
}

TEST(EngineLaws, AgreesWithBruteForceOnManyPairsOfSmallLtssWithTauErrorAndEnd) {
  const auto small = reference::small_ltss_with_tau();
  std::size_t other = 0;
  for (std::size_t i = 0; i < small.size(); ++i)
    for (int k = 0; k < 5; ++k) {
      other = (other + 2719) % small.size();  // a prime, so that all are met
      const Lts &a = small[i], &b = small[other];
      if (a.state_count() == 0 || b.state_count() == 0) continue;
      const bool watch = k == 2 && !b.end();
      const TestNetwork network = {{a, Role::component, k != 1}, {b, watch ? Role::watch : Role::component, k != 3}};
      for (const Reduction reduction : {Reduction::none, Reduction::por}) {
        expect_same_violation(network, run(network, Goal::violation, 1, reduction));
        expect_same_deadlock(network, run(network, Goal::deadlock, 1, reduction));
      }
      if (HasFatalFailure()) FAIL() << network[0] << " | " << network[1];
    }
}

}  // namespace
}  // namespace surety
