// Formulas and their automata against the definition of truth, on all short words.

#include <gtest/gtest.h>

#include <set>

#include "engine/buchi.hpp"
#include "unit/ltl_semantics.hpp"

namespace surety {
namespace {

using namespace reference;

// Three letters: a, b and an event that no formula knows.
const Trace& events() {
  static const Trace all = word("a b c");
  return all;
}

std::vector<Trace> words_of_length(std::size_t from, std::size_t to) {
  std::vector<Trace> out, longest{{}};
  for (std::size_t n = 0; n <= to; ++n) {
    if (n >= from) out.insert(out.end(), longest.begin(), longest.end());
    std::vector<Trace> longer;
    for (const Trace& w : longest)
      for (const Action e : events()) longer.push_back(w), longer.back().push_back(e);
    longest = std::move(longer);
  }
  return out;
}

struct Machine {
  NormalForm form;
  Buchi automaton;
};

Machine machine(const Assertion& assertion) {
  static Budget budget;
  Machine out{normal_form_of_negation(assertion.formula), {}};
  std::vector<Letter> letters;
  for (const Action e : events()) {
    Letter& letter = letters.emplace_back();
    for (const auto& atom : out.form.atoms) letter.push_back(atom.actions.contains(e));
  }
  out.automaton = Buchi::build(out.form, letters, budget).value();
  return out;
}

std::uint32_t letter(Action event) {
  return static_cast<std::uint32_t>(std::ranges::find(events(), event) - events().begin());
}

std::set<std::uint32_t> run(const Buchi& automaton, const Trace& w) {
  std::set<std::uint32_t> now{automaton.initial()};
  for (const Action e : w) {
    std::set<std::uint32_t> next;
    for (const auto q : now)
      for (const auto& edge : automaton.edges(q, letter(e))) next.insert(edge.target);
    now = std::move(next);
  }
  return now;
}

bool accepts_end(const Buchi& automaton, const Trace& w) {
  return std::ranges::any_of(run(automaton, w), [&](auto q) { return automaton.may_end(q); });
}

// From q once round the cycle: where one can be, with which marks seen.
using Seen = std::set<std::pair<std::uint32_t, std::uint64_t>>;
Seen once_round(const Buchi& automaton, std::uint32_t q, const Trace& cycle) {
  Seen now{{q, 0}};
  for (const Action e : cycle) {
    Seen next;
    for (const auto& [at, marks] : now)
      for (const auto& edge : automaton.edges(at, letter(e))) next.insert({edge.target, marks | edge.marks});
    now = std::move(next);
  }
  return now;
}

// Accepts iff from some state after the prefix one can come to a state that leads to itself with all marks, in
// whole rounds.
bool accepts(const Buchi& automaton, const Trace& prefix, const Trace& cycle) {
  std::vector<Seen> rounds;
  for (std::uint32_t q = 0; q < automaton.size(); ++q) rounds.push_back(once_round(automaton, q, cycle));
  const auto closure = [&](Seen from) {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> queue(from.begin(), from.end());
    while (!queue.empty()) {
      const auto [q, marks] = queue.back();
      queue.pop_back();
      for (const auto& [to, more] : rounds[q])
        if (from.insert({to, marks | more}).second) queue.emplace_back(to, marks | more);
    }
    return from;
  };
  Seen start;
  for (const auto q : run(automaton, prefix)) start.insert({q, 0});
  for (const auto& reached : closure(start))
    if (closure(rounds[reached.first]).contains({reached.first, automaton.all_marks()})) return true;
  return false;
}

void expect_agreement(const std::string& text, const std::vector<Trace>& prefixes, const std::vector<Trace>& cycles) {
  const Assertion property = assertion(text);
  const Machine m = machine(property);
  for (const Trace& prefix : prefixes) {
    if (!prefix.empty()) {
      const bool truth = true_on(property, prefix, {});
      ASSERT_EQ(holds_on(property, prefix, {}), truth) << text << " on " << testing::PrintToString(prefix);
      ASSERT_EQ(accepts_end(m.automaton, prefix), !truth) << text << " on " << testing::PrintToString(prefix);
    }
    for (const Trace& cycle : cycles) {
      const bool truth = true_on(property, prefix, cycle);
      ASSERT_EQ(holds_on(property, prefix, cycle), truth)
          << text << " on " << testing::PrintToString(prefix) << testing::PrintToString(cycle);
      ASSERT_EQ(accepts(m.automaton, prefix, cycle), !truth)
          << text << " on " << testing::PrintToString(prefix) << testing::PrintToString(cycle);
    }
  }
}

TEST(LtlAutomata, AgreeWithTheDefinitionForAllFormulasWithOneOperator) {
  for (const auto& text : small_formulas()) expect_agreement(text, words_of_length(0, 3), words_of_length(1, 4));
}

TEST(LtlAutomata, AgreeWithTheDefinitionForFormulasWithTwoLevelsOfOperators) {
  for (const auto& text : medium_formulas()) expect_agreement(text, words_of_length(0, 2), words_of_length(1, 2));
}

TEST(LtlAutomata, AgreeWithTheDefinitionForRandomLargerFormulas) {
  Random random(7);
  const auto medium = medium_formulas();
  const auto pick = [&] { return medium[random.below(static_cast<std::uint32_t>(medium.size()))]; };
  for (int i = 0; i < 300; ++i) {
    const auto larger = one_operator_more({pick()}, {pick()});
    expect_agreement(larger[random.below(static_cast<std::uint32_t>(larger.size()))], words_of_length(0, 2),
                     words_of_length(1, 3));
  }
}

TEST(LtlAutomata, AreAsSmallAsPeopleDrawThem) {
  const auto size = [](const char* text) { return machine(assertion(text)).automaton.size(); };
  EXPECT_EQ(size("<>a"), 1U);           // []!a
  EXPECT_EQ(size("[]!a"), 2U);          // <>a: waiting, seen
  EXPECT_EQ(size("[]<>a"), 2U);         // <>[]!a: waiting, from here on
  EXPECT_EQ(size("[](a -> <>b)"), 2U);  // <>(a && []!b)
  EXPECT_EQ(size("<>[]a"), 2U);         // []<>!a: a run may end in one of them
}

TEST(LtlAutomata, TooManyUntilsAreRefusedAndTheBudgetGoesOn) {
  Formula many;
  many.op = Formula::Op::both;
  for (int i = 0; i < 65; ++i) many.operands.push_back(formula("[]x" + std::to_string(i)));
  Budget budget;
  const NormalForm form = normal_form_of_negation(many);
  EXPECT_FALSE(Buchi::build(form, {Letter(form.atoms.size(), false)}, budget).has_value());
  EXPECT_TRUE(budget.go_on());
}

// --- The end of a run (model/ltl.hpp).

TEST(LtlSemantics, NextIsWeakInsideAlwaysAndStrongInsideEventually) {
  EXPECT_TRUE(holds_on(assertion("[](a -> X b)"), word("a"), {}));
  EXPECT_FALSE(holds_on(assertion("<>(a & X b)"), word("a"), {}));
  EXPECT_TRUE(holds_on(assertion("X b"), word("a"), {}));
  EXPECT_FALSE(holds_on(assertion("X b"), word("a a"), {}));
}

TEST(LtlSemantics, AnEventualityMustHaveComeTrueWhenTheRunEnds) {
  EXPECT_FALSE(holds_on(assertion("<>b"), word("a"), {}));
  EXPECT_FALSE(holds_on(assertion("[]<>a"), word("a b"), {}));
  EXPECT_FALSE(holds_on(assertion("[](a -> <>b)"), word("b a"), {}));
  EXPECT_TRUE(holds_on(assertion("[](a -> <>b)"), word("a b"), {}));
}

TEST(LtlSemantics, OfARunWithoutEventsOnlyEventualitiesAreFalse) {
  EXPECT_TRUE(holds_on(assertion("a"), {}, {}));
  EXPECT_TRUE(holds_on(assertion("!a"), {}, {}));
  EXPECT_TRUE(holds_on(assertion("[]a"), {}, {}));
  EXPECT_FALSE(holds_on(assertion("<>a"), {}, {}));
  EXPECT_FALSE(holds_on(assertion("(a U b)"), {}, {}));
}

TEST(LtlSemantics, AFluentHasTheValueAfterTheEvent) {
  const Fluent lit{"LIT", alphabet("on"), alphabet("off"), true};
  EXPECT_TRUE(holds_on(assertion("F0", {lit}), {}, word("on off")));
  EXPECT_TRUE(holds_on(assertion("F0", {lit}), word("x"), word("off")));
  EXPECT_FALSE(holds_on(assertion("F0", {lit}), word("off"), word("x")));
  EXPECT_TRUE(holds_on(assertion("[](F0 -> X !F0)", {lit}), {}, word("on off")));
  EXPECT_TRUE(holds_on(assertion("<>[]F0", {lit}), word("off"), word("x on")));
  EXPECT_EQ(fluents_along({lit}, word("x off on")), (std::vector<std::vector<std::string>>{{"LIT"}, {}, {"LIT"}}));
}

TEST(LtlSemantics, AnAssertionKnowsTheActionsOfItsFluentsAndItsExtension) {
  Assertion a = assertion("(a U F0)", {{"F", alphabet("on"), alphabet("off"), false}});
  a.extension = alphabet("x");
  EXPECT_EQ(alphabet_of(a), alphabet("a off on x"));
}

}  // namespace
}  // namespace surety
