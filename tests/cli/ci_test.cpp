// The files for continuous integration say what --json says: as many cases and results, in lines that exist.
// How they look is in tests/cli/ci.txt.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "paths.hpp"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string text_of(const fs::path& file) {
  std::ostringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

struct Answers {
  Json json, sarif;
  std::map<std::string, int> junit;  // how many elements of each name
};

// In the folder of the examples, so that paths are relative.
Answers check(const std::string& words) {
  const fs::path folder = fs::temp_directory_path() / ("surety-ci-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  const auto file = [&](const char* name) { return "'" + (folder / name).string() + "'"; };
  const auto run = [](const std::string& command) {
    return std::system(("cd '" SURETY_EXAMPLES "' && " + command).c_str());
  };
  run("'" SURETY_BINARY "' check " + words + " --json --junit " + file("r.xml") + " --sarif " + file("r.sarif") + " >" +
      file("r.json") + " 2>" + file("messages"));
  EXPECT_EQ(run("xmllint --noout " + file("r.xml")), 0) << words;
  Answers out{Json::parse(text_of(folder / "r.json")), Json::parse(text_of(folder / "r.sarif")), {}};
  for (const char* element : {"testsuite", "testcase", "failure", "skipped", "error", "system-err"}) {
    run("xmllint --xpath 'count(//" + std::string(element) + ")' " + file("r.xml") + " >" + file("count"));
    out.junit[element] = std::stoi(text_of(folder / "count"));
  }
  fs::remove_all(folder);
  return out;
}

void expect_place(const Json& location) {
  const Json& place = location.at("physicalLocation");
  const std::string file = place.at("artifactLocation").at("uri");
  const std::string text = text_of(fs::path(SURETY_EXAMPLES) / file);
  EXPECT_FALSE(text.empty()) << file;
  const int line = place.at("region").at("startLine");
  EXPECT_GE(line, 1) << file;
  EXPECT_LE(line, std::count(text.begin(), text.end(), '\n') + 1) << file;
}

class Ci : public testing::TestWithParam<const char*> {};

TEST_P(Ci, FilesSayWhatJsonSays) {
  const Answers answers = check(GetParam());
  std::map<std::string, int> verdicts;
  std::size_t steps = 0;
  for (const Json& entry : answers.json.at("checks")) {
    ++verdicts[entry.at("verdict")];
    if (entry.at("verdict") == "violated")
      steps += entry.contains("steps") ? entry["steps"].size()
                                       : entry.at("trace").size() + entry.value("cycle", Json::array()).size();
  }
  EXPECT_EQ(answers.junit.at("testsuite"), 1);
  EXPECT_EQ(answers.junit.at("testcase"), static_cast<int>(answers.json["checks"].size()));
  EXPECT_EQ(answers.junit.at("failure"), verdicts["violated"]);
  EXPECT_EQ(answers.junit.at("skipped"), verdicts["unknown"]);
  EXPECT_EQ(answers.junit.at("error"), 0);
  EXPECT_EQ(answers.junit.at("system-err"), answers.json.at("warnings").empty() ? 0 : 1);

  const Json& run = answers.sarif.at("runs").at(0);
  EXPECT_EQ(answers.sarif.at("version"), "2.1.0");
  std::set<std::string> rules;
  for (const Json& rule : run.at("tool").at("driver").at("rules")) rules.insert(rule.at("id"));
  std::map<std::string, int> kinds;
  std::size_t told = 0;
  for (const Json& result : run.at("results")) {
    EXPECT_TRUE(rules.contains(result.at("ruleId")));
    EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
    expect_place(result.at("locations").at(0));
    ++kinds[result.value("kind", "message")];
    EXPECT_EQ(result.contains("kind"), result.contains("partialFingerprints"));
    if (!result.contains("codeFlows")) continue;
    for (const Json& step : result["codeFlows"].at(0).at("threadFlows").at(0).at("locations")) {
      expect_place(step.at("location"));
      ++told;
    }
  }
  EXPECT_EQ(kinds["fail"], verdicts["violated"]);
  EXPECT_EQ(kinds["open"], verdicts["unknown"]);
  EXPECT_EQ(kinds["message"], static_cast<int>(answers.json["warnings"].size()));
  EXPECT_EQ(told, steps);
}

INSTANTIATE_TEST_SUITE_P(Cli, Ci,
                         testing::Values("channel/input.aut channel/output_hasty.aut --property channel/order.aut",
                                         "peterson/peterson_broken.lts", "peterson/peterson_broken.pml",
                                         "peterson/peterson_broken.adb", "gas_station/gas_station_broken.lts",
                                         "smokers/smokers_broken.lts", "philosophers/philosophers.lts", "fsp/lamp.lts",
                                         "fsp/mail.lts --states 5", "fsp/coin.lts --unfair",
                                         "peterson/peterson_broken.adb --property peterson/peterson_ada.lts"));

}  // namespace
