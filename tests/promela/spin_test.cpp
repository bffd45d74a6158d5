// Against the real SPIN: the same verdicts and the same number of states.
//
// pan searches depth first and goes on after an error (-c0); so do we. It counts the states that it stores: not those
// in the middle of an atomic sequence, and neither do we. Where pan and we may differ, and the models keep off: after
// an index that is out of range, or a division by zero, pan goes on with garbage or dies, and we stop; variables that
// are declared `hidden` are no part of its states.
#include <gtest/gtest.h>

#include "engine/machine/liveness.hpp"
#include "help.hpp"
#include "lang/promela/labels.hpp"
#include "lang/promela/machine/label_claim.hpp"
#include "lang/promela/machine/ltl.hpp"

namespace surety::promela_test {
namespace {

class Spin : public testing::TestWithParam<std::string> {};

TEST_P(Spin, HasTheSameStatesAndVerdicts) {
  if (!has_spin()) GTEST_SKIP() << "spin and gcc are not installed";
  const std::string text = text_of(GetParam());
  const Pan pan(text, "-DSAFETY -DNOCLAIM");
  ASSERT_TRUE(pan.made()) << pan.log();
  const std::string output = pan.run("-c0");
  Program program(text);
  EXPECT_EQ(facts(*program.machine), facts(output)) << output;
}

INSTANTIATE_TEST_SUITE_P(Promela, Spin, testing::ValuesIn(files_in("tests/promela/models")),
                         [](const auto& test) { return stem(test.param); });

class SpinLtl : public testing::TestWithParam<std::string> {};

bool violated(Program& program, const promela::LtlBlock& block) {
  Budget budget;
  auto lowered = lower_formula(block.formula, *program.machine);
  if (!lowered) throw std::runtime_error(rendered(lowered.error()));
  const auto result = find_counterexample(*program.machine, lowered->formula, lowered->propositions, budget);
  return result.run.has_value();
}

bool violated(Program& program, std::uint32_t never) {
  Budget budget;
  auto claim = program.machine->claim(never);
  if (!claim) throw std::runtime_error(rendered(claim.error()));
  return find_claimed_run(*program.machine, *claim, budget).run.has_value();
}

TEST_P(SpinLtl, HasTheSameVerdictForEveryClaim) {
  if (!has_spin()) GTEST_SKIP() << "spin and gcc are not installed";
  const std::string text = text_of(GetParam());
  const Pan pan(text, "");
  ASSERT_TRUE(pan.made()) << pan.log();
  Program program(text);
  const auto pan_violated = [&](const std::string& options) {
    const std::string output = pan.run(options);
    return output.find("errors: 0") == std::string::npos;
  };
  for (const auto& block : program.file.program->formulas)
    EXPECT_EQ(violated(program, block), pan_violated("-a -E -N " + block.name)) << block.name;
  for (std::uint32_t i = 0; i < program.file.program->processes.size(); ++i)
    if (program.file.program->processes[i].kind == promela::Process::Kind::never) {
      EXPECT_EQ(violated(program, i), pan_violated("-a -E")) << program.file.program->processes[i].name;
    }
}

INSTANTIATE_TEST_SUITE_P(Promela, SpinLtl, testing::ValuesIn(files_in("tests/promela/ltl")),
                         [](const auto& test) { return stem(test.param); });

// Labels without a claim: pan -a, and pan -l if it was compiled for that. The first line of a file says what is found.
class Labels : public testing::TestWithParam<std::string> {
 protected:
  std::string text_ = text_of(GetParam());
  Program program_{text_};
  std::vector<std::string> checks_ = promela::label_checks(*program_.file.program);

  bool found(const std::string& check) {
    Budget budget;
    const MachineClaim claim = label_claim(check, *program_.machine);
    return find_claimed_run(*program_.machine, claim, budget).run.has_value();
  }
};

TEST_P(Labels, AreViolatedAsTheFileSays) {
  const std::string head = text_.substr(0, std::min(text_.find('\n'), text_.find(';')));
  ASSERT_FALSE(checks_.empty());
  ASSERT_NE(head.find("violated:"), std::string::npos);
  for (const auto& check : checks_) EXPECT_EQ(found(check), head.find(check) != std::string::npos) << check;
}

TEST_P(Labels, AreViolatedWhereSpinSaysSo) {
  if (!has_spin()) GTEST_SKIP() << "spin and gcc are not installed";
  for (const auto& check : checks_) {
    const bool progress = check == "progress";
    const Pan pan(text_, progress ? "-DNP" : "");
    ASSERT_TRUE(pan.made()) << pan.log();
    const std::string output = pan.run(progress ? "-l -A -E" : "-a -A -E");
    ASSERT_NE(output.find("errors: "), std::string::npos) << output;
    const bool cycle = output.find(progress ? "non-progress cycle (" : "acceptance cycle (") != std::string::npos ||
                       output.find("accept stutter (") != std::string::npos;
    EXPECT_EQ(found(check), cycle) << check << "\n" << output;
  }
}

INSTANTIATE_TEST_SUITE_P(Promela, Labels, testing::ValuesIn(files_in("tests/promela/labels")),
                         [](const auto& test) { return stem(test.param); });

}  // namespace
}  // namespace surety::promela_test
