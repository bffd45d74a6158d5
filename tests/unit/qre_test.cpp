// Quantified regular expressions: what they mean, against a matcher that tries everything.

#include "lang/qre/qre.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "base/random.hpp"
#include "model/equivalence.hpp"

namespace surety {
namespace {

using Letters = std::vector<std::uint32_t>;  // places in the list of events

std::vector<QreProperty> read(const std::string& text) {
  Budget budget;
  auto out = read_qre(text, "test.qre", budget);
  EXPECT_TRUE(out.has_value()) << text << "\n" << (out ? "" : render(out.error()[0]));
  return out.value_or(std::vector<QreProperty>{});
}

void for_all_words(std::uint32_t letters, std::size_t longest, const std::function<void(const Letters&)>& f) {
  std::vector<Letters> layer = {{}};
  for (std::size_t length = 0; length <= longest; ++length) {
    std::vector<Letters> next;
    for (const auto& word : layer) {
      f(word);
      for (std::uint32_t a = 0; a < letters; ++a) {
        next.push_back(word);
        next.back().push_back(a);
      }
    }
    layer = std::move(next);
  }
}

// Where a word leads; nothing: the automaton has no step for one of its letters.
std::optional<std::uint32_t> state_after(const QreProperty& property, const Letters& word) {
  State at = property.automaton.lts.initial();
  for (const auto a : word) {
    const auto steps = property.automaton.lts.steps(at, Action{a + 1});
    if (steps.empty()) return std::nullopt;
    at = steps[0].target;
  }
  return at.value;
}

bool accepts(const QreProperty& property, const Letters& word) {
  const auto at = state_after(property, word);
  return at && property.automaton.accepting[*at];
}

// ---- an expression as the test sees it: its text, and which ends a match that begins somewhere can have

using Ends = std::uint32_t;  // a set of places in a word: one bit each

struct Pattern {
  std::string text;
  std::function<Ends(const Letters&, std::size_t)> ends;
  bool empty = false;  // it matches no word at all
};

Pattern one_of(std::string text, const std::set<std::uint32_t>& events) {
  return {std::move(text),
          [events](const Letters& w, std::size_t i) -> Ends {
            return i < w.size() && events.contains(w[i]) ? 1U << (i + 1) : 0U;
          },
          events.empty()};
}

Ends ends_after(const Pattern& p, const Letters& w, Ends from) {
  Ends out = 0;
  for (std::size_t i = 0; i <= w.size(); ++i)
    if ((from >> i & 1U) != 0) out |= p.ends(w, i);
  return out;
}

Pattern then(const Pattern& a, const Pattern& b) {
  return {a.text + "; " + b.text, [a, b](const Letters& w, std::size_t i) { return ends_after(b, w, a.ends(w, i)); },
          a.empty || b.empty};
}

Pattern either(const Pattern& a, const Pattern& b) {
  return {a.text + " | " + b.text, [a, b](const Letters& w, std::size_t i) { return a.ends(w, i) | b.ends(w, i); },
          a.empty && b.empty};
}

Pattern times(const Pattern& a, const std::string& sign, std::uint32_t count) {
  return {a.text + sign,
          [a, count](const Letters& w, std::size_t i) {
            Ends now = 1U << i;
            for (std::uint32_t n = 0; n < count; ++n) now = ends_after(a, w, now);
            return now;
          },
          count > 0 && a.empty};
}

// What matches from places where matches end also ends matches, until there are no more.
Ends closed(const Pattern& a, const Letters& w, Ends from) {
  for (Ends more = from | ends_after(a, w, from); more != from; more = from | ends_after(a, w, from)) from = more;
  return from;
}

Pattern any_times(const Pattern& a) {
  return {a.text + "*", [a](const Letters& w, std::size_t i) { return closed(a, w, 1U << i); }, false};
}
Pattern at_least_once(const Pattern& a) {
  return {a.text + " +", [a](const Letters& w, std::size_t i) { return closed(a, w, a.ends(w, i)); }, a.empty};
}
Pattern at_most_once(const Pattern& a) {
  return {a.text + "?", [a](const Letters& w, std::size_t i) { return a.ends(w, i) | 1U << i; }, false};
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t n) { return random_.below(n); }

  Pattern choice(int depth) {
    Pattern out = sequence(depth);
    for (auto n = depth > 0 ? below(3) : 0; n > 0; --n) out = either(out, sequence(depth));
    return out;
  }

 private:
  Pattern sequence(int depth) {
    Pattern out = repeated(depth);
    for (auto n = depth > 0 ? below(3) : 0; n > 0; --n) out = then(out, repeated(depth));
    return out;
  }

  Pattern repeated(int depth) {
    Pattern out = atom(depth);
    for (auto n = below(3) == 0 ? 1 + below(2) : 0; n > 0; --n) {
      const auto count = below(4);
      switch (below(4)) {
        case 0: out = any_times(out); break;
        case 1: out = at_least_once(out); break;
        case 2: out = at_most_once(out); break;
        default: out = times(out, fmt::format("^{}", count), count);
      }
    }
    return out;
  }

  Pattern atom(int depth) {
    switch (below(depth > 0 ? 6 : 4)) {
      case 0: return one_of(".", {0, 1, 2});
      case 1: return set();
      case 2:
      case 3: {
        const auto e = below(3);
        return one_of(name(e), {e});
      }
      default: {
        Pattern out = choice(depth - 1);
        out.text = "(" + out.text + ")";
        return out;
      }
    }
  }

  Pattern set() {
    const bool others = below(2) == 0;
    std::set<std::uint32_t> named = {below(3)};
    if (below(2) == 0) named.insert(below(3));
    if (below(8) == 0) named = {0, 1, 2};
    std::string text;
    for (const auto e : named) text += (text.empty() ? "" : ",") + name(e);
    std::set<std::uint32_t> left = {0, 1, 2};
    for (const auto e : named) left.erase(e);
    return others ? one_of("[-" + text + "]", left) : one_of("[" + text + "]", named);
  }

  std::string name(std::uint32_t e) {
    const std::string plain = std::vector<std::string>{"a", "b.1", "all"}[e];
    switch (below(6)) {
      case 0: return "{" + plain + "}";
      case 1: return "\"" + plain + "\"";
      default: return plain;
    }
  }

  Random random_;
};

// Can states be told apart by what is accepted from them on?
bool is_minimal(const Automaton& automaton) {
  const auto n = automaton.lts.state_count();
  std::vector<std::vector<bool>> differ(n, std::vector<bool>(n, false));
  const auto target = [&](std::uint32_t s, Action a) {
    const auto steps = automaton.lts.steps(State{s}, a);
    return steps.empty() ? std::optional<std::uint32_t>() : steps[0].target.value;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::uint32_t s = 0; s < n; ++s)
      for (std::uint32_t t = 0; t < n; ++t) {
        bool different = automaton.accepting[s] != automaton.accepting[t];
        for (const Action a : automaton.lts.alphabet()) {
          const auto x = target(s, a), y = target(t, a);
          different = different || x.has_value() != y.has_value() || (x && differ[*x][*y]);
        }
        if (different == differ[s][t]) continue;
        differ[s][t] = changed = true;
      }
  }
  for (std::uint32_t s = 0; s < n; ++s)
    for (std::uint32_t t = 0; t < s; ++t)
      if (!differ[s][t]) return false;
  return true;
}

bool every_state_can_accept(const Automaton& automaton) {
  std::vector<bool> good = automaton.accepting;
  for (std::uint32_t round = 0; round < automaton.lts.state_count(); ++round)
    for (std::uint32_t s = 0; s < automaton.lts.state_count(); ++s)
      for (const Step& step : automaton.lts.steps(State{s}))
        if (good[step.target.value]) good[s] = true;
  return std::ranges::find(good, false) == good.end();
}

TEST(Qre, RandomExpressionsAcceptWhatAMatcherThatTriesEverythingAccepts) {
  Generator generator(16);
  int accepted = 0, refused = 0, larger = 0;
  for (int i = 0; i < 1500; ++i) {
    const Pattern pattern = generator.choice(2);
    const bool all = generator.below(3) > 0;
    const std::string text =
        fmt::format("for events {{a, {{b.1}}, all}} show {} executions satisfy {}", all ? "all" : "no", pattern.text);
    Budget budget;
    const auto read = read_qre(text, "test.qre", budget);
    const auto wanted = [&](const Letters& word) {
      return (pattern.ends(word, 0) >> word.size() & 1U) == (all ? 1U : 0U);
    };
    if (!read) {
      ++refused;
      ASSERT_EQ(read.error()[0].message, "no execution can satisfy it") << text;
      ASSERT_TRUE(pattern.empty || !all) << text;
      for_all_words(3, 5, [&](const Letters& word) { ASSERT_FALSE(wanted(word)) << text; });
      continue;
    }
    ASSERT_FALSE(all && pattern.empty) << text;
    const QreProperty& property = read->at(0);
    larger += property.automaton.lts.state_count() > 5;
    for_all_words(3, 5, [&](const Letters& word) {
      accepted += wanted(word);
      ASSERT_EQ(accepts(property, word), wanted(word)) << text << ", " << fmt::format("{}", fmt::join(word, " "));
    });
    ASSERT_TRUE(is_deterministic(property.automaton.lts)) << text;
    ASSERT_TRUE(every_state_can_accept(property.automaton)) << text;
    ASSERT_TRUE(property.automaton.lts.state_count() > 30 || is_minimal(property.automaton)) << text;
  }
  EXPECT_GT(accepted, 50'000);
  EXPECT_GT(refused, 10);
  EXPECT_GT(larger, 150);
}

// ---- Dwyer, Avrunin and Corbett's patterns, as their catalogue writes them for events
//
// P is the event that the pattern is about, S its partner; Q and R begin and end the scope.

constexpr std::uint32_t kP = 0, kQ = 1, kR = 2, kS = 3;
const char* const kEvents = "for events {p, q, r, s, other} show all executions satisfy ";

enum class Scope : std::uint8_t { globally, before, after, between, until };

// The parts of a word that the scope is about.
std::vector<Letters> segments(Scope scope, const Letters& w) {
  const auto find = [&](std::uint32_t e, auto from) { return std::find(from, w.end(), e); };
  const auto first_r = find(kR, w.begin()), first_q = find(kQ, w.begin());
  std::vector<Letters> out;
  switch (scope) {
    case Scope::globally: return {w};
    case Scope::before:
      if (first_r != w.end()) out.emplace_back(w.begin(), first_r);
      return out;
    case Scope::after:
      if (first_q != w.end()) out.emplace_back(first_q + 1, w.end());
      return out;
    default: break;
  }
  for (auto q = first_q; q != w.end();) {
    const auto r = find(kR, q);
    if (r != w.end() || scope == Scope::until) out.emplace_back(q + 1, r);
    q = find(kQ, r);
  }
  return out;
}

bool has(const Letters& w, std::uint32_t e) { return std::ranges::find(w, e) != w.end(); }

bool absence(const Letters& w) { return !has(w, kP); }
bool existence(const Letters& w) { return has(w, kP); }
bool universality(const Letters& w) { return std::ranges::count(w, kP) == static_cast<std::ptrdiff_t>(w.size()); }
bool precedence(const Letters& w) { return !has({w.begin(), std::ranges::find(w, kS)}, kP); }
bool response(const Letters& w) {
  const auto last_p = std::find(w.rbegin(), w.rend(), kP);
  return last_p == w.rend() || std::find(w.rbegin(), last_p, kS) != last_p;
}

struct Row {
  bool (*pattern)(const Letters&);
  Scope scope;
  const char* text;
};

const std::vector<Row> kCatalogue = {
    {absence, Scope::globally, "[-p]*"},
    {absence, Scope::before, "[-r]* | ([-p,r]*; r; .*)"},
    {absence, Scope::after, "[-q]*; (q; [-p]*)?"},
    {absence, Scope::between, "([-q]*; q; [-p,r]*; r)*; [-q]*; (q; [-r]*)?"},
    {absence, Scope::until, "([-q]*; q; [-p,r]*; r)*; [-q]*; (q; [-p,r]*)?"},
    {existence, Scope::globally, "[-p]*; p; .*"},
    {existence, Scope::before, "[-r]* | ([-p,r]*; p; .*)"},
    {existence, Scope::after, "[-q]*; (q; [-p]*; p; .*)?"},
    {existence, Scope::between, "([-q]*; q; [-p,r]*; p; [-r]*; r)*; [-q]*; (q; [-r]*)?"},
    {existence, Scope::until, "([-q]*; q; [-p,r]*; p; [-r]*; r)*; [-q]*; (q; [-p,r]*; p; [-r]*)?"},
    {universality, Scope::globally, "p*"},
    {universality, Scope::before, "[-r]* | (p*; r; .*)"},
    {universality, Scope::after, "[-q]*; (q; p*)?"},
    {universality, Scope::between, "([-q]*; q; p*; r)*; [-q]*; (q; [-r]*)?"},
    {universality, Scope::until, "([-q]*; q; p*; r)*; [-q]*; (q; p*)?"},
    {precedence, Scope::globally, "[-p]* | ([-p,s]*; s; .*)"},
    {precedence, Scope::before, "[-r]* | ([-p,r]*; r; .*) | ([-p,s,r]*; s; .*)"},
    {precedence, Scope::after, "[-q]*; (q; ([-p]* | ([-p,s]*; s; .*)))?"},
    {precedence, Scope::between, "([-q]*; q; ([-p,r]* | ([-p,s,r]*; s; [-r]*)); r)*; [-q]*; (q; [-r]*)?"},
    {precedence, Scope::until,
     "([-q]*; q; ([-p,r]* | ([-p,s,r]*; s; [-r]*)); r)*; [-q]*; (q; ([-p,r]* | ([-p,s,r]*; s; [-r]*)))?"},
    {response, Scope::globally, "[-p]*; (p; [-s]*; s; [-p]*)*"},
    {response, Scope::before, "[-r]* | ([-p,r]*; (p; [-s,r]*; s; [-p,r]*)*; r; .*)"},
    {response, Scope::after, "[-q]*; (q; [-p]*; (p; [-s]*; s; [-p]*)*)?"},
    {response, Scope::between, "([-q]*; q; [-p,r]*; (p; [-s,r]*; s; [-p,r]*)*; r)*; [-q]*; (q; [-r]*)?"},
    {response, Scope::until,
     "([-q]*; q; [-p,r]*; (p; [-s,r]*; s; [-p,r]*)*; r)*; [-q]*; (q; [-p,r]*; (p; [-s,r]*; s; [-p,r]*)*)?"},
};

bool satisfies(const Row& row, const Letters& word) {
  return std::ranges::all_of(segments(row.scope, word), row.pattern);
}

TEST(Qre, TheCatalogueOfPatternsMeansWhatItsDefinitionsSay) {
  ASSERT_EQ(kCatalogue.size(), 25U);
  for (const Row& row : kCatalogue) {
    const auto property = read(std::string(kEvents) + row.text).at(0);
    int good = 0, bad = 0;
    for_all_words(5, 5, [&](const Letters& word) {
      const bool wanted = satisfies(row, word);
      (wanted ? good : bad) += 1;
      ASSERT_EQ(accepts(property, word), wanted) << row.text << ": " << fmt::format("{}", fmt::join(word, " "));
    });
    EXPECT_GT(good, 0) << row.text;
    EXPECT_GT(bad, 0) << row.text;
  }
}

TEST(Qre, AnExecutionIsWrongAsSoonAsItsEventsCannotBeContinued) {
  for (const Row& row : kCatalogue) {
    const auto property = read(std::string(kEvents) + row.text).at(0);
    for_all_words(5, 3, [&](const Letters& word) {
      bool can_go_on = false;
      for_all_words(5, 2, [&](const Letters& more) {  // two events mend what can be mended
        Letters whole = word;
        whole.insert(whole.end(), more.begin(), more.end());
        can_go_on = can_go_on || satisfies(row, whole);
      });
      ASSERT_EQ(state_after(property, word).has_value(), can_go_on)
          << row.text << ": " << fmt::format("{}", fmt::join(word, " "));
    });
  }
}

TEST(Qre, NoExecutionsIsTheOppositeOfAllExecutions) {
  for (const Row& row : kCatalogue) {
    std::string text = std::string(kEvents) + row.text;
    text.replace(text.find("show all"), 8, "show no");
    const auto property = read(text).at(0);
    for_all_words(5, 4, [&](const Letters& word) { ASSERT_NE(accepts(property, word), satisfies(row, word)) << text; });
  }
}

// ---- what they become

Lts monitor(const std::string& text, ActionTable& actions, std::optional<Action> end = {}) {
  const auto property = read(text).at(0);
  std::vector<std::vector<Action>> meant;
  for (const auto& event : property.events) meant.push_back({actions.intern(event)});
  return qre_monitor(property, meant, end);
}

TEST(QreMonitor, TheEndIsAllowedInAcceptingStatesOnly) {
  ActionTable actions;
  const Action a = actions.intern("a"), b = actions.intern("b"), end = actions.intern("main.end");
  const Lts lts = monitor("for events {a, b} show all executions satisfy (a; b)*", actions, end);
  EXPECT_EQ(lts.state_count(), 2U);
  EXPECT_EQ(lts.alphabet(), (Alphabet{a, b, end}));
  EXPECT_EQ(lts.steps(State{0}, end).size(), 1U);
  EXPECT_TRUE(lts.steps(State{1}, end).empty());
}

TEST(QreMonitor, TheEndIsLeftOutIfAllStatesAccept) {
  ActionTable actions;
  const Action a = actions.intern("a"), b = actions.intern("b"), end = actions.intern("main.end");
  const Lts lts = monitor("for events {a, b} show all executions satisfy (a; b)*; a?", actions, end);
  EXPECT_EQ(lts.alphabet(), (Alphabet{a, b}));
}

TEST(QreMonitor, AnEndThatIsListedIsTheLastEvent) {
  ActionTable actions;
  const Action end = actions.intern("main.end"), a = actions.intern("a");
  const Lts lts =
      monitor("for events {a, main.end} show all executions satisfy a; main.end; a?|main.end^2", actions, end);
  const auto first = lts.steps(State{0}, a);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_FALSE(lts.steps(first[0].target, end).empty());
  EXPECT_TRUE(lts.steps(State{0}, end).empty());  // one end alone is no word, and none follows
}

TEST(QreMonitor, EventsWithoutAStepStayInItsAlphabet) {
  ActionTable actions;
  const Action a = actions.intern("a"), b = actions.intern("b");
  EXPECT_EQ(monitor("for events {a, b} show all executions satisfy a*", actions).alphabet(), (Alphabet{a, b}));
}

TEST(QreMonitor, AnEventMayStandForSeveralActions) {
  ActionTable actions;
  const Action x = actions.intern("x"), y = actions.intern("y"), z = actions.intern("z");
  const auto property = read("for events {a, b} show all executions satisfy (a; b)*").at(0);
  const Lts lts = qre_monitor(property, {{x, y}, {z}});
  EXPECT_EQ(lts.steps(State{0}).size(), 2U);
  EXPECT_EQ(lts.steps(State{0}, x)[0].target, lts.steps(State{0}, y)[0].target);
}

// ---- the text

TEST(Qre, AFileHasSeveralPropertiesWithAndWithoutAHeader) {
  const auto all = read(
      "-- a comment\nproperty ONE:\nfor events {a} show all executions satisfy a*\n"
      "for events {for, property} show no executions satisfy for; property // as events\n"
      "/* and\n the last */ property TWO: for events {a.b.1} show all executions satisfy a.b.1 ^2");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "ONE");
  EXPECT_EQ(all[1].name, "");
  EXPECT_EQ(all[2].name, "TWO");
  EXPECT_EQ(all[1].place.line, 4U);
  EXPECT_EQ(all[2].events, std::vector<std::string>{"a.b.1"});
  EXPECT_EQ(all[2].automaton.lts.state_count(), 3U);
}

TEST(Qre, ADotBetweenLettersBelongsToTheNameAndAnyOtherIsAnEvent) {
  const auto property = read("for events {a, a.b} show all executions satisfy a;.;a.b;.*").at(0);
  EXPECT_TRUE(accepts(property, {0, 0, 1}));
  EXPECT_TRUE(accepts(property, {0, 1, 1, 0, 0}));
  EXPECT_FALSE(accepts(property, {0, 0}));
}

TEST(Qre, BothLineEndingsAndTheMarkOfWindowsAreRead) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "for events {a}\r\nshow all executions\r\nsatisfy a\r\n")
                .size(),
            1U);
}

}  // namespace
}  // namespace surety
