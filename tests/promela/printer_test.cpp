// What is printed reads back as the same program.
#include <gtest/gtest.h>

#include "help.hpp"
#include "paths.hpp"

namespace surety::promela_test {
namespace {

class Printed : public testing::TestWithParam<std::string> {};

TEST_P(Printed, ReadsBackAsTheSameProgram) {
  Program program(text_of(GetParam()));
  const std::string once = promela::to_promela(*program.file.program);
  Program again(once);
  EXPECT_EQ(promela::to_promela(*again.file.program), once);
  EXPECT_EQ(facts(*program.machine), facts(*again.machine)) << once;
}

INSTANTIATE_TEST_SUITE_P(Promela, Printed, testing::ValuesIn(files_in("tests/promela/models")),
                         [](const auto& test) { return stem(test.param); });
INSTANTIATE_TEST_SUITE_P(PromelaLabels, Printed, testing::ValuesIn(files_in("tests/promela/labels")),
                         [](const auto& test) { return stem(test.param); });
INSTANTIATE_TEST_SUITE_P(PromelaLtl, Printed, testing::ValuesIn(files_in("tests/promela/ltl")),
                         [](const auto& test) { return stem(test.param); });

TEST(Printer, WritesWhatSpinReads) {
  if (!has_spin()) GTEST_SKIP() << "spin and gcc are not installed";
  // All constructs at once: spin stops at the first error.
  for (const char* name : {"typedef_message", "inline_labels", "unless_simple", "for_array", "mtype_sets", "provided",
                           "remote_reference", "random_receive", "d_step"}) {
    const std::string file = std::string(SURETY_SOURCE_DIR) + "/tests/promela/models/" + name + ".pml";
    Program program(text_of(file));
    const std::string printed = promela::to_promela(*program.file.program);
    const Pan pan(printed, "-DSAFETY -DNOCLAIM");
    ASSERT_TRUE(pan.made()) << pan.log() << printed;
    EXPECT_EQ(facts(*program.machine), facts(pan.run("-c0"))) << printed;
  }
}

TEST(Printer, WritesFormulasClaimsAndTraces) {
  const char* text =
      "chan c = [1] of { byte };\n"
      "active proctype A() { c!1 }\n"
      "trace { do :: c!_; c?1 od }\n"
      "never n { do :: skip od }\n"
      "ltl f { [] (<> (len(c) == 1) -> X (empty(c) U A@out)) }\n"
      "active proctype A2() { out: skip }";
  auto read = read_promela(text, "t.pml");
  ASSERT_FALSE(read);  // A has no label out
  EXPECT_NE(rendered(read.error()).find("'A' has no label 'out'"), std::string::npos);
}

}  // namespace
}  // namespace surety::promela_test
