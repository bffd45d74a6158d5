// Decision diagrams, the FORCE order, saturation, and proofs by an invariant, each
// against sets of tuples, explicit search and brute force.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "api/verify.hpp"
#include "certify/certify.hpp"
#include "engine/diagram/force.hpp"
#include "engine/product/search.hpp"
#include "paths.hpp"
#include "reference/reference.hpp"
#include "rules/symbolic.hpp"

namespace surety {
namespace {

using Tuple = std::vector<std::uint32_t>;
using Tuples = std::set<Tuple>;

constexpr std::uint64_t kAlways = 0;  // garbage is collected before every new node

Tuples tuples_of(const Mdd& mdd, Mdd::Node node) {
  Tuples out;
  const auto walk = [&](const auto& self, Mdd::Node n, Tuple& begun) -> void {
    if (n == Mdd::kUnit) out.insert(begun);
    if (n == Mdd::kUnit || n == Mdd::kEmpty) return;
    for (std::uint32_t i = 0; i < mdd.size(n); ++i) {
      begun.push_back(mdd.edge(n, i).value);
      self(self, mdd.edge(n, i).child, begun);
      begun.pop_back();
    }
  };
  Tuple begun;
  walk(walk, node, begun);
  return out;
}

TEST(Mdd, OperationsAreThoseOfSetsWhateverGarbageIsCollected) {
  const std::vector<std::uint32_t> domains{3, 2, 4, 3};  // from the bottom
  std::uint64_t collections = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Budget budget;
    Mdd mdd(domains, budget, seed % 2 == 0 ? kAlways : 1 << 20);
    std::vector<Tuples> sets;
    std::vector<Mdd::Node> nodes;
    for (int i = 0; i < 4; ++i) {
      Tuples& set = sets.emplace_back();
      Mdd::Node node = Mdd::kEmpty;
      for (std::uint32_t n = random.below(40); n > 0; --n) {
        Tuple tuple;
        for (auto d = domains.rbegin(); d != domains.rend(); ++d) tuple.push_back(random.below(*d));
        set.insert(tuple);
        Mdd::Keep keep(mdd, node);
        const Mdd::Node one = mdd.singleton(tuple);
        Mdd::Keep keep_too(mdd, one);
        node = mdd.unite(node, one);
      }
      mdd.keep_for_good(node);
      nodes.push_back(node);
    }
    for (std::size_t a = 0; a < sets.size(); ++a)
      for (std::size_t b = 0; b < sets.size(); ++b) {
        Tuples both = sets[a], common, rest;
        both.insert(sets[b].begin(), sets[b].end());
        for (const Tuple& t : sets[a]) (sets[b].contains(t) ? common : rest).insert(t);
        ASSERT_EQ(tuples_of(mdd, mdd.unite(nodes[a], nodes[b])), both);
        ASSERT_EQ(tuples_of(mdd, mdd.intersect(nodes[a], nodes[b])), common);
        const Mdd::Node difference = mdd.subtract(nodes[a], nodes[b]);
        Mdd::Keep keep(mdd, difference);
        ASSERT_EQ(tuples_of(mdd, difference), rest);
        ASSERT_EQ(mdd.count(difference), std::to_string(rest.size()));
        if (!rest.empty()) {
          ASSERT_EQ(mdd.any(difference), *rest.begin());
        }
        for (const Tuple& t : both) ASSERT_EQ(mdd.contains(difference, t), rest.contains(t));
        const Mdd::Node shared = mdd.intersect(nodes[a], nodes[b]);
        Mdd::Keep keep_too(mdd, shared);
        ASSERT_EQ(mdd.unite(difference, shared), nodes[a]) << "equal sets, one node";
      }
    collections += mdd.collections();
  }
  EXPECT_GT(collections, 30'000U);
}

TEST(Mdd, CountsBeyondSixtyFourBits) {
  const std::vector<std::uint32_t> domains(100, 10);
  Budget budget;
  Mdd mdd(domains, budget);
  Mdd::Node all = Mdd::kUnit;
  for (std::uint32_t level = 1; level <= 100; ++level) {
    for (std::uint32_t v = 0; v < 10; ++v) mdd.draft(level).set(v, all);
    all = mdd.finish(level);
  }
  EXPECT_EQ(mdd.count(all), "1" + std::string(100, '0'));
}

TEST(Force, FindsAChainAgainAndKeepsEveryThing) {
  for (std::uint32_t n : {2U, 5U, 30U, 200U}) {
    Random random(n);
    std::vector<std::uint32_t> names(n);
    for (std::uint32_t i = 0; i < n; ++i) names[i] = i;
    for (std::uint32_t k = n; k > 1; --k) std::swap(names[k - 1], names[random.below(k)]);
    Groups chain;
    for (std::uint32_t i = 0; i + 1 < n; ++i) chain.push_back({names[i], names[i + 1]});
    auto order = force_order(n, chain);
    EXPECT_EQ(total_span(order, chain), n - 1);
    std::sort(order.begin(), order.end());
    for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(order[i], i);
  }
  EXPECT_TRUE(force_order(0, {}).empty());
  EXPECT_EQ(force_order(1, {}).size(), 1U);
}

// A ring of n things, and two that talk to each of them.
TEST(Force, LargeHubsComeLastAndSideBySide) {
  constexpr std::uint32_t n = 30;
  Groups groups;
  for (std::uint32_t i = 0; i < n; ++i) {
    groups.push_back({i, (i + 1) % n});
    groups.push_back({i, n});
    groups.push_back({i, n + 1});
  }
  groups.push_back(std::vector<std::uint32_t>(n + 2));
  for (std::uint32_t i = 0; i < n + 2; ++i) groups.back()[i] = i;
  std::vector<bool> is_large(n + 2);
  EXPECT_EQ(order_with_hubs(is_large, groups), force_order(n + 2, groups));
  is_large[n] = is_large[3] = true;
  EXPECT_EQ(order_with_hubs(is_large, groups), force_order(n + 2, groups)) << "one of the large ones is no hub";
  is_large[n + 1] = true;
  auto order = order_with_hubs(is_large, groups);
  EXPECT_EQ(std::set<std::uint32_t>(order.begin() + n, order.end()), (std::set<std::uint32_t>{n, n + 1}));
  std::sort(order.begin(), order.end());
  for (std::uint32_t i = 0; i < n + 2; ++i) ASSERT_EQ(order[i], i);
}

struct Drawn {
  std::vector<Lts> ltss;
  std::vector<const Lts*> pointers;
};

// Few letters of many each, so that the parts are not all tied together.
Lts random_part(Random& random, bool marks) {
  const std::uint32_t states = 2 + random.below(5);
  std::vector<Action> letters{kTau};
  for (std::uint32_t n = 1 + random.below(4); n > 0; --n)
    letters.push_back(reference::action(std::string(1, static_cast<char>('a' + random.below(9)))));
  LtsBuilder builder;
  builder.set_state_count(states);
  builder.add_to_alphabet(Alphabet(letters));
  const std::uint32_t error = marks && random.chance(25) ? 1 + random.below(states - 1) : states;
  const std::uint32_t end = marks && random.chance(50) ? random.below(states) : states;
  if (error < states) builder.set_error(State{error});
  if (end < states && end != error) builder.set_end(State{end});
  for (std::uint32_t n = states + random.below(2 * states); n > 0; --n)
    if (const std::uint32_t from = random.below(states); from != error && from != end)
      builder.add_step(State{from}, letters[random.below(static_cast<std::uint32_t>(letters.size()))],
                       State{random.below(states)});
  return builder.build();
}

Drawn random_network(std::uint64_t seed, bool marks) {
  Random random(seed);
  Drawn out;
  for (std::uint32_t n = 1 + random.below(6); n > 0; --n) out.ltss.push_back(random_part(random, marks));
  for (const Lts& lts : out.ltss) out.pointers.push_back(&lts);
  return out;
}

std::vector<Part> as_parts(const std::vector<const Lts*>& ltss) {
  std::vector<Part> parts;
  for (const Lts* lts : ltss) parts.push_back({lts});
  return parts;
}

TEST(Saturation, CountsWhatSearchCountsOnRandomNetworks) {
  std::uint64_t states = 0, collections = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Drawn drawn = random_network(seed, seed % 3 == 0);
    const auto parts = as_parts(drawn.pointers);
    if (std::any_of(parts.begin(), parts.end(), [](const Part& p) { return p.lts->error() == p.lts->initial(); }))
      continue;
    Budget budget;
    const auto found = search(parts, Goal::count, budget);
    SymbolicProduct product(parts, budget, {seed % 2 == 0 ? kAlways : 1 << 20});
    ASSERT_TRUE(product.reach());
    ASSERT_EQ(product.count(), std::to_string(found.states)) << "seed " << seed;
    states += found.states;
    collections += product.mdd().collections();
  }
  EXPECT_GT(states, 30'000U);
  EXPECT_GT(collections, 3'000U);
}

std::vector<std::filesystem::path> example_files() {
  std::vector<std::filesystem::path> out;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(SURETY_SOURCE_DIR) / "examples"))
    if (entry.path().extension() == ".lts") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Saturation, CountsWhatSearchCountsOnTheExamples) {
  std::uint64_t compared = 0;
  for (const auto& file : example_files())
    for (const int more : {0, 1}) {
      Limits limits;
      limits.states = 200'000;
      api::Source source;
      source.files = {file.string()};
      Budget loading;
      auto model = api::load(source, loading);
      if (!model) continue;
      if (more > 0) {
        const auto constants = model->fsp->constants();
        const auto k = std::find_if(constants.begin(), constants.end(), [](const auto& c) { return c.name == "K"; });
        if (k == constants.end()) continue;
        source.defines = {{"K", std::get<int>(k->value) + more}};
        model = api::load(source, loading);
        ASSERT_TRUE(model) << file;
      }
      const Network whole = api::whole_network(*model);
      std::vector<const Lts*> ltss;
      for (const auto& component : whole.components) ltss.push_back(&component.lts);
      Budget budget(limits);
      const auto found = search(as_parts(ltss), Goal::count, budget);
      if (found.outcome == SearchResult::Outcome::stopped) continue;
      Budget unlimited;
      SymbolicProduct product(as_parts(ltss), unlimited, {more == 0 ? 100U : 1U << 20});
      ASSERT_TRUE(product.reach());
      EXPECT_EQ(product.count(), std::to_string(found.states)) << file << " K+" << more;
      ++compared;
    }
  EXPECT_GT(compared, 60U);
}

TEST(Saturation, FindsTheDeadlocksThatBruteForceFinds) {
  std::uint64_t dead = 0, alive = 0, ended = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Drawn drawn = random_network(seed + 10'000, seed % 2 == 0);
    Network network{"n", {}};
    Split split(1);
    for (std::size_t i = 0; i < drawn.ltss.size(); ++i) {
      network.components.push_back({"c" + std::to_string(i), drawn.ltss[i]});
      split[0].push_back(network.components.back().name);
    }
    const auto shortest = reference::shortest_deadlock(drawn.pointers);
    Budget budget;
    Cost cost;
    std::vector<State> last;
    Verdict verdict = check_deadlock_symbolic(drawn.pointers, budget, cost, last, {seed % 3 == 0 ? kAlways : 1 << 20});
    if (shortest) {
      ++dead;
      const auto* violated = std::get_if<Violated>(&verdict);
      ASSERT_NE(violated, nullptr) << "seed " << seed;
      EXPECT_EQ(violated->trace.size(), shortest->size()) << "seed " << seed;
      EXPECT_EQ(certify::replay_deadlock(network, violated->trace, last), std::nullopt) << "seed " << seed;
    } else {
      ++alive;
      auto* holds = std::get_if<Holds>(&verdict);
      ASSERT_NE(holds, nullptr) << "seed " << seed;
      holds->certificate.split = split;
      const auto judgement = certify::check_deadlock_free(network, holds->certificate, budget);
      EXPECT_EQ(judgement.kind, certify::Judgement::Kind::accepted) << "seed " << seed << ": " << judgement.reason;
      for (const Lts& lts : drawn.ltss) ended += lts.end().has_value();
    }
  }
  EXPECT_GT(dead, 200U);
  EXPECT_GT(alive, 100U);
  EXPECT_GT(ended, 50U);
}

// Twelve tasks round a ring, with a token; what they do between is their own business.
Network ring(std::uint32_t n) {
  Network network{"ring", {}};
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto at = std::to_string(i), next = std::to_string((i + 1) % n);
    const std::string steps = i == 0
                                  ? "0 work0 1, 1 pass1 2, 2 rest0 3, 3 pass0 0"
                                  : "0 pass" + at + " 1, 1 work" + at + " 2, 2 pass" + next + " 3, 3 rest" + at + " 0";
    network.components.push_back({"t" + at, reference::lts(steps)});
  }
  return network;
}

TEST(Symbolic, EndsInUnknownWhenABudgetEnds) {
  const Network network = ring(12);
  ComponentSet side;
  for (const auto& component : network.components) side.push_back(&component.lts);
  const Lts property = reference::lts("0 work0 1, 1 work1 0");
  std::uint64_t by_memory = 0, by_states = 0;
  for (std::uint64_t kib = 0; kib < 4096; kib += 128) {
    Limits limits;
    limits.memory = resident_bytes() + kib * 1024;
    Budget budget(limits);
    Cost cost;
    const Verdict verdict = prove_symbolic({{side}, {&property}}, {budget, cost});
    if (const auto* unknown = std::get_if<Unknown>(&verdict)) {
      ++by_memory;
      EXPECT_EQ(unknown->why, Stop::memory);
    } else {
      EXPECT_TRUE(std::holds_alternative<Holds>(verdict));
    }
  }
  for (const bool late : {false, true}) {
    Limits limits;
    limits.time = std::chrono::nanoseconds(late ? 50'000 : 0);
    Budget budget(limits);
    Cost cost;
    const Verdict verdict = prove_symbolic({{side}, {&property}}, {budget, cost});
    if (const auto* unknown = std::get_if<Unknown>(&verdict)) by_states += unknown->why == Stop::time;
  }
  EXPECT_GT(by_memory, 5U);
  EXPECT_GT(by_states, 0U);
}

// The time can end while the bad states are worked out: then not all of them are known, nor all that can still move.
TEST(Symbolic, GivesNoWrongAnswerWhenTheTimeEnds) {
  const Network network = ring(12);
  ComponentSet side;
  for (const auto& component : network.components) side.push_back(&component.lts);
  const Lts wrong = reference::lts("0 work0 1, 1 work2 0, 1 work1 2, 2 work2 1, 0 work1 0, 0 work2 0, 2 work0 2");
  std::uint64_t unknown = 0;
  for (std::int64_t microseconds = 0; microseconds < 6'000; microseconds += 5) {
    Limits limits;
    limits.time = std::chrono::microseconds(microseconds);
    Budget one(limits), other(limits);
    Cost cost;
    std::vector<State> last;
    const Verdict dead = check_deadlock_symbolic(side, one, cost, last);
    const Verdict bad = prove_symbolic({{side}, {&wrong}}, {other, cost});
    ASSERT_FALSE(std::holds_alternative<Violated>(dead)) << microseconds;
    ASSERT_FALSE(std::holds_alternative<Holds>(bad)) << microseconds;
    unknown += std::holds_alternative<Unknown>(dead) + std::holds_alternative<Unknown>(bad);
  }
  EXPECT_GT(unknown, 0U);
}

TEST(Symbolic, AnEmptyPropertyIsViolatedAndAnEmptyComponentViolatesNothing) {
  const Lts component = reference::lts("0 a 1"), empty = reference::lts("states=0"), property = reference::lts("0 a 0");
  Budget budget;
  Cost cost;
  EXPECT_TRUE(std::holds_alternative<Violated>(prove_symbolic({{{&component}}, {&empty}}, {budget, cost})));
  EXPECT_TRUE(std::holds_alternative<Holds>(prove_symbolic({{{&component, &empty}}, {&property}}, {budget, cost})));
}

// --- Forged proofs.

struct Proved {
  Network network;
  Property property;
  Certificate certificate;
};

Proved proved() {
  Proved out{ring(4), {"p", reference::lts("0 work0 1, 1 work1 0")}, {}};
  ComponentSet side;
  for (const auto& component : out.network.components) side.push_back(&component.lts);
  Budget budget;
  Cost cost;
  Verdict verdict = prove_symbolic({{side}, {&out.property.lts}}, {budget, cost});
  out.certificate = std::get<Holds>(verdict).certificate;
  out.certificate.split.emplace_back();
  for (const auto& component : out.network.components) out.certificate.split[0].push_back(component.name);
  return out;
}

bool accepted(const Proved& p, const Certificate& certificate) {
  Budget budget;
  return certify::check_safety(p.network, {&p.property}, certificate, budget).kind ==
         certify::Judgement::Kind::accepted;
}

TEST(Invariant, IsRefusedWithoutAnyOneOfItsEdges) {
  const Proved p = proved();
  ASSERT_TRUE(accepted(p, p.certificate));
  std::size_t edges = 0;
  for (std::size_t k = 0; k < p.certificate.diagram.levels.size(); ++k)
    for (std::size_t n = 0; n + 1 < p.certificate.diagram.levels[k].first.size(); ++n)
      for (auto e = p.certificate.diagram.levels[k].first[n]; e < p.certificate.diagram.levels[k].first[n + 1]; ++e) {
        Certificate forged = p.certificate;
        auto& level = forged.diagram.levels[k];
        level.edges.erase(level.edges.begin() + static_cast<std::ptrdiff_t>(e));
        for (std::size_t i = n + 1; i < level.first.size(); ++i) --level.first[i];
        EXPECT_FALSE(accepted(p, forged)) << "level " << k << ", edge " << e;
        ++edges;
      }
  EXPECT_GT(edges, 20U);
}

// All states, or all that differ from a reachable one at one level: more than is reachable, and some of it is bad.
TEST(Invariant, IsRefusedWhenItHoldsABadState) {
  const Proved p = proved();
  Certificate forged = p.certificate;
  for (auto& level : forged.diagram.levels) {
    const Lts& lts =
        level.component < p.network.components.size() ? p.network.components[level.component].lts : p.property.lts;
    level.edges.clear();
    for (std::uint32_t s = 0; s < lts.state_count(); ++s) level.edges.push_back({State{s}, 0});
    level.first = {0, lts.state_count()};
  }
  EXPECT_FALSE(accepted(p, forged));
}

TEST(Invariant, IsRefusedWhenItIsNoDiagramOfTheComponents) {
  const Proved p = proved();
  const auto forge = [&](auto change) {
    Certificate forged = p.certificate;
    change(forged.diagram.levels);
    return forged;
  };
  using Levels = std::vector<Diagram::Level>;
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { l.clear(); })));
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { l.pop_back(); })));
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { l[0].component = l[1].component; })));
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { l[0].component = 99; })));
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { std::swap(l[0].component, l[1].component); })));
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { l[1].edges[0].node = 4'000'000; })));
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { l[1].edges[0].state = State{4'000'000}; })));
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { l[1].first.back() += 5; })));
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { l[1].first = {0}; })));
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { l[1].first = {}; })));
  EXPECT_FALSE(accepted(p, forge([](Levels& l) { std::swap(l[0].edges.front(), l[0].edges.back()); })));
}

}  // namespace
}  // namespace surety
