// Statements that no process comes to, against pan's own list.
#include <gtest/gtest.h>

#include <set>

#include "api/commands.hpp"
#include "help.hpp"
#include "paths.hpp"

namespace surety::promela_test {
namespace {

using Lines = std::multiset<std::string>;  // "P 7" for a statement, "P end"

Lines ours(const std::string& file) {
  api::InfoRequest request;
  request.source.files = {file};
  request.unreached = true;
  const auto info = api::info(request);
  if (!info) throw std::runtime_error(rendered(info.error().diagnostics));
  EXPECT_EQ(info->unreached->why, Stop::none);
  Lines out;
  for (const auto& line : info->unreached->lines)
    out.insert(line.process + " " + (line.line == 0 ? "end" : std::to_string(line.line)));
  return out;
}

// unreached in proctype P
//	test.pml:7, state 2, "n = 10"
Lines of_pan(const std::string& output) {
  static const std::regex head("unreached in (proctype )?(\\S+)"), line("\\s\\S+:(\\d+), state \\d+, \"(.*)\"");
  Lines out;
  std::istringstream in(output);
  std::string process;
  for (std::string text; std::getline(in, text);) {
    std::smatch match;
    if (std::regex_match(text, match, head))
      process = match[2];
    else if (text.starts_with("unreached in claim"))
      process = "";
    else if (!process.empty() && std::regex_match(text, match, line))
      out.insert(process + " " + (match[2] == "-end-" ? "end" : match[1].str()));
  }
  return out;
}

class Unreached : public testing::TestWithParam<std::string> {};

TEST_P(Unreached, AreThoseOfPan) {
  if (!has_spin()) GTEST_SKIP() << "spin and gcc are not installed";
  const Pan pan(text_of(GetParam()), "-DSAFETY -DNOCLAIM");
  ASSERT_TRUE(pan.made()) << pan.log();
  EXPECT_EQ(ours(GetParam()), of_pan(pan.run_with_unreached("-c0 -E")));
}

std::vector<std::string> examples() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SURETY_EXAMPLES))
    if (entry.path().extension() == ".pml") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

INSTANTIATE_TEST_SUITE_P(Examples, Unreached, testing::ValuesIn(examples()),
                         [](const auto& test) { return stem(test.param); });

// pan takes what is inside a d_step for reached.
TEST(Unreached, InsideADStepAreKnownToo) {
  const Folder folder;
  const std::string file = (folder.path() / "d.pml").string();
  std::ofstream(file) << "byte n;\n"
                         "proctype Never() { n = 4 }\n"
                         "active proctype P() {\n"
                         "  d_step { if\n"
                         "    :: n == 2 ->\n"
                         "      n = 8\n"
                         "    :: else ->\n"
                         "      n = 3\n"
                         "    fi };\n"
                         "  goto over;\n"
                         "  n = 77;\n"
                         "over:\n"
                         "  false;\n"
                         "  n = 5\n"
                         "}\n";
  EXPECT_EQ(ours(file), (Lines{"Never 2", "Never end", "P 6", "P 11", "P 14", "P end"}));
}

TEST(Unreached, AreUnknownIfTheSearchDidNotFinish) {
  api::InfoRequest request;
  request.source.files = {std::string(SURETY_EXAMPLES) + "/mer/mer.pml"};
  request.unreached = true;
  request.limits.states = 100;
  const auto info = api::info(request);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->unreached->why, Stop::states);
  EXPECT_TRUE(info->unreached->lines.empty());
}

}  // namespace
}  // namespace surety::promela_test
