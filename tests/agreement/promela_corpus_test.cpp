// The Promela programs of the tests and the examples through every engine: the machine, the parts by plain search with
// and without reduction, the parts by every method. (Through SPIN: tests/promela/spin_test.cpp and promela_test.cpp.)
//
// A method has little time for a program; that it does not finish is no difference, and a wrong answer is one. In a
// soak (SURETY_SOAK_SECONDS) it has more.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "agreement/promela_ways.hpp"
#include "paths.hpp"
#include "rules/rules.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

bool soaking() { return std::getenv("SURETY_SOAK_SECONDS") != nullptr; }

std::vector<std::string> all_programs() {
  std::vector<std::string> out;
  for (const char* folder : {"tests/promela/models", "tests/promela/labels", "tests/promela/ltl", "examples"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SURETY_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".pml") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

std::string name_of(const std::string& file) {
  return fs::path(file).parent_path().filename().string() + "_" + fs::path(file).stem().string();
}

class PromelaCorpus : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    Way way;
    way.states = 10'000'000;
    way.seconds = 60;
    whole_ = ask(GetParam(), way);
    ASSERT_EQ(whole_.trouble, "");
    for (const auto& [name, verdict] : whole_.verdicts) ASSERT_NE(verdict, "unknown") << name;
  }

  Answers whole_;
};

TEST_P(PromelaCorpus, HasTheSameAnswersByPlainSearchOfItsParts) {
  for (const Reduction reduction : {Reduction::none, Reduction::por}) {
    const Answers parts = search_parts(GetParam(), reduction, 2'000'000, soaking() ? 100 : 2);
    EXPECT_EQ(difference(whole_, parts), "");
    EXPECT_TRUE(parts.apart || !parts.why_not_apart.empty());
  }
}

TEST_P(PromelaCorpus, HasTheSameAnswersByEveryMethod) {
  const Answers parts = search_parts(GetParam(), Reduction::automatic, 10'000, 1);
  if (!parts.apart) GTEST_SKIP() << parts.why_not_apart;
  const std::size_t methods = all_rules().size() - 1;  // without plain search
  for (std::size_t i = 0; i < methods; ++i) {
    Way way = way_for(i, parts.safety);
    way.states = 1'000'000;
    way.seconds = soaking() ? 20 : 0.15;
    EXPECT_EQ(difference(whole_, ask(GetParam(), way)), "") << way.method;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PromelaCorpus, testing::ValuesIn(all_programs()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace surety
