// Single operations under Google Benchmark: what a search, a minimisation and a reader are made of.

#include <benchmark/benchmark.h>

#include <string>

#include "base/check.hpp"
#include "base/random.hpp"
#include "engine/product/visited.hpp"
#include "lang/aut/read.hpp"
#include "lang/aut/write.hpp"
#include "model/minimise.hpp"
#include "model/transform.hpp"
#include "product/compose.hpp"
#include "product/successors.hpp"
#include "systems.hpp"

namespace surety::bench {
namespace {

// --- The visited set. Batches of 256 with prefetching, as the search does it.

template <int W>
std::uint64_t insert_range(VisitedSet<W>& set, std::uint64_t from, std::uint64_t to, std::uint32_t words) {
  constexpr std::uint64_t kBatch = 256;
  std::vector<std::uint64_t> states(kBatch * words), hashes(kBatch);
  std::uint64_t fresh = 0;
  for (std::uint64_t i = from; i < to; i += kBatch) {
    const std::uint64_t n = std::min(kBatch, to - i);
    for (std::uint64_t k = 0; k < n; ++k) {
      for (std::uint32_t w = 0; w < words; ++w) states[k * words + w] = i + k + w;
      hashes[k] = set.hash(&states[k * words]);
      set.prefetch(set.home(hashes[k]));
    }
    while (!set.reserve(n)) check(set.grow(n), "the benchmark has no memory to grow");
    std::uint64_t inserted = 0;
    for (std::uint64_t k = 0; k < n; ++k) {
      auto* bucket = set.home(hashes[k]);
      auto result = set.template insert<false>(bucket, &states[k * words], 1);
      while (result == VisitedSet<W>::Insert::full)
        result = set.template insert<false>(bucket = set.next(bucket), &states[k * words], 1);
      inserted += result == VisitedSet<W>::Insert::fresh;
    }
    set.settle(n, inserted);
    fresh += inserted;
  }
  return fresh;
}

// Growing included.
template <int W>
void visited_insert(benchmark::State& state) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) {
    Budget budget;
    VisitedSet<W> set(W, 10, budget);
    benchmark::DoNotOptimize(insert_range(set, 0, n, W));
    state.counters["bytes/state"] = static_cast<double>(set.bytes()) / static_cast<double>(set.size());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(visited_insert<1>)->Arg(10000)->Arg(1000000)->Arg(5000000)->Unit(benchmark::kMillisecond);
BENCHMARK(visited_insert<2>)->Arg(10000)->Arg(1000000)->Arg(5000000)->Unit(benchmark::kMillisecond);

template <int W>
void visited_known(benchmark::State& state) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  Budget budget;
  VisitedSet<W> set(W, 10, budget);
  insert_range(set, 0, n, W);
  for (auto _ : state) benchmark::DoNotOptimize(insert_range(set, 0, n, W));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(visited_known<1>)->Arg(10000)->Arg(1000000)->Arg(5000000)->Unit(benchmark::kMillisecond);
BENCHMARK(visited_known<2>)->Arg(10000)->Arg(1000000)->Arg(5000000)->Unit(benchmark::kMillisecond);

// --- Successors.

// A sink that only counts.
struct Counter {
  std::uint64_t* next;
  std::uint64_t kept = 0;
  bool make_room(std::size_t) { return true; }
  std::uint64_t* place() { return next; }
  void keep(std::uint32_t, bool yes) { kept += yes; }
};

// A few thousand reachable states, from random walks.
template <int W>
std::vector<std::vector<std::uint64_t>> some_states(const Product& product, Successors<W>& successors) {
  Random random(1);
  std::vector<std::vector<std::uint64_t>> states;
  std::vector<std::uint64_t> at(product.words(), 0);
  while (states.size() < 4096) {
    std::vector<std::vector<std::uint64_t>> next;
    successors(
        at.data(), [&](std::uint32_t, const std::uint64_t* s) { next.emplace_back(s, s + product.words()); },
        [](std::uint32_t, bool) {});
    at = next[random.below(static_cast<std::uint32_t>(next.size()))];
    states.push_back(at);
  }
  return states;
}

template <int W>
void expand(benchmark::State& state, const System& system) {
  const auto parts = parts_of(system);
  const Product product(parts, Product::Direction::forward);
  check(W == 0 || product.words() == W, "the benchmark's system has another width");
  Successors<W> successors(product, Product::Direction::forward);
  const auto states = some_states<W>(product, successors);
  std::vector<std::uint64_t> next(product.words());
  std::uint64_t steps = 0;
  for (auto _ : state)
    for (const auto& s : states) {
      Counter sink{next.data()};
      steps += successors.expand(s.data(), 0, sink, [](std::uint32_t, bool) {});
      benchmark::DoNotOptimize(sink.kept);
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(steps));  // steps, not states
}

void successors_one_word(benchmark::State& state) {
  ActionTable actions;
  expand<1>(state, philosophers(actions, 9, false));
}
BENCHMARK(successors_one_word)->Unit(benchmark::kMillisecond);

void successors_three_participants(benchmark::State& state) {
  ActionTable actions;
  expand<1>(state, client_server(actions, 18));
}
BENCHMARK(successors_three_participants)->Unit(benchmark::kMillisecond);

void successors_wide(benchmark::State& state) {
  ActionTable actions;
  expand<0>(state, widened(actions, philosophers(actions, 9, false), 40));
}
BENCHMARK(successors_wide)->Unit(benchmark::kMillisecond);

// What a search costs before its first state: rules run thousands of small ones.
void small_search(benchmark::State& state) {
  ActionTable actions;
  const auto system = token_ring(actions, 3);
  const auto parts = parts_of(system);
  Budget budget;
  for (auto _ : state) benchmark::DoNotOptimize(search(parts, Goal::violation, budget).states);
}
BENCHMARK(small_search)->Unit(benchmark::kMicrosecond);

// --- Minimisation, on products.

Lts composed(const System& system) {
  std::vector<const Lts*> parts;
  for (const auto& component : system.components) parts.push_back(&component.lts);
  Budget budget;
  return *compose(parts, budget);
}

// Milner's scheduler with only the starts visible: a ring of n states, weakly.
Lts hidden_scheduler(ActionTable& actions, unsigned n) {
  std::vector<Action> starts;
  for (unsigned i = 0; i < n; ++i) starts.push_back(actions.intern("start." + std::to_string(i)));
  return project(composed(milner(actions, n)), Alphabet(starts));
}

void strong(benchmark::State& state) {
  ActionTable actions;
  const Lts lts = composed(philosophers(actions, static_cast<unsigned>(state.range(0)), false));
  for (auto _ : state) benchmark::DoNotOptimize(minimise_strong(lts).state_count());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(lts.transition_count()));
}
BENCHMARK(strong)->Arg(5)->Arg(6)->Unit(benchmark::kMillisecond);

void weak(benchmark::State& state) {
  ActionTable actions;
  const Lts lts = hidden_scheduler(actions, static_cast<unsigned>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(minimise_weak(lts).state_count());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(lts.transition_count()));
}
BENCHMARK(weak)->Arg(8)->Arg(11)->Unit(benchmark::kMillisecond);

// --- Files.

void read_aut_file(benchmark::State& state) {
  ActionTable actions;
  const std::string text = to_aut(composed(philosophers(actions, 7, false)), actions);
  for (auto _ : state) {
    ActionTable fresh;
    benchmark::DoNotOptimize(read_aut(text, "bench.aut", fresh)->transition_count());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_aut_file)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace surety::bench

BENCHMARK_MAIN();
