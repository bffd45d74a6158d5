// What the work tells while it is done: as much as the report says afterwards, in the same order, and by whom.

#include "model/observer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "certify/certify.hpp"
#include "decompose/portfolio/auto.hpp"
#include "decompose/portfolio/race.hpp"
#include "decompose/properties/prove_by_conjuncts.hpp"
#include "reference/reference.hpp"
#include "rules/rules.hpp"

namespace surety {
namespace {

using reference::lts;

// Keeps what it is told.
class Recorder : public Observer {
 public:
  struct Line {
    Where where;
    std::string what;
  };

  void tell(const Where& where, const told::Event& event) override {
    const std::scoped_lock lock(mutex_);
    lines.push_back({where, std::visit([](const auto& e) { return text(e); }, event)});
    if (const auto* e = std::get_if<told::Answered>(&event))
      answers.push_back({e->assumption, 0, e->oracle, e->states, e->transitions, std::string(e->result),
                         Trace(e->word.begin(), e->word.end())});
    if (const auto* e = std::get_if<told::Refined>(&event))
      answers.push_back({0, e->after, 1, 0, 0, "too weak", Trace(e->word.begin(), e->word.end()), e->split});
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for (const Line& line : lines) out.push_back(line.what);
    return out;
  }

  std::vector<Line> lines;
  std::vector<Iteration> answers;

 private:
  template <class Number>
  static std::string n(Number x) {
    return std::to_string(x);
  }
  static std::string text(const told::Turn&) { return "turn"; }
  static std::string text(const told::Lane& e) {
    static const char* const kIs[] = {"started", "answered", "stopped"};
    return "lane " + std::string(name_of(e.method)) + " " + kIs[static_cast<std::size_t>(e.is)] +
           (e.result.empty() ? "" : " " + std::string(e.result));
  }
  static std::string text(const told::Sides& e) { return "sides " + n(e.split.size()); }
  static std::string text(const told::Conjecture& e) {
    return "conjecture " + n(e.assumption) + ": " + n(e.lts.state_count());
  }
  static std::string text(const told::Asked& e) { return "asked " + n(e.assumption) + ": " + n(e.oracle); }
  static std::string text(const told::Answered& e) {
    return "answered " + n(e.assumption) + ": " + n(e.oracle) + " " + std::string(e.result);
  }
  static std::string text(const told::Widened& e) { return "alphabet " + n(e.assumption) + ": +" + n(e.more.size()); }
  static std::string text(const told::Refined& e) {
    return "refined " + std::string(e.component) + ": " + n(e.before) + " to " + n(e.after);
  }
  static std::string text(const told::TakenIn& e) {
    return "taken in " + std::string(e.component) + ", " + n(e.left) + " left";
  }
  static std::string text(const told::Conjunct& e) { return "conjunct " + n(e.index) + " of " + n(e.of); }
  static std::string text(const told::Size& e) { return "size " + n(e.value) + " " + std::string(e.result); }
  static std::string text(const told::Premise& e) {
    return "premise " + std::string(e.text) + (e.holds ? " holds" : " fails");
  }

  std::mutex mutex_;
};

using Lines = std::vector<std::string>;

const Lts kInput = lts("0 input 1, 1 send 2, 2 ack 0");
const Lts kOutput = lts("0 send 1, 1 output 2, 2 ack 0");
const Lts kHasty = lts("0 send 1, 1 output 2, 1 ack 0, 2 ack 0");
const Lts kOrder = lts("0 input 1, 1 output 0");

ProofGoal channel(const Rule& rule, const Lts& output) {
  ProofGoal goal{{{&kInput}, {&output}}, {&kOrder}, {{"input"}, {"output"}}};
  if (rule.sides == Rule::Sides::one) {
    goal.sides = {{&kInput, &output}};
    goal.names = {{"input", "output"}};
  }
  if (rule.property_per_side) goal.properties.push_back(&kOrder);
  return goal;
}

TEST(Observer, HearsHowTheAssumptionOfTheChannelIsLearned) {
  Recorder heard;
  Budget budget;
  Cost cost;
  const Rule& asym = *find_rule(Method::asym);
  asym.prove(channel(asym, kOutput), {.budget = budget, .cost = cost, .tell = {&heard}});
  EXPECT_EQ(heard.texts(), (Lines{"conjecture 1: 0", "asked 1: 1", "answered 1: 1 alphabet too small",
                                  "alphabet 1: +1",                                      //
                                  "conjecture 1: 1", "asked 1: 1", "asked 1: 2",         //
                                  "answered 1: 2 alphabet too small", "alphabet 1: +1",  //
                                  "conjecture 1: 1", "asked 1: 1", "answered 1: 1 too weak", "conjecture 1: 2",
                                  "asked 1: 1", "asked 1: 2", "answered 1: 2 holds"}));
}

// The report has one entry for each answer of an oracle and each refinement, whatever the rule.
TEST(Observer, HearsFromEveryRuleWhatTheReportSaysAfterwards) {
  for (const Rule& rule : all_rules())
    for (const Lts* output : {&kOutput, &kHasty})
      for (const AlphabetMode mode : {AlphabetMode::full, AlphabetMode::refine}) {
        Recorder heard;
        Budget budget;
        Cost cost;
        rule.prove(channel(rule, *output), {.budget = budget, .cost = cost, .alphabet = mode, .tell = {&heard}});
        ASSERT_EQ(heard.answers.size(), cost.iterations.size()) << rule.name();
        for (std::size_t i = 0; i < heard.answers.size(); ++i) {
          const Iteration &told = heard.answers[i], &kept = cost.iterations[i];
          EXPECT_EQ(told.result, kept.result) << rule.name();
          EXPECT_EQ(told.word, kept.word) << rule.name();
          EXPECT_EQ(told.split, kept.split) << rule.name();
          EXPECT_TRUE(told.assumption == 0 || told.assumption == kept.assumption) << rule.name();
        }
      }
}

TEST(Observer, HearsRefinementsAndWhatIsTakenInByName) {
  for (const auto& [method, line] :
       {std::pair(Method::cegar, "refined input"), std::pair(Method::agar, "refined output"),
        std::pair(Method::minimise, "taken in output")}) {
    Recorder heard;
    Budget budget;
    Cost cost;
    const Rule& rule = *find_rule(method);
    rule.prove(channel(rule, kOutput), {.budget = budget, .cost = cost, .tell = {&heard}});
    EXPECT_TRUE(std::ranges::any_of(heard.lines, [&](const auto& l) { return l.what.starts_with(line); })) << line;
  }
}

TEST(Observer, HearsOfAConjectureBeforeItsAnswer) {
  for (const Rule& rule : all_rules()) {
    if (!rule.learns) continue;
    Recorder heard;
    Budget budget;
    Cost cost;
    rule.prove(channel(rule, kOutput), {.budget = budget, .cost = cost, .tell = {&heard}});
    ASSERT_FALSE(heard.lines.empty()) << rule.name();
    EXPECT_TRUE(heard.lines[0].what.starts_with("conjecture")) << rule.name();
    EXPECT_TRUE(heard.lines.back().what.ends_with("holds")) << rule.name() << ": " << heard.lines.back().what;
  }
}

TEST(Observer, HearsEachLaneStartAndEnd) {
  Recorder heard;
  Budget budget;
  Cost cost;
  const ProofGoal goal = channel(*find_rule(Method::monolithic), kOutput);
  prove_auto(goal, {.budget = budget, .cost = cost, .threads = 4, .tell = {&heard, {3}}}, 1);
  std::multiset<int> started, ended;
  for (const auto& line : heard.lines) {
    EXPECT_EQ(line.where.check, 3);
    if (!line.what.starts_with("lane")) continue;
    (line.what.find("started") != std::string::npos ? started : ended).insert(line.where.lane);
  }
  EXPECT_EQ(started, ended);
  EXPECT_EQ(started.count(0), 1U) << "the short try";
  EXPECT_EQ(started.size(), 5U);
}

TEST(Observer, HearsThatALaneEndsEvenByAnException) {
  Recorder heard;
  Budget budget;
  Cost cost;
  Strategy broken{Method::monolithic, [](const Context&) -> Verdict { throw std::bad_alloc(); }};
  EXPECT_THROW(try_once(broken, 10, {.budget = budget, .cost = cost, .tell = {&heard}}), std::bad_alloc);
  EXPECT_EQ(heard.texts(), (Lines{"lane monolithic started", "lane monolithic stopped"}));
}

TEST(Observer, HearsConjunctsAndWhichOfThemALineIsAbout) {
  // Two pairs that take turns, each for itself.
  const Lts a = lts("0 a 1, 1 b 0"), c = lts("0 c 1, 1 d 0");
  const Lts both = lts("0 a 1, 1 b 0, 0 c 2, 2 d 0, 1 c 3, 2 a 3, 3 b 2, 3 d 1");
  Recorder heard;
  Budget budget;
  Cost cost;
  const Rule by_parts_only{.method = Method::cegar,
                           .sides = Rule::Sides::one,
                           .prove = [](const ProofGoal& goal, const Context& context) -> Verdict {
                             if (goal.property().state_count() > 2) return Unknown{Stop::states, {}, {}};
                             return find_rule(Method::cegar)->prove(goal, context);
                           },
                           .learns = false};
  const Verdict verdict = prove_by_conjuncts(by_parts_only, {{{&a, &c}}, {&both}, {{"a", "c"}}},
                                             {.budget = budget, .cost = cost, .tell = {&heard}});
  ASSERT_TRUE(std::holds_alternative<Holds>(verdict));
  std::set<int> conjuncts;
  for (const auto& line : heard.lines) {
    conjuncts.insert(line.where.conjunct);
    if (!line.what.starts_with("conjunct")) continue;
    EXPECT_EQ(line.what, "conjunct " + std::to_string(line.where.conjunct) + " of 2");
  }
  EXPECT_EQ(conjuncts, (std::set<int>{1, 2}));
}

TEST(Observer, HearsThePremisesOfTheChecker) {
  Budget budget;
  Cost cost;
  const Network network{"channel", {{"input", kInput}, {"output", kOutput}}};
  const Property order{"order", kOrder};
  for (const Rule& rule : all_rules()) {
    if (rule.property_per_side) continue;
    Verdict verdict = rule.prove(channel(rule, kOutput), {.budget = budget, .cost = cost});
    auto& certificate = std::get<Holds>(verdict).certificate;
    if (certificate.split.empty()) certificate.split = channel(rule, kOutput).names;
    Recorder heard;
    certify::check_safety(network, {&order}, certificate, budget, {&heard});
    EXPECT_FALSE(heard.lines.empty()) << rule.name();
    for (const std::string& line : heard.texts())  // of sym-b one closing premise is enough
      EXPECT_TRUE(line.ends_with(" holds") || line == "premise the closing premise with M1 fails") << line;
  }
  Recorder heard;
  certify::check_safety(network, {&order},
                        {Method::asym, {{"input"}, {"output"}}, {lts("states=1, +send, +output, +ack")}}, budget,
                        {&heard});
  EXPECT_EQ(heard.texts(), (Lines{"premise premise 1, <A> M1 <P> holds", "premise premise 2, <true> M2 <A> fails"}));
}

}  // namespace
}  // namespace surety
