// Certificates that were made to do harm: the checker neither crashes nor works longer than it may.

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "certify/certify.hpp"
#include "certify/search.hpp"
#include "model/equivalence.hpp"
#include "product/compose.hpp"
#include "reference/reference.hpp"

namespace surety::certify {
namespace {

using reference::lts;
using Kind = Judgement::Kind;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLimit{200};
constexpr std::chrono::seconds kAtMost{5};  // for the limit, on a busy machine

// Judges within the limit, and says how long that took.
struct Timed {
  Judgement judgement;
  Clock::duration took;
};
Timed timed(const Network& network, const Property& property, const Certificate& certificate) {
  Limits limits;
  limits.time = kLimit;
  Budget budget(limits);
  const auto start = Clock::now();
  Judgement judgement = check_safety(network, {&property}, certificate, budget);
  return {std::move(judgement), Clock::now() - start};
}

TEST(BadCertificate, AnInvariantOfNothingIsRefused) {
  const Network nothing{"nothing", {}};
  Budget budget;
  Certificate certificate{Method::symbolic, {{}}, {}};
  EXPECT_EQ(check_deadlock_free(nothing, certificate, budget).kind, Kind::refused);
  certificate.split.clear();
  EXPECT_EQ(check_deadlock_free(nothing, certificate, budget).kind, Kind::refused);
  EXPECT_EQ(check_error_free(nothing, certificate, budget).kind, Kind::refused);
}

TEST(BadCertificate, ALongChainOfSilentStepsEndsWithTheBudget) {
  LtsBuilder chain, loop;
  constexpr std::uint32_t kStates = 60'000;
  chain.set_state_count(kStates);
  for (std::uint32_t s = 0; s + 1 < kStates; ++s) chain.add_step(State{s}, kTau, State{s + 1});
  for (std::uint32_t s = 0; s < kStates; ++s) chain.add_step(State{s}, reference::action("a"), State{s});
  const Network network{"n", {{"m", lts("0 a 0")}}};
  const Property property{"p", lts("0 a 0")};
  const auto [judgement, took] = timed(network, property, {Method::cegar, {{"m"}}, {chain.build()}});
  EXPECT_NE(judgement.kind, Kind::refused) << judgement.reason;
  EXPECT_LT(took, kAtMost);
}

// What an assumption rejects is worked out for each state and letter.
TEST(BadCertificate, ManyStatesAndManyLettersEndWithTheBudget) {
  LtsBuilder builder;
  constexpr std::uint32_t kStates = 100'000, kLetters = 20'000;
  builder.set_state_count(kStates);
  std::vector<Action> letters;
  for (std::uint32_t i = 0; i < kLetters; ++i) letters.push_back(reference::actions().intern("l" + std::to_string(i)));
  builder.add_to_alphabet(Alphabet(letters));
  for (std::uint32_t s = 0; s + 1 < kStates; ++s) builder.add_step(State{s}, letters[0], State{s + 1});
  const Lts wide = builder.build();
  const Network network{"n", {{"m1", lts("+a")}, {"m2", lts("+b")}}};
  const Property property{"p", lts("0 a 0")};
  const auto [judgement, took] = timed(network, property, {Method::sym, {{"m1"}, {"m2"}}, {wide, wide}});
  EXPECT_EQ(judgement.kind, Kind::unfinished) << judgement.reason;
  EXPECT_LT(took, kAtMost);
}

TEST(BadCertificate, ManyChoicesOfAnAbstractionEndWithTheBudget) {
  LtsBuilder many, fan;
  constexpr std::uint32_t kStates = 3'000;
  const Action a = reference::action("a"), b = reference::action("b");
  many.set_state_count(kStates);
  fan.set_state_count(kStates);
  for (std::uint32_t s = 0; s < kStates; ++s)
    for (std::uint32_t t = 0; t < 300; ++t) {
      many.add_step(State{s}, a, State{(s * 7 + t * 11) % kStates});
      fan.add_step(State{s}, a, State{(s * 5 + t * 13) % kStates});
    }
  fan.add_step(State{kStates - 1}, b, State{0});
  many.add_to_alphabet({b});
  const Lts abstraction = many.build();
  const Network network{"n", {{"m1", lts("0 a 0")}, {"m2", fan.build()}}};
  const Property property{"p", lts("0 a 0")};
  for (const Method rule : {Method::agar, Method::cegar}) {
    Certificate certificate{rule, {{"m1"}, {"m2"}}, {abstraction}};
    if (certificate.rule == Method::cegar) certificate = {rule, {{"m1", "m2"}}, {lts("0 a 0"), abstraction}};
    const auto [judgement, took] = timed(network, property, certificate);
    EXPECT_NE(judgement.kind, Kind::accepted) << name_of(rule);
    EXPECT_LT(took, kAtMost) << name_of(rule);
  }
}

TEST(BadCertificate, ManyGuaranteesWithManyActionsEndWithTheBudget) {
  LtsBuilder wide;
  std::vector<Action> letters;
  for (std::uint32_t i = 0; i < 5'000; ++i) letters.push_back(reference::actions().intern("l" + std::to_string(i)));
  for (const Action a : letters) wide.add_step(State{0}, a, State{0});
  const Lts guarantee = wide.build();
  constexpr std::uint32_t kSides = 150;
  Network network{"n", {}};
  Certificate certificate{Method::circular, {}, {}};
  for (std::uint32_t i = 0; i < kSides; ++i) {
    LtsBuilder ring;
    ring.set_state_count(200);
    for (std::uint32_t s = 0; s < 200; ++s) ring.add_step(State{s}, letters[s], State{(s + 1) % 200});
    network.components.push_back({"m" + std::to_string(i), ring.build()});
    certificate.split.push_back({network.components.back().name});
    certificate.assumptions.push_back(guarantee);
  }
  const Property property{"p", lts("0 a 0")};
  const auto [judgement, took] = timed(network, property, certificate);
  EXPECT_NE(judgement.kind, Kind::refused) << judgement.reason;
  EXPECT_LT(took, kAtMost);
}

// ---- cycles

std::optional<std::string> goes_round(const Lts& component, const Trace& cycle) {
  return replay_cycle({"n", {{"m", component}}}, {}, cycle);
}

TEST(ReplayCycle, AsksForEverNotForAWhile) {
  EXPECT_FALSE(goes_round(lts("0 a 1, 1 a 0"), reference::word("a")));
  EXPECT_FALSE(goes_round(lts("0 tau 1, 1 a 2, 2 tau 0"), reference::word("a a a")));
  EXPECT_FALSE(goes_round(lts("0 b 0, +a"), reference::word("b")));
  EXPECT_FALSE(goes_round(lts("0 a 1, 0 a 2, 2 a 2"), reference::word("a")));
  EXPECT_TRUE(goes_round(lts("0 a 1, 1 a 2, 2 a 3"), reference::word("a")));
  EXPECT_TRUE(goes_round(lts("0 a 0, 0 tau 1, +b"), reference::word("a b")));
  EXPECT_TRUE(goes_round(lts("0 tau 0, +a"), reference::word("a")));
  EXPECT_TRUE(goes_round(lts("0 a 1, 1 a 2, 2 a 1, +b"), reference::word("a a b")));
}

// A ring of n states and a cycle of m steps: n * m steps of work, not n * n * m.
TEST(ReplayCycle, IsQuickForManyStatesAndALongCycle) {
  LtsBuilder ring;
  constexpr std::uint32_t kStates = 20'000;
  const Action a = reference::action("a");
  ring.set_state_count(kStates);
  for (std::uint32_t s = 0; s < kStates; ++s)
    for (const std::uint32_t t : {s + 1, s + 2}) ring.add_step(State{s}, a, State{t % kStates});
  const auto start = Clock::now();
  EXPECT_FALSE(goes_round(ring.build(), Trace(100, a)));
  EXPECT_LT(Clock::now() - start, kAtMost);
}

// ---- the checker's own product

TEST(PlainProduct, IsTheProduct) {
  const std::pair<const char*, const char*> cases[] = {
      {"0 a 1, 1 b 0", "0 b 1, 1 c 0"},
      {"0 a 1, 1 b 2, error=2", "0 b 1, 1 c 0"},
      {"0 tau 1, 1 a 0, 1 a 2, 2 b 0", "0 a 1, 0 a 0, 1 tau 0"},
      {"0 a 1, error=1", "0 a 1, 1 a 1"},
      {"0 tau 1, error=1", "0 a 1, 1 b 2, error=2"},
      {"0 a 0, +x", "0 x 0, 0 a 1, 1 b 0"},
  };
  for (const auto& [one, two] : cases) {
    const Lts a = lts(one), b = lts(two);
    Budget budget;
    const auto mine = plain_product({&a, &b}, budget), theirs = compose({&a, &b}, budget);
    ASSERT_TRUE(mine && theirs);
    EXPECT_EQ(mine->alphabet(), theirs->alphabet());
    EXPECT_FALSE(difference(*mine, *theirs, Equivalence::strong)) << one << " || " << two;
  }
}

TEST(PlainProduct, OfSomethingThatCannotBeginHasNoStates) {
  const Lts a = lts("0 a 0"), none = lts("states=0");
  Budget budget;
  const auto product = plain_product({&a, &none}, budget);
  ASSERT_TRUE(product);
  EXPECT_EQ(product->state_count(), 0U);
}

TEST(PlainProduct, EndsWithTheBudget) {
  LtsBuilder ring;
  ring.set_state_count(5'000);
  for (std::uint32_t s = 0; s < 5'000; ++s) ring.add_step(State{s}, kTau, State{(s + 1) % 5'000});
  const Lts a = ring.build(), b = a, c = a;
  Limits limits;
  limits.time = kLimit;
  Budget budget(limits);
  const auto start = Clock::now();
  EXPECT_FALSE(plain_product({&a, &b, &c}, budget));
  EXPECT_LT(Clock::now() - start, kAtMost);
}

}  // namespace
}  // namespace surety::certify
