// Expressions and names: what binds how strongly, and what each form becomes.

#include "ada_help.hpp"

namespace surety::ada {
namespace {

TEST(AdaExpression, OperatorsBindAsTheManualSays) {
  EXPECT_EQ(expression_of("-A ** 2 + B * C mod D"), "[[- [a ** 2]] + [[b * c] mod d]]");
  EXPECT_EQ(expression_of("-A + B - C & D"), "[[[[- a] + b] - c] & d]");
  EXPECT_EQ(expression_of("not A = B"), "[[not a] = b]");
  EXPECT_EQ(expression_of("not A and B"), "[[not a] and b]");
  EXPECT_EQ(expression_of("abs A * B"), "[[abs a] * b]");
  EXPECT_EQ(expression_of("A + B < C / D rem E"), "[[a + b] < [[c / d] rem e]]");
  EXPECT_EQ(expression_of("A < B and C >= D and E /= F"), "[[[a < b] and [c >= d]] and [e /= f]]");
  EXPECT_EQ(expression_of("A and then B = 1 and then C"), "[[a and then [b = 1]] and then c]");
  EXPECT_EQ(expression_of("A or else B"), "[a or else b]");
  EXPECT_EQ(expression_of("A xor B"), "[a xor b]");
  EXPECT_EQ(expression_of("(A or B) and C"), "[[a or b] and c]");
}

TEST(AdaExpression, WhatNeedsBracketsIsAnError) {
  EXPECT_EQ(expression_of("A and B or C"), "2:9 different logical operators need brackets (write (A and B) or C)\n");
  EXPECT_EQ(expression_of("A and B and then C"),
            "2:9 different logical operators need brackets (write (A and B) or C)\n");
  EXPECT_EQ(expression_of("A * -B"),
            "2:5 expected an operand, found '-' (a sign inside an expression needs brackets: A * (-B))\n");
  EXPECT_EQ(expression_of("A ** B ** C"), "2:8 expected ';' after the statement, found '**'\n");
  EXPECT_EQ(expression_of("A = B = C"), "2:7 expected ';' after the statement, found '='\n");
  EXPECT_EQ(expression_of("not not A"), "2:5 expected an expression, found 'not'\n");
  EXPECT_EQ(expression_of("1 + if A then B else C"),
            "2:5 expected an expression, found 'if' (a conditional expression needs brackets of its own)\n");
}

TEST(AdaExpression, MembershipHasChoices) {
  EXPECT_EQ(expression_of("A in 1 .. 3"), "[a in 1..3]");
  EXPECT_EQ(expression_of("A not in Small"), "[a not in small]");
  EXPECT_EQ(expression_of("A in 1 | 3 .. 4 | B + 1 and C"), "[[a in 1|3..4|[b + 1]] and c]");
}

TEST(AdaExpression, NamesTakeWhatStandsBehindThem) {
  EXPECT_EQ(expression_of("A.B.C"), "a.b.c");
  EXPECT_EQ(expression_of("A (1) (2).B.all"), "a(1)(2).b.all");
  EXPECT_EQ(expression_of("A (1 .. 2)"), "a(1..2)");
  EXPECT_EQ(expression_of("A (Integer range 1 .. 2)"), "a(integer range 1..2)");
  EXPECT_EQ(expression_of("F (X, Y => 2)"), "f(x, y=>2)");
  EXPECT_EQ(expression_of("A'First (1) + Integer'Max (1, 2)"), "[a'first(1) + integer'max(1, 2)]");
  EXPECT_EQ(expression_of("X'Range"), "x'range");
  EXPECT_EQ(expression_of("T'Base'Last"), "t'base'last");
  EXPECT_EQ(expression_of("T'(1) + T'(A => 1)"), "[t'[1] + t'[(a=>1)]]");
  EXPECT_EQ(expression_of("\"+\" (1, 2) + P.\"AND\" (3)"), "[\"+\"(1, 2) + p.\"and\"(3)]");
  EXPECT_EQ(expression_of("E'Count"), "e'count");
  EXPECT_EQ(expression_of("F (others => 1)"), "2:4 expected the name of an argument before '=>'\n");
}

TEST(AdaExpression, LiteralsKeepTheirValue) {
  EXPECT_EQ(expression_of("16#FF#"), "255");
  EXPECT_EQ(expression_of("1.5E3"), "1.5E3");
  EXPECT_EQ(expression_of("\"a \"\"b\"\"\""), "\"a \"b\"\"");
  EXPECT_EQ(expression_of("'X'"), "'X'");
  EXPECT_EQ(expression_of("null"), "null");
  Parsed parsed("procedure P is begin X := '\xcf\x80'; end;");
  EXPECT_EQ(parsed.units.at(0).declaration.body->statements.at(0).value->value, 0x3c0);
}

TEST(AdaExpression, BracketsAreAggregatesOrNothing) {
  EXPECT_EQ(expression_of("(((1)))"), "1");
  EXPECT_EQ(expression_of("(1, 2)"), "(1, 2)");
  EXPECT_EQ(expression_of("(1 => A, 2 | 3 => B, 4 .. 5 => C, others => <>)"), "(1=>a, 2|3=>b, 4..5=>c, others=><>)");
  EXPECT_EQ(expression_of("(null record)"), "()");
  EXPECT_EQ(expression_of("(Root with N => 1)"), "(root, n=>1)");
  EXPECT_EQ(expression_of("(1, 2 => 3, 4)"),
            "2:14 expected a named argument, found ')' (after a named one all have names)\n");
  EXPECT_EQ(expression_of("(1 .. 2)"), "2:4 a range cannot stand here\n");
  EXPECT_EQ(expression_of("()"), "2:2 expected an expression, found ')'\n");
}

TEST(AdaExpression, ConditionalAndQuantifiedOnesStandInBrackets) {
  EXPECT_EQ(expression_of("(if A then 1 elsif B then 2 else 3)"), "[if a 1 b 2 3]");
  EXPECT_EQ(expression_of("F (if A then 1 else 2)"), "f([if a 1 2])");
  EXPECT_EQ(expression_of("(case A is when 1 | 2 => 3, when others => 4)"), "[case a 1|2=>3 others=>4]");
  EXPECT_EQ(expression_of("(for all I in 1 .. 3 => I > 0)"), "[all i in 1..3 [i > 0]]");
  EXPECT_EQ(expression_of("(for some X of A => X)"), "[some x of a x]");
}

TEST(AdaExpression, AllocatorsAndRaises) {
  EXPECT_EQ(expression_of("new T"), "[new t]");
  EXPECT_EQ(expression_of("new T (1 .. 3)"), "[new t(1..3)]");
  EXPECT_EQ(expression_of("new P.T'(1)"), "[new p.t'[1]]");
  EXPECT_EQ(expression_of("raise E with \"text\""), "[raise e]");
}

TEST(AdaExpression, WhatIsNewerIsReadAndKeptAsRefused) {
  EXPECT_EQ(expression_of("@ + 1"), "[REFUSED @ for the target of an assignment + 1]");
  EXPECT_EQ(expression_of("(declare A : T := 1; begin A)"), "REFUSED a declare expression");
  EXPECT_EQ(expression_of("(A with delta B => 1)"), "REFUSED a delta aggregate");
  EXPECT_EQ(expression_of("[1, 2]"), "(1, 2)");
}

TEST(AdaExpression, TheNestingIsLimited) {
  const std::string deep(100'000, '(');
  EXPECT_EQ(expression_of(deep).find("2:"), 0U);
  EXPECT_NE(expression_of(deep).find("this is nested too deeply"), std::string::npos);
  std::string sum = "1", calls = "F", names = "A";
  for (int i = 0; i < 100'000; ++i) {
    sum += " + 1";
    calls += " (1)";
    names += ".B";
  }
  for (const auto& text : {sum, calls, names})
    EXPECT_NE(expression_of(text).find("this expression is too long (give parts of it names)"), std::string::npos);
  std::string fine = "1";
  for (int i = 0; i < 900; ++i) fine += " & 1";
  EXPECT_EQ(expression_of(fine)[0], '[');
}

}  // namespace
}  // namespace surety::ada
