// The visited set: nothing is lost, nothing is found twice, and memory is asked for first.

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/random.hpp"
#include "engine/product/visited.hpp"

// Sanitizers take memory of their own, which a limit on the whole process then includes.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SKIP_UNDER_SANITIZERS() GTEST_SKIP() << "the memory of the process is not ours alone"
#else
#define SKIP_UNDER_SANITIZERS() (void)0
#endif

namespace surety {
namespace {

// States of any width, all different, that use the low 40 bits of each word.
std::vector<std::uint64_t> state(std::uint64_t i, std::uint32_t words) {
  std::vector<std::uint64_t> out;
  for (std::uint32_t w = 0; w < words; ++w) out.push_back((i * 2654435761U + w) & ((1ULL << 40) - 1));
  return out;
}

// What a search does with one state. True: it was new.
template <bool Shared, int W>
bool insert(VisitedSet<W>& set, const std::vector<std::uint64_t>& s, std::uint64_t depth) {
  using Insert = typename VisitedSet<W>::Insert;
  auto* bucket = set.home(set.hash(s.data()));
  auto result = set.template insert<Shared>(bucket, s.data(), depth);
  while (result == Insert::full) result = set.template insert<Shared>(bucket = set.next(bucket), s.data(), depth);
  return result == Insert::fresh;
}

template <int W>
bool insert_growing(VisitedSet<W>& set, const std::vector<std::uint64_t>& s, std::uint64_t depth, unsigned threads) {
  if (!set.reserve(1)) {
    EXPECT_TRUE(set.grow(1, threads));
    EXPECT_TRUE(set.reserve(1));
  }
  const bool fresh = insert<false>(set, s, depth);
  set.settle(1, fresh ? 1 : 0);
  return fresh;
}

template <int W>
void growth_keeps_everything(std::uint32_t words, std::uint64_t states, unsigned threads) {
  Budget budget;
  VisitedSet<W> set(words, 20, budget);
  for (std::uint64_t i = 0; i < states; ++i) ASSERT_TRUE(insert_growing(set, state(i, words), i % 1000, threads));
  EXPECT_EQ(set.size(), states);
  for (std::uint64_t i = 0; i < states; ++i) {
    ASSERT_EQ(set.depth_of(state(i, words).data()), i % 1000);
    ASSERT_FALSE(insert_growing(set, state(i, words), 7, threads));  // and an older depth stays
  }
  for (std::uint64_t i = states; i < states + 1000; ++i) ASSERT_FALSE(set.depth_of(state(i, words).data()));
}

TEST(VisitedSet, KeepsEveryStateAndItsDepthWhenItGrows) {
  growth_keeps_everything<1>(1, 1000000, 1);
  growth_keeps_everything<2>(2, 300000, 1);
  growth_keeps_everything<0>(5, 100000, 1);
}

TEST(VisitedSet, KeepsEveryStateWhenThreadsShareTheGrowing) {
  growth_keeps_everything<1>(1, 1500000, 3);
  growth_keeps_everything<2>(2, 700000, 2);
  growth_keeps_everything<0>(3, 600000, 4);
}

TEST(VisitedSet, TakesBetweenTenAndThirteenBytesAStateOfOneWord) {
  Budget budget;
  VisitedSet<1> set(1, 20, budget);
  for (std::uint64_t i = 0; i < 4000000; ++i) {
    insert_growing(set, state(i, 1), 0, 1);
    if (i < 3000000 || i % 1000 != 0) continue;
    const double bytes = static_cast<double>(set.bytes()) / static_cast<double>(set.size());
    ASSERT_GE(bytes, 9.5);
    ASSERT_LE(bytes, 13.5) << i;  // the last bit of it is a huge page that is not full
  }
}

TEST(VisitedSet, SaturatesTheDepth) {
  for (const std::uint32_t bits : {0U, 1U, 2U, 5U}) {
    Budget budget;
    VisitedSet<1> set(1, bits, budget);
    EXPECT_EQ(set.max_depth(), (1U << bits) - 1);
    for (std::uint64_t depth = 0; depth < 40; ++depth) insert_growing(set, state(depth, 1), depth, 1);
    for (std::uint64_t depth = 0; depth < 40; ++depth)
      EXPECT_EQ(set.depth_of(state(depth, 1).data()), std::min<std::uint64_t>(depth, set.max_depth()));
  }
}

TEST(VisitedSet, TellsStatesApartThatDifferInAnyBit) {
  Budget budget;
  VisitedSet<1> narrow(1, 0, budget);
  VisitedSet<2> wide(2, 3, budget);
  EXPECT_TRUE(insert_growing(narrow, {0}, 0, 1));
  for (std::uint32_t bit = 0; bit < 63; ++bit) EXPECT_TRUE(insert_growing(narrow, {1ULL << bit}, 0, 1));
  EXPECT_TRUE(insert_growing(wide, {0, 0}, 0, 1));
  for (std::uint32_t bit = 0; bit < 60; ++bit) EXPECT_TRUE(insert_growing(wide, {1ULL << bit, 0}, 0, 1));
  for (std::uint32_t bit = 0; bit < 64; ++bit) EXPECT_TRUE(insert_growing(wide, {0, 1ULL << bit}, 0, 1));
  EXPECT_FALSE(insert_growing(narrow, {1ULL << 62}, 0, 1));
  EXPECT_FALSE(insert_growing(wide, {0, 1ULL << 63}, 0, 1));
}

// Every thread inserts all states, in an order of its own.
template <int W>
void each_succeeds_once(std::uint32_t words) {
  constexpr std::uint64_t kStates = 40000;
  constexpr unsigned kThreads = 4;
  Budget budget;
  VisitedSet<W> set(words, 10, budget);
  ASSERT_TRUE(set.grow(kStates * kThreads));
  std::vector<std::vector<std::uint64_t>> fresh(kThreads);
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        ASSERT_TRUE(set.reserve(kStates));
        for (std::uint64_t k = 0; k < kStates; ++k) {
          const std::uint64_t i = (k * 7919 + t % 2 * 1000) % kStates;  // two by two the same, for many collisions
          if (insert<true>(set, state(i, words), t)) fresh[t].push_back(i);
        }
        set.settle(kStates, fresh[t].size());
      });
  }
  std::multiset<std::uint64_t> all;
  for (const auto& f : fresh) all.insert(f.begin(), f.end());
  EXPECT_EQ(all.size(), kStates);
  EXPECT_EQ(std::set<std::uint64_t>(all.begin(), all.end()).size(), kStates);
  EXPECT_EQ(set.size(), kStates);
}

TEST(VisitedSet, LetsExactlyOneThreadInsertAState) {
  each_succeeds_once<1>(1);
  each_succeeds_once<2>(2);
  each_succeeds_once<0>(4);
}

TEST(VisitedSet, RefusesToGrowBeyondTheMemoryAndSaysSo) {
  SKIP_UNDER_SANITIZERS();
  Limits limits;
  limits.memory = resident_bytes() + (16ULL << 20);
  Budget budget(limits);
  VisitedSet<1> set(1, 0, budget);
  std::uint64_t inserted = 0;
  while (set.reserve(1) || set.grow(1)) {
    set.settle(0, 0);
    insert<false>(set, state(inserted++, 1), 0);
    set.settle(1, 1);
    ASSERT_LT(inserted, 4000000U);
    if (budget.why() != Stop::none) break;
  }
  EXPECT_EQ(budget.why(), Stop::memory);
  EXPECT_LE(set.bytes(), 16ULL << 20);
  EXPECT_GT(set.bytes(), 4ULL << 20);  // but it used what it could have
}

}  // namespace
}  // namespace surety
