// Units, their names and their types; and the units that the tool itself brings along.

#include <gtest/gtest.h>

#include "ada/tiny.hpp"

namespace surety {
namespace {

// What is said about a program.
struct AdaReading {
  std::vector<std::string> errors, warnings;
};
AdaReading reading(const std::string& text) {
  AdaReading out;
  const auto read = [&](const std::string& file) { return file == "test.adb" ? std::optional(text) : std::nullopt; };
  const auto messages = [](const Diagnostics& from) {
    std::vector<std::string> all;
    for (const Diagnostic& d : from) all.push_back(d.message);
    return all;
  };
  auto program = read_ada({"test.adb"}, read, {}, {});
  if (!program) return {messages(program.error()), {}};
  ActionTable actions;
  Budget budget;
  const auto network = ada_network(*program, actions, budget);
  if (!network) return {{network.error().message}, {}};
  out.warnings = messages(program->warnings);
  for (std::string& more : messages(network->warnings)) out.warnings.push_back(std::move(more));
  return out;
}

// ---- packages

TEST(AdaUnits, ChildrenStandInTheirParents) {
  EXPECT_EQ(traces("package A is X : Integer := 1; end A;\n"
                   "package A.B is Y : Integer := X + 1; end A.B;\n"
                   "with A.B; use A.B;\nprocedure P is\nbegin\n" +
                   event("v", "A.X, A.B.Y, Y") + "\nend P;\n"),
            Traces{"v.1.2.2 =end"});
}

TEST(AdaUnits, PrivateTypesAreNamedBeforeTheyAreKnown) {
  EXPECT_EQ(traces("package A is type T is private; function Make (N : Integer) return T;\n"
                   "function Value (X : T) return Integer; private type T is range 0 .. 9; end A;\n"
                   "package body A is function Make (N : Integer) return T is begin return T (N); end Make;\n"
                   "function Value (X : T) return Integer is begin return Integer (X) + 1; end Value; end A;\n"
                   "with A; procedure P is\nX : A.T := A.Make (3);\nbegin\n" +
                   event("v", "A.Value (X)") + "\nend P;\n"),
            Traces{"v.4 =end"});
}

// ---- types with discriminants

TEST(AdaDiscriminants, AreValuesOfTheFieldsThatFollow) {
  EXPECT_EQ(traces(alone("type R (N : Natural := 4) is record M : Natural := N + 1; end record;\n"
                         "A : R; B : R (7); subtype S is R (N => 2); C : array (1 .. 2) of S;",
                         event("v", "A.M, B.N, B.M, C (2).M"))),
            Traces{"v.5.7.8.3 =end"});
}

TEST(AdaDiscriminants, MayBeGivenByASubtypeOrAnArray) {
  EXPECT_EQ(traces("procedure P is\ntask type W (N : Integer);\nsubtype W3 is W (3);\nX : W3;\n"
                   "task body W is begin " +
                   event("w", "N") + " end W;\nbegin\nnull;\nend P;\n"),
            Traces{"w.3 =end"});
  EXPECT_EQ(
      traces("procedure P is\nprotected type S (N : Natural) is function V return Natural; private X : Natural := "
             "N; end S;\nprotected body S is function V return Natural is begin return X; end V; end S;\n"
             "A : array (1 .. 2) of S (5);\nbegin\n" +
             event("v", "A (2).V") + "\nend P;\n"),
      Traces{"a.2.v.5 v.5 =end"});
}

TEST(AdaNames, ATaskTypeNamesWhatItsBodyDeclares) {
  EXPECT_EQ(traces("procedure P is\ntask type T is entry Start (Id : Integer); end T;\nX : T;\n"
                   "task body T is Id : Integer := 1; begin accept Start (Id : Integer) do T.Id := Id; end Start;\n" +
                   event("id", "Id") + " end T;\nbegin\nX.Start (4);\nend P;\n"),
            Traces{"x.start.4 x.start.end id.4 =end"});
}

// ---- units by which tasks synchronise (1.6)

TEST(AdaKnownUnits, Semaphores) {
  EXPECT_EQ(traces("with GNAT.Semaphores; use GNAT.Semaphores;\nprocedure P is\n"
                   "S : Counting_Semaphore (0, Default_Ceiling);\ntask A;\n"
                   "task body A is begin S.Seize; " +
                   event("a") + " end A;\nbegin\n" + event("p") + " S.Release;\nend P;\n"),
            Traces{"p s.release s.seize a =end"});
  EXPECT_EQ(traces("with GNAT.Semaphores;\nprocedure P is\nS : GNAT.Semaphores.Binary_Semaphore (True, 5);\n"
                   "begin\nS.Seize; S.Seize;\nend P;\n"),
            Traces{"s.seize =hang"});
}

TEST(AdaKnownUnits, SuspensionObjects) {
  EXPECT_EQ(traces("with Ada.Synchronous_Task_Control; use Ada.Synchronous_Task_Control;\nprocedure P is\n"
                   "S : Suspension_Object;\ntask A;\n"
                   "task body A is begin Suspend_Until_True (S); " +
                   event("a", "Current_State (S)") + " end A;\nbegin\n" + event("p") + " Set_True (S);\nend P;\n"),
            Traces{"p s.set.true s.suspend s.is_set.false a.false =end"});
}

TEST(AdaKnownUnits, Barriers) {
  const Traces all = traces(
      "with Ada.Synchronous_Barriers; use Ada.Synchronous_Barriers;\nprocedure P is\n"
      "B : Synchronous_Barrier (2);\ntask A;\n"
      "task body A is N : Boolean; begin " +
      event("a") + " Wait_For_Release (B, N); end A;\nN : Boolean;\nbegin\nWait_For_Release (B, N); " + event("p") +
      "\nend P;\n");
  EXPECT_FALSE(all.empty());
  for (const std::string& trace : all) {
    EXPECT_LT(trace.find("a "), trace.find(" p")) << trace;
    EXPECT_NE(trace.find("=end"), std::string::npos) << trace;
  }
}

// ---- what is refused

TEST(AdaRefused, OneMistakeIsToldOnce) {
  const AdaReading read = reading("procedure P is\ntype T is tagged null record;\nX, Y : T;\nbegin\nX := Y;\nend P;\n");
  EXPECT_EQ(read.errors, std::vector<std::string>{"tagged types are not supported"});
}

}  // namespace
}  // namespace surety
