// Tasks inside of tasks, subprograms and blocks (ARM 9.2, 9.3); queues and states that can be seen: tiny programs, and
// all that they can do, worked out by hand.

#include <gtest/gtest.h>

#include "ada/tiny.hpp"

namespace surety {
namespace {

std::string main(const std::string& declarations, const std::string& statements) {
  return fmt::format("procedure P is\n{}\nbegin\n{}\nend P;\n", declarations, statements);
}
std::string task(const std::string& name, const std::string& statements, const std::string& declarations = "") {
  return fmt::format("task {0};\ntask body {0} is {2} begin {1} end {0};\n", name, statements, declarations);
}

// ---- masters

TEST(AdaMasters, ABlockIsLeftWhenItsTasksHaveEnded) {
  EXPECT_EQ(
      traces(main("", "declare " + task("N", event("in")) + " begin " + event("block") + " end; " + event("out"))),
      (Traces{"in block out =end", "block in out =end"}));
}

TEST(AdaMasters, ATaskOfALoopBeginsAgain) {
  EXPECT_EQ(traces(main("", "for I in 1 .. 2 loop declare " + task("N", event("in")) + " begin null; end; " +
                                event("i", "I") + " end loop;")),
            Traces{"in i.1 in i.2 =end"});
}

TEST(AdaMasters, ATaskThatBeginsAgainFindsWhatItHasLeftOutside) {
  EXPECT_EQ(traces(main("X : Integer range 0 .. 9 := 0;",
                        "for I in 1 .. 2 loop declare " + task("N", "X := X + 1;") + " begin null; end; end loop;")),
            Traces{"n.x.is.0 n.x.to.1 n.x.is.1 n.x.to.2 =end"});
}

// Between its last rendezvous and the end of its body, where it waits for N, a task can still be called.
TEST(AdaMasters, ATaskIsNotCompletedAtOnce) {
  EXPECT_EQ(traces(main("task T is entry E; entry F; end T;\ntask body T is\ntask N is entry X; end N;\n"
                        "task body N is begin accept X; end N;\nbegin\naccept E;\nend T;",
                        "T.E;\nselect T.F; else " + event("else") + " end select;")),
            (Traces{"t.e else =hang", "t.e p.fails.11.tasking_error =hang"}));
}

TEST(AdaMasters, ASubprogramIsAMaster) {
  EXPECT_EQ(traces(main("procedure Q (K : Integer) is " + task("N", event("in", "K")) + " begin null; end Q;",
                        "Q (1); Q (2); " + event("out"))),
            Traces{"in.1 in.2 out =end"});
}

TEST(AdaMasters, ReturnAndExitWaitForTheTasks) {
  EXPECT_EQ(traces(main("procedure Q is begin declare " + task("N", event("in")) + " begin return; end; end Q;",
                        "Q; loop declare " + task("M", event("m")) + " begin exit; end; end loop; " + event("out"))),
            Traces{"in m out =end"});
}

TEST(AdaMasters, AnExceptionLeavesABlockWhenItsTasksHaveEnded) {
  EXPECT_EQ(
      traces(main("E : exception;", "begin declare " + task("N", event("in")) +
                                        " begin raise E; end; exception when E => " + event("handled") + " end;")),
      Traces{"in handled =end"});
  // A handler of the block itself does not wait.
  EXPECT_EQ(traces(main("E : exception;", "declare " + task("N", event("in")) + " begin raise E; exception when E => " +
                                              event("handled") + " end;")),
            (Traces{"in handled =end", "handled in =end"}));
}

TEST(AdaMasters, ATaskWaitsForItsOwnTasks) {
  const std::string t =
      "task T is entry Go; end T;\ntask body T is " + task("N", event("in")) + " begin accept Go; end T;\n";
  EXPECT_EQ(traces(main(t, "T.Go; " + event("m"))), (Traces{"t.go in m =end", "t.go m in =end", "in t.go m =end"}));
  // It has completed, so that nobody can call it, though it still waits.
  EXPECT_EQ(traces(main(
                "task T is entry Go; end T;\ntask body T is task N is entry E; end N;\ntask body N is begin accept E; "
                "end N;\nbegin null; end T;\n",
                "T.Go;")),
            Traces{"p.fails.8.tasking_error =hang"});
}

TEST(AdaMasters, ADyingTaskWaitsForItsTasksToo) {
  EXPECT_EQ(traces(main("task T;\ntask body T is " + task("N", event("in")) + " begin raise Program_Error; end T;\n",
                        "null;")),
            (Traces{"in t.fails.5.program_error =end", "t.fails.5.program_error in =end"}));
}

TEST(AdaMasters, TerminateWithThreeLevels) {
  const std::string inner =
      "task N is entry E; end N;\ntask body N is begin loop select accept E; or terminate; end select; end loop; end "
      "N;\n";
  const std::string t = "task T is entry Go; end T;\ntask body T is " + inner +
                        "begin loop select accept Go do N.E; end Go; or terminate; end select; end loop; end T;\n";
  EXPECT_EQ(traces(main(t, "T.Go;")), Traces{"t.go t.n.e t.go.end =end"});
}

TEST(AdaMasters, VariablesOfATaskThatItsTasksUseAreShared) {
  EXPECT_EQ(traces(main("task T;\ntask body T is X : Integer range 0 .. 3 := 1; begin declare " +
                            task("N", "X := X + 1;") + " begin null; end; " + event("x", "X") + " end T;\n",
                        "null;")),
            Traces{"t.t.x.to.1 t.n.t.x.is.1 t.n.t.x.to.2 t.t.x.is.2 x.2 =end"});
}

TEST(AdaMasters, TheVariableOfALoopIsSeenInside) {
  EXPECT_EQ(
      traces(main("", "for I in 1 .. 2 loop declare " + task("N", event("in", "I")) + " begin null; end; end loop;")),
      Traces{"p.i.to.1 n.i.is.1 in.1 p.i.to.2 n.i.is.2 in.2 =end"});
}

TEST(AdaMasters, DeclarationsOfATaskComeBeforeTheStatementsOfItsMaster) {
  const std::string f =
      "X : Integer range 0 .. 3 := 1; function F return Integer is begin " + event("f") + " return 1; end F;\n";
  EXPECT_EQ(
      traces(main(f, "declare " + task("N", "null;", "Y : Integer := F;") + " begin " + event("block") + " end;")),
      Traces{"f block =end"});
  // But a task does not wait for the others.
  EXPECT_EQ(traces(main(f, "declare " + task("N", event("n"), "Y : Integer := F;") + task("M", event("m")) +
                               " begin null; end;")),
            (Traces{"f n m =end", "f m n =end", "m f n =end"}));
}

TEST(AdaMasters, ADeclarationThatFailsIsATaskingErrorOfTheMaster) {
  const std::string bad = task("N", event("n"), "Y : Positive := Zero;");
  EXPECT_EQ(traces(main("Zero : Integer := 0;", "declare " + bad + " begin " + event("never") +
                                                    " exception when Tasking_Error => " + event("handled") + " end;")),
            Traces{"handled =end"});
  EXPECT_EQ(traces(main("Zero : Integer := 0;\n" + bad, event("never"))), Traces{"p.fails.1.tasking_error =end"});
}

// Also if somebody has seen meanwhile that the task has terminated.
TEST(AdaMasters, ADeclarationThatFailsIsNotForgottenWhenTheTaskHasTerminated) {
  for (const std::string& t :
       traces(main("Zero : Integer := 0;", "declare " + task("N", "null;", "Y : Positive := Zero;") +
                                               task("M", event("m", "N'Terminated")) + " begin " + event("never") +
                                               " exception when Tasking_Error => " + event("handled") + " end;"))) {
    EXPECT_NE(t.find("handled"), std::string::npos) << t;
    EXPECT_EQ(t.find("never"), std::string::npos) << t;
  }
}

TEST(AdaMasters, AProtectedObjectOfABlockIsMadeAnew) {
  const std::string object =
      "protected O is procedure Up; function N return Integer; private C : Integer range 0 .. 9 := 3; end O;\n"
      "protected body O is procedure Up is begin C := C + 1; end Up; function N return Integer is (C); end O;\n";
  EXPECT_EQ(traces(main("", "for I in 1 .. 2 loop declare " + object + " begin O.Up; " + event("n", "O.N") +
                                " end; end loop;")),
            Traces{"o.up o.n.4 n.4 o.up o.n.4 n.4 =end"});
}

TEST(AdaMasters, TasksOfATypeHaveTasksOfTheirOwn) {
  EXPECT_EQ(traces(main("task type W (D : Integer); task body W is " + task("N", event("in", "D")) +
                            " begin null; end W;\nA : W (1); B : W (2);",
                        "null;")),
            (Traces{"in.1 in.2 =end", "in.2 in.1 =end"}));
}

TEST(AdaMasters, NamesHaveTheIndicesOfTheTasksAround) {
  EXPECT_EQ(traces(main("task type W; task body W is " + task("N", event("in")) +
                            " begin null; end W;\nA : array (1 .. 2) of W;",
                        "null;")),
            (Traces{"in.by.a.1.n in.by.a.2.n =end", "in.by.a.2.n in.by.a.1.n =end"}));
}

TEST(AdaMasters, AJumpOutOfABlockWithTasksIsRefused) {
  const Traces all =
      traces(main("", "declare " + task("N", "null;") + " begin goto Out_There; end; <<Out_There>> null;"));
  EXPECT_NE(all.begin()->find("a jump out of what has tasks of its own is not supported"), std::string::npos)
      << *all.begin();
}

// ---- protected operations and what is outside

std::string object(const std::string& specification, const std::string& body, const std::string& hidden = "") {
  return fmt::format("protected O is {} private {} end O;\nprotected body O is {} end O;\n", specification, hidden,
                     body);
}

TEST(AdaOutside, AProtectedOperationUsesVariablesOutsideInOneStep) {
  EXPECT_EQ(traces(main("X : Integer range 0 .. 9 := 1;\n" +
                            object("procedure Up;", "procedure Up is begin X := X + 1; X := X + 1; end Up;") +
                            task("A", "O.Up;"),
                        "X := 5; " + event("x", "X"))),
            (Traces{"o.up p.x.to.5 p.x.is.5 x.5 =end", "p.x.to.5 o.up p.x.is.7 x.7 =end",
                    "p.x.to.5 p.x.is.5 o.up x.5 =end", "p.x.to.5 p.x.is.5 x.5 o.up =end"}));
}

TEST(AdaOutside, TwoObjectsThatShareAVariableAreOne) {
  const std::string two =
      "X : Integer range 0 .. 9 := 0;\n" + object("procedure Up;", "procedure Up is begin X := X + 1; end Up;") +
      "protected Q is entry E; end Q;\nprotected body Q is entry E when X = 2 is begin null; end E; end Q;\n";
  EXPECT_EQ(traces(main(two + task("A", "Q.E;"), "O.Up; O.Up;")), Traces{"o.up o.up q.e =end"});
}

// ---- queues that can be seen

TEST(AdaCount, OfATaskEntryTellsHowManyWait) {
  EXPECT_EQ(
      traces(main("task T is entry E; end T;\ntask body T is begin " + event("n", "E'Count") + " accept E; end T;\n",
                  "T.E;")),
      (Traces{"t.e.count.is.0 n.0 t.e.queued.from.p t.e =end", "t.e.count.is.0 t.e.queued.from.p n.0 t.e =end",
              "t.e.queued.from.p t.e.count.is.1 n.1 t.e =end"}));
}

TEST(AdaCount, CallsAreServedInTheirOrder) {
  const Traces all =
      traces(main("task T is entry E; end T;\ntask body T is begin if E'Count = 2 then null; end if; "
                  "accept E; accept E; end T;\n" +
                      task("A", "T.E;") + task("B", "T.E;"),
                  "null;"));
  for (const std::string& t : all)
    EXPECT_EQ(t.find("queued.from.a") < t.find("queued.from.b"), t.find("e.from.a") < t.find("e.from.b")) << t;
  EXPECT_GE(all.size(), 2U);
}

TEST(AdaCount, ElseIsTakenOnlyIfNobodyWaits) {
  const Traces all = traces(
      main("task T is entry E; entry F; end T;\ntask body T is begin accept F; if E'Count = 1 then select accept E; " +
               event("yes") + " else " + event("no") + " end select; else " + event("none") +
               " accept E; end if; end T;\n" + task("A", "T.F;"),
           "T.E;"));
  EXPECT_TRUE(all.contains("t.f t.e.queued.from.p t.e.count.is.1 t.e yes =end"));
  for (const std::string& t : all) EXPECT_EQ(t.find(" no "), std::string::npos) << t;
}

TEST(AdaCount, ABarrierWaitsForAllThatCome) {
  // The first waits until the second has come; then both go.
  const std::string o =
      object("entry Wait;", "entry Wait when Wait'Count = 2 or Open is begin Open := Wait'Count > 0; end Wait;",
             "Open : Boolean := False;");
  const Traces all = traces(main(o + task("A", "O.Wait; " + event("a")), "O.Wait; " + event("p")));
  EXPECT_EQ(all.size(), 6U);
  EXPECT_TRUE(all.contains("o.wait.queued.from.a o.wait.queued.from.p o.wait.by.a a o.wait.by.p p =end"));
  EXPECT_TRUE(all.contains("o.wait.queued.from.p o.wait.queued.from.a o.wait.by.p o.wait.by.a a p =end"));
  for (const std::string& t : all) {
    EXPECT_TRUE(t.ends_with("=end")) << t;
    EXPECT_EQ(t.find("queued.from.a") < t.find("queued.from.p"), t.find("wait.by.a") < t.find("wait.by.p")) << t;
  }
}

TEST(AdaCount, NobodyTakesAPlaceInTheQueueOfACompletedTask) {
  const std::string call = "begin T.E; exception when Tasking_Error => " + event("gone") + " end; ";
  EXPECT_EQ(traces(main("task T is entry E; end T;\ntask body T is begin if E'Count = 0 then null; end if; end T;\n",
                        call + call)),
            (Traces{"t.e.count.is.0 gone gone =end", "t.e.count.is.0 t.e.queued.from.p gone gone =end",
                    "t.e.queued.from.p t.e.count.is.1 gone gone =end"}));
}

TEST(AdaCount, ConditionalCallsAreRefused) {
  const Traces all =
      traces(main("task T is entry E; end T;\ntask body T is begin " + event("n", "E'Count") + " accept E; end T;\n",
                  "select T.E; else null; end select;"));
  EXPECT_NE(all.begin()->find("whose 'Count is asked for, are not supported"), std::string::npos) << *all.begin();
}

// ---- the state of a task

TEST(AdaStatus, CallableAndTerminated) {
  EXPECT_EQ(traces(main("task T is entry E; end T;\ntask body T is begin accept E; end T;\n",
                        event("c", "T'Callable") + " T.E; " + event("t", "T'Terminated"))),
            (Traces{"t.callable.is.true.from.p c.true t.e t.terminated.is.false.from.p t.false =end",
                    "t.callable.is.true.from.p c.true t.e t.terminated.is.true.from.p t.true =end"}));
}

}  // namespace
}  // namespace surety
