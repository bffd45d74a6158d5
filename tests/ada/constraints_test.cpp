// Composite values: slices, aggregates, and the checks of their constraints; which of several declarations is meant.
// Worked out by hand from the reference manual (ARM); each differed once from what programs do that GNAT compiles.

#include <gtest/gtest.h>

#include "ada/reading.hpp"
#include "ada/tiny.hpp"

namespace surety {
namespace {

std::string shows(const std::string& declarations, const std::string& statements, const std::string& values) {
  const Traces all = traces(alone(declarations, statements + event("v", values)));
  return all.size() == 1 ? *all.begin() : fmt::format("{}", fmt::join(all, " | "));
}

// "raised": the statements raise Constraint_Error, and what follows them is not executed.
Traces checked(const std::string& declarations, const std::string& statements) {
  return traces(alone("", "declare\n" + declarations + "\nbegin\n" + statements + event("passed") +
                              "\nexception\nwhen Constraint_Error => " + event("raised") +
                              "\nend;\nexception when Constraint_Error => " + event("raised")));
}
const Traces kRaised{"raised =end"}, kPassed{"passed =end"};

const std::string kVector = "type V is array (Integer range <>) of Integer;\n";

// ---- slices

TEST(AdaSlices, AreAssignedAllAtOnce) {
  const std::string a = kVector + "A : V (1 .. 5) := (1, 2, 3, 4, 5);";
  EXPECT_EQ(shows(a, "A (2 .. 4) := A (1 .. 3);", "A (1), A (2), A (3), A (4), A (5)"), "v.1.1.2.3.5 =end");
  EXPECT_EQ(shows(a, "A (1 .. 3) := A (2 .. 4);", "A (1), A (2), A (3), A (4), A (5)"), "v.2.3.4.4.5 =end");
  EXPECT_EQ(shows(a, "A (4 .. 5) := (7, 8);", "A (3), A (4), A (5)"), "v.3.7.8 =end");
  EXPECT_EQ(shows(a, "A (1 .. 2) := (others => 0);", "A (1), A (2), A (3)"), "v.0.0.3 =end");
}

TEST(AdaSlices, OfElementsThatAreChosen) {
  EXPECT_EQ(shows("type Row is array (1 .. 3) of Integer; M : array (1 .. 2) of Row := (others => (1, 2, 3)); "
                  "I : Integer := 2;",
                  "M (I) (2 .. 3) := (8, 9);", "M (1) (2), M (2) (1), M (2) (2), M (2) (3)"),
            "v.2.1.8.9 =end");
}

TEST(AdaSlices, AreValuesAndParameters) {
  const std::string a =
      kVector +
      "A : V (1 .. 4) := (1, 2, 3, 4);\n"
      "procedure Twice (X : in out V) is begin for I in X'Range loop X (I) := 2 * X (I); end loop; end;";
  EXPECT_EQ(shows(a, "Twice (A (2 .. 3));", "A (1), A (2), A (3), A (4)"), "v.1.4.6.4 =end");
  EXPECT_EQ(shows(a, "", "A (1 .. 2) = A (1 .. 2), A (1 .. 2) = A (2 .. 3), A (2 .. 3)'Length"), "v.true.false.2 =end");
}

TEST(AdaSlices, AreChecked) {
  const std::string a = kVector + "A : V (1 .. 3) := (1, 2, 3);";
  EXPECT_EQ(checked(a, "A (2 .. 4) := (1, 2, 3);"), kRaised);
  EXPECT_EQ(checked(a, "A (1 .. 2) := A (1 .. 3);"), kRaised);
  EXPECT_EQ(checked(a, "A (5 .. 4) := A (3 .. 2);"), kPassed);
}

TEST(AdaSlices, WhoseBoundsAreNotKnownAreNotWritten) {
  const auto all = traces(alone(kVector + "A : V (1 .. 3) := (1, 2, 3); N : Integer := 2;",
                                "for I in 1 .. N loop A (1 .. I) := A (1 .. I); end loop;"));
  EXPECT_NE(all.begin()->find("a slice whose bounds are not known is assigned to"), std::string::npos) << *all.begin();
}

// ---- lengths, bounds, discriminants

TEST(AdaChecks, LengthsOfArrays) {
  EXPECT_EQ(checked(kVector + "A : V (1 .. 2); B : V (1 .. 3) := (1, 2, 3);", "A := B;"), kRaised);
  EXPECT_EQ(checked(kVector + "A : V (1 .. 2); B : V (7 .. 8) := (1, 2);", "A := B;"), kPassed);
  EXPECT_EQ(checked(kVector + "A : V (1 .. 2) := (1, 2, 3);", ""), kRaised);
  EXPECT_EQ(checked(kVector + "A : V (1 .. 0) := (1 .. 2 => 0);", ""), kRaised);
  EXPECT_EQ(checked(kVector + "subtype W is V (1 .. 2); B : V (1 .. 3) := (1, 2, 3);\n"
                              "procedure Q (X : W) is begin null; end Q;",
                    "Q (B);"),
            kRaised);
  EXPECT_EQ(checked("type W is array (1 .. 2) of Character; A : W;", "A := \"abc\";"), kRaised);
}

TEST(AdaChecks, AggregatesHaveBoundsOfTheirOwn) {
  EXPECT_EQ(shows(kVector + "A : V (1 .. 2) := (6 => 1, 7 => 2);", "", "A (1), A (2)"), "v.1.2 =end");
  EXPECT_EQ(checked("type W is array (1 .. 2) of Integer; A : W := (6 => 1, 7 => 2);", ""), kRaised);
  EXPECT_EQ(
      shows("type M is array (Integer range <>, Integer range <>) of Integer;\n"
            "function Sum (X : M) return Integer is (X'Length (1) * 10 + X'Length (2) + X (X'First, X'First (2)));",
            "", "Sum (((1, 2, 3), (4, 5, 6)))"),
      "v.24 =end");
}

TEST(AdaChecks, BoundsOfSubtypes) {
  EXPECT_EQ(checked("type T is range 0 .. 1; subtype S is T range 0 .. 2;", ""), kRaised);
  EXPECT_EQ(checked("type T is range 0 .. 1; subtype S is T range 5 .. 2;", ""), kPassed);
  EXPECT_EQ(checked("subtype I is Integer range 1 .. 3; type V is array (I range <>) of Integer; A : V (2 .. 4);", ""),
            kRaised);
  EXPECT_EQ(
      checked("subtype S is Integer range 1 .. 3; N : Integer := 4;", "for I in S range 2 .. N loop null; end loop;"),
      kRaised);
  EXPECT_EQ(
      checked("subtype S is Integer range 1 .. 3; N : Integer := 1;", "for I in S range 2 .. N loop null; end loop;"),
      kPassed);
}

TEST(AdaChecks, Discriminants) {
  const std::string r = "type R (D : Integer) is record N : Integer; end record;\n";
  EXPECT_EQ(checked(r + "A : R (1) := (1, 5); B : R (2) := (2, 5);", "A := B;"), kRaised);
  EXPECT_EQ(checked(r + "A : R (1) := (1, 5); B : R (1) := (1, 6);", "A := B;"), kPassed);
  EXPECT_EQ(checked(r + "A : R (1) := (1, 5);", "A := (2, 5);"), kRaised);
  EXPECT_EQ(checked(r + "subtype S is R (4); procedure Q (X : S) is begin null; end Q; A : R (3) := (3, 1);", "Q (A);"),
            kRaised);
  EXPECT_EQ(checked("type R (D : Integer := 0) is record N : Integer; end record; A : R := (1, 2);", "A := (3, 4);"),
            kPassed);
}

TEST(AdaChecks, DerivedTypesHaveTheBaseOfTheirParents) {
  EXPECT_EQ(shows("type T is new Integer range 1 .. 5; X : T := 5;", "", "X + X - 5, T'Base'Last = 2147483647"),
            "v.5.true =end");
  EXPECT_EQ(checked("type T is new Integer range 1 .. 5; X : T := 5;", "X := X + 1;"), kRaised);
  EXPECT_EQ(checked("type E is (A, B, C); type F is new E range A .. B; X : F := B;", "X := F'Succ (X);"), kRaised);
}

TEST(AdaChecks, AttributesOfBoolean) {
  EXPECT_EQ(checked("N : Integer := 2; X : Boolean;", "X := Boolean'Val (N);"), kRaised);
  EXPECT_EQ(checked("N : Boolean := True; X : Boolean;", "X := Boolean'Succ (N);"), kRaised);
  EXPECT_EQ(checked("X : Integer := 1;", "X := Integer'Base'Last + X;"), kRaised);
}

// ---- which declaration is meant

TEST(AdaNames, WhatIsDeclaredLaterIsNotSeen) {
  EXPECT_EQ(traces(alone("X : Integer := 5;\nprocedure Outer is\nprocedure Q is begin " + event("q", "X") +
                             " end Q;\nX : Integer := 6;\nbegin Q; " + event("x", "X") + " end Outer;",
                         "Outer;")),
            Traces{"q.5 x.6 =end"});
}

TEST(AdaNames, AFunctionHidesALiteral) {
  EXPECT_EQ(shows("type E is (A, B);\nfunction F return E is (A);",
                  "declare function A return E is (B); begin " + event("in", "A") + " end; ", "A"),
            "in.b v.a =end");
}

TEST(AdaNames, BlocksAndStandardNameWhatIsInThem) {
  EXPECT_EQ(traces(alone("", "Outer : declare X : Integer := 1; begin declare X : Standard.Integer := 2; begin " +
                                 event("v", "Outer.X, X") + " end; end Outer;")),
            Traces{"v.1.2 =end"});
}

TEST(AdaNames, AnOwnEqualityIsOneOfInequality) {
  EXPECT_EQ(shows("type T is record N : Integer; end record; A : T := (N => 1); B : T := (N => 2);\n"
                  "function \"=\" (X, Y : T) return Boolean is (True);",
                  "", "A = B, A /= B"),
            "v.true.false =end");
}

TEST(AdaNames, ARealLiteralIsNoInteger) {
  EXPECT_EQ(traces(alone("procedure Q (X : Float) is begin " + event("real") +
                             " end Q;\nprocedure Q (X : Integer) is begin " + event("whole") + " end Q;",
                         "Q (1.5); Q (1);")),
            Traces{"real whole =end"});
}

TEST(AdaNames, TheInnermostFitsAFormalSubprogram) {
  EXPECT_EQ(traces(alone("package A is procedure Q; generic with procedure Q is <>; procedure G; end A; use A;\n"
                         "package body A is procedure Q is begin " +
                             event("outer") + " end Q; procedure G is begin Q; end G; end A;\nprocedure Q is begin " +
                             event("inner") + " end Q;\nprocedure I is new G;",
                         "I;")),
            Traces{"inner =end"});
}

TEST(AdaNames, InheritedOperatorsAreRefused) {
  const auto all =
      traces(alone("package A is type T is range 0 .. 9; function \"+\" (X, Y : T) return T; end A;\n"
                   "package body A is function \"+\" (X, Y : T) return T is (0); end A;\n"
                   "type U is new A.T; X : U := 1;",
                   "X := X + 1;"));
  EXPECT_NE(all.begin()->find("the operator \"+\" of U is inherited"), std::string::npos) << *all.begin();
}

// ---- occurrences

TEST(AdaExceptions, AnOccurrenceIsRaisedAgainByItsName) {
  EXPECT_EQ(traces("with Ada.Exceptions; use Ada.Exceptions;\n" +
                   alone("A, B : exception;",
                         "begin\nbegin\nraise A;\nexception\nwhen X : A =>\nbegin raise B; exception when Y : B => "
                         "Reraise_Occurrence (X); end;\nend;\nexception\nwhen A => " +
                             event("a") + "\nwhen B => " + event("b") + "\nend;")),
            Traces{"a =end"});
}

TEST(AdaExceptions, ThatAreNotKnownAreNotRaised) {
  const auto all =
      traces("with Ada.Exceptions; use Ada.Exceptions;\n" + alone("Id : Exception_Id;", "Raise_Exception (Id);"));
  EXPECT_NE(all.begin()->find("which exception is raised here is not known"), std::string::npos) << *all.begin();
}

// ---- tasks of packages

TEST(AdaPackages, TheirTasksStartBeforeTheirStatements) {
  EXPECT_EQ(traces("procedure P is\npackage A is X : Integer := 0; task T; end A;\npackage body A is\n"
                   "task body T is N : Integer; begin N := X; " +
                   event("n", "N") + " end T;\nbegin\nX := 5;\nend A;\nbegin\nnull;\nend P;\n"),
            (Traces{"p.x.to.5 t.x.is.5 n.5 =end", "t.x.is.0 n.0 p.x.to.5 =end", "t.x.is.0 p.x.to.5 n.0 =end"}));
}

TEST(AdaPackages, InsideOfBlocksTheirStatementsMustNotMatter) {
  const auto all = traces(
      "procedure P is\nX : Integer := 0;\nbegin\ndeclare\npackage A is task T; end A;\n"
      "package body A is\ntask body T is begin " +
      event("x", "X") + " end T;\nbegin\nX := 5;\nend A;\nbegin\nnull;\nend;\nend P;\n");
  EXPECT_NE(all.begin()->find("tasks of a package start before this"), std::string::npos) << *all.begin();
}

TEST(AdaObjects, OfABlockBeginAnewWithoutACounterThatIsForgotten) {
  const auto all = traces(
      "procedure P is\nX : Boolean := False;\nbegin\ndeclare\nprotected O is procedure Up; private N : Integer := 0; "
      "end O;\n"
      "protected body O is procedure Up is begin N := N + 1; X := True; end Up; end O;\ntask T; task body T is begin "
      "loop "
      "O.Up; end loop; end T;\nbegin\nif X then null; end if; O.Up;\nend;\nend P;\n");
  EXPECT_EQ(all.begin()->find("internal"), std::string::npos);
}

}  // namespace
}  // namespace surety
