// Tiny programs, and all that they can do, worked out by hand from the reference manual (ARM).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ada/follow.hpp"

namespace surety {
namespace {

using Traces = std::set<std::string>;

// All complete traces: names of actions, and how it ends. Or why it is refused.
Traces traces(const std::string& text) {
  std::string why;
  const auto follower = Follower::make(text, "test.adb", why);
  if (follower == nullptr) return {why};
  const auto all = follower->traces(1000);
  return all ? *all : Traces{"more than 1000"};
}

// The statements of the only task.
std::string alone(const std::string& declarations, const std::string& statements) {
  return fmt::format("procedure P is\n{}\nbegin\n{}\nend P;\n", declarations, statements);
}

std::string event(const std::string& name, const std::string& value = "") {
  return fmt::format("pragma Annotate (Surety, Event, \"{}\"{});", name, value.empty() ? "" : ", " + value);
}

TEST(AdaEvents, ShowTheirValuesAsLiterals) {
  EXPECT_EQ(traces(alone("type Colour is (Red, Green); C : Colour := Green; N : Integer := -3;",
                         event("e", "C, True, N, Colour'Pos (C)"))),
            Traces{"e.green.true.-3.1 =end"});
}

TEST(AdaEvents, MayHaveValuesWithEvents) {
  EXPECT_EQ(traces(alone("function F return Boolean is begin " + event("inner", "1") + " return True; end F;",
                         event("outer", "F"))),
            Traces{"inner.1 outer.true =end"});
}

// Two tasks use X, so what happens to it is visible.
std::string with_shared(const std::string& declarations, const std::string& task, const std::string& main) {
  return fmt::format(
      "procedure P is\n{}\ntask T is entry Go; end T;\ntask body T is\nbegin\n{}\nend T;\nbegin\n{}\nend P;\n",
      declarations, task, main);
}

TEST(AdaShared, AValueOutOfRangeIsNotWritten) {
  EXPECT_EQ(traces(with_shared("X : Integer range 0 .. 3 := 3; N : Integer := 4;", "X := N;", "X := 1;")),
            (Traces{"p.x.to.1 t.fails.6.constraint_error =end", "t.fails.6.constraint_error p.x.to.1 =end"}));
}

TEST(AdaShared, AnOperandThatFailsIsTheLastThatIsEvaluated) {
  EXPECT_EQ(traces(with_shared("X : Integer range 0 .. 3 := 3; Zero : Integer := 0; N : Integer := 1;",
                               "N := N / Zero + X;", "T.Go; X := 1;")),
            Traces{"t.fails.6.constraint_error p.fails.9.tasking_error =end"});
}

TEST(AdaCalls, ATaskThatCallsItselfWaitsForEver) {
  EXPECT_EQ(traces("procedure P is\ntask T is entry E; end T;\nprocedure Q is begin T.E; end Q;\n"
                   "task body T is begin\n" +
                   event("a") + " Q; accept E;\nend T;\nbegin\nnull;\nend P;\n"),
            Traces{"a =hang"});
}

}  // namespace
}  // namespace surety
