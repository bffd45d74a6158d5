// SPIN's trails: what pan has found, followed by us step by step.
#include <gtest/gtest.h>

#include "api/commands.hpp"
#include "help.hpp"
#include "paths.hpp"
#include "spin/trail.hpp"

namespace surety::promela_test {
namespace {

TEST(Trail, IsReadFromWhatSpinPrints) {
  const auto trail = spin::parse_replay(
      "ltl p: [] ((x==1))\n"
      "starting claim 4\n"
      "Never claim moves to line 3\t[(!((x==1)))]\n"
      "Starting R with pid 4\n"
      "  2:\tproc  2 (:init::1) ../a b.pml:10 (state 1)\t[(run R(3))]\n"
      " 12:\tproc  4 (R:1) a.pml:11 (state 4) <valid end state>\t[c?[1]]\n"
      " 14: proc 4 terminates\n"
      "  <<<<<START OF CYCLE>>>>>\n"
      " 26:\tproc  0 (P:1) a.pml:6 (state 2)\t[x = 0]\n"
      " 27:\tproc  0 (P:1) a.pml:7 (state 3)\t[c!1]\n"
      "\ttransition failed\n"
      "spin: trail ends after 26 steps\n"
      "#processes: 1\n"
      " 26:\tproc  0 (P:1) a.pml:4 (state 3)\t[not a step]\n");
  ASSERT_EQ(trail.lines.size(), 4U);
  EXPECT_EQ(trail.lines[0].line, 10U);
  EXPECT_EQ(trail.lines[1].statement, "c?[1]");
  EXPECT_EQ(trail.lines[2].line, 0U);
  EXPECT_EQ(trail.lines[3].process, 0U);
  EXPECT_EQ(trail.again, 3U);
}

api::Outcome<api::Simulation> follow(const std::filesystem::path& folder) {
  api::SimulateRequest walk;
  walk.source.files = {(folder / "m.pml").string()};
  walk.trail = (folder / "m.pml.trail").string();
  return api::simulate(walk);
}

// pan finds something in each of these, and what it does is what we do.
class PanTrail : public testing::TestWithParam<std::string> {};

TEST_P(PanTrail, CanBeFollowed) {
  if (!has_spin()) GTEST_SKIP() << "spin and gcc are not installed";
  const Folder folder;
  std::ofstream(folder.path() / "m.pml") << text_of(GetParam());
  const std::string go = "cd " + folder.path().string() + " && ";
  output_of(go + "spin -a m.pml 2>&1 && " + compiler() + " -w -DNOREDUCE -o pan pan.c 2>&1 && ./pan -a -n -m100000");
  if (!std::filesystem::exists(folder.path() / "m.pml.trail")) GTEST_SKIP() << "pan finds nothing";
  const auto simulation = follow(folder.path());
  ASSERT_TRUE(simulation) << rendered(simulation.error().diagnostics);
  EXPECT_FALSE(simulation->stuck) << simulation->stuck->action << ", step " << simulation->stuck->step;
  const auto replayed = spin::parse_replay(output_of(go + "spin -t -p m.pml 2>&1"));
  EXPECT_EQ(simulation->cycle_from.has_value(), replayed.again < replayed.lines.size());
  // Who moves, in which line: every line of SPIN is in a step of ours, in this order.
  std::size_t step = 0;
  for (const auto& line : replayed.lines) {
    const std::string text = ":" + std::to_string(line.line) + " ";
    const auto& moments = simulation->moments;
    while (step < moments.size() && line.line > 0 && moments[step].text.find(text) == std::string::npos &&
           moments[step].text.find("d_step") == std::string::npos)
      ++step;
    ASSERT_LT(step, moments.size()) << line.statement << ", line " << line.line;
  }
}

std::vector<std::string> programs() {
  std::vector<std::string> out = files_in("tests/promela/ltl");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SURETY_EXAMPLES))
    if (entry.path().string().ends_with("_broken.pml")) out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

INSTANTIATE_TEST_SUITE_P(Programs, PanTrail, testing::ValuesIn(programs()),
                         [](const auto& test) { return stem(test.param); });

TEST(Trail, OfAnotherProgramIsRefused) {
  if (!has_spin()) GTEST_SKIP() << "spin and gcc are not installed";
  const Folder folder;
  std::ofstream(folder.path() / "m.pml") << "active proctype P() { assert(false) }\n";
  EXPECT_FALSE(follow(folder.path()));
  std::ofstream(folder.path() / "m.pml.trail") << "-4:-4:-4\n1:0:77\n";
  EXPECT_FALSE(follow(folder.path()));
}

}  // namespace
}  // namespace surety::promela_test
