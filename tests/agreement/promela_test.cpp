// Promela by parts and as a whole: what counts after an error, labels, and the examples as their headers say, with the
// answers of the real SPIN. (Random programs: promela_random_test.cpp.)
//
// Only what spin and pan take counts; pan is compiled without its reductions: statement merging, which moves the end of
// an atomic block in some programs, dead variables, partial orders.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <future>
#include <set>

#include "agreement/promela_programs.hpp"
#include "agreement/promela_ways.hpp"
#include "agreement/spin.hpp"
#include "base/file.hpp"
#include "paths.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

#define SKIP_WITHOUT_SPIN() \
  if (!spin_is_there()) GTEST_SKIP() << "skipped: there is no spin here"

bool soaking() { return std::getenv("SURETY_SOAK_SECONDS") != nullptr; }

Answers answers(const std::string& file, const std::string& method, const std::vector<std::string>& properties = {}) {
  Way way;
  way.method = method;
  way.properties = properties;
  way.states = 20'000'000;
  way.seconds = 280;
  const Answers out = ask(file, way);
  EXPECT_EQ(out.trouble, "") << file;
  return out;
}

std::string word(bool violated) { return violated ? "violated" : "holds"; }

// An error ends the run of all, also of those that do not notice; what happened before it counts.
TEST(PromelaAgreement, NothingCountsAfterAnError) {
  const std::string two =
      "chan c = [0] of { byte }; chan d = [1] of { byte }; byte a[2], x, y, z;\n"
      "active proctype P() { c!1; x = 1; d!1 }\n"
      "active proctype Q() { byte k = 3; c?a[k] }\n";
  const std::string one =
      "chan d = [1] of { byte }; byte a[2], x, y, z;\n"
      "active proctype P() { byte k = 3; atomic { d!1; x = 7; y = 10 / z } }\n"
      "active proctype Q() { byte k = 3; if :: x == 7 -> y = 1 :: d?a[k] fi }\n";
  const std::string start =
      "byte x, zero; proctype P() { byte y = 1 / zero; x = 1 }\n"
      "init { run P() }\n";
  const std::string guard =
      "chan c = [0] of { byte }; byte x, zero;\n"
      "active proctype P() { if :: 1 / zero == 1 -> skip :: else -> skip fi; x = 1; c!0 }\n"
      "active proctype Q() { c?_ }\n";
  const std::vector<std::pair<std::string, std::string>> programs = {
      {start + "ltl f { [] (x == 0) }", "holds"},    {guard + "ltl f { [] (x == 0) }", "holds"},
      {two + "ltl f { [] (x == 0) }", "holds"},      {two + "trace { f: d!2 }", "holds"},
      {two + "ltl f { [] (len(d) == 0) }", "holds"}, {two + "trace { f: c!2 }", "violated"},
      {one + "ltl f { [] (y == 0) }", "holds"},      {one + "ltl f { [] (x == 0) }", "holds"},
      {one + "trace { f: d!2 }", "violated"},        {one + "trace { f: d!1; d?2 }", "holds"},
  };
  for (const auto& [text, verdict] : programs) {
    const ProgramFile file(text);
    for (const std::string method : {"monolithic", "cegar", "minimise", "symbolic", "asym"})
      EXPECT_EQ(answers(file.path(), method, {"f"}).verdicts.at("f"), verdict) << method << "\n" << text;
  }
}

TEST(PromelaAgreement, RandomLabelsGetTheSameAnswersFromSpin) {
  SKIP_WITHOUT_SPIN();
  const std::uint64_t first = soaking() ? static_cast<std::uint64_t>(std::time(nullptr)) : 1;
  const int count = soaking() ? 200 : 30;
  int compared = 0, violated = 0;
  for (std::uint64_t seed = first; compared < count; ++seed) {
    const std::string text = random_promela(seed, {.pan = true, .labels = true, .traces = false, .formulas = 0});
    const ProgramFile file(text);
    const auto ours = answers(file.path(), "monolithic").verdicts;
    const auto asked = [&](const char* name) {
      return ours.contains(name) ? ask_spin_for_cycles(text, std::string(name) == "progress") : std::nullopt;
    };
    auto other = std::async(std::launch::async, asked, "progress");
    const std::optional<bool> accept = asked("accept"), progress = other.get();
    for (const auto& [name, spin] : {std::pair("accept", accept), std::pair("progress", progress)}) {
      if (!spin) continue;
      ++compared;
      violated += *spin;
      EXPECT_EQ(ours.at(name), word(*spin)) << name << " seed " << seed << "\n" << text;
    }
  }
  fmt::print("{} answers compared, {} cycles\n", compared, violated);
  EXPECT_GT(violated, compared / 10);
  EXPECT_LT(violated, compared * 9 / 10);
}

// What fails at the default size, as examples/README.md says.
struct PromelaExample {
  std::string name;
  int traces;  // that SPIN can be asked about
  std::set<std::string> violated;
  friend std::ostream& operator<<(std::ostream& out, const PromelaExample& e) { return out << e.name; }
};

const std::vector<PromelaExample> kExamples = {
    {"client_server/client_server", 2, {}},
    {"client_server/client_server_broken", 2, {"MUTEX", "DENIED_IF_TAKEN"}},
    {"gas_station/gas_station", 4, {}},
    {"gas_station/gas_station_broken", 4, {"CHANGE"}},
    {"mer/mer", 4, {}},
    {"mer/mer_broken", 4, {"COMM_OR_DRIVE", "ARM_OR_DRIVE"}},
    {"peterson/peterson", 1, {}},
    {"peterson/peterson_broken", 1, {"MUTEX"}},
    {"relay/relay", 1, {}},
    {"relay/relay_broken", 1, {"ALWAYS_1_BETWEEN_0"}},
    {"smokers/smokers", 8, {}},
    {"smokers/smokers_broken", 8, {"deadlock"}},
};

std::string file_of(const std::string& name) {
  return (fs::path(SURETY_SOURCE_DIR) / "examples" / (name + ".pml")).string();
}

class PromelaExamples : public testing::TestWithParam<PromelaExample> {};

TEST_P(PromelaExamples, ComeOutAsTheHeaderSaysByEveryMethod) {
  for (const std::string method : {"monolithic", "cegar", "minimise", "symbolic"}) {
    if (GetParam().name == "mer/mer_broken" && method == "minimise") continue;  // takes minutes
    const Answers seen = answers(file_of(GetParam().name), method);
    EXPECT_EQ(seen.why_not_apart, "");
    for (const auto& [name, verdict] : seen.verdicts)
      EXPECT_EQ(verdict, word(GetParam().violated.contains(name))) << method << " " << name;
    EXPECT_EQ(seen.verdicts.size(), static_cast<std::size_t>(GetParam().traces) + 2);  // deadlock, assert
  }
}

// One trace is enough where all hold: pan has to be compiled for each.
TEST_P(PromelaExamples, GetTheSameAnswersFromSpin) {
  SKIP_WITHOUT_SPIN();
  const auto& example = GetParam();
  const std::string text = read_file(file_of(example.name)).value();
  int violated = 0;
  for (int trace = 1; trace <= example.traces; ++trace) {
    if (!soaking() && example.violated.empty() && trace > 1) break;
    if (!soaking() && example.name == "smokers/smokers_broken" && trace > 1) break;
    if (!soaking() && example.name == "mer/mer_broken" && trace > 2) break;
    const SpinAnswer spin = ask_spin(text, {fmt::format("TRACE={}", trace)});
    ASSERT_TRUE(spin.accepted) << spin.output;
    violated += spin.assertion;
    EXPECT_EQ(spin.invalid_end, example.violated.contains("deadlock"));
  }
  EXPECT_EQ(violated, static_cast<int>(example.violated.size() - example.violated.count("deadlock")));
}

INSTANTIATE_TEST_SUITE_P(All, PromelaExamples, testing::ValuesIn(kExamples),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

}  // namespace
}  // namespace surety
