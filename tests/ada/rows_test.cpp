// Tiny programs, and all that they can do, worked out by hand from the reference manual (ARM).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ada/reading.hpp"
#include "ada/tiny.hpp"

namespace surety {
namespace {

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

TEST(AdaCalls, ATaskThatCallsItselfConditionallyGoesOn) {
  EXPECT_EQ(traces("procedure P is\ntask T is entry E; end T;\n"
                   "procedure Q is begin select T.E; else " +
                   event("else") +
                   " end select; end Q;\n"
                   "task body T is begin Q; accept E;\nend T;\nbegin\nnull;\nend P;\n"),
            Traces{"else =hang"});
}

// ---- values (1.2): what a program computes is told by events

std::string shows(const std::string& declarations, const std::string& values) {
  const Traces all = traces(alone(declarations, event("v", values)));
  return all.size() == 1 ? *all.begin() : fmt::format("{}", fmt::join(all, " | "));
}

TEST(AdaValues, AttributesOfDiscreteTypes) {
  EXPECT_EQ(shows("type C is (Red, Green, Blue); subtype D is C range Green .. Blue; X : C := Green;",
                  "C'Succ (X), C'Pred (X), C'Pos (X), C'Val (C'Pos (X) + 1), D'First, D'Last, D'Pos (D'First)"),
            "v.blue.red.1.blue.green.blue.1 =end");
  EXPECT_EQ(shows("A : array (2 .. 4) of Boolean := (others => True);", "A'First, A'Last, A'Length, Integer'Last"),
            "v.2.4.3.2147483647 =end");
  EXPECT_EQ(shows("X : Integer := 7;", "Integer'Min (X, 3), Integer'Max (X, 3)"), "v.3.7 =end");
}

TEST(AdaValues, RemainderAndQuotientOfNegativeNumbers) {
  EXPECT_EQ(shows("A : Integer := -7; B : Integer := 3;", "A mod B, A rem B, A / B, B mod A, B rem A, abs A, -A"),
            "v.2.-1.-2.-4.3.7.7 =end");
  EXPECT_EQ(shows("A : Integer := 2;", "A ** 10, (-A) ** 3, A ** 0"), "v.1024.-8.1 =end");
}

TEST(AdaValues, ModularTypesWrap) {
  EXPECT_EQ(shows("type M is mod 5; A : M := 4; B : M := 3;", "A + 1, B - A, A * B, A / B, A mod B, -B"),
            "v.0.4.2.1.1.2 =end");
  EXPECT_EQ(shows("type M is mod 8; A : M := 6; B : M := 3;", "A and B, A or B, A xor B, not A"), "v.2.7.5.1 =end");
  // The successor of the last value is the first (ARM 3.5.4(17)).
  EXPECT_EQ(shows("type M is mod 4; A : M := 3; B : M := 0;", "M'Succ (A), M'Pred (B)"), "v.0.3 =end");
}

TEST(AdaValues, ModularTypesOfOtherSizesWrapTheirLogic) {
  // not A is the last value minus A; xor can leave the range, and is taken modulo (ARM 4.5.1(4), 4.5.6(3)).
  EXPECT_EQ(shows("type M is mod 6; A : M := 5; B : M := 2;", "not A, A xor B, A or B"), "v.0.1.1 =end");
}

TEST(AdaValues, RangesAreCheckedWhereAdaChecks) {
  const auto fails = [](const std::string& declarations, const std::string& statements) {
    return traces(alone(declarations, statements + "\n" + event("after")));
  };
  const Traces failed{"p.fails.4.constraint_error =end"}, passed{"after =end"};
  EXPECT_EQ(fails("X : Integer range 0 .. 3 := 3;", "X := X + 1;"), failed);
  EXPECT_EQ(fails("X : Integer range 0 .. 3 := 3;", "X := (X + 1) - 1;"), passed);
  EXPECT_EQ(fails("X : Integer := Integer'Last;", "X := X + 1;"), failed);
  EXPECT_EQ(fails("X : Integer := Integer'First;", "X := -X;"), failed);
  EXPECT_EQ(fails("X : Integer := Integer'First;", "X := abs X;"), failed);
  EXPECT_EQ(fails("type T is range 0 .. 10; X : T := 10;", "X := X + 1;"), failed);
  EXPECT_EQ(fails("subtype S is Integer range 1 .. 2; X : Integer := 3;", "X := S (X);"), failed);
  EXPECT_EQ(fails("subtype S is Integer range 1 .. 2; X : Integer := 3;", "X := S'(X);"), failed);
  EXPECT_EQ(fails("type C is (A, B); X : C := B;", "X := C'Succ (X);"), failed);
  EXPECT_EQ(fails("type C is (A, B); N : Integer := 2; X : C := A;", "X := C'Val (N);"), failed);
  EXPECT_EQ(fails("type V is array (1 .. 2) of Integer; X : V := (1, 2); N : Integer := 3;", "X (N) := 1;"), failed);
  EXPECT_EQ(fails("type V is array (1 .. 2) of Integer; X : V := (1, 2); N : Integer := 3;", "N := X (N);"), failed);
  EXPECT_EQ(fails("type M is mod 4; N : Integer := 4; X : M := 0;", "X := M (N);"), failed);
  EXPECT_EQ(fails("N : Integer := 0;", "N := 1 / N;"), failed);
  EXPECT_EQ(fails("N : Integer := 0;", "N := 1 rem N;"), failed);
  EXPECT_EQ(fails("N : Integer := -1;", "N := 2 ** N;"), failed);
  EXPECT_EQ(fails("N : Natural := 0; procedure Q (X : Natural) is begin null; end Q;", "Q (N - 1);"), failed);
  EXPECT_EQ(fails("subtype S is Integer range 1 .. 2; N : Integer := 3; procedure Q (X : out Integer) is begin X := 3; "
                  "end Q; Y : S := 1;",
                  "Q (Y);"),
            failed);
  EXPECT_EQ(
      fails("function F return Positive is N : Integer := 0; begin return N; end F; X : Integer := 1;", "X := F;"),
      (Traces{"p.fails.2.constraint_error =end"}));
}

TEST(AdaValues, MembershipChecksNothing) {
  EXPECT_EQ(
      shows("subtype S is Integer range 1 .. 3; N : Integer := 9;", "N in S, N not in S, N in 1 | 9, N in 5 .. 9"),
      "v.false.true.true.true =end");
}

TEST(AdaValues, NullRangesAndLoops) {
  EXPECT_EQ(traces(alone("N : Integer := 0;", "for I in 1 .. N loop " + event("e") + " end loop;")), Traces{"=end"});
  EXPECT_EQ(
      traces(alone("N : Integer := 2;", "for I in reverse 1 .. N loop N := 5; " + event("e", "I") + " end loop;")),
      Traces{"e.2 e.1 =end"});
  EXPECT_EQ(traces(alone("type C is (A, B);", "for I in C loop " + event("e", "I") + " end loop;")),
            Traces{"e.a e.b =end"});
}

TEST(AdaValues, AggregatesArraysOfArraysAndRecordsWithDefaults) {
  EXPECT_EQ(
      shows("type R is record A : Integer := 4; B : Boolean := True; end record; X : R; Y : R := (B => False, A => 1);",
            "X.A, X.B, Y.A, Y.B"),
      "v.4.true.1.false =end");
  EXPECT_EQ(shows("type V is array (1 .. 2) of Integer; type G is array (0 .. 1) of V; X : G := (0 => (1, 2), others "
                  "=> (others => 7)); "
                  "I : Integer := 1;",
                  "X (0) (2), X (I) (I), X (I - 1) (1)"),
            "v.2.7.1 =end");
  EXPECT_EQ(shows("type M is array (0 .. 1, 0 .. 2) of Integer; X : M := ((1, 2, 3), (4, 5, 6)); I : Integer := 1;",
                  "X (I, 0), X (0, I + 1), X (1, 2)"),
            "v.4.3.6 =end");
  EXPECT_EQ(shows("type R is record A : Integer; end record; type V is array (1 .. 3) of R; X : V := (2 => (A => 5), "
                  "others => (A => 1)); "
                  "I : Integer := 2;",
                  "X (I).A, X (I + 1).A"),
            "v.5.1 =end");
}

TEST(AdaValues, ATargetMayOccurInTheAggregate) {
  EXPECT_EQ(traces(alone("type V is array (1 .. 2) of Integer; X : V := (1, 2);",
                         "X := (X (2), X (1)); " + event("e", "X (1), X (2)"))),
            Traces{"e.2.1 =end"});
}

TEST(AdaValues, CompositesAreComparedAsAWhole) {
  EXPECT_EQ(shows("type V is array (1 .. 2) of Integer; X : V := (1, 2); Y : V := (1, 2); Z : V := (2, 1);",
                  "X = Y, X = Z, X /= Z"),
            "v.true.false.true =end");
}

TEST(AdaValues, AVariableWithoutAValueHasAny) {
  EXPECT_EQ(traces(alone("X : Boolean;", event("e", "X") + event("f", "X"))),
            (Traces{"e.false f.false =end", "e.true f.true =end"}));
}

// ---- statements (1.4)

TEST(AdaStatements, CaseWithRangesSubtypesAndOthers) {
  const std::string text = "case N is when 0 => " + event("zero") + " when 1 .. 2 | 5 => " + event("some") +
                           " when S => " + event("s") + " when others => " + event("other") + " end case;";
  const auto with = [&](int n) {
    return *traces(alone(fmt::format("subtype S is Integer range 7 .. 8; N : Integer := {};", n), text)).begin();
  };
  EXPECT_EQ(with(0), "zero =end");
  EXPECT_EQ(with(2), "some =end");
  EXPECT_EQ(with(5), "some =end");
  EXPECT_EQ(with(8), "s =end");
  EXPECT_EQ(with(-4), "other =end");
}

TEST(AdaStatements, ExitLeavesTheNamedLoop) {
  EXPECT_EQ(
      traces(alone("", "Outer : for I in 1 .. 3 loop for J in 1 .. 3 loop " + event("e", "I, J") +
                           " exit Outer when I = 2; exit when J = 1; end loop; end loop Outer; " + event("done"))),
      Traces{"e.1.1 e.2.1 done =end"});
}

TEST(AdaStatements, GotoForwardsAndBack) {
  EXPECT_EQ(traces(alone("N : Integer := 0;", "<<Again>> N := N + 1; " + event("e", "N") +
                                                  " if N < 2 then goto Again; end if; goto Done; " + event("never") +
                                                  " <<Done>> null;")),
            Traces{"e.1 e.2 =end"});
}

TEST(AdaStatements, ShortCircuitsSkipTheirRightSide) {
  const std::string f =
      "function F (X : Boolean) return Boolean is begin " + event("f", "X") + " return X; end F; B : Boolean;";
  EXPECT_EQ(traces(alone(f, "B := F (False) and then F (True); B := F (True) or else F (False);")),
            Traces{"f.false f.true =end"});
  EXPECT_EQ(traces(alone(f, "B := F (False) and F (True); B := F (True) or F (False);")),
            Traces{"f.false f.true f.true f.false =end"});
}

TEST(AdaStatements, OperandsAreEvaluatedBeforeALaterFunctionChangesThem) {
  EXPECT_EQ(traces(alone("N : Integer := 1; function F return Integer is begin N := 10; return 5; end F;",
                         event("e", "N + F") + event("g", "F + N"))),
            Traces{"e.6 g.15 =end"});
}

TEST(AdaStatements, NestedSubprogramsSeeWhatIsAround) {
  EXPECT_EQ(traces("procedure P is\ntask T;\ntask body T is\nN : Integer := 1;\nprocedure Bump (X : in out Integer) is "
                   "begin X := X + N; N := N + 1; end Bump;\nM : Integer := 5;\nbegin\nBump (M); Bump (M); Bump (N); " +
                   event("e", "M, N") + "\nend T;\nbegin\nnull;\nend P;\n"),
            // By copy: N is 3, X is 3 + 3, N becomes 4, and then 6.
            Traces{"e.8.6 =end"});
}

// ---- exceptions (1.8)

// ---- loops over elements

TEST(AdaElements, AreVisitedInTheOrderOfTheIndices) {
  const std::string table = "A : array (1 .. 2, 1 .. 2) of Integer := ((1, 2), (3, 4));";
  EXPECT_EQ(traces(alone(table, "for X of A loop " + event("v", "X") + " end loop;")), Traces{"v.1 v.2 v.3 v.4 =end"});
  EXPECT_EQ(traces(alone(table, "for X of reverse A loop " + event("v", "X") + " end loop;")),
            Traces{"v.4 v.3 v.2 v.1 =end"});
}

TEST(AdaElements, AreVariables) {
  EXPECT_EQ(
      traces(alone("A : array (1 .. 3) of Integer := (1, 2, 3); S : Integer := 0;",
                   "for X of A loop X := X * 2; end loop;\nfor X : Integer of A loop S := S + X; exit when S > 5; "
                   "end loop;\n" +
                       event("v", "A (1), A (2), A (3), S"))),
      Traces{"v.2.4.6.6 =end"});
}

TEST(AdaElements, MayBeRecordsTasksAndArrays) {
  EXPECT_EQ(traces(alone("type R is record N : Integer; end record; A : array (1 .. 2) of R := ((N => 1), (N => 2));",
                         "for X of A loop X.N := X.N + 1; end loop;\n" + event("v", "A (1).N, A (2).N"))),
            Traces{"v.2.3 =end"});
  EXPECT_EQ(traces(alone("type Row is array (1 .. 2) of Integer; A : array (1 .. 2) of Row := ((1, 2), (3, 4));",
                         "for X of A loop for Y of X loop " + event("v", "Y") + " end loop; end loop;")),
            Traces{"v.1 v.2 v.3 v.4 =end"});
  EXPECT_EQ(traces("procedure P is\ntask type T is entry E; end T;\nA : array (1 .. 2) of T;\n"
                   "task body T is begin accept E; end T;\nbegin\nfor X of A loop X.E; end loop;\nend P;\n"),
            Traces{"a.1.e a.2.e =end"});
}

TEST(AdaElements, OfNothingAreNotVisited) {
  EXPECT_EQ(traces(alone("A : array (1 .. 0) of Integer;", "for X of A loop " + event("v") + " end loop;")),
            Traces{"=end"});
}

TEST(AdaElements, CanBeQuantifiedOver) {
  EXPECT_EQ(shows("A : array (1 .. 3) of Integer := (1, 2, 3);",
                  "(for all X of A => X > 0), (for all X of A => X > 1), (for some X of A => X = 3)"),
            "v.true.false.true =end");
}

TEST(AdaElements, AreRefusedWhereATaskInsideUsesThem) {
  EXPECT_EQ(refusal("procedure P is\nA : array (1 .. 2) of Integer := (1, 2);\nbegin\nfor X of A loop\n"
                    "declare task T; task body T is begin X := 0; end T; begin null; end;\nend loop;\nend P;\n"),
            "a task uses an element that the task around it has chosen: this is not supported");
}

// ---- renamings

TEST(AdaRenaming, OfEntriesAndProtectedOperations) {
  EXPECT_EQ(traces("procedure P is\ntask T is entry E (N : Integer); entry F (1 .. 2); end T;\n"
                   "protected O is procedure Put (N : Integer); function Get return Integer; private V : Integer := 0; "
                   "end O;\nprocedure Call (Number : Integer := 3) renames T.E;\nprocedure Second renames T.F (2);\n"
                   "procedure Set (N : Integer) renames O.Put; function Got return Integer renames O.Get;\n"
                   "protected body O is procedure Put (N : Integer) is begin V := N; end Put;\n"
                   "function Get return Integer is begin return V; end Get; end O;\n"
                   "task body T is begin accept E (N : Integer); accept E (N : Integer); accept F (2); end T;\n"
                   "begin\nCall (Number => 1); Call; Second; Set (7); " +
                   event("v", "Got") + "\nend P;\n"),
            Traces{"t.e.1 t.e.3 t.f.2 o.put.7 o.get.7 v.7 =end"});
}

TEST(AdaRenaming, AConditionalCallByAnotherName) {
  EXPECT_EQ(
      traces("procedure P is\ntask T is entry E; end T;\nprocedure Call renames T.E;\n"
             "task body T is begin accept E; end T;\nbegin\nselect Call; or delay 1.0; T.E; end select;\nend P;\n"),
      Traces{"t.e =end"});
}

TEST(AdaRenaming, ChoosesItsObjectOnce) {
  EXPECT_EQ(traces("procedure P is\ntask type T is entry E; end T;\nA : array (1 .. 2) of T;\n"
                   "task body T is begin select accept E; or terminate; end select; end T;\nI : Integer := 1;\nbegin\n"
                   "declare procedure Call renames A (I).E; begin I := 2; Call; end;\nend P;\n"),
            Traces{"a.1.e =end"});
}

TEST(AdaRenaming, OfAValueIsAConstant) {
  EXPECT_EQ(traces(alone("X : Integer := 1; function F return Integer is (X + 1);\nY : Integer renames F;",
                         "X := 5; " + event("v", "Y"))),
            Traces{"v.2 =end"});
}

TEST(AdaRenaming, AnEntryMayBeAnActualProcedure) {
  EXPECT_EQ(traces("procedure P is\ngeneric with procedure Send (N : Integer); procedure Twice;\n"
                   "procedure Twice is begin Send (1); Send (2); end Twice;\ntask T is entry E (N : Integer); end T;\n"
                   "procedure Both is new Twice (T.E);\n"
                   "task body T is begin accept E (N : Integer); accept E (N : Integer); end T;\n"
                   "begin\nBoth;\nend P;\n"),
            Traces{"t.e.1 t.e.2 =end"});
}

TEST(AdaExceptions, GoToTheInnermostHandlerThatFits) {
  EXPECT_EQ(
      traces(alone("E, F : exception;", "begin begin raise E; exception when F => " + event("f") +
                                            " end; exception when F | E => " + event("e") + " end; " + event("after"))),
      Traces{"e after =end"});
  EXPECT_EQ(traces(alone("E : exception;", "begin begin raise E; exception when others => " + event("h") +
                                               " raise; end; exception when Constraint_Error => " + event("no") +
                                               " when others => " + event("o") + " end;")),
            Traces{"h o =end"});
  // What a handler raises is not for its own body.
  EXPECT_EQ(
      traces(alone("E : exception;", "begin raise E; exception when E => raise Program_Error; when Program_Error => " +
                                         event("no") + " end;")),
      Traces{"p.fails.4.program_error =end"});
}

TEST(AdaExceptions, DeclarationsAreOutsideOfTheHandlers) {
  EXPECT_EQ(traces(alone("N : Integer := 0;",
                         "begin declare X : Positive := N; begin X := 1; exception when others => " + event("inner") +
                             " end; exception when others => " + event("outer") + " end;")),
            Traces{"outer =end"});
}

TEST(AdaExceptions, AnAssignmentThatFailsLeavesTheOldValue) {
  EXPECT_EQ(
      traces(alone("subtype S is Integer range 0 .. 1; X, A : S; Y : Integer := 5;",
                   "X := A; " + event("go") + " begin X := Y; exception when others => " + event("x", "X") + " end;")),
      (Traces{"go x.0 =end", "go x.1 =end"}));
}

TEST(AdaExceptions, OfASubprogramLeaveOutParametersAlone) {
  EXPECT_EQ(
      traces(alone("N : Integer := 1; procedure Q (X : in out Integer) is begin X := 7; raise Program_Error; end Q;",
                   "begin Q (N); exception when others => null; end; " + event("e", "N"))),
      Traces{"e.1 =end"});
}

// ---- communication (1.5)

// A server T with these entries and statements, and clients A and B; the main procedure does nothing.
std::string served(const std::string& entries, const std::string& server, const std::string& a,
                   const std::string& b = "", const std::string& declarations = "") {
  std::string out = fmt::format("procedure P is\n{}\ntask T is {} end T;\ntask A;\n{}", declarations, entries,
                                b.empty() ? "" : "task B;\n");
  out += fmt::format("task body T is\nbegin\n{}\nend T;\ntask body A is\nbegin\n{}\nend A;\n", server, a);
  if (!b.empty()) out += fmt::format("task body B is\nbegin\n{}\nend B;\n", b);
  return out + "begin\nnull;\nend P;\n";
}

TEST(AdaRendezvous, TwoCallersAtOneEntryInEitherOrder) {
  EXPECT_EQ(traces(served("entry E;", "accept E; accept E;", "T.E;", "T.E;")),
            (Traces{"t.e.from.a t.e.from.b =end", "t.e.from.b t.e.from.a =end"}));
}

TEST(AdaRendezvous, OneCallerTooMany) {
  // The second call is still waiting when T completes (ARM 9.5.3(21)).
  EXPECT_EQ(traces(served("entry E;", "accept E;", "T.E;", "T.E;")),
            (Traces{"t.e.from.a b.fails.16.tasking_error =end", "t.e.from.b a.fails.12.tasking_error =end"}));
}

TEST(AdaRendezvous, TheCallerWaitsForTheEndOfTheBody) {
  EXPECT_EQ(traces(served("entry E (X : in Integer; Y : out Integer; Z : in out Integer);",
                          "accept E (X : in Integer; Y : out Integer; Z : in out Integer) do " + event("body") +
                              " Y := X + 1; Z := Z * 2; end E;",
                          "declare U, V : Integer := 5; begin T.E (3, U, V); " + event("after", "U, V") + " end;")),
            Traces{"t.e.3.5 body t.e.end.4.10 after.4.10 =end"});
}

TEST(AdaRendezvous, OutParametersOfSharedVariablesAreWrittenByTheCaller) {
  EXPECT_EQ(traces(served("entry E (Y : out Integer);", "accept E (Y : out Integer) do Y := 2; end E; X := 3;",
                          "T.E (X);", "", "X : Integer range 0 .. 3 := 0;")),
            (Traces{"t.e t.e.end.2 a.x.to.2 t.x.to.3 =end", "t.e t.e.end.2 t.x.to.3 a.x.to.2 =end"}));
}

TEST(AdaRendezvous, SelectTakesAnyOpenAlternative) {
  EXPECT_EQ(
      traces(served("entry E; entry F;",
                    "select accept E; " + event("e") + " or accept F; " + event("f") + " end select;", "T.E;", "T.F;")),
      (Traces{"t.e e b.fails.16.tasking_error =end", "t.f f a.fails.12.tasking_error =end"}));
}

TEST(AdaRendezvous, GuardsAreEvaluatedOnceOnArrival) {
  EXPECT_EQ(traces(served("entry E; entry F;", "select when X => accept E; or accept F; end select;", "X := True; T.E;",
                          "T.F;", "X : Boolean := False;")),
            (Traces{"t.x.is.false a.x.to.true t.f a.fails.12.tasking_error =end",
                    "t.x.is.false t.f a.x.to.true a.fails.12.tasking_error =end",
                    "a.x.to.true t.x.is.true t.e b.fails.16.tasking_error =end",
                    "a.x.to.true t.x.is.true t.f a.fails.12.tasking_error =end"}));
}

TEST(AdaRendezvous, AllAlternativesClosed) {
  EXPECT_EQ(
      traces(served("entry E;", "select when False => accept E; or when 1 > 2 => accept E; end select;", "null;")),
      Traces{"t.fails.7.program_error =end"});
  EXPECT_EQ(
      traces(served("entry E;", "select when False => accept E; else " + event("else") + " end select;", "null;")),
      Traces{"else =end"});
}

TEST(AdaRendezvous, ElseAndDelayCanBeTakenThoughSomebodyCalls) {
  for (const char* last : {"else ", "or delay 1.0; "})
    EXPECT_EQ(
        traces(served("entry E;", fmt::format("select accept E; {}{} end select;", last, event("other")), "T.E;")),
        (Traces{"t.e =end", "other a.fails.11.tasking_error =end"}));
}

TEST(AdaRendezvous, ConditionalAndTimedCalls) {
  for (const char* last : {"else ", "or delay 1.0; "})
    EXPECT_EQ(traces(served("entry E;", "accept E;",
                            fmt::format("select T.E; {} {}{} end select;", event("called"), last, event("other")))),
              (Traces{"t.e called =end", "other =hang"}));
}

TEST(AdaRendezvous, ConditionalCallOfACompletedTask) {
  EXPECT_EQ(
      traces(served("entry E; entry F;", "accept F;", "T.F; select T.E; else " + event("other") + " end select;")),
      (Traces{"t.f a.fails.11.tasking_error =end", "t.f other =end"}));
}

// Once it is known that it has completed, the delay is not waited for.
TEST(AdaRendezvous, TimedCallOfACompletedTask) {
  EXPECT_EQ(traces(served("entry E;", "null;",
                          "begin T.E; exception when Tasking_Error => null; end; select T.E; or delay 1.0; " +
                              event("late") + " end select; exception when Tasking_Error => " + event("gone"))),
            Traces{"gone =end"});
}

TEST(AdaRendezvous, TaskingErrorCanBeHandled) {
  EXPECT_EQ(traces(served("entry E;", "null;", "T.E; exception when Tasking_Error => " + event("gone"))),
            Traces{"gone =end"});
}

TEST(AdaRendezvous, FamiliesOfEntries) {
  EXPECT_EQ(traces(served("entry E (1 .. 2) (X : Boolean);",
                          "for I in reverse 1 .. 2 loop accept E (I) (X : Boolean) do " + event("e", "I, X") +
                              " end E; end loop;",
                          "T.E (1) (True);", "T.E (2) (False);")),
            Traces{"t.e.2.false e.2.false t.e.2.end t.e.1.true e.1.true t.e.1.end =end"});
}

TEST(AdaRendezvous, FamiliesIndexedByAnEnumeration) {
  EXPECT_EQ(traces(served("entry E (C);", "accept E (Green); accept E (Red);", "T.E (Red);", "T.E (Green);",
                          "type C is (Red, Green);")),
            Traces{"t.e.green t.e.red =end"});
}

TEST(AdaRendezvous, ADeathInTheBodyGoesOnInBoth) {
  EXPECT_EQ(traces(served("entry E;", "accept E do raise Program_Error; end E;", "T.E;")),
            (Traces{"t.e t.e.raised.program_error a.fails.11.program_error t.fails.7.program_error =end",
                    "t.e t.e.raised.program_error t.fails.7.program_error a.fails.11.program_error =end"}));
  EXPECT_EQ(
      traces(served("entry E;",
                    "begin accept E do raise Program_Error; end E; exception when others => " + event("t") + " end;",
                    "begin T.E; exception when Program_Error => " + event("a") + " end;")),
      (Traces{"t.e t.e.raised.program_error a t =end", "t.e t.e.raised.program_error t a =end"}));
  // Handled inside, it is nobody else's.
  EXPECT_EQ(
      traces(served("entry E;",
                    "accept E do begin raise Program_Error; exception when others => " + event("in") + " end; end E;",
                    "T.E;")),
      Traces{"t.e in t.e.end =end"});
}

TEST(AdaRendezvous, ABodyMayAcceptAndCall) {
  EXPECT_EQ(traces(served("entry E; entry F;", "accept E do accept F do " + event("both") + " end F; end E;", "T.E;",
                          "T.F;")),
            Traces{"t.e t.f both t.f.end t.e.end =end"});
}

TEST(AdaRendezvous, ReturnLeavesTheBody) {
  EXPECT_EQ(traces(served("entry E;", "accept E do return; " + event("never") + " end E; " + event("after"), "T.E;")),
            Traces{"t.e t.e.end after =end"});
}

TEST(AdaRendezvous, SomeAcceptsWithBodiesAndSomeWithout) {
  EXPECT_EQ(traces(served("entry E;", "accept E; accept E do " + event("body") + " end E;", "T.E; T.E;")),
            Traces{"t.e t.e.end t.e body t.e.end =end"});
}

TEST(AdaRendezvous, TerminateOnlyWithAllOthers) {
  EXPECT_EQ(traces(served("entry E;", "loop select accept E; or terminate; end select; end loop;", "T.E; T.E;")),
            Traces{"t.e t.e =end"});
  // B waits for ever, so T cannot terminate.
  EXPECT_EQ(
      traces(served("entry E; entry F;", "loop select accept E; or terminate; end select; end loop;", "T.E;", "T.F;")),
      Traces{"t.e =hang"});
}

TEST(AdaRendezvous, ActualParametersAreCheckedByTheCaller) {
  EXPECT_EQ(traces(served("entry E (X : Natural);", "accept E (X : Natural);",
                          "declare N : Integer := -1; begin T.E (N); end;")),
            Traces{"a.fails.11.constraint_error =hang"});
}

TEST(AdaTasks, ArraysDiscriminantsAndIndices) {
  // D is 1 for A (1) and 2 for A (2): the function is called once for each, in order.
  const Traces all = traces(
      "procedure P is\nN : Integer := 0;\nfunction Next return Integer is begin N := N + 1; return N; end Next;\n"
      "task type W (D : Integer := Next) is entry E; end W;\nA : array (1 .. 2) of W;\n"
      "task body W is begin accept E; " +
      event("d", "D") + " end W;\nbegin\nfor I in A'Range loop A (I).E; end loop;\nend P;\n");
  EXPECT_EQ(all, (Traces{"a.1.e a.2.e d.1 d.2 =end", "a.1.e a.2.e d.2 d.1 =end", "a.1.e d.1 a.2.e d.2 =end"}));
}

TEST(AdaTasks, NamesAreToldApartByTheirPackages) {
  EXPECT_EQ(traces("procedure P is\n"
                   "package A is X : Integer range 0 .. 3 := 1; task T is entry E; end T; end A;\n"
                   "package B is X : Integer range 0 .. 3 := 2; task T is entry E; end T; end B;\n"
                   "package body A is task body T is begin accept E; X := 3; end T; end A;\n"
                   "package body B is task body T is begin X := 0; accept E; end T; end B;\n"
                   "begin\nB.T.E; A.X := B.X; A.T.E;\nend P;\n"),
            Traces{"b.t.b.x.to.0 b.t.e p.b.x.is.0 p.x.to.0 t.e t.x.to.3 =end"});
}

// ---- protected objects (1.6)

std::string guarded(const std::string& specification, const std::string& hidden, const std::string& body,
                    const std::string& a, const std::string& b = "") {
  std::string out =
      fmt::format("procedure P is\nprotected O is {} private {} end O;\nprotected body O is {} end O;\ntask A;\n{}",
                  specification, hidden, body, b.empty() ? "" : "task B;\n");
  out += fmt::format("task body A is\nbegin\n{}\nend A;\n", a);
  if (!b.empty()) out += fmt::format("task body B is\nbegin\n{}\nend B;\n", b);
  return out + "begin\nnull;\nend P;\n";
}

TEST(AdaProtected, EntriesWaitForTheirBarriers) {
  EXPECT_EQ(
      traces(guarded("procedure Put (X : Integer); entry Get (X : out Integer);",
                     "N : Integer := 0; Full : Boolean := False;",
                     "procedure Put (X : Integer) is begin N := X; Full := True; end Put; entry Get (X : out Integer) "
                     "when Full is begin X := N; Full := False; end Get;",
                     "O.Put (4);", "declare Y : Integer; begin O.Get (Y); " + event("y", "Y") + " end;")),
      Traces{"o.put.4 o.get.4 y.4 =end"});
}

TEST(AdaProtected, FunctionsShowTheirResults) {
  EXPECT_EQ(
      traces(guarded("function F (X : Integer) return Boolean; procedure Q;", "N : Integer := 1;",
                     "function F (X : Integer) return Boolean is begin return X > N; end F; procedure Q is begin N := "
                     "N + 1; end Q;",
                     "O.Q; if O.F (2) then " + event("yes") + " else " + event("no") + " end if;")),
      Traces{"o.q o.f.2.false no =end"});
}

TEST(AdaProtected, AnExceptionKeepsWhatWasDone) {
  EXPECT_EQ(traces(guarded(
                "procedure Q; function F return Integer;", "N : Integer := 1;",
                "procedure Q is begin N := 2; raise Program_Error; end Q; function F return Integer is begin return "
                "N; end F;",
                "begin O.Q; exception when Program_Error => " + event("e", "O.F") + " end;")),
            Traces{"o.q.raised.program_error o.f.2 e.2 =end"});
}

TEST(AdaProtected, ConditionalCallOfAnEntry) {
  EXPECT_EQ(
      traces(guarded("entry E; procedure Open;", "Is_Open : Boolean := False;",
                     "entry E when Is_Open is begin null; end E; procedure Open is begin Is_Open := True; end Open;",
                     "select O.E; else " + event("closed") + " end select; O.Open; select O.E; else " + event("no") +
                         " end select;")),
      Traces{"closed o.open o.e =end"});
}

TEST(AdaProtected, TimedCallOfAnEntryThatIsOpen) {
  EXPECT_EQ(traces(guarded("entry E;", "Is_Open : Boolean := True;", "entry E when Is_Open is begin null; end E;",
                           "select O.E; or delay 1.0; " + event("late") + " end select;")),
            Traces{"o.e =end"});
}

TEST(AdaProtected, FamiliesOfEntries) {
  EXPECT_EQ(traces(guarded("entry E (1 .. 2);", "N : Integer := 2;",
                           "entry E (for I in 1 .. 2) when I = N is begin N := N - 1; end E;", "O.E (1);", "O.E (2);")),
            Traces{"o.e.2 o.e.1 =end"});
}

TEST(AdaProtected, ABarrierThatFailsIsAProgramErrorOfItsCallers) {
  // ARM 9.5.3(7).
  EXPECT_EQ(traces(guarded("entry E;", "N : Integer := 0;", "entry E when 1 / N = 1 is begin null; end E;", "O.E;")),
            Traces{"o.e.raised.program_error a.fails.7.program_error =end"});
}

// ---- conformance tests (7.1)

std::string two_objects(const std::string& body, const std::string& more = "") {
  return "procedure P is\nprotected Q is procedure Put (N : Integer); function Get return Integer; " + more +
         " private V : Integer := 0; end Q;\n"
         "protected O is procedure Go; procedure Again; private Count : Integer := 0; end O;\n"
         "protected body O is procedure Again is begin Count := Count + 1; end Again;\nprocedure Go is begin\n" +
         body +
         "\nend Go; end O;\n"
         "protected body Q is procedure Put (N : Integer) is begin V := N; end Put;\n"
         "function Get return Integer is begin return V; end Get; " +
         (more.empty() ? "" : "entry E when True is begin null; end E;") +
         " end Q;\nN : Integer;\nbegin\nO.Go; N := Q.Get;\nend P;\n";
}

TEST(AdaProtected, AnOperationMayCallOneOfItsOwn) {
  EXPECT_EQ(traces(two_objects("Again; Again;")), Traces{"o.go q.get.0 =end"});
}

TEST(AdaProtected, AnOperationMayCallOneOfAnotherObject) {
  EXPECT_EQ(traces(two_objects("Count := 4; Q.Put (Count + 1); Count := 0;")), Traces{"o.go q.get.5 =end"});
  EXPECT_EQ(traces(two_objects("if Count = 0 then Count := Q.Get; end if;")), Traces{"o.go q.get.0 =end"});
}

TEST(AdaProtected, TwoCallsOfOtherObjectsAreNotOneStep) {
  EXPECT_EQ(refusal(two_objects("Q.Put (1); Q.Put (2);")),
            "a protected operation calls Q.Put: it is the second call of its kind, so this is not one step, and "
            "not supported");
  EXPECT_EQ(refusal(two_objects("for I in 1 .. 2 loop Q.Put (I); end loop;")),
            "Go calls another protected object in a loop: this is not one step, and not supported");
  EXPECT_EQ(refusal(two_objects("Q.E;", "entry E;")), "a protected operation calls the entry Q.E: it must not wait");
}

TEST(AdaProtected, ObjectsThatCallEachOtherUseNoVariablesOutside) {
  std::string text = two_objects("Q.Put (1); X := 2;");
  text.insert(text.find("protected Q"), "X : Integer := 0;\n");
  text.replace(text.find("O.Go;"), 5, "O.Go; X := 3;");
  EXPECT_EQ(refusal(text),
            "an operation of one of Q and O calls the other, and they use variables outside: this is not supported");
}

TEST(AdaProtected, OperationsMayBeCalledWhileDeclarationsAreElaborated) {
  EXPECT_EQ(
      traces("procedure P is\nprotected O is procedure Put (N : Integer); function Get return Integer; private V : "
             "Integer := 1; end O;\nprotected body O is procedure Put (N : Integer) is begin V := V + N; end Put;\n"
             "function Get return Integer is begin return V; end Get; end O;\n"
             "package Inner is end Inner; package body Inner is begin O.Put (3); end Inner;\n"
             "A : array (1 .. O.Get) of Integer := (others => 0);\nbegin\n" +
             event("v", "A'Length, O.Get") + "\nend P;\n"),
      Traces{"o.get.4 v.4.4 =end"});
}

TEST(AdaProtected, ABarrierIsNotLookedAtAgainWhenOthersChangeAVariable) {
  const auto program = [](const std::string& main) {
    return "procedure P is\nX : Boolean := False;\nprotected O is entry E; procedure Set; end O;\n"
           "protected body O is entry E when X is begin null; end E;\n"
           "procedure Set is begin X := True; end Set; end O;\ntask T; task body T is begin O.E; end T;\nbegin\n" +
           main + "\nend P;\n";
  };
  EXPECT_EQ(traces(program("O.Set;")), Traces{"o.set o.e =end"});
  EXPECT_EQ(refusal(program("X := True;")),
            "the barrier of o.e uses X, and is not looked at again when others change it: this is not supported");
}

TEST(AdaKnown, ReportOfTheConformanceTestsTellsOfFailures) {
  EXPECT_EQ(traces("with Report; use Report;\nprocedure P is\nN : Integer := Ident_Int (2);\nbegin\n"
                   "Test (\"X\", \"y\"); if N /= 2 then Failed (\"wrong\"); end if;\n"
                   "if Report.Ident_Bool (N = 2) then Report.Failed (\"right\"); end if; Result;\nend P;\n"),
            Traces{"failed =end"});
}

}  // namespace
}  // namespace surety
