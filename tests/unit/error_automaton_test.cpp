// Error automata, against the definition: which words can lead to the error state?

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/transform.hpp"
#include "reference/reference.hpp"
#include "rules/error_automaton.hpp"

namespace surety {
namespace {

using namespace reference;

// The words of which a part, from the start, can end in error.
Words failing(std::size_t n, const Lts& lts, const Alphabet& alphabet) {
  const Words shortest = failing_words_up_to(n, lts);
  Words out;
  for (const Trace& candidate : all_words_up_to(n, alphabet))
    for (std::size_t i = 0; i <= candidate.size(); ++i)
      if (shortest.contains(Trace(candidate.begin(), candidate.begin() + static_cast<std::ptrdiff_t>(i)))) {
        out.insert(candidate);
        break;
      }
  return out;
}

// Checks every reduction of w; returns how many words fail.
std::size_t check_reductions(const Lts& w, std::size_t n) {
  Budget budget;
  const Words wanted = failing(n, w, w.alphabet());
  const Lts pruned = prune(w);
  EXPECT_EQ(failing(n, pruned, w.alphabet()), wanted) << w << "\npruned: " << pruned;
  const auto tau_free = without_tau(pruned, UINT64_MAX / 4, budget);
  EXPECT_TRUE(tau_free.has_value());
  EXPECT_EQ(failing(n, *tau_free, w.alphabet()), wanted) << w << "\nwithout tau: " << *tau_free;
  for (std::uint32_t s = 0; s < tau_free->state_count(); ++s) EXPECT_TRUE(tau_free->steps(State{s}, kTau).empty());
  const Lts reduced = reduce(w, budget);
  EXPECT_EQ(failing(n, reduced, w.alphabet()), wanted) << w << "\nreduced: " << reduced;
  EXPECT_EQ(never_fails(reduced), failing_words_up_to(w.state_count(), w).empty()) << w;
  EXPECT_EQ(always_fails(reduced), wanted.contains(Trace{})) << w;
  for (const Lts* lts : {&pruned, &*tau_free, &reduced}) EXPECT_EQ(lts->alphabet(), w.alphabet());
  return wanted.size();
}

TEST(ErrorAutomaton, EverySmallLtsKeepsItsFailingWordsThroughEveryReduction) {
  std::size_t some = 0;
  for_each_small_lts_with_tau([&](const Lts& w) { some += check_reductions(w, 4) > 0; });
  EXPECT_GT(some, 50U);
}

TEST(ErrorAutomaton, RandomLtssKeepTheirFailingWordsThroughEveryReduction) {
  Random random(3);
  std::size_t some = 0, all = 0;
  for (int i = 0; i < 3000; ++i) {
    const Shape shape{.states = 2 + random.below(7),
                      .actions = 1 + random.below(3),
                      .steps = 4 + random.below(16),
                      .tau_percent = random.below(60),
                      .error_percent = 95,
                      .end_percent = 10};
    const Lts w = random_lts(random, shape);
    const std::size_t words = check_reductions(w, 4);
    some += words > 0;
    all += words == all_words_up_to(4, w.alphabet()).size();
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(some, 1000U);
  EXPECT_LT(all, some / 2);
}

TEST(ErrorAutomaton, TheProductFailsOnWhatItsWordsShowOutside) {
  Random random(4);
  std::size_t some = 0;
  for (int i = 0; i < 3000; ++i) {
    const Lts w = random_lts(random, {.states = 4, .actions = 3, .steps = 8, .error_percent = 95, .end_percent = 0});
    Lts m = random_lts(random, {.states = 4, .actions = 3, .steps = 8, .error_percent = 0, .end_percent = 10});
    m = relabel(m, {{action("a"), action("d")}});
    const Alphabet both = unite(w.alphabet(), m.alphabet());
    std::vector<Action> seen;
    for (const Action a : both)
      if (random.below(2) == 0) seen.push_back(a);
    const Alphabet visible(seen);
    const Lts whole = project(product({&w, &m}), visible);
    Budget budget;
    ProductSize built;
    const auto made = compose_error_automaton(w, m, visible, UINT64_MAX, budget, built);
    ASSERT_TRUE(made.has_value());
    const Words wanted = failing(3, whole, visible);
    ASSERT_EQ(failing(3, *made, visible), wanted) << w << "\n" << m;
    ASSERT_EQ(failing(3, reduce(*made, budget), visible), wanted) << w << "\n" << m;
    some += !wanted.empty();
  }
  EXPECT_GT(some, 1000U);
}

TEST(ErrorAutomaton, AProductOverTheCapIsGivenUpAndSaysHowFarItCame) {
  const Lts w = lts("0 a 1, 1 a 2, 2 a 3, error=3"), m = lts("0 b 1, 1 b 2, 2 b 3, 3 b 0");
  Budget budget;
  ProductSize built;
  EXPECT_FALSE(compose_error_automaton(w, m, alphabet("a b"), 5, budget, built));
  EXPECT_GE(built.states, 5U);
  EXPECT_TRUE(budget.go_on());
  EXPECT_EQ(compose_error_automaton(w, m, alphabet("a b"), 100, budget, built)->state_count(), 13U);
}

TEST(ErrorAutomaton, AStepBesideOneIntoTheErrorStateIsDropped) {
  EXPECT_EQ(text(prune(lts("0 a 1, 0 a 2, 1 b 2, error=2"))), text(lts("0 a 1, +b, error=1")));
}

TEST(ErrorAutomaton, NondeterminismStaysWhereSubsetsWouldBeManyMore) {
  // The twelfth letter from the end is an a: 2^12 subsets, 14 states.
  std::string chain = "0 a 0, 0 b 0, 0 a 1, 12 c 13, error=13";
  for (int i = 1; i < 12; ++i) chain += fmt::format(", {0} a {1}, {0} b {1}", i, i + 1);
  Budget budget;
  const Lts reduced = reduce(lts(chain), budget);
  EXPECT_EQ(reduced.state_count(), 14U);
  EXPECT_FALSE(is_deterministic(reduced));
}

}  // namespace
}  // namespace surety
