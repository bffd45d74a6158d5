// Statements: what each form becomes.

#include "ada_help.hpp"

namespace surety::ada {
namespace {

TEST(AdaStatement, AssignmentsAndCalls) {
  EXPECT_EQ(statements_of("X := 1; A (1).B := (1, 2); P.all := 3;"), "x := 1; a(1).b := (1, 2); p.all := 3");
  EXPECT_EQ(statements_of("Car.Sync; Put (X, Y => 2); S.Family (2) (N); null;"),
            "call car.sync; call put(x, y=>2); call s.family(2)(n); null");
  EXPECT_EQ(statements_of("Asm'(1);"), "code asm'[1]");
}

TEST(AdaStatement, Branches) {
  EXPECT_EQ(statements_of("if A then X := 1; elsif B then null; else Q; end if;"),
            "if a {x := 1} b {null} else {call q}");
  EXPECT_EQ(statements_of(
                "case X is when 1 | 3 .. 4 => null; when Integer range 6 .. 7 => Q; when others => null; end case;"),
            "case x 1|3..4 {null} integer range 6..7 {call q} others {null}");
}

TEST(AdaStatement, Loops) {
  EXPECT_EQ(statements_of("loop exit; end loop;"), "loop {exit}");
  EXPECT_EQ(statements_of("Outer : while A loop exit Outer when B; end loop Outer;"),
            "outer: while a loop {exit outer b}");
  EXPECT_EQ(statements_of("for I in reverse 1 .. 3 loop null; end loop; for I in Colour loop null; end loop;"),
            "for i in reverse 1..3 loop {null}; for i in colour loop {null}");
  EXPECT_EQ(statements_of("for I in Integer range 1 .. 2 loop null; end loop; for I in A'Range loop null; end loop;"),
            "for i in integer range 1..2 loop {null}; for i in a'range loop {null}");
  EXPECT_EQ(statements_of("for X of A loop null; end loop; for X : T of reverse A loop null; end loop;"),
            "for x of a loop {null}; for x of reverse a loop {null}");
}

TEST(AdaStatement, BlocksReturnsAndJumps) {
  EXPECT_EQ(statements_of("declare X : T; begin null; exception when others => null; end; B : begin null; end B;"),
            "block {x:t}{null} exception when others {null}; b: block {}{null}");
  EXPECT_EQ(statements_of("return; return X + 1; return R : T := 1 do R := 2; end return; return S : constant T;"),
            "return; return [x + 1]; return r:t:=1 {}{r := 2}; return s:constant t");
  EXPECT_EQ(statements_of("<<A>> <<B>> null; goto A; <<Last>>"), "<<a>> <<b>> null; goto a; <<last>> null");
}

TEST(AdaStatement, DelaysRaisesAndWhatIsRefusedLater) {
  EXPECT_EQ(statements_of("delay 1.0; delay until Clock; raise; raise E; raise P.E with \"text\";"),
            "delay 1.0; delay until clock; raise; raise e; raise p.e with \"text\"");
  EXPECT_EQ(statements_of("abort T; requeue E; requeue T.E with abort;"), "abort t; requeue e; requeue t.e with abort");
}

TEST(AdaStatement, PragmasStandAmongStatements) {
  EXPECT_EQ(statements_of("pragma Annotate (Surety, Event, \"enter\", Me); pragma Assert (X > 0);"),
            "pragma annotate(surety, event, \"enter\", me); pragma assert([x > 0])");
  EXPECT_EQ(statements_of("case X is pragma Page; when others => pragma Page; end case;"),
            "case x others {pragma page}");
  EXPECT_EQ(statements_of("select pragma Page; accept E; or pragma Page; terminate; end select;"),
            "select [accept e {} | terminate {}]");
}

TEST(AdaStatement, Accepts) {
  EXPECT_EQ(statements_of("accept E; accept E (X : in T; Y : out U); accept F (2) (X : T); accept F (I);"),
            "accept e; accept e(x:t; y:out u); accept f(2)(x:t); accept f(i)");
  EXPECT_EQ(statements_of("accept E (X : T) do Y := X; end E; accept E do null; exception when others => null; end;"),
            "accept e(x:t){}{y := x}; accept e{}{null} exception when others {null}");
}

TEST(AdaStatement, Selects) {
  EXPECT_EQ(
      statements_of("select when A => accept E; X := 1; or accept F do null; end F; or delay 1.0; null; end select;"),
      "select [when a accept e {x := 1} | accept f{}{null} {} | delay 1.0 {null}]");
  EXPECT_EQ(statements_of("select accept E; or when B => terminate; end select;"),
            "select [accept e {} | when b terminate {}]");
  EXPECT_EQ(statements_of("select accept E; else null; end select;"), "select [accept e {} | else {null}]");
  EXPECT_EQ(statements_of("select T.E (1); X := 1; else null; end select;"),
            "select [call t.e(1) {x := 1} | else {null}]");
  EXPECT_EQ(statements_of("select T.E; or delay until Clock; X := 1; end select;"),
            "select [call t.e {} | delay until clock {x := 1}]");
  EXPECT_EQ(statements_of("select delay 1.0; then abort Q; end select;"),
            "select [delay 1.0 {} | then abort {call q}]");
}

TEST(AdaStatement, SelectsThatDoNotGoTogether) {
  EXPECT_EQ(statements_of("select T.E; or accept F; end select;"),
            "2:1 a call of an entry has one other alternative: 'or delay' or 'else'\n");
  EXPECT_EQ(statements_of("select T.E; end select;"),
            "2:1 a call of an entry has one other alternative: 'or delay' or 'else'\n");
  EXPECT_EQ(statements_of("select delay 1.0; or terminate; end select;"),
            "2:1 expected an 'accept' in the select statement\n");
  EXPECT_EQ(statements_of("select accept E; then abort null; end select;"),
            "2:1 before 'then abort' stands one call of an entry or one delay\n");
  EXPECT_EQ(statements_of("select accept E; or terminate; X := 1; end select;"),
            "2:32 nothing stands behind 'terminate'\n");
  EXPECT_EQ(statements_of("select X := 1; else null; end select;"), "2:8 expected a call of an entry\n");
}

}  // namespace
}  // namespace surety::ada
