// What real files have and LTSA reads, and a strict reader would refuse. Where it is likely a mistake there is a
// warning.

#include <fmt/format.h>

#include "fsp_help.hpp"

namespace surety {
namespace {

std::string warnings_of(std::string_view text) {
  const FspModel m(text);
  return m.file ? rendered(m.file->warnings()) : m.errors();
}

// ---- P('x) -> Q

constexpr const char* kLocks = "LOCK(Id='x) = (acquire[Id] -> END).\n";

TEST(FspAsLtsa, AnArrowAfterAProcessWithParametersIsASemicolon) {
  const std::string arrow = std::string(kLocks) + "P = (go -> LOCK('y) -> WORK), WORK = (work -> P).";
  const std::string semicolon = std::string(kLocks) + "P = (go -> LOCK('y);WORK), WORK = (work -> P).";
  EXPECT_EQ(process_of(arrow), "0 go 1, 1 acquire.y 2, 2 work 0");
  EXPECT_EQ(process_of(arrow), process_of(semicolon));
  EXPECT_EQ(warnings_of(semicolon), "");
  EXPECT_EQ(warnings_of(arrow),
            "m.lts:2:21: warning: '->' after process LOCK is read as ';'\n"
            "  P = (go -> LOCK('y) -> WORK), WORK = (work -> P).\n"
            "                      ^^ write ';' between processes, and '->' after actions\n");
}

TEST(FspAsLtsa, SeveralArrowsAndSemicolonsMayFollowEachOther) {
  EXPECT_EQ(process_of(std::string(kLocks) + "P = LOCK('a) -> LOCK('b);LOCK('c) -> P."),
            "0 acquire.a 1, 1 acquire.b 2, 2 acquire.c 0");
}

TEST(FspAsLtsa, AnArrowAfterAProcessWithoutParametersIsAnError) {
  EXPECT_EQ(errors_of("L = (a -> END).\nP = (go -> L -> P)."),
            "m.lts:2:14: error: expected '|' or ')', found '->'\n"
            "  P = (go -> L -> P).\n"
            "               ^^ a process ends a chain of actions\n");
}

TEST(FspAsLtsa, WhatFollowsTheArrowIsAProcess) {
  for (const char* rest : {"(b -> P)", "b -> P"}) {
    const std::string errors = errors_of(std::string(kLocks) + "P = LOCK('a) -> " + rest + ".");
    EXPECT_NE(errors.find("m.lts:2:17: error: expected the name of a process"), std::string::npos) << errors;
    EXPECT_NE(errors.find("a sequence ends with a local process, STOP or END"), std::string::npos) << errors;
  }
  EXPECT_NE(process_of("L(N=1) = (a[N] -> L).\nP = L(2) -> P.").find("process 'L' does not terminate"),
            std::string::npos);
}

// ---- A\{a}

std::string fluent_of(const std::string& text) {
  const FspModel m(text + "\nP = (a -> P).");
  if (!m.file) return m.errors();
  const auto fluents = m.file->fluents();
  if (!fluents) return rendered(fluents.error());
  std::string out;
  for (const Fluent& f : *fluents)
    out += fmt::format("{} <{}; {}>", f.name, fmt::join(sorted_names(m.actions, f.initiating), " "),
                       fmt::join(sorted_names(m.actions, f.terminating), " "));
  return out;
}

TEST(FspAsLtsa, FluentsHaveDifferencesOfSets) {
  EXPECT_EQ(fluent_of("set A = {a, b, c}\nfluent F = <a, A\\{a}>"), "F <a; b c>");
  EXPECT_EQ(fluent_of("set A = {a, b, c}\nset B = {b}\nfluent F = <A\\{a, c}, {a, b, c}\\B>"), "F <b; a c>");
  EXPECT_EQ(fluent_of("set A = {a, b}\nfluent F = <x.A\\{a}, {A\\{b}}.y>"), "F <x.b; a.y>");
  EXPECT_EQ(fluent_of("set A = {a, b}\nfluent F[i:A] = <go[i], go[A\\{[i]}]>"), "F.a <go.a; go.b>F.b <go.b; go.a>");
  EXPECT_EQ(fluent_of("set A = {a}\nfluent F = <b, A\\A>"), "F <b; >");
}

TEST(FspAsLtsa, OtherLabelsHaveDifferencesOfSetsToo) {
  const std::string sets = "set A = {a, b, c}\n";
  EXPECT_EQ(process_of(sets + "P = (A\\{a} -> P)."), "0 b 0, 0 c 0");
  EXPECT_EQ(process_of(sets + "P = (x.A\\{b}.y -> P)."), "0 x.a.y 0, 0 x.c.y 0");
  EXPECT_EQ(process_of(sets + "P = (x[i:A\\{b}] -> y[i] -> P)."), "0 x.a 1, 0 x.c 2, 1 y.a 0, 2 y.c 0");
  EXPECT_EQ(process_of(sets + "set B = A\\{a}\nP = (B -> P)."), "0 b 0, 0 c 0");
  EXPECT_EQ(process_of(sets + "P = (a -> P)/{A\\{a}/a}."), "0 b 0, 0 c 0");
  const FspModel m(sets + "progress G = A\\{c}\nP = (A -> P).");
  ASSERT_TRUE(m.file) << m.errors();
  EXPECT_EQ(sorted_names(m.actions, m.file->progress()->front().actions), (std::vector<std::string>{"a", "b"}));
}

// Else +A\{a} would be read in another way than before.
TEST(FspAsLtsa, ABackslashAfterTheSetOfAnExtensionHides) {
  const FspModel m("set A = {a, b, c}\nP = (a -> b -> P)+A\\{a}.\nQ = (a -> Q)+{A\\{c}}.\n||S = (P)>>A\\{b}.");
  EXPECT_EQ(m.process("P"), "0 tau 1, 1 b 0");
  EXPECT_EQ(m.process_alphabet("P"), "b c");
  EXPECT_EQ(m.process_alphabet("Q"), "a b");
  EXPECT_EQ(m.composite_alphabet("S"), "c");
}

TEST(FspAsLtsa, ADifferenceNeedsASet) {
  EXPECT_EQ(errors_of("set A = {a, b}\nfluent F = <a, A\\a>\nP = (a -> P)."),
            "m.lts:2:18: error: expected a set of actions, found 'a'\n"
            "  fluent F = <a, A\\a>\n"
            "                   ^ write {a, b} or the name of a set\n");
  EXPECT_EQ(
      errors_of("fluent F = <a, A\\{a}>\nP = (a -> P)."),
      "m.lts:1:16: error: expected an action, a set of actions or '[', found 'A'\n"
      "  fluent F = <a, A\\{a}>\n"
      "                 ^ actions start with a lower-case letter, and sets must be defined before they are used\n");
}

TEST(FspAsLtsa, ADifferenceThatIsToBeHiddenStandsInBraces) {
  EXPECT_EQ(errors_of("set A = {a, b}\nP = (a -> P)\\A\\{a}."),
            "m.lts:2:15: error: expected '.' at the end of process P, found '\\'\n"
            "  P = (a -> P)\\A\\{a}.\n"
            "                ^ a difference of sets stands in braces here: {A\\{a}}\n");
  EXPECT_EQ(process_of("set A = {a, b}\nP = (a -> b -> P)\\{A\\{a}}."), "0 a 1, 1 tau 0");
}

TEST(FspAsLtsa, AFluentThatADifferenceDoesNotTakeApartIsAnError) {
  EXPECT_NE(fluent_of("set A = {a, b}\nfluent F = <a, A\\{b}>").find("'a' both initiates and terminates"),
            std::string::npos);
}

// ---- const NORTH = 'n

TEST(FspAsLtsa, AConstantMayBeALabel) {
  const std::string text =
      "const NORTH = 'n\nconst EAST = 'e.x\nconst ALSO = NORTH\n"
      "P = (go[NORTH] -> Q[EAST]), Q[d:{n, e.x}] = (when (d == EAST) at[d] -> Q[NORTH] | when (d == ALSO) end -> "
      "STOP).";
  EXPECT_EQ(process_of(text), "0 go.n 1, 1 at.e.x 2, 2 end 3");
  EXPECT_EQ(warnings_of(text), "");
}

TEST(FspAsLtsa, ALabelConstantIsAParameter) {
  const FspModel m("const NORTH = 'n\nP(D=NORTH) = (go[D] -> P).\nQ = (x -> Q).\n||S = (P || P('s) || [NORTH]:Q).");
  EXPECT_EQ(m.composite_alphabet("S"), "go.n go.s n.x");
  EXPECT_EQ(m.machines("S"), "P P(s) n:Q");
}

TEST(FspAsLtsa, ALabelThatLooksLikeANumberIsOne) {
  EXPECT_EQ(process_of("const N = '[2]\nrange R = 0..N\nP = (a[R] -> P)."), "0 a.0 0, 0 a.1 0, 0 a.2 0");
}

TEST(FspAsLtsa, ConstantsAreListedWithTheirValues) {
  const FspModel m("const NORTH = 'n\nconst N = 3\nP = (a[NORTH][N] -> P).");
  ASSERT_TRUE(m.file);
  const auto constants = m.file->constants();
  ASSERT_EQ(constants.size(), 2U);
  EXPECT_EQ(std::get<int>(constants[0].value), 3);
  EXPECT_EQ(std::get<std::string>(constants[1].value), "n");
}

TEST(FspAsLtsa, ALabelConstantCanBeDefinedAsANumber) {
  const FspModel m("const NORTH = 'n\nP = (go[NORTH] -> P).", {{"NORTH", 4}});
  EXPECT_EQ(m.process("P"), "0 go.4 0");
}

TEST(FspAsLtsa, ALabelConstantIsNoNumber) {
  EXPECT_EQ(errors_of("const NORTH = 'n\nrange R = 0..NORTH\nP = (a -> P)."),
            "m.lts:2:14: error: expected a number, and this is the label 'n'\n"
            "  range R = 0..NORTH\n"
            "               ^^^^^ labels can only be compared with == and !=\n");
  EXPECT_EQ(errors_of("const NORTH = 'n + 1\nP = (a -> P)."),
            "m.lts:1:15: error: expected a number, and this is the label 'n'\n"
            "  const NORTH = 'n + 1\n"
            "                ^ labels can only be compared with == and !=\n");
  EXPECT_NE(process_of("const NORTH = 'n\nP = (when (NORTH > 1) a -> P).").find("expected a number"),
            std::string::npos);
  EXPECT_EQ(errors_of("const NORTH = '{n, m}\nP = (a -> P)."),
            "m.lts:1:15: error: expected one label, and not a set of them\n"
            "  const NORTH = '{n, m}\n"
            "                ^\n");
}

TEST(FspAsLtsa, AConstantInAnActionIsAnIndex) {
  EXPECT_EQ(errors_of("const NORTH = 'n\nP = (NORTH -> P)."),
            "m.lts:2:6: error: expected an action, a set of actions or '[', found 'NORTH'\n"
            "  P = (NORTH -> P).\n"
            "       ^^^^^ write [NORTH]\n");
}

TEST(FspAsLtsa, AConstantIsNoPrefix) {
  EXPECT_EQ(errors_of("const NORTH = 'n\nP = (a -> P).\n||S = (NORTH:P)."),
            "m.lts:3:8: error: the constant 'NORTH' is no prefix\n"
            "  ||S = (NORTH:P).\n"
            "         ^^^^^ write [NORTH]:\n");
}

// ---- c[id:R].to[id:S]

TEST(FspAsLtsa, OfAVariableThatIsBoundTwiceInALabelTheLaterOneCounts) {
  const std::string text = "P = (c[id:0..1].via[id].to[id:2..3] -> d[id] -> P).";
  EXPECT_EQ(process_of(text),
            "0 c.0.via.0.to.2 1, 0 c.0.via.0.to.3 2, 0 c.1.via.1.to.2 3, 0 c.1.via.1.to.3 4, "
            "1 d.2 0, 2 d.3 0, 3 d.2 0, 4 d.3 0");
  EXPECT_EQ(warnings_of(text),
            "m.lts:1:28: warning: the variable 'id' is bound twice here: the later one counts\n"
            "  P = (c[id:0..1].via[id].to[id:2..3] -> d[id] -> P).\n"
            "                             ^^ choose another name\n");
}

TEST(FspAsLtsa, IndicesOfProcessesAreBoundTwiceInTheSameWay) {
  const std::string text = "P = Q[0][1], Q[i:0..1][i:0..1] = (a[i] -> Q[1][0]).";
  EXPECT_EQ(process_of(text), "0 a.1 1, 1 a.0 1");
  EXPECT_NE(warnings_of(text).find("the variable 'i' is bound twice here"), std::string::npos);
  EXPECT_EQ(FspModel("P = (a -> P).\n||S = forall[i:0..1][i:2..3] x[i]:P.").machines("S"), "x.2:P x.3:P x.2:P x.3:P");
}

TEST(FspAsLtsa, AVariableThatIsInUseAlreadyStaysAnError) {
  for (const char* text : {"P = (a[i:0..1] -> b[i:0..1] -> P).", "P = Q[0], Q[i:0..1] = (a[i:0..1] -> P).",
                           "P = (a[i:0..1].{b[i:0..1]} -> P)."})
    EXPECT_NE(process_of(text).find("error: the variable 'i' is already in use here"), std::string::npos) << text;
}

// What looks at the text for other reasons must not take the first variable for the second.
TEST(FspAsLtsa, AProcessWhoseVariablesAreBoundTwiceStaysWhole) {
  FspLimits limits;
  limits.cells = FspCells{1, false, 1'000'000};
  for (const char* text :
       {"P = Q[0][0], Q[i:0..3][i:0..3] = (a[i] -> Q[(i+1)%4][i] | b[j:0..3] -> Q[j][i]).\n||S = (P).",
        "P = Q[0][0], Q[i:0..3][k:0..3] = (c[j:0..1].d[j:2..3] -> Q[j][k] | b[j:0..3] -> Q[i][j]).\n"
        "||S = (P)."}) {
    const FspModel apart(text, {}, limits);
    EXPECT_EQ(apart.machines("S"), "P") << text;
    ASSERT_EQ(apart.file->cells().size(), 1U) << text;
    EXPECT_EQ(apart.file->cells()[0], "P stays whole: a variable is bound twice") << text;
  }
}

// ---- a process and a composite of one name

TEST(FspAsLtsa, AProcessAndACompositeMayHaveOneName) {
  for (const char* text :
       {"S = (a -> S).\nQ = (b -> Q).\n||S = (S || Q).", "Q = (b -> Q).\n||S = (S || Q).\nS = (a -> S)."}) {
    const FspModel m(text);
    EXPECT_EQ(m.process("S"), "0 a 0");
    EXPECT_EQ(m.composite_alphabet("S"), "a b");
    EXPECT_EQ(m.machines("S"), "S Q");
  }
}

TEST(FspAsLtsa, TheNameMeansTheProcess) {
  const FspModel m("X = (a -> END).\n||X = (X)/{b/a}.\n||T = (X).\nSEQ = X;SEQ.");
  EXPECT_EQ(m.composite_alphabet("X"), "b");
  EXPECT_EQ(m.composite_alphabet("T"), "a");
  EXPECT_EQ(m.process("SEQ"), "0 a 0");
}

TEST(FspAsLtsa, AProcessAndACompositeOfOneNameAreAWarning) {
  const char* kHint = "where a composite or a sequence names it, the process is meant\n";
  EXPECT_EQ(warnings_of("S = (a -> S).\n||S = (S)."),
            std::string("m.lts:2:3: warning: 'S' is both a process and a composite\n  ||S = (S).\n    ^ ") + kHint);
  EXPECT_EQ(warnings_of("||S = (S).\nS = (a -> S)."),
            std::string("m.lts:2:1: warning: 'S' is both a process and a composite\n  S = (a -> S).\n  ^ ") + kHint);
}

TEST(FspAsLtsa, AnImportedProcessIsAProcessToo) {
  EXPECT_NE(warnings_of("P = (a -> P).\n||S = (P).\nimport S = \"x.aut\"").find("m.lts:3:8: warning: 'S' is both"),
            std::string::npos);
}

TEST(FspAsLtsa, TwoCompositesOfOneNameAreAnErrorAndSoAreTwoProcesses) {
  EXPECT_EQ(errors_of("P = (a -> P).\n||S = (P).\n||S = (P)."),
            "m.lts:3:3: error: composite 'S' is already defined\n"
            "  ||S = (P).\n"
            "    ^ choose another name\n");
  EXPECT_NE(errors_of("S = (a -> S).\n||S = (S).\nS = (b -> S).").find("process 'S' is already defined"),
            std::string::npos);
}

TEST(FspAsLtsa, ACompositeThatNeedsItselfIsStillAnError) {
  EXPECT_NE(composite_of("||S = (S).").find("'S' needs itself"), std::string::npos);
  EXPECT_NE(composite_of("S(N=1) = (a[N] -> S).\n||S = (T).\n||T = (U).\n||U = (T).").find("'T' needs itself"),
            std::string::npos);
}

}  // namespace
}  // namespace surety
