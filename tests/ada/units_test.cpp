// Units, their names and their types; and the units that the tool itself brings along.

#include <gtest/gtest.h>

#include <filesystem>

#include "ada/reading.hpp"
#include "ada/tiny.hpp"
#include "base/file.hpp"
#include "paths.hpp"

namespace surety {
namespace {

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

TEST(AdaKnownUnits, SemaphoresMayHaveTheDefaultPriority) {
  EXPECT_EQ(traces("with GNAT.Semaphores; with System; procedure P is\n"
                   "S : GNAT.Semaphores.Counting_Semaphore (1, System.Default_Priority);\nbegin\nS.Seize;\nend P;\n"),
            Traces{"s.seize =end"});
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

TEST(AdaKnownUnits, RandomNumbersAreChoicesAlsoByUse) {
  EXPECT_EQ(traces("with Ada.Numerics.Discrete_Random;\nprocedure P is\nsubtype R is Integer range 1 .. 2;\n"
                   "package Dice is new Ada.Numerics.Discrete_Random (R);\nuse Dice;\nG : Generator;\nbegin\n"
                   "Reset (G); " +
                   event("v", "Random (G) + 10") + event("w", "Dice.Random (G)") + "\nend P;\n"),
            (Traces{"v.11 w.1 =end", "v.11 w.2 =end", "v.12 w.1 =end", "v.12 w.2 =end"}));
}

TEST(AdaKnownUnits, RandomNumbersMayBeInitialValues) {
  const auto program = [](const std::string& declarations, const std::string& statements) {
    return "with Ada.Numerics.Discrete_Random;\nprocedure P is\nsubtype Die is Integer range 1 .. 2;\n"
           "package R is new Ada.Numerics.Discrete_Random (Die); G : R.Generator;\n"
           "function Roll return Die is begin return R.Random (G); end Roll;\n" +
           declarations + "\nbegin\n" + statements + "\nend P;\n";
  };
  EXPECT_EQ(traces(program("X : Die := Roll; Y : Die := R.Random (G);", event("v", "X, Y, X"))),
            (Traces{"v.1.1.1 =end", "v.1.2.1 =end", "v.2.1.2 =end", "v.2.2.2 =end"}));
  EXPECT_EQ(refusal(program("X : Die := Roll; Y : Die := X;", "null;")), "X is read before it has a value");
  EXPECT_EQ(refusal(program("X : constant Die := Roll;", "null;")),
            "a constant with a random value is not supported here");
  EXPECT_EQ(refusal(program("X : Integer := Roll + 1;", "null;")),
            "what is elaborated here depends on a value that is not modelled");
}

TEST(AdaKnownUnits, RandomNumbersOfTypesThatAreNotTooLargeAreModelled) {
  const auto choices = [](int most) {
    std::string why;
    const auto follower = Follower::make(
        fmt::format("with Ada.Numerics.Discrete_Random;\nprocedure P is\nsubtype D is Integer range 1 .. {};\n"
                    "package R is new Ada.Numerics.Discrete_Random (D); G : R.Generator;\nN : D;\nbegin\n"
                    "N := R.Random (G); if N > 70 then {} end if;\nend P;\n",
                    most, event("a")),
        "test.adb", why);
    EXPECT_NE(follower, nullptr) << why;
    return follower->network().choices.size();
  };
  EXPECT_EQ(choices(256), 0U);
  EXPECT_NE(choices(257), 0U);
}

TEST(AdaKnownUnits, OwnNamesAndThoseOfAUseClause) {
  // Put with two parameters is not the entry, which has one.
  EXPECT_EQ(traces("with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;\nprocedure P is\n"
                   "protected O is entry Put (X : Integer); end O;\n"
                   "protected body O is entry Put (X : Integer) when True is begin Put (X, 4); end Put; end O;\n"
                   "begin\nO.Put (1);\nend P;\n"),
            Traces{"o.put.1 =end"});
}

TEST(AdaKnownUnits, ExceptionsMayBeRaisedByProcedures) {
  EXPECT_EQ(traces("with Ada.Exceptions; use Ada.Exceptions;\nprocedure P is\nWrong : exception;\nbegin\n"
                   "begin\nRaise_Exception (Wrong'Identity, \"x\");\nexception\nwhen E : Wrong => " +
                   event("wrong") + " Reraise_Occurrence (E);\nend;\nend P;\n"),
            Traces{"wrong p.fails.8.wrong =end"});
}

// ---- access to objects that are made once

TEST(AdaAccess, DiscriminantsNameObjects) {
  EXPECT_EQ(
      traces("procedure P is\nprotected type Lock is entry Take; private Free : Boolean := True; end Lock;\n"
             "protected body Lock is entry Take when Free is begin Free := False; end Take; end Lock;\n"
             "type Name is access all Lock;\n"
             "task type W (N : Integer; First : not null access Lock; Second : Name);\n"
             "task body W is begin First.Take; Second.Take; end W;\n"
             "L : array (1 .. 2) of aliased Lock;\nX : W (1, L (2)'Access, L (1)'Access);\nbegin\nnull;\nend P;\n"),
      Traces{"l.2.take l.1.take =end"});
}

TEST(AdaAccess, AnotherAssignmentIsRefused) {
  EXPECT_EQ(reading("procedure P is\ntype A is access Integer;\nX : A := new Integer'(1);\nY : A := new Integer'(2);\n"
                    "begin\nX := Y;\nend P;\n")
                .errors,
            std::vector<std::string>{"an access object that is assigned again is not supported"});
}

TEST(AdaAccess, AStatementMayMakeATask) {
  const auto program = [](const std::string& statements) {
    return "procedure P is\ntask type T (N : Integer) is entry E; end T;\ntype T_Access is access T;\nX : T_Access;\n"
           "task body T is begin " +
           event("begins", "N") + " accept E; end T;\nbegin\n" + statements + "\nend P;\n";
  };
  EXPECT_EQ(traces(program(event("before") + " X := new T (3); X.E; " + event("after"))),
            Traces{"before begins.3 x.e after =end"});
  // Before that it is null.
  EXPECT_EQ(traces(program("if X = null then " + event("null") + " end if; X.E; X := new T (3);")),
            Traces{"null p.fails.7.constraint_error =end"});
}

TEST(AdaAccess, AnotherTaskSeesTheObjectOnlyWhenItIsThere) {
  EXPECT_EQ(traces("procedure P is\ntask type T is entry E; end T;\ntype T_Access is access T;\nX : T_Access;\n"
                   "task body T is begin select accept E; or terminate; end select; end T;\ntask U;\n"
                   "task body U is begin\nif X /= null then\nX.E; end if; end U;\nbegin\nX := new T;\nend P;\n"),
            (Traces{"p.x.ref.to.set u.x.ref.is.set u.x.ref.is.set x.e =end", "u.x.ref.is.null p.x.ref.to.set =end"}));
}

TEST(AdaAccess, AStatementMayMakeAVariable) {
  EXPECT_EQ(traces(alone("type R is record A, B : Integer := 1; end record; type R_Access is access R; X : R_Access;",
                         "X := new R'(2, 3); X.A := X.A + X.B; " + event("v", "X.A, X.all.B"))),
            Traces{"v.5.3 =end"});
}

TEST(AdaAccess, TasksMadeInALoopAreRefused) {
  const auto program = [](const std::string& declaration, const std::string& statement) {
    return "procedure P is\ntask type T; type T_Access is access T;\n" + declaration +
           "\ntask body T is begin null; end T;\nbegin\nfor I in 1 .. 3 loop\n" + statement + "\nend loop;\nend P;\n";
  };
  EXPECT_EQ(refusal(program("X : T_Access;", "X := new T;")),
            "tasks made in a loop are not supported: their number must be known");
  EXPECT_EQ(refusal(program("X : array (1 .. 3) of T_Access;", "X (I) := new T;")),
            "arrays of access values are not supported");
}

TEST(AdaAccess, ValuesThatAreHandedOnAreRefused) {
  const auto program = [](const std::string& declarations) {
    return "procedure P is\ntask type T; type T_Access is access T;\ntask body T is begin null; end T;\n" +
           declarations + "\nbegin null; end P;\n";
  };
  EXPECT_EQ(refusal(program("function F return T_Access;")), "functions that return access values are not supported");
  EXPECT_EQ(
      refusal(program("task U is entry E (X : T_Access); end U; task body U is begin accept E (X : T_Access); end U;")),
      "access parameters of entries and protected operations are not supported");
  EXPECT_EQ(refusal(program("type R is record X : T_Access; end record;")), "access types are not supported");
}

TEST(AdaAccess, AnAssignmentByAnExpandedNameIsOne) {
  const auto program = [](const std::string& statements) {
    return "procedure P is\npackage A is type R is record N : Integer := 1; end record; type R_Access is access R;\n"
           "X : R_Access := new R; Y : R_Access := new R; end A;\nbegin\n" +
           statements + "\nend P;\n";
  };
  EXPECT_EQ(refusal(program("A.X := A.Y;")), "an access object that is assigned again is not supported");
  EXPECT_EQ(traces(program("A.X.all := (N => 2); A.Y.N := 3; " + event("v", "A.X.N, A.Y.N"))), Traces{"v.2.3 =end"});
}

TEST(AdaAccess, ATaskDoesNotStartBeforeItsBody) {
  EXPECT_EQ(refusal("procedure P is\ntask type T; type T_Access is access T;\nX : T_Access := new T;\n"
                    "task body T is begin null; end T;\nbegin null; end P;\n"),
            "program_error is raised here: T starts before its body is elaborated");
}

// ---- library tasks

TEST(AdaLibraryTasks, SeeWhatTheirPackageDoesAfterTheyHaveStarted) {
  const auto program = [](const std::string& main) {
    return "package A is X : Integer := 0; task T; end A;\n"
           "package body A is task body T is begin if X = 1 then " +
           event("one") + " end if; end T;\nbegin X := 1; X := 2; end A;\nwith A; procedure P is\n" + main +
           "begin null; end P;\n";
  };
  EXPECT_EQ(traces(program("")), (Traces{"p.x.to.1 p.x.to.2 t.x.is.2 =end", "p.x.to.1 t.x.is.1 one p.x.to.2 =end",
                                         "p.x.to.1 t.x.is.1 p.x.to.2 one =end", "t.x.is.0 p.x.to.1 p.x.to.2 =end"}));
  EXPECT_EQ(refusal(program("task U; task body U is begin null; end U;\n")),
            "X gets a value by elaboration after T, which uses it, has started: this is not supported");
}

TEST(AdaLibraryTasks, MayBeCalledByTheirPackage) {
  const auto program = [](const std::string& main) {
    return "package A is X : Integer := 0; task T is entry E (N : out Integer); entry F; end T; end A;\n"
           "package body A is task body T is begin accept E (N : out Integer) do N := 7; end E; accept F; end T;\n"
           "begin T.E (X); X := X + 1; end A;\nwith A; procedure P is\n" +
           main;
  };
  EXPECT_EQ(traces(program("begin A.T.F; " + event("v", "A.X") + " end P;\n")), Traces{"t.e t.e.end.7 t.f v.8 =end"});
  EXPECT_EQ(refusal(program("Y : Integer := A.X; begin A.T.F; end P;\n")),
            "this package body calls entries, and elaboration after it uses X, too: this is not supported");
  EXPECT_EQ(refusal(program("task U; task body U is begin null; end U; begin A.T.F; end P;\n")),
            "this package body calls entries, and other tasks start later: this is not supported");
}

TEST(AdaLibraryTasks, MayNotChangeWhatElaborationReads) {
  EXPECT_EQ(refusal("package A is X, Y : Integer := 0; task T; end A;\n"
                    "package body A is task body T is begin X := 1; Y := X; end T;\nbegin Y := X; end A;\n"
                    "with A; procedure P is\nbegin null; end P;\n"),
            "X is read by elaboration after T, which writes it, has started: this is not supported");
}

// ---- many values

std::set<std::string> choices(const std::string& text) {
  std::string why;
  const auto follower = Follower::make(text, "test.adb", why);
  if (follower == nullptr) return {why};
  std::set<std::string> out;
  for (const auto& [action, on] : follower->network().choices) out.emplace(follower->actions().name(action));
  return out;
}

TEST(AdaOpaque, ChoicesSayWhatWasChosen) {
  const std::string clock = "with Ada.Calendar; use Ada.Calendar;\nprocedure P is\n";
  EXPECT_EQ(choices(clock + "task T is entry E; entry F (1 .. 2); end T;\ntask body T is begin\nselect\n"
                            "when Seconds (Clock) > 1.0 => accept E; or when Seconds (Clock) > 2.0 => accept F (2); or "
                            "delay 1.0; end select;\nend T;\nbegin\nnull;\nend P;\n"),
            (std::set<std::string>{"t.choice.5.e.closed", "t.choice.5.e.open", "t.choice.5.f.2.closed",
                                   "t.choice.5.f.2.open"}));
  EXPECT_EQ(
      choices(clock + "A : array (1 .. 2) of Integer := (0, 0);\nN : Integer := 1;\nbegin\n"
                      "N := Integer (Seconds (Clock));\nA (N) := 1;\nif N > 1 then A (1) := 0; end if;\nend P;\n"),
      (std::set<std::string>{"p.choice.7.a.1", "p.choice.7.a.2", "p.choice.8.no", "p.choice.8.yes"}));
}

TEST(AdaOpaque, ChecksThatCouldFailAreNamed) {
  const auto unchecked = [](const std::string& statement) {
    std::string why;
    const auto follower = Follower::make(
        "with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;\nprocedure P is\n"
        "N : Integer; I : Integer range 0 .. 2; A : array (0 .. 2) of Integer;\n"
        "task T is entry E (X : Integer); end T;\n"
        "task body T is begin accept E (X : Integer) do A (X) := 1; end E; end T;\n"
        "begin\nGet (N);\n" +
            statement + "\nend P;\n",
        "test.adb", why);
    return follower == nullptr ? std::vector{why} : follower->network().unchecked;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(unchecked("I := N mod 3; if N > 3 then I := (N / 2) mod 2; end if; T.E (1);"), Lines{});
  EXPECT_EQ(unchecked("I := N; T.E (1);"), Lines{"line 8 (I := N; T.E (1);)"});
  EXPECT_EQ(unchecked("T.E (1);\nN := N + 1;"), Lines{"line 9 (N := N + 1;)"});
  EXPECT_EQ(unchecked("T.E (1);\nI := 1 / N;"), Lines{"line 9 (I := 1 / N;)"});
  EXPECT_EQ(
      unchecked("T.E (1);\ndeclare\nF : Float range 0.0 .. 1.0 := 0.5; G : Float := 2.0;\nbegin\nF := G;\nF := 0.0;\n"
                "G := F;\nend;"),
      Lines{"line 12 (F := G;)"});
  EXPECT_EQ(unchecked("T.E (N);"), Lines{"line 5 (A (X) := 1; end E; end T;)"});
}

TEST(AdaSizes, VariablesWithTooManyValuesAreNotModelled) {
  const AdaReading read = reading(
      "procedure P is\ntask T is entry E (X : Integer); end T;\ntask body T is N : Integer := 0; begin\n"
      "loop select accept E (X : Integer) do N := X; end E; or terminate; end select; end loop; end T;\n"
      "Count : Integer := 0;\nbegin\nloop Count := Count + 1; T.E (Count); end loop;\nend P;\n");
  EXPECT_TRUE(read.errors.empty());
  EXPECT_EQ(read.warnings, std::vector<std::string>{
                               "Count takes too many values: neither they nor the checks of its range are modelled"});
}

// Of 80 smokers both the agent and the table have many states alone. The table has few if it knows the agent.
TEST(AdaSizes, ALargeTaskIsExploredBesideAnotherLargeOne) {
  std::string text = read_file(std::filesystem::path(SURETY_EXAMPLES) / "smokers/smokers.adb").value();
  const std::string two = "K : constant := 2;", many = "K : constant := 80;";
  text.replace(text.find(two), two.size(), many);
  EXPECT_EQ(reading(text).warnings, std::vector<std::string>{});
  std::string why;
  const auto follower = Follower::make(text, "smokers.adb", why);
  ASSERT_NE(follower, nullptr) << why;
  for (const Component& c : follower->network().network.components) EXPECT_LT(c.lts.state_count(), 10'000U) << c.name;
}

TEST(AdaSizes, WhatAProgramDoesNotReachDoesNotCount) {
  // Alone, the server adds for ever; here it is called twice.
  const std::string text =
      "procedure P is\ntask Bank is entry Put (X : Integer); entry Get (X : out Integer); end Bank;\n"
      "task body Bank is Sum : Integer := 0; begin loop select accept Put (X : Integer) do Sum := Sum + X; end Put;\n"
      "or accept Get (X : out Integer) do X := Sum; end Get; or terminate; end select; end loop; end Bank;\n"
      "N : Integer;\nbegin\nBank.Put (3); Bank.Put (4); Bank.Get (N);\n" +
      event("sum", "N") + "\nend P;\n";
  EXPECT_TRUE(reading(text).warnings.empty());
  EXPECT_EQ(traces(text), Traces{"bank.put.3 bank.put.end bank.put.4 bank.put.end bank.get bank.get.end.7 sum.7 =end"});
}

// A variable that alone would be counted for ever; after the statements its value is an event.
std::string counted(const std::string& declarations, const std::string& statements) {
  return "procedure P is\nN : Integer := 0; pragma Atomic (N);\n" + declarations + "\nbegin\n" + statements + "\n" +
         event("n", "N") + "\nend P;\n";
}

TEST(AdaSizes, WhatIsReachedIsKnownBesideQueuesThatCanBeSeen) {
  const std::string text = counted(
      "task T is entry E; entry Go; end T;\ntask body T is begin accept Go; while E'Count = 0 loop null; end loop;\n"
      "accept E do N := N + 1; end E; accept E do N := N + 1; end E; end T;\n"
      "task type C; task body C is begin T.E; end C;",
      "declare A, B : C; begin T.Go; end; while not T'Terminated loop null; end loop;");
  EXPECT_EQ(reading(text).warnings, std::vector<std::string>{});
  const AdaReading locked = reading(
      counted("protected O is entry Lock; procedure Free; private Taken : Boolean := False; end O;\n"
              "protected body O is entry Lock when not Taken and Lock'Count < 3 is begin Taken := True; end Lock;\n"
              "procedure Free is begin Taken := False; end Free; end O;\n"
              "task type C; task body C is begin O.Lock; N := N + 1; O.Free; end C;",
              "declare A, B : C; begin null; end;"));
  EXPECT_EQ(locked.errors, std::vector<std::string>{});
  EXPECT_EQ(locked.warnings, std::vector<std::string>{});
}

TEST(AdaSizes, WhatIsReachedIsKnownWhereTheStateOfTasksIsAskedFor) {
  EXPECT_EQ(reading(counted("task T; task body T is begin N := N + 1; N := N + 1; end T;",
                            "while T'Callable loop null; end loop;"))
                .warnings,
            std::vector<std::string>{});
}

TEST(AdaSizes, WhatIsReachedIsKnownWhereAnActivationFails) {
  const std::string text =
      counted("function Boom return Integer is begin raise Constraint_Error; return 0; end Boom;",
              "begin\ndeclare task A; task B;\ntask body A is X : Integer := Boom; begin null; end A;\n"
              "task body B is begin N := N + 1; end B;\nbegin null; end;\nexception when Tasking_Error => null; end;");
  EXPECT_EQ(reading(text).warnings, std::vector<std::string>{});
  for (const std::string& trace : traces(text)) EXPECT_TRUE(trace.ends_with("n.1 =end")) << trace;
}

TEST(AdaSizes, ResultsThatGrowAreKnownToo) {
  EXPECT_EQ(
      traces("procedure P is\ntask type S is entry Ping (N : in out Integer); end S;\n"
             "task body S is begin for I in 1 .. 2 loop accept Ping (N : in out Integer) do N := N + 1; end Ping;\n"
             "end loop; end S;\nA, B : S; X : Integer := 0;\nbegin\nA.Ping (X); B.Ping (X); A.Ping (X); B.Ping (X);\n" +
             event("x", "X") + "\nend P;\n")
          .begin()
          ->substr(0, 40),
      "a.ping.0 a.ping.end.1 b.ping.1 b.ping.en");
}

TEST(AdaSizes, CountersOfProtectedObjectsAreBoundedByTheirCallers) {
  // Alone it counts for ever; five tasks that take turns a hundred times have many states, but few that matter.
  const AdaReading read = reading(
      "procedure P is\nprotected O is entry Enter; procedure Leave; private N : Natural := 0; end O;\n"
      "protected body O is entry Enter when N < 2 is begin N := N + 1; end Enter;\n"
      "procedure Leave is begin N := N - 1; end Leave; end O;\ntask type W;\n"
      "task body W is begin for I in 1 .. 100 loop O.Enter; O.Leave; end loop; end W;\n"
      "A : array (1 .. 5) of W;\nbegin\nnull;\nend P;\n");
  EXPECT_TRUE(read.errors.empty());
  EXPECT_TRUE(read.warnings.empty());
}

TEST(AdaRendezvous, AResultThatIsNeverAssignedIsNotModelled) {
  EXPECT_EQ(traces("procedure P is\ntask T is entry E (X : out Integer); end T;\nN : Integer;\n"
                   "task body T is begin accept E (X : out Integer); end T;\nbegin\nT.E (N);\nend P;\n"),
            Traces{"t.e t.e.end.any =end"});
}

TEST(AdaRendezvous, ATaskThatIsNotActiveYetAcceptsNothing) {
  // ARM 9.7.3: the call is not possible at once, so the else part is taken.
  EXPECT_EQ(traces("procedure P is\nbegin\ndeclare\ntask T is entry E; end T;\ntask body T is begin accept E; end T;\n"
                   "package Q is end Q;\npackage body Q is begin select T.E; " +
                   event("early") + " else " + event("else") + " end select; end Q;\nbegin\nT.E;\nend;\nend P;\n"),
            Traces{"else t.e =end"});
}

TEST(AdaRendezvous, ItsOwnEntryByItsName) {
  EXPECT_EQ(traces("procedure P is\ntask T is entry E; end T;\ntask body T is begin select E; else " + event("else") +
                   " end select; accept E; end T;\nbegin\nT.E;\nend P;\n"),
            Traces{"else t.e.from.p =end"});
}

// ---- what is refused

TEST(AdaRefused, OneMistakeIsToldOnce) {
  const AdaReading read = reading("procedure P is\ntype T is tagged null record;\nX, Y : T;\nbegin\nX := Y;\nend P;\n");
  EXPECT_EQ(read.errors, std::vector<std::string>{"tagged types are not supported"});
}

}  // namespace
}  // namespace surety
