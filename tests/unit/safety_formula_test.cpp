// Formulas that are watched, against the definition of truth on all short runs.

#include "model/safety_formula.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "unit/ltl_semantics.hpp"

namespace surety {
namespace {

using reference::formula;
using Letters = std::vector<std::vector<bool>>;

// How many letters it takes until the formula is false for good; nothing: it does not become so.
std::optional<std::size_t> false_after(const SafetyWatch& watch, const Letters& letters) {
  auto state = watch.initial();
  for (std::size_t i = 0; i < letters.size(); ++i) {
    state = watch.after(state, letters[i]).value();
    if (SafetyWatch::is_false(state)) return i + 1;
  }
  return std::nullopt;
}

const Letters kNeither{{false, false}}, kFirst{{true, false}}, kSecond{{false, true}}, kBoth{{true, true}};

Letters operator+(Letters a, const Letters& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// All runs over two propositions with up to three letters before a cycle of one or two.
template <class Do>
void for_each_run(Do what) {
  const auto letter = [](std::uint32_t n) { return std::vector<bool>{(n & 1) != 0, (n & 2) != 0}; };
  for (std::size_t length = 1; length <= 5; ++length)
    for (std::uint32_t n = 0; n < 1u << 2 * length; ++n) {
      Letters run;
      for (std::size_t i = 0; i < length; ++i) run.push_back(letter(n >> 2 * i));
      for (std::size_t cycle = 1; cycle <= std::min<std::size_t>(2, length); ++cycle)
        if (length - cycle <= 3) what(run, length - cycle);
    }
}

Letters without_repetitions(const Letters& run) {
  Letters out;
  for (const auto& letter : run)
    if (out.empty() || out.back() != letter) out.push_back(letter);
  return out;
}

// Of the run that goes on at `again`: the watch finds out exactly if the formula is false, and it need not be told how
// often a letter comes in a row.
void expect_right(const std::string& text) {
  const Formula f = formula(text);
  const auto watch = SafetyWatch::of(f);
  ASSERT_TRUE(watch) << text;
  for_each_run([&](const Letters& run, std::size_t again) {
    Letters long_run = run;  // far enough: no formula here needs to go round more often
    for (int round = 0; round < 6; ++round)
      long_run.insert(long_run.end(), run.begin() + static_cast<std::ptrdiff_t>(again), run.end());
    const bool holds = holds_on(f, run, again);
    ASSERT_EQ(!false_after(*watch, long_run), holds) << text;
    ASSERT_EQ(!false_after(*watch, without_repetitions(long_run)), holds) << text << ", only changes";
  });
}

TEST(SafetyWatch, IsRightAboutEveryShortRun) {
  for (const char* text :
       {"F0", "[]F0", "(F0 W F1)", "[](F0 -> F1)", "[](F0 -> (F1 W !F0))", "!(F0 U F1)", "!<>(F0 & <>F1)", "!<>F0",
        "([]F0 | []F1)", "((F0 W F1) W F0)", "(F0 -> []F1)", "[](F0 -> []F1)", "!(!(F0 W F1) U F1)",
        "([]F0 & (F1 W F0))", "true", "false", "([]F0 | (F1 W (F0 & F1)))", "[]([]F0 | []!F0)", "(F0 <-> F1)"})
    expect_right(text);
}

// Random formulas without an until once negations are pushed down.
std::string safe(Random& random, int levels, bool positive) {
  const auto part = [&](bool as) { return safe(random, levels - 1, as); };
  if (levels == 0) return random.chance(50) ? "F0" : "F1";
  switch (random.below(6)) {
    case 0: return "!" + part(!positive);
    case 1: return "(" + part(positive) + " & " + part(positive) + ")";
    case 2: return "(" + part(positive) + " | " + part(positive) + ")";
    case 3: return "(" + part(!positive) + " -> " + part(positive) + ")";
    case 4: return (positive ? "[]" : "<>") + part(positive);
    default: return "(" + part(positive) + (positive ? " W " : " U ") + part(positive) + ")";
  }
}

TEST(SafetyWatch, IsRightAboutRandomFormulas) {
  Random random(7);
  for (int i = 0; i < 300; ++i) expect_right(safe(random, 3, true));
}

TEST(SafetyWatch, TellsAtOnce) {
  const auto watch = SafetyWatch::of(formula("[](F0 -> (F1 W !F0))")).value();
  EXPECT_EQ(false_after(watch, kNeither + kBoth + kBoth + kFirst + kNeither), 4u);
  EXPECT_EQ(false_after(watch, kNeither + kBoth + kSecond + kFirst), 4u);
  EXPECT_EQ(false_after(watch, kNeither + kBoth + kSecond + kBoth), std::nullopt);
}

TEST(SafetyWatch, RefusesWhatMustComeTrueInTheEnd) {
  for (const char* text : {"<>F0", "(F0 U F1)", "[]<>F0", "<>[]F0", "!(F0 W F1)", "(F0 -> <>F1)", "([]F0 <-> F1)"})
    EXPECT_FALSE(SafetyWatch::of(formula(text))) << text;
}

TEST(SafetyWatch, TakesManyConjuncts) {
  std::string text = "[]!F0";
  for (int i = 1; i < 40; ++i) text = fmt::format("([]!F{} & {})", i, text);
  const auto watch = SafetyWatch::of(formula(text)).value();
  std::vector<bool> none(40, false), last(40, false);
  last[39] = true;
  EXPECT_EQ(false_after(watch, {none, none, last}), 3u);
  EXPECT_EQ(false_after(watch, {none, none, none}), std::nullopt);
}

TEST(SafetyWatch, RefusesWhatCountsSteps) {
  EXPECT_FALSE(SafetyWatch::of(formula("X F0")));
  EXPECT_FALSE(SafetyWatch::of(formula("[](F0 -> X F1)")));
  EXPECT_FALSE(SafetyWatch::of(formula("[]a")));  // an event
}

}  // namespace
}  // namespace surety
