// What is wrong with a quantified regular expression is said with its place, and never crashes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "base/random.hpp"
#include "lang/qre/qre.hpp"

namespace surety {
namespace {

Diagnostics errors(const std::string& text) {
  Budget budget;
  auto out = read_qre(text, "test.qre", budget);
  return out ? Diagnostics() : std::move(out.error());
}

// The errors, each as "line:column message (hint)".
std::vector<std::string> said(const std::string& text) {
  std::vector<std::string> out;
  for (const Diagnostic& d : errors(text))
    out.push_back(fmt::format("{}:{} {}{}", d.line, d.column, d.message, d.hint.empty() ? "" : " (" + d.hint + ")"));
  return out;
}

using Said = std::vector<std::string>;

std::string over_ab(const std::string& expression) {
  return "for events {a, b} show all executions satisfy\n" + expression;
}

TEST(QreErrors, ExpressionsThatEndTooEarlyOrGoOnTooLong) {
  EXPECT_EQ(
      said(over_ab("a b")),
      Said{"2:3 expected ';', '|' or the end of the expression, found 'b' (what follows one another has ';' between)"});
  EXPECT_EQ(said(over_ab("a;")),
            Said{"2:3 expected an event, found the end of the file (';' stands between two events; "
                 "there is none after the last)"});
  EXPECT_EQ(said(over_ab("(a; b")), Said{"2:6 expected ')', found the end of the file (a '(' is not closed)"});
  EXPECT_EQ(said(over_ab("a)")),
            Said{"2:2 expected ';', '|' or the end of the expression, found ')' (there is no '(' for it)"});
  EXPECT_EQ(said(over_ab("a, b")), Said{"2:2 expected ';', '|' or the end of the expression, found ',' (a sequence has "
                                        "';', a choice has '|')"});
  EXPECT_EQ(said(over_ab("*")), Said{"2:1 expected an event, found '*' (a repetition stands behind what it repeats)"});
  EXPECT_EQ(said(over_ab("()")), Said{"2:2 expected an event, found ')'"});
  EXPECT_EQ(said(over_ab("")), Said{"2:1 expected an event, found the end of the file"});
  EXPECT_EQ(said(over_ab("a^b")), Said{"2:3 expected a number after '^', found 'b' (for example: a^3)"});
  EXPECT_EQ(said(over_ab("[a; b]")), Said{"2:3 expected ',' or ']' after an event, found ';'"});
  EXPECT_EQ(said(over_ab("[-a, -b]")),
            Said{"2:6 expected an event, found '-' (one '-' is for all of them, and stands before the first)"});
  EXPECT_EQ(said(over_ab("{a; b")), Said{"2:3 expected '}' after the event, found ';'"});
  EXPECT_EQ(said(over_ab("a.*")),
            Said{"2:2 expected ';', '|' or the end of the expression, found '.' (what follows one "
                 "another has ';' between)"});
}

TEST(QreErrors, EventsThatAreNotListed) {
  EXPECT_EQ(said("for events {open, close} show all executions satisfy opne; shut"),
            (Said{"1:54 'opne' is not among the events of this property (did you mean 'open'?)",
                  "1:60 'shut' is not among the events of this property (they are: open, close)"}));
  EXPECT_EQ(said("for events {a, b, {a}} show all executions satisfy a"), Said{"1:20 'a' is listed twice"});
}

TEST(QreErrors, HeadersAndWordsThatAreMissing) {
  const std::string form = " (a property is: for events { a, b } show all executions satisfy (a; b)*)";
  EXPECT_EQ(said(""), Said{"1:1 expected a property, found the end of the file" + form});
  EXPECT_EQ(said("-- only a comment\n"), Said{"2:1 expected a property, found the end of the file" + form});
  EXPECT_EQ(said("for event {a} show all executions satisfy a"), Said{"1:5 expected 'events', found 'event'" + form});
  EXPECT_EQ(said("for events {a} show some executions satisfy a"),
            Said{"1:21 expected 'all' or 'no', found 'some'" + form});
  EXPECT_EQ(said("for events {} show all executions satisfy a"), Said{"1:13 expected an event, found '}'"});
  EXPECT_EQ(said("property P for events {a} show all executions satisfy a"),
            Said{"1:12 expected ':' after the name of the property, found 'for'"});
  EXPECT_EQ(said("property P.1: for events {a} show all executions satisfy a"),
            Said{"1:10 the name of a property has no dots"});
}

TEST(QreErrors, OneRunReportsThoseOfAllProperties) {
  EXPECT_EQ(
      said("property A: for events {a} show all executions satisfy a a\n"
           "property B: for events {a} show all executions satisfy a\n"
           "property B: for events {a} show all executions satisfy b\n"
           "for events {a} show no executions satisfy .*\n"
           "property D: for events {a} show no executions satisfy §"),
      (Said{"5:55 this character means nothing in a regular expression",
            "1:58 expected ';', '|' or the end of the expression, found 'a' (what follows one another has ';' between)",
            "3:10 there are two properties 'B'", "3:56 'b' is not among the events of this property (they are: a)",
            "5:57 expected an event, found the end of the file", "4:1 no execution can satisfy it"}));
}

TEST(QreErrors, WhatNoExecutionCanSatisfy) {
  EXPECT_EQ(said(over_ab("[-a, b]")), Said{"1:1 no execution can satisfy it"});
  EXPECT_EQ(said(over_ab("a; [-a, b]; b")), Said{"1:1 no execution can satisfy it"});
  EXPECT_EQ(said(over_ab("a; [-a, b] | b")), Said{});
  EXPECT_EQ(said("property P: for events {a, b} show no executions satisfy (a*; b*)*"),
            Said{"1:1 no execution can satisfy it"});
}

TEST(QreErrors, WhatIsTooLargeOrTooDeepIsRefusedSoon) {
  const auto before = std::chrono::steady_clock::now();
  const std::string large = "this expression is too large (written out it may have 200,000 events)";
  EXPECT_EQ(said(over_ab("a^1000000")), Said{"2:2 " + large});
  EXPECT_EQ(said(over_ab("a^99999999999999999999999999")), Said{"2:2 " + large});
  EXPECT_EQ(said(over_ab("((a^1000)^1000; b)^1000")), Said{"2:10 " + large});
  EXPECT_EQ(said(over_ab(std::string(100'000, '(') + "a")),
            Said{"2:201 this is nested too deeply (take parentheses or repetitions away)"});
  EXPECT_EQ(said(over_ab("a" + std::string(100'000, '+'))),
            Said{"2:202 this is nested too deeply (take repetitions away)"});
  EXPECT_EQ(said(over_ab("a" + std::string(150, '+'))), Said{});
  // Each of the last 30 events must be remembered.
  EXPECT_EQ(said(over_ab(".*; a; .^30")),
            Said{"1:1 the automaton of this property is too large (it may have 20,000 states)"});
  EXPECT_EQ(errors(std::string(2'000'000, ' ')).at(0).message, "this file is too large for properties");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
}

TEST(QreErrors, StrangeBytes) {
  EXPECT_EQ(said(over_ab(std::string("a\0b", 3))).at(0), "2:2 this character means nothing in a regular expression");
  EXPECT_EQ(said(over_ab("\"a")), Said{"2:1 this name has no end (close it with \" on the same line)"});
  EXPECT_EQ(said(over_ab("a; \"\"")).at(0), "2:4 a name is empty");
  EXPECT_EQ(said(over_ab("a /* b")), Said{"2:3 this comment has no end (close it with */)"});
}

// Whatever is cut, doubled or written over, the reader answers.
TEST(QreErrors, MutatedTextsAreReadOrRefused) {
  const std::string text =
      "property ONE: -- first\nfor events {a.1, {b}, \"c d\"} show all executions satisfy\n"
      "(a.1; [-a.1, b]*; ([b] | .?)^3)+\nfor events {x} show no executions satisfy x*; x // second\n";
  const std::vector<std::string> pieces = {"(", ")", "[", "]", "[-", "{", "}",  ";",   "|",   "*",        "+",
                                           "?", "^", ".", ",", ":",  "9", "--", "for", "all", "property", "\""};
  const char* often = std::getenv("SURETY_MUTATIONS");
  Random random(7);
  int good = 0, bad = 0;
  for (int i = 0; i < (often != nullptr ? std::atoi(often) : 2000); ++i) {
    std::string damaged = text;
    for (auto n = 1 + random.below(4); n > 0; --n) {
      const auto at = random.below(static_cast<std::uint32_t>(damaged.size()));
      const auto& piece = pieces[random.below(static_cast<std::uint32_t>(pieces.size()))];
      switch (random.below(3)) {
        case 0: damaged.erase(at, random.below(10)); break;
        case 1: damaged.insert(at, damaged.substr(at, random.below(20))); break;
        default: damaged.insert(at, piece);
      }
    }
    Budget budget;
    const auto read = read_qre(damaged, "test.qre", budget);
    (read ? good : bad) += 1;
    if (read) continue;
    for (const Diagnostic& d : read.error()) ASSERT_FALSE(render(d).empty());
  }
  EXPECT_GT(good, 0);
  EXPECT_GT(bad, 0);
}

}  // namespace
}  // namespace surety
