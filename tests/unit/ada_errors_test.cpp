// What the parser of Ada says about mistakes, and that it goes on after them.

#include "ada_help.hpp"

namespace surety::ada {
namespace {

TEST(AdaErrors, SayWhatWasExpectedAndWhere) {
  EXPECT_EQ(errors_of("procedure P is\ntask body T\nbegin null; end T;\nbegin null; end P;"),
            "3:1 expected 'is' after the name of the task body, found 'begin'\n");
  EXPECT_EQ(declarations_of("X Integer;"), "2:3 expected ':' after the name, found 'Integer'\n");
  EXPECT_EQ(declarations_of("X := 1;"),
            "2:3 expected ':' after the name, found ':=' (a statement stands behind 'begin')\n");
  EXPECT_EQ(declarations_of("task T is entry; end T;"), "2:16 expected the name of the entry, found ';'\n");
  EXPECT_EQ(declarations_of("Loop : Integer;"), "2:1 expected a declaration, found 'Loop'\n");
  EXPECT_EQ(declarations_of("type Task is (A);"),
            "2:6 expected a name after 'type', found 'Task' ('task' is a reserved word)\n");
  EXPECT_EQ(declarations_of("function F (X : T);"),
            "2:19 expected 'return' and a type after the function, found ';'\n");
  EXPECT_EQ(declarations_of("type T is record end record;"),
            "2:18 expected a component, found 'end' (a record without components is written null record)\n");
  EXPECT_EQ(statements_of("if A X := 1; end if;"), "2:6 expected 'then' after the condition, found 'X'\n");
  EXPECT_EQ(statements_of("if A := 1 then null; end if;"),
            "2:6 expected 'then' after the condition, found ':=' (= compares; := assigns)\n");
  EXPECT_EQ(statements_of("X = 1;"), "2:3 expected ':=' or ';' after the name, found '=' (= compares; := assigns)\n");
  EXPECT_EQ(statements_of("X := 1"), "3:1 expected ';' after the statement, found 'end'\n");
  EXPECT_EQ(statements_of("X : Integer;"),
            "2:3 expected a statement, found a declaration (declarations stand before 'begin')\n");
  EXPECT_EQ(statements_of("if A then end if;"), "2:11 expected a statement, found 'end' (write null;)\n");
  EXPECT_EQ(statements_of(""), "3:1 expected a statement, found 'end' (write null;)\n");
  EXPECT_EQ(errors_of("X : Integer;"),
            "1:1 expected a procedure, a function or a package, found 'X' (a program consists of library units)\n");
  EXPECT_EQ(errors_of("procedure P is begin null;"), "1:27 expected 'end P', found the end of the file\n");
}

TEST(AdaErrors, NameWhatStandsInTheWrongPlace) {
  EXPECT_EQ(errors_of("package P is procedure Q is begin null; end Q; end P;"),
            "1:24 a body cannot stand in the specification of a package\n");
  EXPECT_EQ(declarations_of("task T is procedure Q; end T;"),
            "2:21 only entries can stand in the specification of a task\n");
  EXPECT_EQ(declarations_of("protected P is X : Integer; end P;"),
            "2:16 the data of a protected object stand behind 'private'\n");
  EXPECT_EQ(declarations_of("entry E;"), "2:7 an entry stands in a task or a protected object only\n");
  EXPECT_EQ(declarations_of("procedure A.B;"), "2:11 only a library unit has dots in its name\n");
  EXPECT_EQ(declarations_of("task T (X : U);"),
            "2:8 expected 'is' or ';', found '(' (only a task type has discriminants)\n");
  EXPECT_EQ(statements_of("procedure Q;"),
            "2:1 expected a statement, found 'procedure' (declarations stand before 'begin')\n");
}

TEST(AdaErrors, AnEndWithAnotherNameIsWrong) {
  EXPECT_EQ(errors_of("procedure Bar is\nbegin\n  null;\nend Foo;"), "4:5 expected 'end Bar'\n");
  EXPECT_EQ(errors_of("package A.B is\nend A.C;"), "2:5 expected 'end A.B'\n");
  EXPECT_EQ(declarations_of("task body T is begin null; end U;"), "2:32 expected 'end T'\n");
  EXPECT_EQ(statements_of("L : loop null; end loop;"), "2:24 expected 'end loop L'\n");
  EXPECT_EQ(statements_of("loop null; end loop L;"), "2:21 expected 'end loop'\n");
  EXPECT_EQ(statements_of("accept E do null; end F;"), "2:23 expected 'end E'\n");
  EXPECT_EQ(errors_of("procedure Bar is begin null; end BAR;"), "");
}

TEST(AdaErrors, AnEndThatIsMissingOrTooMuchIsOneError) {
  EXPECT_EQ(errors_of("procedure P is\nbegin\n  if A then\n    null;\nend P;"),
            "5:1 expected 'end if' (this closes what begins before)\n");
  EXPECT_EQ(errors_of("procedure P is\nbegin\n  loop\n  if A then\n    null;\n  end loop;\n  X := 1;\nend P;"),
            "6:3 expected 'end if' (this closes what begins before)\n");
  EXPECT_EQ(errors_of("procedure P is\nbegin\n  null;\n  end if;\n  X := 1;\nend P;"),
            "4:3 expected 'end P' (this 'end if' closes nothing)\n");
}

TEST(AdaErrors, AreFoundOneAfterTheOther) {
  EXPECT_EQ(errors_of("procedure P is\n"
                      "   X Integer;\n"
                      "   Y : Integer = 1;\n"
                      "   procedure Q (A Integer; B : out) is\n"
                      "   begin\n"
                      "      A := ;\n"
                      "      if A then B := 1 end if;\n"
                      "      C := 2;\n"
                      "   end Q;\n"
                      "   task T is entry E (; end T;\n"
                      "begin\n"
                      "   for I in 1 .. loop\n"
                      "      X = 1;\n"
                      "   end loop;\n"
                      "   case X is\n"
                      "      when => null;\n"
                      "      when 2 => Y := 3 +;\n"
                      "   end case;\n"
                      "end P;\n"),
            "2:6 expected ':' after the name, found 'Integer'\n"
            "3:16 expected ';' after the declaration, found '='\n"
            "4:19 expected ':' after the name of the parameter, found 'Integer'\n"
            "6:12 expected an expression, found ';'\n"
            "7:24 expected ';' after the statement, found 'end'\n"
            "10:23 expected an expression, found ';'\n"
            "12:18 expected an expression, found 'loop'\n"
            "13:9 expected ':=' or ';' after the name, found '=' (= compares; := assigns)\n"
            "16:12 expected an expression, found '=>'\n"
            "17:25 expected an expression, found ';'\n");
}

TEST(AdaErrors, OfAUnitDoNotHideTheNextUnit) {
  Parsed parsed("procedure P is\nbegin\n  X := 1 1;\nend P;\n\nprocedure Q is\nbegin\n  Y = 2;\nend Q;\n");
  EXPECT_EQ(parsed.errors(),
            "3:10 expected ';' after the statement, found '1'\n"
            "8:5 expected ':=' or ';' after the name, found '=' (= compares; := assigns)\n");
}

TEST(AdaErrors, TooDeepIsAnErrorNotACrash) {
  std::string ifs, blocks, procedures, records, accesses;
  for (int i = 0; i < 20'000; ++i) {
    ifs += "if A then ";
    blocks += "declare begin ";
    procedures += "procedure P is ";
    records += "type T is record case A is when B => ";
    accesses += "X : access procedure (";
  }
  for (const auto& text : {statements_of(ifs), statements_of(blocks), declarations_of(procedures),
                           declarations_of(records), declarations_of(accesses)})
    EXPECT_NE(text.find("this is nested too deeply"), std::string::npos) << text;
}

}  // namespace
}  // namespace surety::ada
