// Primitive processes (doc/semantics.md#fsp-processes).

#include <chrono>
#include <filesystem>

#include "base/file.hpp"
#include "fsp_help.hpp"

namespace surety {
namespace {

// ---- labels, sets and ranges

TEST(FspProcess, AChainOfActionsIsAChainOfStates) {
  EXPECT_EQ(process_of("P = (a -> b -> c -> P)."), "0 a 1, 1 b 2, 2 c 0");
}

TEST(FspProcess, AChoiceHasOneStepForEachBranchAndEqualStepsAreOne) {
  EXPECT_EQ(process_of("P = (a -> P | b -> P | a -> P)."), "0 a 0, 0 b 0");
}

TEST(FspProcess, ASetInAnActionIsOneStepForEachElement) {
  EXPECT_EQ(process_of("P = ({a, b.c} -> P)."), "0 a 0, 0 b.c 0");
}

TEST(FspProcess, ARangeInALabelIsOneStepForEachValueInOrder) {
  EXPECT_EQ(process_of("P = (a[0..2] -> P)."), "0 a.0 0, 0 a.1 0, 0 a.2 0");
}

TEST(FspProcess, IndicesAreDottedPartsOfTheLabelAlsoNegativeOnes) {
  EXPECT_EQ(process_of("P = (a[1].b -> x[2][-3] -> P)."), "0 a.1.b 1, 1 x.2.-3 0");
}

TEST(FspProcess, AVariableIsKnownInTheRestOfTheChain) {
  EXPECT_EQ(process_of("P = (in[i:0..1] -> out[1-i] -> P)."), "0 in.0 1, 0 in.1 2, 1 out.1 0, 2 out.0 0");
}

TEST(FspProcess, AnUnnamedContinuationIsNewForEachLabelAndANamedOneIsShared) {
  EXPECT_EQ(process_of("P = (a[0..1] -> b -> P)."), "0 a.0 1, 0 a.1 2, 1 b 0, 2 b 0");
  EXPECT_EQ(process_of("P = (a[0..1] -> Q), Q = (b -> P)."), "0 a.0 1, 0 a.1 1, 1 b 0");
}

TEST(FspProcess, ASetMayBeTakenOutOfASet) {
  EXPECT_EQ(process_of("set S = {a,b,c}\nP = (x.{S\\{b}} -> P)."), "0 x.a 0, 0 x.c 0");
}

TEST(FspProcess, AVariableOverASetIsALabelUnlessItLooksLikeANumber) {
  EXPECT_EQ(process_of("set S = {[0..1], none}\n"
                       "P = (get[v:S] -> if (v == 'none) then (no -> P) else P[v]), P[i:0..1] = (next[i+1] -> P)."),
            "0 get.0 1, 0 get.1 2, 0 get.none 3, 1 next.1 0, 2 next.2 0, 3 no 0");
}

TEST(FspProcess, LabelsCanBeParameters) {
  EXPECT_EQ(process_of("P(X='go.on) = ([X].x -> [X][1] -> P)."), "0 go.on.x 1, 1 go.on.1 0");
}

// ---- expressions

TEST(FspExpression, FollowsThePrecedenceOfC) {
  const char* text = "const N = 7\nset S = {u,v,w}\nP = (";
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"1+2*3", "7"},        {"(1+2)*3", "9"},    {"7/2", "3"},          {"-7/2", "-3"},
      {"-2%3", "-2"},        {"1<<3", "8"},       {"16>>2", "4"},        {"6&3", "2"},
      {"6|3", "7"},          {"6^3", "5"},        {"1|2^3&2", "1"},      {"3>2", "1"},
      {"2>=3", "0"},         {"!0", "1"},         {"!5", "0"},           {"!-1", "1"},
      {"1&&0||1", "1"},      {"1==1&&2!=2", "0"}, {"0x1F", "31"},        {"017", "15"},
      {"#S", "3"},           {"N-2-1", "4"},      {"- -N", "7"},         {"2147483647+1", "-2147483648"},
      {"'a.b == 'a.b", "1"}, {"'a != 'b", "1"},   {"@(S,1) == 'v", "1"}, {"'a == 1", "0"},
  };
  for (const auto& [expression, value] : cases)
    EXPECT_EQ(process_of(std::string(text) + "a[" + expression + "] -> P)."), std::string("0 a.") + value + " 0")
        << expression;
}

TEST(FspExpression, AGuardNeedsNoParentheses) {
  EXPECT_EQ(process_of("P = P[0], P[i:0..2] = (when i<2 up -> P[i+1] | when i>0 && i<=2 down -> P[i-1])."),
            "0 up 1, 1 up 2, 1 down 0, 2 down 1");
}

TEST(FspExpression, AParameterHidesAConstantOfTheSameName) {
  EXPECT_EQ(process_of("const N = 1\nrange R = 0..N\nP(N=5) = (a[N] -> b[R] -> P)."), "0 a.5 1, 1 b.0 0, 1 b.1 0");
}

// ---- local processes

TEST(FspProcess, EveryIndexOfALocalProcessIsAStateAndUnreachableOnesAreDropped) {
  EXPECT_EQ(process_of("P = P[1], P[i:0..9] = (a -> P[i])."), "0 a 0");
}

TEST(FspProcess, TheAlphabetHasTheLabelsOfUnreachableLocalProcesses) {
  const FspModel m("P = (a -> P), Q = (b -> Q).");
  EXPECT_EQ(m.process("P"), "0 a 0");
  EXPECT_EQ(m.process_alphabet("P"), "a b");
}

TEST(FspProcess, AFalseGuardContributesNeitherStepNorLabel) {
  const FspModel m("P = (a -> P | when (0) b -> P).");
  EXPECT_EQ(m.process_alphabet("P"), "a");
}

TEST(FspProcess, IndicesOfStatesAreFlatSoASetOfPairsFitsTwoIndices) {
  EXPECT_EQ(process_of("range M = 0..1\nset S = {[M][M]}\n"
                       "P = (a[s:S] -> P[s]), P[i:M][j:M] = (b[i+j] -> P)."),
            "0 a.0.0 1, 0 a.0.1 2, 0 a.1.0 3, 0 a.1.1 4, 1 b.0 0, 2 b.1 0, 3 b.1 0, 4 b.2 0");
}

TEST(FspProcess, AliasesAreTheirTargets) { EXPECT_EQ(process_of("P = Q, Q = R, R = (a -> S), S = P."), "0 a 0"); }

TEST(FspProcess, AnAliasCycleIsAnErrorAndNoHang) {
  EXPECT_EQ(process_of("P = Q,\nQ = P."),
            "m.lts:1:1: error: 'P' is defined as itself, with no action in between\n"
            "  P = Q,\n"
            "  ^\n");
  EXPECT_EQ(process_of("P = P."),
            "m.lts:1:1: error: 'P' is defined as itself, with no action in between\n"
            "  P = P.\n"
            "  ^\n");
  EXPECT_EQ(process_of("P = (a -> Q[1]),\nQ[i:0..1] = if (i == 1) then Q[i] else P."),
            "m.lts:2:1: error: 'Q' is defined as itself, with no action in between\n"
            "  Q[i:0..1] = if (i == 1) then Q[i] else P.\n"
            "  ^\n");
}

TEST(FspProcess, IfWithoutElseAndAllGuardsFalseStop) {
  EXPECT_EQ(process_of("P = (a -> if (0) then P)."), "0 a 1");
  EXPECT_EQ(process_of("P = (a -> Q), Q = (when (0) b -> Q)."), "0 a 1");
}

TEST(FspProcess, StopIsOneStateAndEndIsRemembered) {
  EXPECT_EQ(process_of("P = (a -> STOP | b -> STOP | c -> END | d -> END)."), "0 a 1, 0 b 1, 0 c END, 0 d END");
}

TEST(FspProcess, ErrorFromTheStartIsASilentStepIntoIt) {
  EXPECT_EQ(process_of("P = ERROR."), "0 tau ERROR");
  EXPECT_EQ(process_of("P = Q, Q = ERROR."), "0 tau ERROR");
}

TEST(FspProcess, AnIndexOutOfRangeIsErrorWithAWarning) {
  const FspModel m("P = P[0],\nP[i:0..1] = (up -> P[i+1]).");
  EXPECT_EQ(m.process("P"), "0 up 1, 1 up ERROR");
  EXPECT_EQ(m.process_warnings("P"),
            "m.lts:2:20: warning: P has no local process 'P.2': this is ERROR\n"
            "  P[i:0..1] = (up -> P[i+1]).\n"
            "                     ^ the index is out of range\n");
}

TEST(FspProcess, AnotherProcessCannotBeContinuedWith) {
  const FspModel m("Q = (b -> Q).\nP = (a -> Q).");
  EXPECT_EQ(m.process("P"), "0 a ERROR");
  EXPECT_EQ(m.process_warnings("P"),
            "m.lts:2:11: warning: P has no local process 'Q': this is ERROR\n"
            "  P = (a -> Q).\n"
            "            ^ a process can only go on as one of its own local processes\n");
}

TEST(FspProcess, AnAcceptingStateHasALoopWithTheNameOfTheProcess) {
  EXPECT_EQ(process_of("P = (a -> Q), Q@ = (b -> P)."), "0 a 1, 1 b 0, 1 @P 1");
}

// ---- operators

TEST(FspProcess, AnExtensionAddsToTheAlphabetOnly) {
  const FspModel m("P = (a -> P) + {b, c[0..1]}.");
  EXPECT_EQ(m.process("P"), "0 a 0");
  EXPECT_EQ(m.process_alphabet("P"), "a b c.0 c.1");
}

TEST(FspProcess, HidingMatchesWholePartsOfLabels) {
  EXPECT_EQ(process_of("P = (a.x -> ab -> b -> P)\\{a}."), "0 tau 1, 1 ab 2, 2 b 0");
  EXPECT_EQ(process_of("P = (a.x -> ab -> b -> P)@{a}."), "0 a.x 1, 1 tau 2, 2 tau 0");
}

TEST(FspProcess, RelabellingTakesTheLongestPrefixAndAllPairsAtOnce) {
  EXPECT_EQ(FspModel("P = (a.b.c -> a.d -> P)/{x/a, y/a.b}.").process_alphabet("P"), "x.d y.c");
  EXPECT_EQ(process_of("P = (a -> b -> P)/{a/b, b/a}."), "0 b 1, 1 a 0");
  EXPECT_EQ(process_of("P = (a -> P)/{ {x,y}/a }."), "0 x 0, 0 y 0");
  EXPECT_EQ(process_of("P = (a -> b -> P)/{z/{a,b}}."), "0 z 1, 1 z 0");
  EXPECT_EQ(process_of("P = (a[0..1] -> P)/{forall[i:0..1] {c[1-i]/a[i]}}."), "0 c.1 0, 0 c.0 0");
}

TEST(FspProcess, RelabellingComesBeforeHiding) {
  EXPECT_EQ(process_of("P = (a -> b -> P)/{x/a}\\{x}."), "0 tau 1, 1 b 0");
}

TEST(FspProcess, MinimalIsWeakBisimulationWithoutTheMovedChoice) {
  EXPECT_EQ(process_of("minimal P = (a -> h -> b -> P | a -> b -> P)\\{h}."), "0 a 1, 1 b 0");
  const FspModel m("minimal P = (a -> (h -> b -> P | k -> c -> P))\\{h,k}.");
  EXPECT_EQ(m.file->process("P")->lts.state_count(), 4U);
}

TEST(FspProcess, DeterministicIsTheSubsetConstruction) {
  EXPECT_EQ(process_of("deterministic P = (a -> b -> P | a -> c -> P)."), "0 a 1, 1 b 0, 1 c 0");
}

// ---- properties

TEST(FspProperty, EveryMissingActionLeadsToError) {
  EXPECT_EQ(process_of("property P = (a -> b -> P)."), "0 a 1, 0 b ERROR, 1 a ERROR, 1 b 0");
}

TEST(FspProperty, AnExtensionForbids) { EXPECT_EQ(process_of("property P = STOP + {bad}."), "0 bad ERROR"); }

TEST(FspProperty, EndIsForgotten) {
  const FspModel m("property P = (a -> END).");
  EXPECT_EQ(m.process("P"), "0 a 1, 1 a ERROR");
}

TEST(FspProperty, MustBeDeterministic) {
  EXPECT_EQ(process_of("property P = (a -> b -> P | a -> c -> P)."),
            "m.lts:1:10: error: property P is not deterministic\n"
            "  property P = (a -> b -> P | a -> c -> P).\n"
            "           ^ after some trace there are two choices for 'a'\n");
}

// ---- sequences

TEST(FspSequence, TheEndOfOneIsTheStartOfTheNext) {
  const FspModel m("P = (a -> END).\nQ = (b -> END).\nR = P;Q;R.\nS = (go -> P;Q;S).\nT = P;Q;END.");
  EXPECT_EQ(m.process("R"), "0 a 1, 1 b 0");
  EXPECT_EQ(m.process("S"), "0 go 1, 1 a 2, 2 b 0");
  EXPECT_EQ(m.process("T"), "0 a 1, 1 b END");
}

TEST(FspSequence, EachUseIsAFreshCopy) {
  EXPECT_EQ(process_of("P = (a -> END).\nQ = (x -> P;Q | y -> P;Q).", "Q"), "0 x 1, 0 y 2, 1 a 0, 2 a 0");
}

TEST(FspSequence, ACompositeThatEndsCanBeUsed) {
  EXPECT_EQ(process_of("P = (a -> END).\nQ = (b -> END).\n||PQ = (P || Q).\nR = PQ;R.", "R"),
            "0 a 1, 0 b 2, 1 b 0, 2 a 0");
}

TEST(FspSequence, WhatDoesNotEndCannotBeFollowed) {
  EXPECT_EQ(process_of("P = (a -> STOP).\nR = P;R.", "R"),
            "m.lts:2:5: error: process 'P' does not terminate\n"
            "  R = P;R.\n"
            "      ^ only a process that can reach END may stand before ';'\n");
}

// It has 2^40 states.
TEST(FspProcess, ADeterministicOneIsMadeWithinTheBudget) {
  const char* const text =
      "deterministic P = Q, Q = (a -> Q | b -> Q | a -> R[1]), R[i:1..40] = ({a, b} -> if i < 40 then R[i + 1]).\n";
  const FspModel m(text);
  ASSERT_TRUE(m.file);
  Limits limits;
  limits.time = std::chrono::milliseconds(100);
  Budget budget(limits);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(m.file->process("P", &budget));
  EXPECT_EQ(budget.why(), Stop::time);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(FspSequence, ARecursionThatNeverEndsIsAnError) {
  const std::string own = process_of("P = (a -> P;END).");
  EXPECT_NE(own.find("'P' needs itself"), std::string::npos) << own;
  const std::string growing = process_of("P(N=0) = (a -> P(N+1);END).");
  EXPECT_NE(growing.find("is this a recursion that never ends?"), std::string::npos) << growing;
}

// ---- imports

TEST(FspImport, ReadsAnAutFileThatLiesBesideTheModel) {
  const auto folder = std::filesystem::path(testing::TempDir());
  ASSERT_TRUE(write_file((folder / "fsp_import.aut").string(), "des (0, 2, 2)\n(0, a, 1)\n(1, tau, 0)\n"));
  FspModel m("P = (a -> P).");
  m.file = read_fsp("import Q = \"fsp_import.aut\"\nP = (a -> b -> P).\n||S = (P || x:Q/{a/x.a}).",
                    (folder / "m.lts").string(), m.actions);
  ASSERT_TRUE(m.file) << m.errors();
  EXPECT_EQ(m.process("Q"), "0 a 1, 1 tau 0");
  EXPECT_EQ(m.composite("S"), "0 a 1, 1 tau 3, 1 b 2, 2 tau 0, 3 b 0");
}

TEST(FspImport, AMissingFileIsAnErrorOfTheProcess) {
  const std::string error = process_of("import P = \"nowhere.aut\"");
  EXPECT_NE(error.find("m.lts:1:8: error: cannot import 'nowhere.aut'"), std::string::npos) << error;
  EXPECT_NE(error.find("nowhere.aut: error: cannot open"), std::string::npos) << error;
}

}  // namespace
}  // namespace surety
