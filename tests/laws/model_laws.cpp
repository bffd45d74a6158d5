// Laws of the model operations: on every small LTS, and on random larger ones.
//
// Each claim is a function of one or two LTSs that says what is wrong, or nothing;
// it is then tried on all small LTSs (or many pairs of them) and given to RapidCheck.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "model/automata.hpp"
#include "model/equivalence.hpp"
#include "model/minimise.hpp"
#include "model/transform.hpp"
#include "product/compose.hpp"
#include "reference/generators.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using namespace reference;

constexpr std::size_t kLong = 4;  // words are compared up to this length

Lts composed(const std::vector<const Lts*>& parts) {
  static Budget budget;  // one for all: to make one costs more than to compose small LTSs
  return compose(parts, budget).value();
}

// Every LTS that `all` has, each with `partners` others drawn by chance.
template <class F>
void for_some_pairs(const std::vector<Lts>& all, int partners, F f) {
  Random random(1);
  for (const Lts& a : all)
    for (int i = 0; i < partners && !testing::Test::HasFatalFailure(); ++i)
      f(a, all[random.below(static_cast<std::uint32_t>(all.size()))]);
}

template <class F>
void for_all(const std::vector<Lts>& all, F f) {
  for (const Lts& a : all)
    if (!testing::Test::HasFatalFailure()) f(a);
}

template <class F>
void for_all_pairs(const std::vector<Lts>& all, F f) {
  for (const Lts& a : all)
    for (const Lts& b : all)
      if (!testing::Test::HasFatalFailure()) f(a, b);
}

// The second of a pair, with c in the place of a: then the two share b only.
Lts sharing_only_b(const Lts& lts) { return relabel(lts, {{action("a"), action("c")}}); }

// Random LTSs of many shapes, sparse and dense, with few and many silent steps: more of them, and larger ones,
// than RapidCheck makes. What fails here is for RapidCheck to shrink.
template <class F>
void for_many_random(std::uint32_t count, std::uint32_t largest, F f) {
  for (std::uint32_t seed = 0; seed < count && !testing::Test::HasFatalFailure(); ++seed) {
    Random random(seed);
    const std::uint32_t states = 2 + random.below(largest - 1);
    const Shape shape{.states = states,
                      .actions = 1 + random.below(3),
                      .steps = states + random.below(2 * states),
                      .tau_percent = 10 * random.below(8),
                      .error_percent = 20,
                      .end_percent = 20};
    f(random, shape);
  }
}

std::vector<Lts> small_ltss_with_marks() {
  auto all = small_ltss_with_tau();
  std::erase_if(all, [](const Lts& lts) { return !lts.error() && !lts.end(); });
  return all;
}

// --- compose

std::string wrong_with_product(const std::vector<const Lts*>& parts) {
  const Lts ours = composed(parts), naive = product(parts);
  if (ours.state_count() != naive.state_count()) return "states";
  if (ours.transition_count() != naive.transition_count()) return "steps";
  if (ours.alphabet() != naive.alphabet()) return "alphabet";
  if (ours.error().has_value() != naive.error().has_value()) return "error";
  if (ours.end().has_value() != naive.end().has_value()) return "end";
  if (words_up_to(3, ours) != words_up_to(3, naive)) return "words";
  return "";
}

TEST(ComposeLaws, AgreesWithTheDefinitionOnAllSmallPairs) {
  for_all_pairs(small_ltss(), [](const Lts& a, const Lts& b) {
    ASSERT_EQ(wrong_with_product({&a, &b}), "") << a << "\n" << b;
  });
}

TEST(ComposeLaws, AgreesWithTheDefinitionOnSmallPairsWithTauErrorAndEnd) {
  for_some_pairs(small_ltss_with_tau(), 4, [](const Lts& a, const Lts& b) {
    const Lts c = sharing_only_b(b);
    ASSERT_EQ(wrong_with_product({&a, &b}), "") << a << "\n" << b;
    ASSERT_EQ(wrong_with_product({&a, &c}), "") << a << "\n" << c;
  });
}

TEST(ComposeLaws, AgreesWithTheDefinitionOnAllSmallPairsThatFailOrEnd) {
  int ended = 0;
  for_all_pairs(small_ltss_with_marks(), [&](const Lts& a, const Lts& b) {
    const Lts c = sharing_only_b(b);
    ASSERT_EQ(wrong_with_product({&a, &b}), "") << a << "\n" << b;
    ASSERT_EQ(wrong_with_product({&a, &c}), "") << a << "\n" << c;
    ended += composed({&a, &c}).end().has_value();
  });
  EXPECT_GT(ended, 100);
}

TEST(ComposeLaws, AgreesWithTheDefinitionOnThreeRandomParts) {
  for_many_random(4000, 5, [](Random& random, const Shape& shape) {
    const Lts a = random_lts(random, shape), b = relabel(random_lts(random, shape), {{action("a"), action("d")}});
    const Lts c = relabel(random_lts(random, shape), {{action("b"), action("d")}, {action("c"), action("e")}});
    ASSERT_EQ(wrong_with_product({&a, &b, &c}), "") << a << "\n" << b << "\n" << c;
  });
}

RC_GTEST_PROP(ComposeLaws, AgreesWithTheDefinitionOnThreeParts, ()) {
  const Lts a = *any_lts(), b = *any_lts({.first_action = 1}), c = *any_lts({.states = 3, .actions = 3});
  const Lts whole = composed({&a, &b, &c});
  RC_CLASSIFY(whole.error().has_value(), "error");
  RC_CLASSIFY(whole.end().has_value(), "end");
  RC_CLASSIFY(whole.state_count() > 10, "more than 10 states");
  RC_ASSERT(wrong_with_product({&a, &b, &c}) == "");
  RC_ASSERT(strongly_bisimilar(whole, product({&a, &b, &c})));
}

RC_GTEST_PROP(ComposeLaws, IsCommutative, ()) {
  const Lts a = *any_lts(), b = *any_lts({.first_action = 1});
  RC_ASSERT(strongly_bisimilar(composed({&a, &b}), composed({&b, &a})));
}

// Not with END: whether a state has ended depends on all alphabets at once (doc/semantics.md#end-and-deadlock).
RC_GTEST_PROP(ComposeLaws, IsAssociativeForPartsThatDoNotEnd, ()) {
  const Lts a = *any_lts({.states = 3, .end = false}), b = *any_lts({.states = 3, .end = false, .first_action = 1});
  const Lts c = *any_lts({.states = 3, .actions = 3, .end = false});
  const Lts ab = composed({&a, &b}), bc = composed({&b, &c});
  RC_ASSERT(strongly_bisimilar(composed({&ab, &c}), composed({&a, &bc})));
  RC_ASSERT(strongly_bisimilar(composed({&ab, &c}), composed({&a, &b, &c})));
}

// The error state gets the last number, the others keep their order.
Lts with_error_last(const Lts& lts) {
  if (!lts.error()) return lts;
  const std::uint32_t error = lts.error()->value, last = lts.state_count() - 1;
  const auto number = [&](State s) { return State{s.value == error ? last : s.value - (s.value > error ? 1 : 0)}; };
  LtsBuilder builder;
  for (std::uint32_t s = 0; s <= last; ++s)
    for (const Step& step : lts.steps(State{s})) builder.add_step(number(State{s}), step.action, number(step.target));
  builder.set_state_count(last + 1);
  builder.set_error(State{last});
  if (lts.end()) builder.set_end(number(*lts.end()));
  builder.add_to_alphabet(lts.alphabet());
  return builder.build();
}

RC_GTEST_PROP(ComposeLaws, OnePartStaysAsItIsButForTheNumberOfItsErrorState, ()) {
  const Lts a = *any_lts();
  RC_PRE(a.end() != a.initial());  // LTSA's quirk
  RC_ASSERT(text(with_error_last(composed({&a}))) == text(with_error_last(reachable(a))));
}

// --- project, hide, relabel, reachable

RC_GTEST_PROP(TransformLaws, ProjectMakesTheOtherActionsSilent, ()) {
  const Lts a = *any_lts({.actions = 3});
  const Alphabet visible = *any_part_of(alphabet("a b c d"));
  const Lts projected = project(a, visible);
  RC_ASSERT(words_up_to(kLong, projected) == words_up_to(kLong, a, intersect(a.alphabet(), visible)));
  RC_ASSERT(projected.alphabet() == intersect(a.alphabet(), visible));
  RC_ASSERT(text(project(projected, visible)) == text(projected));
}

RC_GTEST_PROP(TransformLaws, HideIsProjectOnTheRest, ()) {
  const Lts a = *any_lts({.actions = 3});
  const Alphabet some = *any_part_of(a.alphabet()), more = *any_part_of(a.alphabet());
  RC_ASSERT(text(hide(a, some)) == text(project(a, subtract(a.alphabet(), some))));
  RC_ASSERT(text(hide(hide(a, some), more)) == text(hide(a, unite(some, more))));
  RC_ASSERT(text(hide(a, {})) == text(a));
}

// Words letter by letter, each letter by all of its images.
Words renamed(const Words& words, const std::vector<std::pair<Action, Action>>& pairs) {
  Words out;
  for (const Trace& w : words) {
    Words images{{}};
    for (const Action a : w) {
      Words longer;
      for (const Trace& image : images)
        for (const auto& [from, to] : pairs)
          if (from == a) {
            Trace extended = image;
            extended.push_back(to);
            longer.insert(extended);
          }
      images = longer;
    }
    out.insert(images.begin(), images.end());
  }
  return out;
}

RC_GTEST_PROP(TransformLaws, RelabelRenamesTheLettersOfWords, ()) {
  const Lts a = *any_lts({.actions = 3});
  std::vector<std::pair<Action, Action>> pairs;
  for (const Action from : a.alphabet())
    for (const Action to : *any_word(alphabet("a b c d"), 2)) pairs.emplace_back(from, to);
  auto complete_pairs = pairs;
  for (const Action x : a.alphabet())
    if (std::ranges::none_of(pairs, [&](const auto& pair) { return pair.first == x; }))
      complete_pairs.emplace_back(x, x);
  RC_ASSERT(words_up_to(3, relabel(a, pairs)) == renamed(words_up_to(3, a), complete_pairs));
}

RC_GTEST_PROP(TransformLaws, ToSwapTwiceIsToDoNothing, ()) {
  const Lts a = *any_lts();
  const std::vector<std::pair<Action, Action>> swap{{action("a"), action("b")}, {action("b"), action("a")}};
  RC_ASSERT(text(relabel(relabel(a, swap), swap)) == text(a));
}

RC_GTEST_PROP(TransformLaws, ReachableKeepsWhatCanHappen, ()) {
  const Lts a = *any_lts();
  const Lts live = reachable(a);
  RC_CLASSIFY(live.state_count() < a.state_count(), "had unreachable states");
  RC_ASSERT(strongly_bisimilar(live, a));
  RC_ASSERT(live.alphabet() == a.alphabet());
  RC_ASSERT(text(reachable(live)) == text(live));
}

RC_GTEST_PROP(TransformLaws, TheTraceLtsOfAWordHasItsPrefixes, ()) {
  const Alphabet abc = alphabet("a b c");
  const Trace w = *any_word(abc);
  Words prefixes;
  for (std::size_t n = 0; n <= w.size(); ++n)
    prefixes.insert(Trace(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(n)));
  RC_ASSERT(words_up_to(w.size() + 1, trace_lts(w, abc)) == prefixes);
  RC_ASSERT(trace_lts(w, abc).alphabet() == abc);
}

// --- determinise, complete, complement

// The words up to length n of which no proper prefix can reach error.
Words words_before_error(std::size_t n, const Lts& lts) {
  const Words failing = failing_words_up_to(n, lts);
  Words out;
  for (const Trace& w : words_up_to(n, lts)) {
    bool good = true;
    for (std::size_t k = 0; k < w.size(); ++k)
      good = good && !failing.contains(Trace(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(k)));
    if (good) out.insert(w);
  }
  return out;
}

std::string wrong_with_determinised(const Lts& a) {
  const Lts d = determinise(a);
  if (!is_deterministic(d)) return "not deterministic";
  if (words_up_to(kLong, d) != words_before_error(kLong, a)) return "words";
  if (d.alphabet() != a.alphabet()) return "alphabet";
  if (!trace_equivalent(a, d)) return "error or end";
  if (text(determinise(d)) != text(d)) return "not idempotent";
  return "";
}

TEST(AutomataLaws, DeterminiseKeepsTheWordsOfAllSmallLtss) {
  for_all(small_ltss_with_tau(), [](const Lts& a) { ASSERT_EQ(wrong_with_determinised(a), "") << a; });
}

RC_GTEST_PROP(AutomataLaws, DeterminiseKeepsTheWords, ()) {
  const Lts a = *any_lts();
  RC_CLASSIFY(!is_deterministic(a), "nondeterministic");
  RC_ASSERT(wrong_with_determinised(a) == "");
}

std::string wrong_with_complement(const Lts& a) {
  const Automaton co = complement(a);
  if (!is_deterministic(co.lts) || co.lts.error() || co.lts.end()) return "not a plain automaton";
  if (co.lts.alphabet() != a.alphabet()) return "alphabet";
  if (co.lts.transition_count() != co.lts.state_count() * a.alphabet().size()) return "not complete";
  if (std::ranges::count(co.accepting, true) > 1) return "more than a sink accepts";
  const Words failing = failing_words_up_to(kLong, a), good = words_before_error(kLong, a);
  for (const Trace& w : all_words_up_to(kLong, a.alphabet()))
    if (accepts(co, w) != (!good.contains(w) || failing.contains(w))) return "words";
  return "";
}

TEST(AutomataLaws, ComplementAcceptsTheOtherWordsOfAllSmallLtss) {
  for_all(small_ltss_with_tau(), [](const Lts& a) { ASSERT_EQ(wrong_with_complement(a), "") << a; });
}

RC_GTEST_PROP(AutomataLaws, ComplementAcceptsTheOtherWords, ()) { RC_ASSERT(wrong_with_complement(*any_lts()) == ""); }

RC_GTEST_PROP(AutomataLaws, ACompletedPropertyFailsExactlyOnTheWordsItLacks, ()) {
  const Lts property = *any_property();
  const Lts p_err = complete(property);
  RC_ASSERT(is_deterministic(p_err));
  const Words allowed = words_up_to(kLong, property), failing = failing_words_up_to(kLong, p_err);
  for (const Trace& w : words_up_to(kLong, p_err)) RC_ASSERT(failing.contains(w) != allowed.contains(w));
  for (const Trace& w : all_words_up_to(2, property.alphabet()))  // every letter goes somewhere until it fails
    RC_ASSERT((has_word(p_err, w) || !allowed.contains(Trace(w.begin(), w.end() - 1))));
}

RC_GTEST_PROP(AutomataLaws, ErrorIsReachableIffThePropertyIsViolated, ()) {
  const Lts m = *any_lts(), property = *any_property({.actions = 3});
  const Lts p_err = complete(property);
  const bool holds = !shortest_violation({&m}, property);
  RC_CLASSIFY(holds, "holds");
  RC_ASSERT(holds == !composed({&m, &p_err}).error().has_value());
}

// --- minimise

using Minimise = Lts (*)(const Lts&, Budget*);
using Equivalent = bool (*)(const Lts&, const Lts&);

bool no_two_states_are_related(const Relation& relation) {
  for (std::size_t s = 0; s < relation.size(); ++s)
    for (std::size_t t = 0; t < s; ++t)
      if (relation[s][t]) return false;
  return true;
}

// The same LTS, from another state.
Lts started_in(const Lts& lts, std::uint32_t s) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  const auto place = [&](State t) { return t.value == s ? State{0} : t.value == 0 ? State{s} : t; };
  for (std::uint32_t t = 0; t < lts.state_count(); ++t)
    for (const Step& step : lts.steps(State{t})) builder.add_step(place(State{t}), step.action, place(step.target));
  if (lts.error()) builder.set_error(place(*lts.error()));
  if (lts.end()) builder.set_end(place(*lts.end()));
  return builder.build();
}

Relation trace_equivalence(const Lts& lts) {
  Relation related(lts.state_count(), std::vector<bool>(lts.state_count()));
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (std::uint32_t t = 0; t < lts.state_count(); ++t)
      related[s][t] = trace_equivalent(started_in(lts, s), started_in(lts, t));
  return related;
}

std::string wrong_with_minimised(const Lts& a, Minimise minimise, Equivalent equivalent,
                                 Relation (*relation)(const Lts&)) {
  const Lts small = minimise(a, nullptr);
  if (!equivalent(small, a)) return "behaves otherwise";
  if (!no_two_states_are_related(relation(small))) return "not minimal";
  if (small.alphabet() != a.alphabet()) return "alphabet";
  if (small.state_count() > a.state_count() && minimise != minimise_trace) return "larger";
  if (text(minimise(small, nullptr)) != text(small)) return "not idempotent";
  if (text(reachable(small)) != text(small)) return "not numbered breadth first";
  return "";
}

std::string wrong_with_strong(const Lts& a) {
  return wrong_with_minimised(a, minimise_strong, strongly_bisimilar, strong_bisimulation);
}
std::string wrong_with_weak(const Lts& a) {
  return wrong_with_minimised(a, minimise_weak, weakly_bisimilar, weak_bisimulation);
}
std::string wrong_with_trace(const Lts& a) {
  if (!is_deterministic(minimise_trace(a))) return "not deterministic";
  return wrong_with_minimised(a, minimise_trace, trace_equivalent, trace_equivalence);
}

TEST(MinimiseLaws, StrongIsMinimalAndEquivalentOnAllSmallLtss) {
  for_all(small_ltss_with_tau(), [](const Lts& a) { ASSERT_EQ(wrong_with_strong(a), "") << a; });
}

TEST(MinimiseLaws, WeakIsMinimalAndEquivalentOnAllSmallLtss) {
  for_all(small_ltss_with_tau(), [](const Lts& a) { ASSERT_EQ(wrong_with_weak(a), "") << a; });
}

TEST(MinimiseLaws, TraceIsMinimalAndEquivalentOnAllSmallLtss) {
  for_all(small_ltss_with_tau(), [](const Lts& a) { ASSERT_EQ(wrong_with_trace(a), "") << a; });
}

RC_GTEST_PROP(MinimiseLaws, StrongIsMinimalAndEquivalent, ()) {
  const Lts a = *any_lts({.states = 8, .actions = 2, .steps = 16});
  const Lts live = reachable(a);
  RC_CLASSIFY(minimise_strong(a).state_count() < live.state_count(), "merges states");
  RC_ASSERT(wrong_with_strong(a) == "");
}

RC_GTEST_PROP(MinimiseLaws, WeakIsMinimalAndEquivalent, ()) {
  const Lts a = *any_lts({.states = 8, .actions = 2, .steps = 16});
  RC_CLASSIFY(minimise_weak(a).state_count() < minimise_strong(a).state_count(), "merges more than strong");
  RC_CLASSIFY(minimise_weak(a).end().has_value(), "ends");
  RC_ASSERT(wrong_with_weak(a) == "");
}

RC_GTEST_PROP(MinimiseLaws, TraceIsMinimalAndEquivalent, ()) {
  const Lts a = *any_lts({.states = 6});
  RC_CLASSIFY(minimise_trace(a).state_count() < determinise(a).state_count(), "merges states");
  RC_ASSERT(wrong_with_trace(a) == "");
}

TEST(MinimiseLaws, AllThreeAreMinimalAndEquivalentOnManyRandomLtss) {
  for_many_random(10000, 12, [](Random& random, const Shape& shape) {
    const Lts a = random_lts(random, shape);
    ASSERT_EQ(wrong_with_strong(a), "") << a;
    ASSERT_EQ(wrong_with_weak(a), "") << a;
    if (shape.states > 6) return;
    ASSERT_EQ(wrong_with_trace(a), "") << a;
  });
}

template <class Classes>
bool are_the_classes_of(const Classes& classes, const Relation& relation) {
  for (std::size_t s = 0; s < relation.size(); ++s)
    for (std::size_t t = 0; t < relation.size(); ++t)
      if (relation[s][t] != (classes[s] == classes[t])) return false;
  return classes.size() == relation.size();
}

RC_GTEST_PROP(MinimiseLaws, TheClassesAreTheRelation, ()) {
  const Lts a = *any_lts({.states = 10, .steps = 20});
  RC_ASSERT(are_the_classes_of(strong_classes(a), strong_bisimulation(a)));
  RC_ASSERT(are_the_classes_of(weak_classes(a), weak_bisimulation(a)));
}

// Larger than RapidCheck likes, many times: more than 64 classes, so that a batch of weak splitters is not all.
TEST(MinimiseLaws, TheClassesAreTheRelationOnLargerRandomLtss) {
  Random random(3);
  for (std::uint32_t i = 0; i < 40; ++i) {
    const Lts a = random_lts(random, {.states = 60 + i, .actions = 3, .steps = 150 + 3 * i, .tau_percent = i});
    ASSERT_TRUE(are_the_classes_of(strong_classes(a), strong_bisimulation(a))) << a;
    ASSERT_TRUE(are_the_classes_of(weak_classes(a), weak_bisimulation(a))) << a;
  }
}

// A line with some steps beside it: its states are told apart one after the other, from the far end.
Lts long_lts(Random& random, std::uint32_t states) {
  LtsBuilder builder;
  builder.set_state_count(states);
  for (std::uint32_t s = 0; s + 1 < states; ++s) {
    builder.add_step(State{s}, action("a"), State{s + 1});
    while (random.chance(40))
      builder.add_step(State{s}, random.chance(80) ? action("a") : kTau,
                       State{std::min(states - 1, s + 1 + random.below(3))});
  }
  if (random.chance(50)) builder.set_end(State{states - 1});
  return builder.build();
}

TEST(MinimiseLaws, TheClassesAreTheRelationOnLongLtss) {
  Random random(5);
  for (std::uint32_t i = 0; i < 400; ++i) {
    const Lts a = long_lts(random, 10 + i % 40);
    ASSERT_TRUE(are_the_classes_of(strong_classes(a), strong_bisimulation(a))) << a;
    ASSERT_TRUE(are_the_classes_of(weak_classes(a), weak_bisimulation(a))) << a;
  }
}

// The same LTS twice, and a copy of it with one step more: the far ends are equal.
TEST(MinimiseLaws, TheClassesAreTheRelationOnLongLtssThatAreNearlyEqual) {
  Random random(6);
  for (std::uint32_t i = 0; i < 200; ++i) {
    const std::uint32_t n = 10 + i % 20;
    const Lts one = long_lts(random, n);
    LtsBuilder builder;
    builder.set_state_count(3 * n);
    for (std::uint32_t copy = 0; copy < 3; ++copy)
      for (std::uint32_t s = 0; s < n; ++s)
        for (const Step& step : one.steps(State{s}))
          builder.add_step(State{copy * n + s}, step.action, State{copy * n + step.target.value});
    const std::uint32_t s = random.below(n - 1);
    builder.add_step(State{2 * n + s}, action("a"), State{2 * n + s + random.below(n - s)});
    const Lts a = builder.build();
    ASSERT_TRUE(are_the_classes_of(strong_classes(a), strong_bisimulation(a))) << a;
    ASSERT_TRUE(are_the_classes_of(weak_classes(a), weak_bisimulation(a))) << a;
  }
}

TEST(MinimiseLaws, ForTracesTheResultIsTheSameLtsIffTheTracesAreTheSame) {
  const auto all = small_ltss();
  std::vector<std::string> minimised;
  for (const Lts& a : all) minimised.push_back(text(minimise_trace(a)));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      ASSERT_EQ(minimised[i] == minimised[j], trace_equivalent(all[i], all[j])) << all[i] << "\n" << all[j];
}

// --- difference

bool is_trace_of_one_side(const Difference& difference, const Lts& a, const Lts& b) {
  Trace w = difference.trace;
  std::erase(w, kTau);
  return has_word(difference.first_has_it ? a : b, w) && !has_word(difference.first_has_it ? b : a, w);
}

std::string wrong_with_difference(const Lts& a, const Lts& b, Equivalence equivalence, bool equivalent) {
  const auto d = difference(a, b, equivalence);
  if (d.has_value() == equivalent) return equivalent ? "finds one" : "finds none";
  if (!d) return "";
  if (d->by_trace != is_trace_of_one_side(*d, a, b)) return "by_trace";
  Trace w = d->trace;
  std::erase(w, kTau);
  if (a.state_count() > 0 && b.state_count() > 0 && !has_word(d->first_has_it ? a : b, w)) return "not a run";
  if (!w.empty() && d->trace.back() != kTau) w.pop_back();
  if (a.state_count() > 0 && b.state_count() > 0 && !has_word(d->first_has_it ? b : a, w)) return "not answered";
  return "";
}

std::string wrong_with_differences(const Lts& a, const Lts& b) {
  const bool strong = strongly_bisimilar(a, b), weak = weakly_bisimilar(a, b), trace = trace_equivalent(a, b);
  if ((strong && !weak) || (weak && !trace)) return "the references are not in order";
  if (auto wrong = wrong_with_difference(a, b, Equivalence::strong, strong); !wrong.empty()) return "strong: " + wrong;
  if (auto wrong = wrong_with_difference(a, b, Equivalence::weak, weak); !wrong.empty()) return "weak: " + wrong;
  if (auto wrong = wrong_with_difference(a, b, Equivalence::trace, trace); !wrong.empty()) return "trace: " + wrong;
  if (a.state_count() == 0 || b.state_count() == 0) return "";
  // The attacker plays as short as he can, and the defender as long.
  if (!strong && difference(a, b, Equivalence::strong)->trace.size() != strong_game_length(a, b))
    return "strong: length";
  if (!weak && difference(a, b, Equivalence::weak)->trace.size() != weak_game_length(a, b)) return "weak: length";
  return "";
}

TEST(DifferenceLaws, AgreesWithTheReferencesOnAllSmallPairs) {
  for_all_pairs(small_ltss(), [](const Lts& a, const Lts& b) {
    ASSERT_EQ(wrong_with_differences(a, b), "") << a << "\n" << b;
  });
}

TEST(DifferenceLaws, AgreesWithTheReferencesOnAllSmallPairsThatFailOrEnd) {
  for_all_pairs(small_ltss_with_marks(), [](const Lts& a, const Lts& b) {
    ASSERT_EQ(wrong_with_differences(a, b), "") << a << "\n" << b;
  });
}

TEST(DifferenceLaws, AgreesWithTheReferencesOnManySmallPairsWithTau) {
  for_some_pairs(small_ltss_with_tau(), 10, [](const Lts& a, const Lts& b) {
    ASSERT_EQ(wrong_with_differences(a, b), "") << a << "\n" << b;
  });
}

RC_GTEST_PROP(DifferenceLaws, AgreesWithTheReferences, ()) {
  const Lts a = *any_lts({.states = 4}), b = *any_lts({.states = 4});
  RC_ASSERT(wrong_with_differences(a, b) == "");
}

// Two unrelated LTSs are told apart at once; an LTS and itself without one step are not.
Lts without_step(const Lts& lts, std::uint64_t which) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  builder.add_to_alphabet(lts.alphabet());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      if (which-- != 0) builder.add_step(State{s}, step.action, step.target);
  if (lts.error()) builder.set_error(*lts.error());
  if (lts.end()) builder.set_end(*lts.end());
  return builder.build();
}

TEST(DifferenceLaws, AgreesWithTheReferencesOnManyNearlyEqualLtss) {
  int equivalent = 0, by_branching = 0, long_games = 0;
  for_many_random(10000, 9, [&](Random& random, const Shape& shape) {
    const Lts a = random_lts(random, shape);
    const Lts b = without_step(a, random.below(static_cast<std::uint32_t>(a.transition_count())));
    ASSERT_EQ(wrong_with_differences(a, b), "") << a << "\n" << b;
    const auto weak = difference(a, b, Equivalence::weak);
    equivalent += !weak;
    by_branching += weak && !weak->by_trace;
    long_games += weak && weak->trace.size() > 2;
  });
  EXPECT_GT(equivalent, 1000);
  EXPECT_GT(by_branching, 1000);
  EXPECT_GT(long_games, 100);
}

RC_GTEST_PROP(DifferenceLaws, AgreesWithTheReferencesOnNearlyEqualLtss, ()) {
  const Lts a = *any_lts({.states = 6, .actions = 3});
  RC_PRE(a.transition_count() > 0U);
  const Lts b = without_step(a, *between(0, static_cast<std::uint32_t>(a.transition_count()) - 1));
  const auto strong = difference(a, b, Equivalence::strong);
  RC_CLASSIFY(!strong, "equivalent");
  RC_CLASSIFY(strong && !strong->by_trace, "differ in branching");
  RC_CLASSIFY(strong && strong->trace.size() > 2, "game of more than two moves");
  RC_ASSERT(wrong_with_differences(a, b) == "");
}

// Shortest: no shorter word tells the two apart.
RC_GTEST_PROP(DifferenceLaws, TheWordIsAShortestOne, ()) {
  const Lts a = *any_lts({.error = false, .end = false}), b = *any_lts({.error = false, .end = false});
  const auto d = difference(a, b, Equivalence::trace);
  RC_CLASSIFY(!d, "equivalent");
  if (!d) return;
  RC_ASSERT(!d->trace.empty());
  RC_ASSERT(words_up_to(d->trace.size() - 1, a) == words_up_to(d->trace.size() - 1, b));
}

}  // namespace
}  // namespace surety
