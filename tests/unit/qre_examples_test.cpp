// The regular expressions in examples/ say what the processes of the same names say.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "api/verify.hpp"
#include "model/equivalence.hpp"
#include "paths.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(SURETY_SOURCE_DIR) / "examples";

struct Example {
  std::string program, expressions, processes;  // in examples/
  std::size_t properties;                       // in the file of expressions
  std::string violated;                         // one of them, or nothing
};

const std::vector<Example> kExamples = {
    {"chiron/chiron.adb", "chiron/chiron.qre", "chiron/chiron_ada.lts", 7, ""},
    {"chiron/chiron_broken.adb", "chiron/chiron.qre", "chiron/chiron_ada.lts", 7, ""},
    {"chiron_multiple/chiron_multiple.adb", "chiron_multiple/chiron_multiple.qre",
     "chiron_multiple/chiron_multiple_ada.lts", 7, ""},
    {"chiron_multiple/chiron_multiple_broken.adb", "chiron_multiple/chiron_multiple.qre",
     "chiron_multiple/chiron_multiple_ada.lts", 7, "NO_OTHER_EVENT"},
    {"elevator/elevator.adb", "elevator/elevator.qre", "elevator/elevator_ada.lts", 1, ""},
    {"elevator/elevator_broken.adb", "elevator/elevator.qre", "elevator/elevator_ada.lts", 1, "CLOSED_WHEN_MOVING"},
};

api::Source source(const std::string& program, const std::string& properties) {
  api::Source out;
  out.files = {(kRoot / program).string()};
  out.property_files = {(kRoot / properties).string()};
  return out;
}

// "violated 26": by property.
std::map<std::string, std::string> verdicts(const std::string& program, const std::string& properties) {
  api::Request request;
  request.source = source(program, properties);
  request.method = "monolithic";
  request.properties = {"safety"};
  std::map<std::string, std::string> out;
  const auto report = api::verify(request).value();
  for (const auto& check : report.checks) {
    std::string& verdict = out[check.property] = std::string(name_of(check.verdict));
    if (const auto* violated = std::get_if<Violated>(&check.verdict))
      verdict += " " + std::to_string(violated->trace.size());
  }
  return out;
}

TEST(QreExamples, HaveTheVerdictsOfTheProcesses) {
  for (const Example& example : kExamples) {
    auto expressions = verdicts(example.program, example.expressions);
    const auto processes = verdicts(example.program, example.processes);
    EXPECT_EQ(expressions.size(), example.properties) << example.program;
    for (const auto& [name, verdict] : expressions) {
      EXPECT_EQ(verdict, processes.at(name)) << name << " of " << example.program;
      EXPECT_EQ(verdict != "holds", name == example.violated) << name << " of " << example.program;
    }
  }
}

// But for what is meant by the end of the program, they even are the same automata.
TEST(QreExamples, ForbidTheSameTracesAsTheProcesses) {
  for (const Example& example : kExamples) {
    api::Source first = source(example.program, example.expressions);
    api::Source second = source(example.program, example.processes);
    first.actions = second.actions = std::make_shared<ActionTable>();
    Budget budget;
    const auto expressions = api::load(first, budget).value();
    const auto processes = api::load(second, budget).value();
    for (const Property& property : expressions.properties) {
      if (property.name == "NONE_LEFT") continue;
      const auto same = find_properties(processes, property.name);
      ASSERT_EQ(same.size(), 1U) << property.name;
      EXPECT_EQ(property.lts.alphabet(), same[0]->lts.alphabet()) << property.name;
      EXPECT_FALSE(difference(property.lts, same[0]->lts, Equivalence::trace)) << property.name;
    }
  }
}

}  // namespace
}  // namespace surety
