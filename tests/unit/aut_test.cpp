// Reading and writing .aut files, JSON and pictures.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/random.hpp"
#include "lang/aut/read.hpp"
#include "lang/aut/write.hpp"

namespace surety {
namespace {

using Json = nlohmann::json;

std::string rendered(const Diagnostics& diagnostics) {
  std::string out;
  for (const auto& d : diagnostics) out += render(d);
  return out;
}

Lts read(std::string_view text, ActionTable& actions) {
  auto lts = read_aut(text, "t.aut", actions);
  if (lts) return *lts;
  ADD_FAILURE() << rendered(lts.error());
  return {};
}

Diagnostics errors_of(std::string_view text) {
  ActionTable actions;
  auto lts = read_aut(text, "t.aut", actions);
  return lts ? Diagnostics() : lts.error();
}

// Every state with its steps, by name: "0 on 1, 1 off 0".
std::string steps_of(const Lts& lts, const ActionTable& actions) {
  std::string out;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      out += fmt::format("{}{} {} {}", out.empty() ? "" : ", ", s, actions.name(step.action), step.target.value);
  return out;
}

std::string steps_in(std::string_view text) {
  ActionTable actions;
  return steps_of(read(text, actions), actions);
}

// The name of the only action of a file with one step.
std::string label_in(const std::string& step) {
  ActionTable actions;
  const Lts lts = read("des (0, 1, 2)\n" + step, actions);
  if (lts.transition_count() != 1) return "?";
  return std::string(actions.name(lts.steps(State{0})[0].action));
}

bool same_steps(const Lts& a, const Lts& b) {
  if (a.state_count() != b.state_count()) return false;
  for (std::uint32_t s = 0; s < a.state_count(); ++s)
    if (!std::ranges::equal(a.steps(State{s}), b.steps(State{s}))) return false;
  return true;
}

bool same(const Lts& a, const Lts& b) {
  return same_steps(a, b) && a.alphabet() == b.alphabet() && a.error() == b.error() && a.end() == b.end();
}

// The same as far as `b` goes: `a` may have more states.
bool begins_with(const Lts& a, const Lts& b) {
  if (a.state_count() < b.state_count()) return false;
  for (std::uint32_t s = 0; s < b.state_count(); ++s)
    if (!std::ranges::equal(a.steps(State{s}), b.steps(State{s}))) return false;
  return a.alphabet() == b.alphabet() && a.error() == b.error() && a.end() == b.end();
}

// Names that tempt a reader to stop too early, or to forget something.
const std::vector<std::string> kOddNames = {
    "a",          "lock(p1, f2)", "PUT !6",    "\"",    "a\"", "\"a\"", "x\", 1)",     ",",
    ")",          " blank ",      "(* no *)",  "// no", "%",   "a\\",   "\ttab",       "caf\xc3\xa9",
    "a\rb",       "\x01\x02",     "(0, a, 1)", "I",     "Tau", "1",     "des (0,0,1)", "'",
    "a\"b\", \"c"};

// Up to 6 states, now and then with an error state and an END.
Lts any_lts(Random& random, ActionTable& actions) {
  const std::uint32_t n = 1 + random.below(6);
  LtsBuilder builder;
  builder.set_state_count(n + 2);
  if (random.chance(30)) builder.set_error(State{n});
  if (random.chance(30)) builder.set_end(State{n + 1});
  for (std::uint32_t k = n + random.below(8); k > 0; --k) {
    const std::uint32_t letter = random.below(static_cast<std::uint32_t>(kOddNames.size()) + 1);
    const Action a = letter == kOddNames.size() ? kTau : actions.intern(kOddNames[letter]);
    builder.add_step(State{random.below(n)}, a, State{random.below(n + 2)});
  }
  if (random.chance(30)) builder.add_to_alphabet({actions.intern("never")});
  return builder.build();
}

TEST(ReadAut, ReadsHeaderAndSteps) {
  EXPECT_EQ(steps_in("des (0, 3, 2)\n(0, \"lock(p1, f2)\", 1)\n(1, PUT !6, 0)\n(1, i, 1)\n"),
            "0 lock(p1, f2) 1, 1 tau 1, 1 PUT !6 0");
}

TEST(ReadAut, BlanksBetweenTokensDoNotMatter) {
  const std::string tight = "des(0,2,2)\n(0,a b,1)\n(1,\"c\",0)";
  const std::string loose = "\n  des\t( 0 ,2 , 2 )  \n\n ( 0 ,  a b\t, 1 ) \n\t\n(1,\t\"c\" ,0)\v\f\n\n";
  EXPECT_EQ(steps_in(loose), steps_in(tight));
}

TEST(ReadAut, ReadsWindowsLineEndsAndTheMarkBeforeThem) {
  EXPECT_EQ(steps_in("\xef\xbb\xbf"
                     "des (0,2,2)\r\n(0,a,1)\r\n\r\n(1,\"b\",0)\r\n"),
            "0 a 1, 1 b 0");
}

TEST(ReadAut, NeedsNoLineBreakAtTheEnd) {
  EXPECT_EQ(steps_in("des (0,1,2)\n(0,a,1)"), "0 a 1");
  EXPECT_EQ(steps_in("des (0,0,1)"), "");
}

TEST(ReadAut, AQuotedAndAnUnquotedLabelOfTheSameTextAreOneAction) {
  ActionTable actions;
  EXPECT_EQ(read("des (0,3,3)\n(0,PUT !6,1)\n(0,\"PUT !6\",2)\n(1,\"PUT !6\" ,2)", actions).alphabet().size(), 1U);
}

TEST(ReadAut, ALabelIsAllThatLiesBetweenTheFirstCommaAndTheLast) {
  EXPECT_EQ(label_in("(0, lock(p2, f2), 1)"), "lock(p2, f2)");
  EXPECT_EQ(label_in("(0, \"lock(p2, f2)\", 1)"), "lock(p2, f2)");
  EXPECT_EQ(label_in("(0, \" a \", 1)"), " a ");
  EXPECT_EQ(label_in("(0, \"a\", 1)\", 1)"), "a\", 1)");
  EXPECT_EQ(label_in("(0, \"\"a\"\", 1)"), "\"a\"");
  EXPECT_EQ(label_in("(0, OUT !\"a, b\" !3, 1)"), "OUT !\"a, b\" !3");
  EXPECT_EQ(label_in("(0, ,,), 1)"), ",,)");
  EXPECT_EQ(label_in("(0, 7, 1)"), "7");
  EXPECT_EQ(label_in(std::string("(0, a\0b, 1)", 11)), std::string("a\0b", 3));
}

TEST(ReadAut, IAndTauAreTauQuotedOrNot) {
  ActionTable actions;
  const Lts lts = read("des (0,4,5)\n(0,i,1)\n(0,\"i\",2)\n(0,tau,3)\n(0, \"tau\" ,4)", actions);
  EXPECT_EQ(steps_of(lts, actions), "0 tau 1, 0 tau 2, 0 tau 3, 0 tau 4");
  EXPECT_TRUE(lts.alphabet().empty());
  EXPECT_EQ(lts.steps(State{0}, kTau).size(), 4U);
  EXPECT_EQ(label_in("(0,I,1)"), "I");
}

TEST(ReadAut, SkipsCommentsBetweenLines) {
  EXPECT_EQ(steps_in("% made by hand\n# on a Monday\n(* over\n(9,x,9)\n lines *)\ndes (0,2,2)\n"
                     "// a step\n(0,a,1)\n  (* one *)\n(**)\n (1,b,0) \n(* end *)"),
            "0 a 1, 1 b 0");
}

TEST(ReadAut, ACommentSignInsideAStepIsPartOfTheLabel) {
  EXPECT_EQ(label_in("(0, a // b, 1)"), "a // b");
  EXPECT_EQ(label_in("(0, (* a *), 1)"), "(* a *)");
}

TEST(ReadAut, SwapsTheInitialStateWithStateZero) {
  EXPECT_EQ(steps_in("des (2,3,4)\n(2,a,0)\n(0,b,3)\n(1,c,2)"), "0 a 2, 1 c 0, 2 b 3");
}

TEST(ReadAut, TheAlphabetHasTheLabelsOfUnreachableStates) {
  ActionTable actions;
  const Lts lts = read("des (0,2,4)\n(0,a,1)\n(2,b,3)", actions);
  EXPECT_EQ(sorted_names(actions, lts.alphabet()), (std::vector<std::string>{"a", "b"}));
}

TEST(ReadAut, ARepeatedStepCountsInTheHeaderAndIsKeptOnce) {
  EXPECT_EQ(steps_in("des (0,2,2)\n(0,a,1)\n(0,a,1)"), "0 a 1");
}

TEST(ReadAut, StatesThatNoStepTouchesKeepTheirNumbers) {
  ActionTable actions;
  const Lts lts = read("des (0,2,5)\n(0,a,4)\n(4,b,0)", actions);
  EXPECT_EQ(lts.state_count(), 5U);
  EXPECT_EQ(steps_of(lts, actions), "0 a 4, 4 b 0");
}

TEST(ReadAut, MoreStatesThanTheStepsCanTouchAreDropped) {
  for (const char* states : {"6", "5000000000", "18446744073709551614"}) {
    ActionTable actions;
    const Lts lts = read(fmt::format("des (1,2,{})\n(1,a,5)\n(5,b,3)", states), actions);
    EXPECT_EQ(lts.state_count(), 3U) << states;
    EXPECT_EQ(steps_of(lts, actions), "0 a 2, 2 b 1") << states;
  }
  ActionTable actions;
  EXPECT_EQ(read("des (4000000000,0,4000000001)", actions).state_count(), 1U);
  EXPECT_EQ(read("des (0,3,6)\n(0,a,5)\n(0,a,5)\n(0,a,5)\n", actions).state_count(), 2U);
}

TEST(ReadAut, MarksSayWhichStatesAreErrorAndEnd) {
  ActionTable actions;
  const Lts lts =
      read("des (0,5,3)\n(0,a,1)\n(0,b,2)\n(1,surety:error,1)\n(2,\"surety:end\",2)\n(1,surety:error,1)", actions);
  EXPECT_EQ(steps_of(lts, actions), "0 a 1, 0 b 2");
  EXPECT_EQ(sorted_names(actions, lts.alphabet()), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(lts.error(), State{1});
  EXPECT_EQ(lts.end(), State{2});
}

TEST(ReadAut, MarksMoveWithTheNumbersOfTheirStates) {
  ActionTable actions;
  const Lts swapped = read("des (2,2,3)\n(2,a,0)\n(0,surety:error,0)", actions);
  EXPECT_EQ(steps_of(swapped, actions), "0 a 2");
  EXPECT_EQ(swapped.error(), State{2});
  EXPECT_EQ(read("des (1,1,2)\n(1,surety:end,1)", actions).end(), State{0});
  const Lts far = read(
      "des (0,3,9000000000)\n(0,a,7000000000)\n(7000000000,surety:error,7000000000)\n"
      "(8000000000,surety:end,8000000000)",
      actions);
  EXPECT_EQ(steps_of(far, actions), "0 a 1");
  EXPECT_EQ(far.error(), State{1});
  EXPECT_EQ(far.end(), State{2});
  const Lts idle = read("des (0,4,9)\n(0,a,5)\n(0,a,5)\n(0,a,5)\n(5,surety:end,5)", actions);
  EXPECT_EQ(idle.state_count(), 2U);
  EXPECT_EQ(idle.end(), State{1});
}

TEST(ReadAut, StateNumbersMayHaveManyDigits) {
  EXPECT_EQ(steps_in("des (0,1,18446744073709551614)\n(18446744073709551613,a,0)"), "1 a 0");
  EXPECT_EQ(steps_in("des (0,1,2)\n(000000000000000000000000000000,a,000000000000000000000000000001)"), "0 a 1");
}

struct Malformed {
  std::string text;
  std::uint64_t line, column;
  std::string message;
};

TEST(ReadAut, SaysWhereAFileIsWrong) {
  const std::vector<Malformed> cases = {
      {"", 0, 0, "the file is empty"},
      {" \n\t\n", 0, 0, "the file has no header"},
      {"% only a comment", 0, 0, "the file has no header"},
      {"(* open", 1, 1, "this comment has no end"},
      {"hello", 1, 1, "expected the header of an .aut file"},
      {"\n\n  (0,a,1)", 3, 3, "expected the header of an .aut file"},
      {"des", 1, 4, "expected '(' after des"},
      {"des 0,1,2)", 1, 5, "expected '(' after des"},
      {"des (", 1, 6, "expected FIRST, the number of the initial state"},
      {"des (x,1,2)", 1, 6, "expected FIRST, the number of the initial state"},
      {"des (-1,1,2)", 1, 6, "expected FIRST, the number of the initial state"},
      {"des (0;1,2)", 1, 7, "expected ',' after FIRST, the number of the initial state"},
      {"des (0,,2)", 1, 8, "expected STEPS, the number of steps"},
      {"des (0,1", 1, 9, "expected ',' after STEPS, the number of steps"},
      {"des (0,1,)", 1, 10, "expected STATES, the number of states"},
      {"des (0,1,2", 1, 11, "expected ')' after STATES, the number of states"},
      {"des (0,0,1) (0,a,0)", 1, 13, "expected the end of the line after the header"},
      {"des (0,18446744073709551616,2)", 1, 8, "this number is too large"},
      {"des (0,99999999999999999999999999,2)", 1, 8, "this number is too large"},
      {"des (0,0,0)", 1, 10, "an LTS has at least one state"},
      {"des (2,0,2)", 1, 6, "the initial state 2 does not exist"},
      {"des (0,1,2)\n", 1, 8, "number of steps: the header says 1, the file has 0"},
      {"des (0,0,2)\n(0,a,1)", 1, 8, "number of steps: the header says 0, the file has 1"},
      {"des (0,2,2)\n(0,a,1) (1,b,0)", 1, 8, "number of steps: the header says 2, the file has 1"},
      {"des (0,1,2)\n0,a,1)", 2, 1, "expected '(' at the start of a step"},
      {"des (0,1,2)\ndes (0,1,2)", 2, 1, "expected '(' at the start of a step"},
      {"des (0,1,2)\n(", 2, 2, "expected the number of the source state"},
      {"des (0,1,2)\n(a,b,1)", 2, 2, "expected the number of the source state"},
      {"des (0,1,2)\n(0", 2, 3, "expected ',' after the source state"},
      {"des (0,1,2)\n(0 a,1)", 2, 4, "expected ',' after the source state"},
      {"des (0,1,2)\n(0,", 2, 4, "expected ')' at the end of the line"},
      {"des (0,1,2)\n(0,\"a\",1", 2, 9, "expected ')' at the end of the line"},
      {"des (0,1,2)\n(0,a,1) % no", 2, 13, "expected ')' at the end of the line"},
      {"des (0,1,2)\n(0,)", 2, 4, "expected the number of the target state"},
      {"des (0,1,2)\n(0,a,b)", 2, 7, "expected the number of the target state"},
      {"des (0,1,2)\n(0,1)", 2, 4, "this step has two parts, and needs three"},
      {"des (0,1,2)\n(0,a 1)", 2, 6, "expected ',' before the target state"},
      {"des (0,1,2)\n(0,a,-1)", 2, 7, "expected ',' before the target state"},
      {"des (0,1,2)\n(0,,1)", 2, 4, "expected a label"},
      {"des (0,1,2)\n(0, ,1)", 2, 4, "expected a label"},
      {"des (0,1,2)\n(0,\"\",1)", 2, 5, "expected a label"},
      {"des (0,1,2)\n(0,\"a,1)", 2, 4, "this label has no closing quote"},
      {"des (0,1,2)\n(0,surety:error,1)", 2, 17, "the mark of the error state leads to another state"},
      {"des (0,1,2)\n(0,surety:end,1)", 2, 15, "the mark of the end state leads to another state"},
      {"des (0,2,2)\n(0,surety:end,0)\n(1,surety:end,1)", 3, 2, "state 0 is the end state already"},
      {"des (0,2,2)\n(1,surety:error,1)\n(1,surety:end,1)", 3, 2,
       "this is the error state, and cannot be the end state as well"},
      {"des (0,2,2)\n(1,surety:error,1)\n(1,a,0)", 2, 2, "state 1 is marked and has other steps"},
      {"des (0,2,9)\n(8,surety:end,8)\n(8,a,0)", 2, 2, "state 8 is marked and has other steps"},
      {"des (0,1,2)\n(0,\",1)", 2, 4, "this label has no closing quote"},
      {"des (0,1,2)\n(0,\"a\" !3,1)", 2, 4, "this label has no closing quote"},
      {"des (0,1,2)\n(2,a,1)", 2, 2, "state 2 does not exist"},
      {"des (0,1,2)\r\n\r\n( 0, a, 10 )\r\n", 3, 9, "state 10 does not exist"},
      {"des (0,1,2)\n(0,a,18446744073709551616)", 2, 6, "this number is too large"},
      {"des (0,1,2)\n(* a\n(0,a,1)\n", 2, 1, "this comment has no end"},
      {"des (0,1,2)\n(* a *) (0,a,1)", 2, 9, "expected the end of the line after a comment"},
      {"des (0 1/3 1,1,2)\n(0,a,1)", 1, 8, "expected ',' after FIRST, the number of the initial state"},
      {"des (0,1,2)\n(0,a,0 1/2 1)", 2, 12, "expected ',' before the target state"},
      {std::string("\0\0\0", 3), 1, 1, "expected the header of an .aut file"},
      {std::string("des (0,1,2)\n(0,a\0,1\0)", 21), 2, 9, "expected the number of the target state"},
      {"\x7f"
       "ELF\x02\x01\xff\xfe",
       1, 1, "expected the header of an .aut file"},
  };
  for (const auto& [text, line, column, message] : cases) {
    const Diagnostics errors = errors_of(text);
    ASSERT_FALSE(errors.empty()) << text;
    EXPECT_EQ(errors[0].message, message) << text;
    EXPECT_EQ(errors[0].line, line) << text;
    EXPECT_EQ(errors[0].column, column) << text;
  }
}

TEST(ReadAut, ErrorsShowTheLineAndWhatToDo) {
  EXPECT_EQ(rendered(errors_of("des (0,1,2)\n(0 \"on\", 1)\n")),
            "t.aut:2:4: error: expected ',' after the source state\n"
            "  (0 \"on\", 1)\n"
            "     ^ write (FROM, LABEL, TO)\n");
  EXPECT_EQ(rendered(errors_of("des (0, 10, 2)\n(0,on,1)\n(1,o")),
            "t.aut:3:5: error: expected ')' at the end of the line\n"
            "  (1,o\n"
            "      ^ write (FROM, LABEL, TO)\n"
            "t.aut:1:9: error: number of steps: the header says 10, the file has 2\n"
            "  des (0, 10, 2)\n"
            "          ^^ is the file cut off?\n");
  EXPECT_EQ(rendered(errors_of("des (0, 1, 2)\n(0, on, 17)\n")),
            "t.aut:2:9: error: state 17 does not exist\n"
            "  (0, on, 17)\n"
            "          ^^ states are numbered from 0 to 1\n");
  EXPECT_EQ(rendered(errors_of("des (0, 1, 2)\n(0, \"a\", 0 1/2 1)\n")),
            "t.aut:2:16: error: expected ',' before the target state\n"
            "  (0, \"a\", 0 1/2 1)\n"
            "                 ^ steps with probabilities (mCRL2) cannot be read\n");
  EXPECT_EQ(rendered(errors_of("")),
            "t.aut: error: the file is empty\n"
            "  an .aut file starts with des (FIRST, STEPS, STATES)\n");
}

TEST(ReadAut, GoesOnAfterAnErrorToFindMore) {
  const Diagnostics errors = errors_of("des (0,5,2\n(0,a,1)\n(0,,1)\n(0,b,1)\n(5,b,1)\n(1 b,0)\n");
  ASSERT_EQ(errors.size(), 3U);  // without a header, state 5 may exist
  EXPECT_EQ(errors[0].line, 1U);
  EXPECT_EQ(errors[1].line, 3U);
  EXPECT_EQ(errors[2].line, 6U);
}

TEST(ReadAut, StopsAfterTwentyErrors) {
  std::string text = "des (0,50,2)\n";
  for (int i = 0; i < 50; ++i) text += "(0,a,9)\n";
  const Diagnostics errors = errors_of(text);
  ASSERT_EQ(errors.size(), 21U);
  EXPECT_EQ(errors[19].line, 21U);
  EXPECT_EQ(render(errors[20]), "t.aut: error: too many errors\n");
}

TEST(ReadAut, EveryCutThroughAFileIsNoticed) {
  const std::string text = "des (0,3,12)\n(0,\"a\",11)\n(1,b(1,2),0)\n(11,i,1)";
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(errors_of(text.substr(0, size)).empty()) << size;
}

// Each of these takes minutes if some byte is looked at once for each other byte.
TEST(ReadAut, LongLinesTakeNoLongerThanManyShortOnes) {
  const std::size_t size = 4'000'000;
  const auto repeat = [&](std::string_view part) {
    std::string out;
    while (out.size() < size) out += part;
    return out;
  };
  for (const char* part :
       {"(**)", "(* ", "(", "0", " ", ",", "\"", "\",1)", "(0,a,1)", "%", "\r", "\n", "(*\n", "(0\n", "*)"}) {
    errors_of(repeat(part));
    errors_of("des (0,1,2)\n" + repeat(part));
    errors_of("des (0,1,2)\n(0," + repeat(part) + "a,1)");
  }
  EXPECT_EQ(label_in("(0, " + repeat("a,") + "b, 1)").size(), size + 1);
}

TEST(WriteAut, QuotesEveryLabel) {
  ActionTable actions;
  const Lts lts = read("des (0,3,3)\n(0,PUT !6,1)\n(1,i,2)\n(0,\"a, b\",2)", actions);
  EXPECT_EQ(to_aut(lts, actions), "des (0,3,3)\n(0,\"PUT !6\",1)\n(0,\"a, b\",2)\n(1,\"tau\",2)\n");
}

TEST(WriteAut, ReadsBackWithTheSameNumbers) {
  Random random(1);
  int idle = 0;
  for (int round = 0; round < 2000; ++round) {
    ActionTable actions;
    const Lts lts = any_lts(random, actions);
    if (lts.state_count() / 2 > lts.transition_count()) continue;  // untouched states would be dropped
    const std::string text = to_aut(lts, actions);
    const Lts back = read(text, actions);
    EXPECT_TRUE(begins_with(back, lts)) << text;
    idle += back.state_count() > lts.state_count();
  }
  EXPECT_GT(idle, 100);
}

TEST(WriteAut, PutsActionsThatAreOnNoStepOnAStateThatCannotBeReached) {
  ActionTable actions;
  LtsBuilder builder;
  builder.add_step(State{0}, actions.intern("x"), State{0});
  builder.add_to_alphabet({actions.intern("up"), actions.intern("down")});
  const std::string text = to_aut(builder.build(), actions);
  EXPECT_EQ(text, "des (0,3,2)\n(0,\"x\",0)\n(1,\"up\",1)\n(1,\"down\",1)\n");
  EXPECT_EQ(to_aut(read(text, actions), actions), text);
}

TEST(WriteAut, MarksErrorAndEnd) {
  ActionTable actions;
  LtsBuilder builder;
  builder.set_state_count(3);
  builder.set_error(State{1});
  builder.set_end(State{2});
  builder.add_step(State{0}, actions.intern("a"), State{1});
  builder.add_step(State{0}, kTau, State{2});
  EXPECT_EQ(to_aut(builder.build(), actions),
            "des (0,4,3)\n(0,\"tau\",2)\n(0,\"a\",1)\n(1,\"surety:error\",1)\n(2,\"surety:end\",2)\n");
}

TEST(WriteAut, RefusesWhatWouldNotComeBack) {
  for (const char* name : {"i", "tau", "a\nb", "", "surety:error", "surety:end"}) {
    ActionTable actions;
    LtsBuilder builder;
    builder.add_to_alphabet({actions.intern(name)});
    const Lts lts = builder.build();
    EXPECT_NE(not_in_aut(lts, actions), "") << name;
    EXPECT_THROW(to_aut(lts, actions), InternalError) << name;
  }
}

TEST(WriteAut, HasNoFileForAnLtsWithoutStates) {
  const ActionTable actions;
  EXPECT_THROW(to_aut(Lts(), actions), InternalError);
}

// A reader that survives garbage, and that accepts only what it can also write.
TEST(ReadAut, SurvivesRandomChangesToGoodFiles) {
  Random random(7);
  const std::string_view favourites = "(),\"\n\r %#*/ 0129ides\0\xff";
  int accepted = 0;
  for (int round = 0; round < 400; ++round) {
    ActionTable names;
    const std::string good = to_aut(any_lts(random, names), names);
    for (int mutant = 0; mutant < 50; ++mutant) {
      std::string text = good;
      for (std::uint32_t changes = 1 + random.below(4); changes > 0 && !text.empty(); --changes) {
        const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
        const char c = random.chance(80) ? favourites[random.below(static_cast<std::uint32_t>(favourites.size()))]
                                         : static_cast<char>(random.below(256));
        switch (random.below(4)) {
          case 0: text[at] = c; break;
          case 1: text.insert(at, 1, c); break;
          case 2: text.erase(at, 1 + random.below(3)); break;
          default: text.resize(at); break;
        }
      }
      ActionTable actions;
      const auto lts = read_aut(text, "t.aut", actions);
      if (!lts) {
        EXPECT_NE(rendered(lts.error()), "");
        continue;
      }
      ++accepted;
      EXPECT_TRUE(same(read(to_aut(*lts, actions), actions), *lts)) << text;
    }
  }
  EXPECT_GT(accepted, 1000);  // or this test tests nothing
  EXPECT_LT(accepted, 19000);
}

TEST(WriteDot, MarksAStateThatNothingLeaves) {
  ActionTable actions;
  LtsBuilder builder;
  builder.set_state_count(2);
  builder.add_step(State{0}, actions.intern("a"), State{1});
  EXPECT_NE(to_dot(builder.build(), actions, "P").find("  1 [label=\"1\\nSTOP\", style=bold];\n"), std::string::npos);
}

TEST(WriteDot, DrawsInitialErrorAndEndStates) {
  ActionTable actions;
  LtsBuilder builder;
  builder.set_state_count(4);
  builder.set_error(State{2});
  builder.set_end(State{3});
  builder.add_step(State{0}, actions.intern("a"), State{1});
  builder.add_step(State{0}, actions.intern("b"), State{2});
  builder.add_step(State{0}, actions.intern("c"), State{1});
  builder.add_step(State{1}, kTau, State{3});
  EXPECT_EQ(to_dot(builder.build(), actions, "LAMP"),
            "digraph \"LAMP\" {\n"
            "  rankdir=LR;\n"
            "  node [shape=circle];\n"
            "  entry [shape=point];\n"
            "  entry -> 0;\n"
            "  2 [label=\"ERROR\", shape=doublecircle, color=red, fontcolor=red];\n"
            "  3 [label=\"END\", shape=doublecircle];\n"
            "  0 -> 1 [label=\"a\\nc\"];\n"
            "  0 -> 2 [label=\"b\"];\n"
            "  1 -> 3 [label=\"tau\"];\n"
            "}\n");
}

TEST(WriteDot, EscapesWhatGraphvizWouldRead) {
  ActionTable actions;
  LtsBuilder builder;
  builder.add_step(State{0}, actions.intern("\"\\N\" &lt; \n\x01\xff\\"), State{0});
  const std::string dot = to_dot(builder.build(), actions, "a\"b\\");
  EXPECT_NE(dot.find("digraph \"a\\\"b\\\\\" {"), std::string::npos) << dot;
  EXPECT_NE(dot.find("[label=\"\\\"\\\\N\\\" &amp;lt; \\n?\xef\xbf\xbd\\\\\"];"), std::string::npos) << dot;
}

TEST(WriteDot, DrawsTheEmptyLanguage) {
  const ActionTable actions;
  EXPECT_NE(to_dot(Lts(), actions, "E").find("the empty language"), std::string::npos);
}

Result<Lts> from_json(const std::string& text, ActionTable& actions) {
  return read_lts_json(Json::parse(text), "t.json", actions);
}

TEST(LtsJson, HasOneStepALine) {
  ActionTable actions;
  const Lts lts = read("des (0,2,2)\n(0,on,1)\n(1,\"off \"\",0)", actions);
  EXPECT_EQ(to_json(lts, actions),
            "{\n"
            "  \"schema\": 1,\n"
            "  \"states\": 2,\n"
            "  \"initial\": 0,\n"
            "  \"error\": null,\n"
            "  \"end\": null,\n"
            "  \"alphabet\": [\"off \\\"\", \"on\"],\n"
            "  \"steps\": [\n"
            "    [0, \"on\", 1],\n"
            "    [1, \"off \\\"\", 0]\n"
            "  ]\n"
            "}\n");
}

TEST(LtsJson, ReadsBackAsTheSameLts) {
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    ActionTable actions;
    const Lts lts = any_lts(random, actions);
    const auto back = from_json(to_json(lts, actions), actions);
    ASSERT_TRUE(back) << rendered(back.error());
    EXPECT_TRUE(same(*back, lts)) << to_json(lts, actions);
  }
}

TEST(LtsJson, KeepsTheEmptyLanguageAndItsAlphabet) {
  ActionTable actions;
  LtsBuilder builder;
  builder.set_state_count(0);
  builder.add_to_alphabet({actions.intern("a")});
  const Lts empty = builder.build();
  const auto back = from_json(to_json(empty, actions), actions);
  ASSERT_TRUE(back) << rendered(back.error());
  EXPECT_EQ(back->state_count(), 0U);
  EXPECT_TRUE(same(*back, empty));
}

TEST(LtsJson, IsValidForAnyBytes) {
  ActionTable actions;
  LtsBuilder builder;
  for (int c = 0; c < 256; ++c)
    builder.add_step(State{0}, actions.intern(std::string("a") + static_cast<char>(c)), State{0});
  const Json json = Json::parse(to_json(builder.build(), actions), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["steps"].size(), 256U);
  EXPECT_EQ(json["steps"][0xff][1], "a\xef\xbf\xbd");
}

TEST(LtsJson, AnActionNamedIIsOrdinary) {
  ActionTable actions;
  const auto lts = from_json(R"({"schema":1,"states":1,"initial":0,"error":null,"end":null,
                                 "alphabet":["i"],"steps":[[0,"i",0],[0,"tau",0]]})",
                             actions);
  ASSERT_TRUE(lts) << rendered(lts.error());
  EXPECT_EQ(steps_of(*lts, actions), "0 tau 0, 0 i 0");
}

TEST(LtsJson, MayBeMadeInMemoryWithSignedNumbers) {
  ActionTable actions;
  const Json json = {{"schema", 1},
                     {"states", 2},
                     {"initial", 0},
                     {"error", nullptr},
                     {"end", 1},
                     {"alphabet", {"a"}},
                     {"steps", Json::array({Json::array({0, "a", 1})})}};
  const auto lts = read_lts_json(json, "t.json", actions);
  ASSERT_TRUE(lts) << rendered(lts.error());
  EXPECT_EQ(lts->end(), State{1});
}

TEST(LtsJson, SaysWhatIsWrong) {
  const Json good = Json::parse(R"({"schema":1,"states":3,"initial":0,"error":1,"end":2,
                                    "alphabet":["a","b"],"steps":[[0,"a",1],[0,"tau",2]]})");
  struct Case {
    const char* member;  // where to put the value; the whole if empty
    const char* value;   // nothing: take the member out
    const char* message;
  };
  const char* kSteps = "steps[1]: expected [FROM, LABEL, TO]";
  const char* kParts = "steps[1]: expected [FROM, LABEL, TO], two whole numbers and a name";
  const std::vector<Case> cases = {
      {"", "null", "expected an object with the members of an LTS"},
      {"", "[1]", "expected an object with the members of an LTS"},
      {"", "{}", "schema: expected 1"},
      {"/schema", "2", "schema: expected 1"},
      {"/schema", "\"1\"", "schema: expected 1"},
      {"/states", nullptr, "states: expected how many there are, a whole number"},
      {"/states", "-1", "states: expected how many there are, a whole number"},
      {"/states", "2.0", "states: expected how many there are, a whole number"},
      {"/states", "1e40", "states: expected how many there are, a whole number"},
      {"/states", "4294967296", "states: 4294967296 are too many for 2 steps"},
      {"/states", "4000000000", "states: 4000000000 are too many for 2 steps"},
      {"/states", "18446744073709551615", "states: 18446744073709551615 are too many for 2 steps"},
      {"/states", "0", "error: state 1 does not exist"},
      {"/initial", nullptr, "initial: expected 0"},
      {"/initial", "1", "initial: expected 0"},
      {"/error", nullptr, "error: expected the number of a state, or null"},
      {"/error", "true", "error: expected the number of a state, or null"},
      {"/error", "-1", "error: expected the number of a state, or null"},
      {"/error", "3", "error: state 3 does not exist"},
      {"/end", "[]", "end: expected the number of a state, or null"},
      {"/end", "4294967298", "end: state 4294967298 does not exist"},
      {"/end", "1", "end: this is the error state"},
      {"/end", "0", "steps[0]: the end state has no steps"},
      {"/error", "0", "steps[0]: the error state has no steps"},
      {"/alphabet", nullptr, "alphabet: expected a list of names"},
      {"/alphabet", "{\"a\":1}", "alphabet: expected a list of names"},
      {"/alphabet", "[\"a\",1]", "alphabet[1]: expected a name"},
      {"/alphabet", "[\"\"]", "alphabet[0]: expected a name"},
      {"/alphabet", "[\"a\",\"tau\"]", "alphabet[1]: tau is in no alphabet"},
      {"/alphabet", "[\"a\",\"b\",\"a\"]", "alphabet[2]: \"a\" is there twice"},
      {"/alphabet", "[]", "steps[0]: \"a\" is not in the alphabet"},
      {"/steps", nullptr, "steps: expected a list"},
      {"/steps", "7", "steps: expected a list"},
      {"/steps/1", "7", kSteps},
      {"/steps/1", "{}", kSteps},
      {"/steps/1", "[0,\"a\"]", kSteps},
      {"/steps/1", "[0,\"a\",1,1]", kSteps},
      {"/steps/1/0", "-1", kParts},
      {"/steps/1/0", "\"0\"", kParts},
      {"/steps/1/2", "0.5", kParts},
      {"/steps/1/1", "null", kParts},
      {"/steps/1/1", "\"c\"", "steps[1]: \"c\" is not in the alphabet"},
      {"/steps/1/2", "3", "steps[1]: state 3 does not exist"},
      {"/steps/1/0", "4294967296", "steps[1]: state 4294967296 does not exist"},
  };
  for (const auto& [member, value, message] : cases) {
    Json json = good;
    if (value)
      json[Json::json_pointer(member)] = Json::parse(value);
    else
      json.erase(member + 1);
    ActionTable actions;
    const auto lts = read_lts_json(json, "t.json", actions);
    ASSERT_FALSE(lts) << json;
    EXPECT_EQ(rendered(lts.error()), fmt::format("t.json: error: {}\n", message)) << json;
  }
  ActionTable actions;
  EXPECT_TRUE(read_lts_json(good, "t.json", actions));
}

}  // namespace
}  // namespace surety
