// What a user sees who made a mistake: where, what, and what to do.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "help.hpp"
#include "lang/promela/preprocess.hpp"

namespace surety::promela_test {
namespace {

// All that is wrong with a program; of the machine too if the parser has nothing to say.
std::string errors(const std::string& text, const std::vector<promela::Define>& defines = {}) {
  const auto file = read_promela(text, "m.pml", defines);
  if (!file) return rendered(file.error());
  ActionTable actions;
  const auto machine = PromelaMachine::make(*file, actions);
  return machine ? "" : rendered(machine.error());
}

#define EXPECT_SAYS(text, what) EXPECT_NE(errors(text).find(what), std::string::npos) << errors(text)

TEST(PromelaErrors, ShowPlaceExcerptCaretAndHint) {
  EXPECT_EQ(errors("byte count;\nactive proctype A() {\n  cuont = 1\n}\n"),
            "m.pml:3:3: error: 'cuont' is not declared\n"
            "    cuont = 1\n"
            "    ^^^^^ did you mean 'count'?\n");
}

TEST(PromelaErrors, OfManyUnitsAreFoundInOneRun) {
  const std::string all = errors(
      "active proctype A() { do :: skip }\n"
      "active proctype B() { x = 1 }\n"
      "active proctype C() { if skip fi }\n");
  EXPECT_NE(all.find("m.pml:1:"), std::string::npos) << all;
  EXPECT_NE(all.find("m.pml:2:"), std::string::npos) << all;
  EXPECT_NE(all.find("m.pml:3:"), std::string::npos) << all;
}

// The lines of all that is wrong.
std::vector<std::uint64_t> lines(const std::string& text) {
  const auto file = read_promela(text, "m.pml");
  std::vector<std::uint64_t> out;
  if (!file)
    for (const auto& e : file.error()) out.push_back(e.line);
  return out;
}
using Lines = std::vector<std::uint64_t>;

TEST(PromelaErrors, OfOneBodyAreFoundInOneRun) {
  EXPECT_EQ(lines("byte x;\nactive proctype A() {\n"
                  "  x = ;\n"
                  "  if\n"
                  "  :: x == 1 -> x = (2 + x;\n"
                  "  :: else -> skip\n"
                  "  fi;\n"
                  "  do :: x + + :: break od;\n"
                  "  x = 3\n}\n"),
            (Lines{3, 5, 8}));
  // One bracket too few, one of another kind, one too many.
  EXPECT_EQ(lines("byte x;\nactive proctype A() {\n"
                  "  atomic { do :: x = 1 :: x = 2 };\n"
                  "  x = 1 1;\n"
                  "  if :: x = 1 :: do :: x = 2 od od;\n"
                  "  x = 2 2;\n"
                  "  if :: do :: x = 3 fi;\n"
                  "  x = 3 3;\n"
                  "  fi;\n"
                  "  x = 4 4\n}\n"
                  "active proctype B() { x = 5 5 }\n"),
            (Lines{3, 4, 5, 6, 7, 8, 9, 10, 12}));
  // As in C, and what is refused.
  EXPECT_EQ(lines("byte x;\nactive proctype A() {\n"
                  "  while (x < 3) { x = x + 1; if :: skip fi }\n"
                  "  x = 1 1;\n"
                  "  c_code { x++; }\n"
                  "  for (x = 1; x < 3; x++) { skip }\n"
                  "  x = 2 2\n"
                  "  goto\n"
                  "}\n"),
            (Lines{3, 4, 5, 6, 7, 9}));
}

TEST(PromelaErrors, BringNoOthersWithThem) {
  // Names of a declaration that is wrong, labels of a statement that is, calls of an inline.
  EXPECT_EQ(lines("active proctype A() {\n  byte x = , y;\n  x = y\n}\n"), (Lines{2}));
  EXPECT_EQ(lines("byte x = ;\nbyte y;\nactive proctype A() {\n  x = y\n}\n"), (Lines{1}));
  EXPECT_EQ(lines("byte x;\nactive proctype A() {\n  there: x = ;\n  goto there\n}\n"), (Lines{3}));
  EXPECT_EQ(lines("byte x;\ninline f(a) {\n  a = 1 1;\n  a = 1\n}\nactive proctype A() { f(x); f(x); x = 1 1 }\n"),
            (Lines{3, 6}));
  EXPECT_EQ(lines("byte x;\nactive proctype A() {\n  { x = 1 x } unless { x == 2 };\n  x = 1\n}\n"), (Lines{3}));
  EXPECT_EQ(lines("byte x;\nproctype P() {\n  l: x x\n}\ninit { run P(); P@l }\n"), (Lines{3}));
  EXPECT_EQ(lines("byte x;\nactive proctype A() {\n  do\n  :: x = 1\nactive proctype B() { x = 2 }\n"), (Lines{5}));
}

TEST(PromelaErrors, NameWhatIsMissing) {
  EXPECT_SAYS("active proctype A() {\n do\n :: skip\n}\n", "the 'do' of line 2 needs its 'od'");
  EXPECT_SAYS("active proctype A() { if (1) skip fi }", "write if :: guard");
  EXPECT_SAYS("active proctype A() { skip\n", "the '{' of line 1 is still open");
  EXPECT_SAYS("byte x; active proctype A() { x = 1 x = 2 }", "expected ';' or '->'");
  EXPECT_SAYS("active proctype A() { goto there }", "there is no label 'there'");
  EXPECT_SAYS("init { run Q() }", "there is no proctype 'Q'");
  EXPECT_SAYS("proctype Proc(byte x) { skip } init { run Porc(1) }", "did you mean 'Proc'?");
  EXPECT_SAYS("proctype P(byte x) { skip } init { run P() }", "'P' has 1 parameter, 0 given");
  EXPECT_SAYS("proctype P() { skip } init { P() }", "write run P(...)");
  EXPECT_SAYS("active proctype A() { _++ }", "'_' cannot be assigned to");
  EXPECT_SAYS("byte x; active proctype A() { x = _ }", "'_' has no value");
  EXPECT_SAYS("active proctype A() { break }", "'break' stands in no loop");
  EXPECT_SAYS("active proctype A() { }", "a process needs a statement");
  EXPECT_SAYS("byte x;", "the file defines no process");
  EXPECT_SAYS("byte x; proctype A() { x = 1 }", "no process is ever started");
  EXPECT_SAYS("byte x; proctype A() { x = 1 }", "write active proctype");
  EXPECT_SAYS("byte x; never { true } proctype A() { x = 1 }", "no process is ever started");
}

TEST(PromelaErrors, OfTypes) {
  EXPECT_SAYS("chan c = [1] of { byte, byte }; active proctype A() { c!1 }", "have 2 fields, 1 is given");
  EXPECT_SAYS("chan c = [1] of { byte }; byte x; active proctype A() { c?x,x }", "have 1 field, 2 are given");
  EXPECT_SAYS("byte c; active proctype A() { c!1 }", "'c' is no channel");
  EXPECT_SAYS("byte a[3]; active proctype A() { a = 1 }", "the array 'a' needs an index");
  EXPECT_SAYS("byte a[3]; active proctype A() { a[3] = 1 }", "indices go from 0 to 2");
  EXPECT_SAYS("byte a; active proctype A() { a[0] = 1 }", "'a' is no array");
  EXPECT_SAYS("typedef T { byte colour }; T t; active proctype A() { t.color = 1 }", "did you mean 'colour'?");
  EXPECT_SAYS("byte x; byte x; active proctype A() { skip }", "'x' is already declared");
  EXPECT_SAYS("byte x; active proctype A() { byte x; skip }", "'x' is already declared");
  EXPECT_SAYS("chan c = [1] of { byte }; active proctype A() { !full(c) }", "the opposite of full is nfull");
  EXPECT_SAYS("active proctype A() { l: skip; l: skip }", "the label 'l' is already there");
  EXPECT_SAYS("byte x; active proctype A() { if :: l: x = 1 fi }", "a label cannot stand on the first statement");
  EXPECT_SAYS("chan c = [2] of { byte }; byte x; active proctype A() { for (x in c) { skip } }",
              "'for' cannot go through the messages of 'c' like this");
  EXPECT_SAYS("byte x; ltl p { [] x == 1 } active proctype A() { skip }", "write [] (x == 0)");
}

const char* const kTwoChannels =
    "byte x; chan c = [1] of { byte };\n"
    "active proctype A() { x = 1; c!1 }\n";

TEST(PromelaErrors, OfTwoPropertiesShowBothPlaces) {
  const std::string p = kTwoChannels;
  EXPECT_EQ(errors(p + "ltl p { [] (x < 2) }\nltl p { [] (x < 3) }\n"),
            "m.pml:4:5: error: there are two properties 'p'\n"
            "  ltl p { [] (x < 3) }\n"
            "      ^ the first is an ltl block at m.pml:3:5; choose another name\n");
  EXPECT_SAYS(p + "ltl p { [] (x < 2) }\ntrace { p: c!1 }\n", "m.pml:4:9: error: there are two properties 'p'");
  EXPECT_SAYS(p + "ltl p { [] (x < 2) }\ntrace { p: c!1 }\n", "the first is an ltl block at m.pml:3:5");
  EXPECT_SAYS(p + "trace { p: c!1 }\nnotrace { p: c!2 }\n", "the first is a trace block at m.pml:3:9");
  EXPECT_SAYS(p + "never p { do :: true od }\nltl p { [] (x < 2) }\n", "the first is a never claim at m.pml:3:1");
  EXPECT_SAYS(p + "never { do :: true od }\nltl never_0 { [] (x < 2) }\n", "there are two properties 'never_0'");
  EXPECT_SAYS(p + "ltl ltl_0 { [] (x < 2) }\nltl { [] (x < 3) }\n", "there are two properties 'ltl_0'");
  EXPECT_SAYS(p + "trace { c!1 }\ntrace { trace_2: c!1 }\ntrace { c!2 }\n", "there are two properties 'trace_2'");
  EXPECT_EQ(lines(p + "ltl p { [] (x < 2) }\nltl p { [] (x < 3) }\nltl p { [] (x < 4) }\n"), (Lines{4, 5}));
}

TEST(PromelaErrors, OfPropertiesThatAreCalledLikeChecks) {
  const std::string p = kTwoChannels, labelled = "active proctype B() {\n  x = 2; accept_1: progress: x = 3\n}\n";
  EXPECT_SAYS(p + "ltl deadlock { [] (x < 2) }\n", "'deadlock' is the name of the check for invalid end states");
  EXPECT_SAYS(p + "trace { deadlock: c!1 }\n", "'deadlock' is the name of the check for invalid end states");
  EXPECT_SAYS(p + "ltl assert { [] (x < 2) }\n", "expected '{', found 'assert'");
  EXPECT_SAYS(p + labelled + "ltl accept { [] (x < 2) }\n", "there is such a label at m.pml:4:10");
  EXPECT_SAYS(p + labelled + "ltl progress { [] (x < 2) }\n",
              "'progress' is the name of the check for labels progress");
}

TEST(PromelaErrors, OfNamesComeOnlyWhereTwoThingsHaveOne) {
  const std::string p = kTwoChannels, labelled = "active proctype B() { x = 2; accept_1: x = 3 }\n";
  for (const char* fine :
       {"ltl { [] (x < 2) }\nltl a { [] (x < 2) }\nltl { [] (x < 3) }\n", "ltl accept { [] (x < 2) }\n",
        "ltl progress { [] (x < 2) }\n", "ltl ltl_1 { [] (x < 2) }\nltl { [] (x < 3) }\n", "ltl x { [] (x < 2) }\n",
        "trace { c!1 }\ntrace { c!2 }\nnotrace { n: c!2 }\n", "never { do :: true od }\nnever { do :: true od }\n"})
    EXPECT_EQ(errors(p + fine), "") << fine;
  EXPECT_EQ(errors(p + labelled + "never { do :: true od }\nltl accept { [] (x < 2) }\n"), "");
}

TEST(PromelaErrors, OfProvidedClauses) {
  const auto with = [](const std::string& clause) {
    return "byte g, a[2]; chan c = [1] of { byte }; proctype P(byte p; chan q) provided (" + clause +
           ") { byte l; l = p; q!l }\ninit { run P(1, c) }\n";
  };
  for (const char* fine : {"g == 0", "a[g] == 0 || _pid > 0", "len(c) == 0", "c?[1]"})
    EXPECT_EQ(errors(with(fine)), "");
  for (const char* wrong : {"p == 1", "g == 0 || 1 - p == 1", "len(q) == 0", "P:l == 0"})
    EXPECT_SAYS(with(wrong), "a provided clause cannot use a variable of a process");
}

TEST(PromelaErrors, NameWhatIsNotSupported) {
  EXPECT_SAYS("active proctype A() { c_code { x++; } }", "'c_code' (embedded C code) is not supported");
  EXPECT_SAYS("c_decl { int x; }\nactive proctype A() { skip }", "embedded C code is not supported");
  EXPECT_SAYS("active proctype A() priority 3 { skip }", "priority is not supported");
  EXPECT_SAYS("active proctype A() { enabled(1) }", "'enabled' is not supported");
  EXPECT_SAYS("byte x; proctype P() { skip } init { x = 1 + run P() }", "'run' inside an expression is not supported");
  EXPECT_SAYS("active D_proctype A() { skip }", "D_proctype is not supported");
}

TEST(PromelaWarnings, TellOfLabelsThatNobodySees) {
  const auto warnings = [](const std::string& text) {
    const auto file = read_promela(text, "m.pml");
    return file ? rendered(file->warnings) : rendered(file.error());
  };
  const std::string before = "byte x; active proctype A() { do :: x = 1; accept: atomic { x = 2; x = 3 } od }";
  const std::string inside = "byte x; active proctype A() { do :: x = 1; atomic { x = 2; accept: x = 3 } od }";
  EXPECT_EQ(warnings(before), "");
  EXPECT_NE(warnings(inside).find("m.pml:1:60: warning: this label is not seen"), std::string::npos)
      << warnings(inside);
}

TEST(PromelaErrors, OfInlinesPointIntoThem) {
  EXPECT_SAYS("inline f(a) {\n  a = y\n}\nbyte x;\nactive proctype A() { f(x) }\n",
              "m.pml:2:7: error: 'y' is not declared");
  EXPECT_SAYS("inline f(a) { f(a) } active proctype A() { f(1) }", "the inline 'f' calls itself");
  EXPECT_SAYS("inline f(a) { skip } active proctype A() { f(1, 2) }", "has 1 parameter, 2 given");
}

TEST(PromelaErrors, BehindMacrosPointToTheUsersFile) {
  const std::string text = "#define LIMIT 3\n\nbyte x;\nactive proctype A() {\n  x = LIMIT + lost\n}\n";
  EXPECT_SAYS(text, "m.pml:5:15: error: 'lost' is not declared\n    x = LIMIT + lost\n");
  EXPECT_SAYS("#include \"nowhere.h\"\nactive proctype A() { skip }\n", "m.pml:1:1: error: nowhere.h");
}

TEST(PromelaDefines, AreNotAskedForWithoutABudget) {
  const promela::Source source("a.pml", "#define N 3\n");
  Budget budget;
  EXPECT_EQ(promela::constants_of(source, {}, budget).size(), 1U);
  EXPECT_FALSE(promela::preprocessor(budget).version.empty());
  budget.stop(Stop::interrupted);
  EXPECT_TRUE(promela::constants_of(source, {}, budget).empty());
  EXPECT_TRUE(promela::preprocessor(budget).version.empty());
}

TEST(PromelaDefines, WinOverTheFile) {
  const std::string text = "#define N 3\n#define M \\\n  4\nbyte x[N];\nactive [M] proctype A() { x[2] = N }\n";
  const auto file = read_promela(text, "m.pml", {{"N", "5"}, {"M", "2"}});
  ASSERT_TRUE(file) << rendered(file.error());
  EXPECT_EQ(file->program->globals[0].length, 5U);
  EXPECT_EQ(file->program->processes[0].active, 2U);
  EXPECT_EQ(file->source->line_number(file->program->processes[0].place), 5U);
  EXPECT_NE(errors(text, {{"K", "5"}}).find("there is no #define 'K'"), std::string::npos);
}

TEST(PromelaDefines, OfIncludedFilesAreOverriddenOrRefused) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("surety_defines_{}", getpid());
  std::filesystem::create_directory(folder);
  const auto included = [&](const std::string& text) { std::ofstream(folder / "sizes.h") << text; };
  const auto read = [&](const std::string& name) {
    return read_promela("#include \"sizes.h\"\nactive [SIZE] proctype A() { skip }\n", (folder / "m.pml").string(),
                        {{name, "4"}});
  };
  included("#ifndef N\n#define N 5\n#endif\n#define SIZE N\n");
  const auto guarded = read("N");
  ASSERT_TRUE(guarded) << rendered(guarded.error());
  EXPECT_EQ(guarded->program->processes[0].active, 4U);
  const auto unknown = read("M");
  ASSERT_FALSE(unknown);
  EXPECT_NE(rendered(unknown.error()).find("there is no #define 'M' to override"), std::string::npos);

  included("/* sizes */\n#define N 5\n#define SIZE N\n");
  for (const char* name : {"N", "SIZE"}) {
    const auto wins = read(name);
    ASSERT_FALSE(wins);
    EXPECT_NE(rendered(wins.error()).find(fmt::format("--define {} has no effect", name)), std::string::npos);
    EXPECT_EQ(wins.error()[0].file, (folder / "sizes.h").string());
    EXPECT_EQ(wins.error()[0].line, name[0] == 'N' ? 2U : 3U);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace surety::promela_test
