// Warnings about programs that may do something else when they run.

#include <gtest/gtest.h>

#include "ada/reading.hpp"
#include "ada/tiny.hpp"

namespace surety {
namespace {

using Messages = std::vector<std::string>;

Messages warnings(const std::string& text) {
  const AdaReading all = reading(text);
  return all.errors.empty() ? all.warnings : all.errors;
}

// ---- variables (ARM 9.10)

std::string two_tasks(const std::string& declarations, const std::string& a, const std::string& b) {
  return "procedure P is\n" + declarations + "\ntask A; task B;\ntask body A is begin " + a +
         " end A;\ntask body B is begin " + b + " end B;\nbegin null; end P;\n";
}

const char* const kX =
    "X is used by A and B, perhaps at the same time, and is not atomic; read and written as if it were";

TEST(AdaWarnings, AVariableThatTwoTasksUse) {
  EXPECT_EQ(warnings(two_tasks("X : Boolean := False;", "X := True;", "if X then null; end if;")), Messages{kX});
  EXPECT_EQ(warnings(two_tasks("X : array (1 .. 2) of Boolean := (others => False);", "X (2) := True;",
                               "if X (2) then null; end if;")),
            Messages{kX});
}

TEST(AdaWarnings, NotOfOneThatIsAtomicOrOnlyRead) {
  EXPECT_EQ(warnings(two_tasks("X : Boolean := False; pragma Atomic (X);", "X := True;", "X := False;")), Messages{});
  EXPECT_EQ(warnings(two_tasks("X : Boolean := False with Volatile;", "X := True;", "X := False;")), Messages{});
  EXPECT_EQ(warnings(two_tasks("X : Boolean := False;", "if X then null; end if;", "if X then null; end if;")),
            Messages{});
}

TEST(AdaWarnings, NotOfDifferentElements) {
  EXPECT_EQ(
      warnings(two_tasks("X : array (1 .. 2) of Boolean := (others => False);", "X (1) := True;", "X (2) := True;")),
      Messages{});
}

TEST(AdaWarnings, NotWhereAMasterKeepsTasksApart) {
  const auto blocks = [](const std::string& between) {
    return "procedure P is\nX : Boolean := False;\nbegin\nX := True;\n"
           "declare task A; task body A is begin X := False; end A; begin " +
           between +
           " end;\ndeclare task B; task body B is begin X := True; end B; begin null; end;\nX := False;\nend P;\n";
  };
  EXPECT_EQ(warnings(blocks("null;")), Messages{});
  EXPECT_EQ(
      warnings(blocks("X := True;")),
      Messages{"X is used by P and A, perhaps at the same time, and is not atomic; read and written as if it were"});
}

TEST(AdaWarnings, AVariableThatAProtectedOperationSharesWithOthers) {
  const auto with_main = [](const std::string& main) {
    return "procedure P is\nX : Boolean := False;\nprotected O is procedure Set; end O;\n"
           "protected body O is procedure Set is begin X := True; end Set; end O;\n"
           "task A; task body A is begin O.Set; end A;\nbegin " +
           main + " end P;\n";
  };
  EXPECT_EQ(warnings(with_main("O.Set;")), Messages{});
  EXPECT_EQ(warnings(with_main("X := False;")),
            Messages{"X is used by O, but others use it, too: it is not protected by it"});
}

// ---- conditional calls (ARM 9.7.3)

TEST(AdaWarnings, AConditionalCallThatMayMeetAnElsePart) {
  const auto program = [](const std::string& call, const std::string& accept) {
    return "procedure P is\ntask T is entry E; end T;\ntask body T is begin\nselect accept E; " + accept +
           " end select;\nend T;\nbegin\nselect T.E; " + call + " end select;\nend P;\n";
  };
  EXPECT_EQ(warnings(program("else null;", "else null;")),
            Messages{"this conditional call of t.e may meet the accept of line 4, which has an else part: the language "
                     "allows it, GNAT never does it"});
  EXPECT_EQ(warnings(program("or delay 1.0;", "else null;")), Messages{});
  EXPECT_EQ(warnings(program("else null;", "or delay 1.0;")), Messages{});
}

// ---- operands (ARM 4.5)

TEST(AdaWarnings, OperandsThatReadDifferentSharedVariables) {
  const auto program = [](const std::string& condition) {
    return "procedure P is\nX, Y : Boolean := False; pragma Atomic (X); pragma Atomic (Y);\ntask T;\n"
           "task body T is begin X := True; Y := True; end T;\nbegin\nif " +
           condition + " then null; end if;\nend P;\n";
  };
  const Messages open{
      "the language leaves open whether X or Y is read first here; taken from left to right, as GNAT mostly does"};
  EXPECT_EQ(warnings(program("X and Y")), open);
  EXPECT_EQ(warnings(program("X = Y")), open);
  EXPECT_EQ(warnings(program("X and then Y")), Messages{});
  EXPECT_EQ(warnings(program("X and not X")), Messages{});
}

// ---- a variable with too many values

TEST(AdaWarnings, AVariableWithTooManyValuesIsNamed) {
  std::string why;
  const auto follower = Follower::make(
      "procedure P is\nN : Integer := 0;\ntask T;\ntask body T is begin loop N := N + 1; end loop; end T;\n"
      "begin loop N := N + 2; end loop; end P;\n",
      "test.adb", why);
  ASSERT_NE(follower, nullptr) << why;
  EXPECT_EQ(follower->network().unchecked, std::vector<std::string>{"N"});
}

}  // namespace
}  // namespace surety
