// What the reader says about texts that are wrong: place, excerpt, caret, hint; several in one run.

#include <chrono>

#include "fsp_help.hpp"

namespace surety {
namespace {

TEST(FspErrors, AMissingDotIsNoticedAtTheNextDefinition) {
  EXPECT_EQ(errors_of("P = (a -> P)\nQ = (b -> Q)."),
            "m.lts:2:1: error: expected '.' at the end of process P, found 'Q'\n"
            "  Q = (b -> Q).\n"
            "  ^ the definition before this one needs a '.' at its end\n");
}

TEST(FspErrors, AnActionStartsWithALowerCaseLetter) {
  EXPECT_EQ(errors_of("P = (A -> P)."),
            "m.lts:1:6: error: expected an action, a set of actions or '[', found 'A'\n"
            "  P = (A -> P).\n"
            "       ^ actions start with a lower-case letter, and sets must be defined before they are used\n");
}

TEST(FspErrors, ANumberIsAnIndex) {
  EXPECT_EQ(errors_of("P = (a.1 -> P)."),
            "m.lts:1:8: error: expected an action, a set of actions or '[', found '1'\n"
            "  P = (a.1 -> P).\n"
            "         ^ write [1]\n");
}

TEST(FspErrors, TauIsNoAction) {
  EXPECT_EQ(errors_of("P = (tau -> P)."),
            "m.lts:1:6: error: 'tau' cannot be the name of an action\n"
            "  P = (tau -> P).\n"
            "       ^^^ hide an action to make it silent\n");
}

TEST(FspErrors, AKeywordIsNoAction) {
  EXPECT_EQ(errors_of("P = (a -> then -> P)."),
            "m.lts:1:11: error: expected '(', 'if' or the name of a process, found 'then'\n"
            "  P = (a -> then -> P).\n"
            "            ^^^^ 'then' is a keyword\n");
}

TEST(FspErrors, AProcessIsDefinedOnce) {
  EXPECT_EQ(errors_of("P = (a -> P).\nP = (b -> P)."),
            "m.lts:2:1: error: process 'P' is already defined\n"
            "  P = (b -> P).\n"
            "  ^ choose another name\n");
}

TEST(FspErrors, ARangeComesBeforeItsUse) {
  EXPECT_EQ(errors_of("range Rows = 0..1\nP = (a[i:Row] -> P)."),
            "m.lts:2:10: error: there is no range or set 'Row' before this line\n"
            "  P = (a[i:Row] -> P).\n"
            "           ^^^ did you mean 'Rows'?\n");
}

TEST(FspErrors, AConstantComesBeforeItsUse) {
  EXPECT_EQ(errors_of("const A = B + 1\nconst B = 2\nP = (a[A] -> P)."),
            "m.lts:1:11: error: there is no constant or parameter 'B'\n"
            "  const A = B + 1\n"
            "            ^\n");
}

TEST(FspErrors, ASetIsNamedOrInBraces) {
  EXPECT_EQ(errors_of("set Colours = {red}\nP = (a -> P) + Colour."),
            "m.lts:2:16: error: there is no set 'Colour' before this line\n"
            "  P = (a -> P) + Colour.\n"
            "                 ^^^^^^ did you mean 'Colours'?\n");
}

TEST(FspErrors, ABinaryFormulaNeedsParentheses) {
  EXPECT_EQ(errors_of("P = (a -> P).\nassert Q = a && b"),
            "m.lts:2:14: error: a formula with a binary operator needs parentheses around it\n"
            "  assert Q = a && b\n"
            "               ^^ write assert Q = ( ... && ... )\n");
}

TEST(FspErrors, ASequenceEndsWithANameAndNoBracket) {
  EXPECT_EQ(errors_of("P = (a -> END).\nR = P;(c -> R)."),
            "m.lts:2:7: error: expected the name of a process, found '('\n"
            "  R = P;(c -> R).\n"
            "        ^ a sequence ends with a local process, STOP or END\n");
}

TEST(FspErrors, OnlyNamedProcessesAreComposed) {
  EXPECT_EQ(errors_of("P = (a -> P).\n||S = (P || (q -> STOP))."),
            "m.lts:2:16: error: expected ':' or '::' after a prefix, found '->'\n"
            "  ||S = (P || (q -> STOP)).\n"
            "                 ^^ only named processes can be composed: give this one a definition of its own\n");
}

TEST(FspErrors, OneRunReportsTheErrorsOfSeveralDefinitions) {
  EXPECT_EQ(errors_of("P = (a -> -> P),\nR = (b -> R).\nconst N = \nQ = (a b -> Q).\n||S = (P || ).\nT = (t -> T)."),
            "m.lts:1:11: error: expected '(', 'if' or the name of a process, found '->'\n"
            "  P = (a -> -> P),\n"
            "            ^^\n"
            "m.lts:4:1: error: there is no constant or parameter 'Q'\n"
            "  Q = (a b -> Q).\n"
            "  ^\n"
            "m.lts:5:13: error: expected the name of a process or '(', found ')'\n"
            "  ||S = (P || ).\n"
            "              ^\n");
}

TEST(FspErrors, AtMostTwentyAreReported) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "P" + std::to_string(i) + " = (a -> ).\n";
  const FspModel m(text);
  ASSERT_FALSE(m.file);
  EXPECT_EQ(m.file.error().size(), 20U);
}

TEST(FspErrors, AVariableIsBoundOnceAndBeforeItsUse) {
  EXPECT_EQ(process_of("P = (a[i:0..1] -> b[i:0..1] -> P)."),
            "m.lts:1:21: error: the variable 'i' is already in use here\n"
            "  P = (a[i:0..1] -> b[i:0..1] -> P).\n"
            "                      ^ choose another name\n");
  EXPECT_EQ(process_of("P = (a[index:0..1] -> b[indx] -> P)."),
            "m.lts:1:25: error: there is no variable 'indx'\n"
            "  P = (a[index:0..1] -> b[indx] -> P).\n"
            "                          ^^^^ did you mean 'index'?\n");
}

TEST(FspErrors, AnEmptyRangeIsAnError) {
  EXPECT_EQ(process_of("P = (a[i:3..1] -> P)."),
            "m.lts:1:10: error: the range 3..1 is empty\n"
            "  P = (a[i:3..1] -> P).\n"
            "           ^ the lower bound comes first\n");
}

TEST(FspErrors, AllParametersAreGivenOrNone) {
  EXPECT_EQ(composite_of("P(N=1, M=2) = (a[N] -> P).\n||S = (P(3))."),
            "m.lts:2:8: error: 'P' has 2 parameters, and 1 is given\n"
            "  ||S = (P(3)).\n"
            "         ^ give all of them, or none to use the defaults\n");
}

TEST(FspErrors, AnUnknownProcessInACompositeIsAnError) {
  EXPECT_EQ(composite_of("SENDER = (a -> SENDER).\n||S = (SENDR)."),
            "m.lts:2:8: error: there is no process 'SENDR'\n"
            "  ||S = (SENDR).\n"
            "         ^^^^^ did you mean 'SENDER'?\n");
}

TEST(FspErrors, ALabelIsNoNumber) {
  EXPECT_EQ(process_of("P = (a[x:{u,v}] -> b[x+1] -> P)."),
            "m.lts:1:22: error: expected a number, and this is the label 'u'\n"
            "  P = (a[x:{u,v}] -> b[x+1] -> P).\n"
            "                       ^ labels can only be compared with == and !=\n");
}

TEST(FspErrors, DivisionByZeroIsAnError) {
  EXPECT_EQ(process_of("P = (a[1/0] -> P)."),
            "m.lts:1:9: error: division by zero\n"
            "  P = (a[1/0] -> P).\n"
            "          ^\n");
}

TEST(FspErrors, AFileWithoutProcessesIsAnError) {
  EXPECT_EQ(errors_of("const N = 1\n"),
            "m.lts: error: the file defines no process\n  a process is written P = (a -> P).\n");
}

// ---- defines

TEST(FspDefines, OverrideAConstantWhereverItIsUsed) {
  const FspModel m("const N = 1\nconst M = N + 1\nrange R = 0..M\nP(K=N) = (a[R] -> k[K] -> P).", {{"N", 3}});
  EXPECT_EQ(m.process_alphabet("P"), "a.0 a.1 a.2 a.3 a.4 k.3");
}

TEST(FspDefines, AnUnknownNameIsAnErrorWithAHint) {
  EXPECT_EQ(FspModel("const Size = 1\nP = (a[Size] -> P).", {{"Sise", 2}}).errors(),
            "m.lts: error: there is no constant 'Sise' to define\n  did you mean 'Size'?\n");
}

// ---- warnings

TEST(FspWarnings, UnusedDefinitionsAreNamed) {
  EXPECT_EQ(rendered(FspModel("const N = 1\nP = (a -> P).\nproperty SAFE = (a -> SAFE).\n||S = (P).").file->warnings()),
            "m.lts:1:7: warning: constant N is never used\n"
            "  const N = 1\n"
            "        ^\n"
            "m.lts:3:10: warning: property SAFE is part of no composite\n"
            "  property SAFE = (a -> SAFE).\n"
            "           ^^^^ it is checked only if it is named: --property SAFE\n");
}

TEST(FspWarnings, AnAnimationIsSkippedWithANote) {
  const FspModel m("animation A = \"a.xml\" actions { go/b } controls { x }\nP = (a -> P).");
  EXPECT_EQ(m.process("P"), "0 a 0");
  EXPECT_EQ(rendered(m.file->warnings()),
            "m.lts:1:1: note: animations are not shown\n"
            "  animation A = \"a.xml\" actions { go/b } controls { x }\n"
            "  ^^^^^^^^^ this definition is skipped\n");
}

// ---- absurd sizes end in an error, soon

class Absurd : public testing::TestWithParam<std::string> {};

TEST_P(Absurd, EndsInAnError) {
  const auto start = std::chrono::steady_clock::now();
  const FspModel m(GetParam());
  const bool refused = !m.file || !m.file->process("P") || [&] {
    Budget budget({std::chrono::seconds(2), {}, 100'000, {}});
    const auto names = m.file->composites();
    return !m.file->composite(names.back(), budget) || m.file->assertion("A").has_value() == false;
  }();
  EXPECT_TRUE(refused);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));  // a hang, not a benchmark
}

std::string repeated(const std::string& piece, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += piece;
  return out;
}

INSTANTIATE_TEST_SUITE_P(
    Fsp, Absurd,
    testing::Values(
        "P = (a[0..2147483647] -> P).", "range R = 0..99999\nP = (a[R][R][R] -> P).",
        "range R = 0..999\nset S = {[R][R][R]}\nP = (a -> P).",
        "P = P[0], P[i:0..999][j:0..999][k:0..999] = (a -> P[i]).", "P = (a -> P).\n||S = (p[0..9999999]:P).",
        "P = (a -> P).\n||T(N=0) = (P || T(N+1)).", "P = (a -> P).\n||T = (P || T).",
        "P = (a -> P).\n||A = (x:P||y:P).\n||B=(x:A||y:A).\n||C=(x:B||y:B).\n||D=(x:C||y:C).\n||E=(x:D||y:D).\n"
        "||F=(x:E||y:E).\n||G=(x:F||y:F).\n||H=(x:G||y:G).\n||I=(x:H||y:H).\n||J=(x:I||y:I).\n||K=(x:J||y:J).\n"
        "||L=(x:K||y:K).\n||M=(x:L||y:L).\n||N=(x:M||y:M).\n||O=(x:N||y:N).\n||Q=(x:O||y:O).",
        "P = (a -> P).\nassert A = A", "P = (a -> P).\nrange R = 0..999\nassert A = forall[i:R] forall[j:R] a[i][j]",
        "P = " + repeated("(a -> ", 100'000),
        "P = (a[" + repeated("(", 100'000) + "1" + repeated(")", 100'000) + "] -> P).",
        "P = (a[1" + repeated("+1", 100'000) + "] -> P).", "P = (a[" + repeated("-", 100'000) + "1] -> P).",
        "P = (a" + repeated(".a", 100'000) + " -> P).", "P = (a -> P).\nassert A = " + repeated("!", 100'000) + "a",
        "P = (" + repeated("{", 100'000) + "a" + repeated("}", 100'000) + " -> P).",
        "P = (a -> " + repeated("if 1 then ", 100'000) + "P).",
        "P = (a -> P).\n||S = " + repeated("(", 100'000) + "P."));

TEST(FspErrors, ALongChainOfActionsIsNoTrouble) {
  const FspModel m("P = (" + repeated("a -> ", 100'000) + "P).");
  ASSERT_TRUE(m.file);
  EXPECT_EQ(m.file->process("P")->lts.state_count(), 100'000U);
}

// Some beginnings are whole files; every other is refused at a place that exists.
TEST(FspErrors, AFileThatEndsAnywhereIsReadOrRefusedAtAPlace) {
  const std::string text =
      "const N = 1\nset S = {a, b}\nP(K=N) = (a[i:0..K] -> if i then P else STOP) + {S} / {x/a} \\ {b}.\n"
      "||S1 = ({c,d}::p:P || forall[i:0..1] P(i) / {y/x}) >> {y} @ {y}.\n"
      "fluent F = <a, b> initially 1\nassert A = [](F -> X (a U b))\nprogress G = if a then {b}\n";
  int refused = 0;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const std::string beginning = text.substr(0, n);
    const FspModel model(beginning);
    if (model.file) continue;
    ++refused;
    const auto lines = static_cast<std::uint64_t>(std::count(beginning.begin(), beginning.end(), '\n')) + 1;
    ASSERT_FALSE(model.file.error().empty()) << beginning;
    for (const Diagnostic& d : model.file.error()) {
      EXPECT_LE(d.line, lines) << beginning;
      EXPECT_FALSE(d.message.empty()) << beginning;
    }
  }
  EXPECT_GT(refused, 200);
  EXPECT_LT(refused, static_cast<int>(text.size()));
}

}  // namespace
}  // namespace surety
