// What a run tells with --events: every event that the manual lists occurs, with members that it lists, in an order
// that makes sense. The line-by-line record of a run is in tests/cli/events.txt.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "paths.hpp"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Names = std::set<std::string>;

struct Recorded {
  int status = 0;
  std::vector<Json> events;
};

// `words`: the command line, without --events.
Recorded run(const std::string& words) {
  const fs::path folder = fs::temp_directory_path() / ("surety-events-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  const fs::path file = folder / "run.jsonl";
  const std::string command = "cd '" SURETY_EXAMPLES "' && CERTIFICATE='" + (folder / "proof.json").string() +
                              "' && '" + SURETY_BINARY + "' " + words + " --events '" + file.string() +
                              "' >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  Recorded out{WIFEXITED(status) ? WEXITSTATUS(status) : -1, {}};
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) out.events.push_back(Json::parse(line));
  return out;
}

// By event: the members that the table of the manual names.
std::map<std::string, Names> documented() {
  static const std::regex row("^\\| `(\\w+)` \\|(.*)\\|$"), member("`(\\w+)`");
  std::map<std::string, Names> out;
  std::ifstream in(fs::path(SURETY_SOURCE_DIR) / "doc" / "manual.md");
  bool here = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) here = line == "## Events";
    std::smatch match;
    if (!here || !std::regex_match(line, match, row)) continue;
    const std::string members = match[2];
    for (std::sregex_iterator it(members.begin(), members.end(), member), end; it != end; ++it)
      out[match[1]].insert((*it)[1]);
  }
  return out;
}

// Every way to be told something. One of them takes long enough for progress.
const std::vector<std::string>& runs() {
  static const std::vector<std::string> kRuns{
      "check channel/input.aut channel/output.aut --property channel/order.aut --method asym --certificate "
      "\"$CERTIFICATE\"",
      "certify \"$CERTIFICATE\"",
      "check channel/input.aut channel/output.aut --property channel/order.aut --method agar",
      "check gas_station/gas_station.lts",
      "check philosophers/philosophers.lts -DK=9 --method monolithic --time 900ms",
      "check client_server/client_server.lts -DK=10 --property MUTEX --method cegar",
      "check token_ring/token_ring.lts --all-sizes K=2..",
      "compose channel/input.aut channel/output.aut",
      "compare channel/output.aut channel/output_eager.aut",
      "assume channel/input.aut --property channel/order.aut --interface",
  };
  return kRuns;
}

TEST(Events, AllThatTheManualListsOccurAndNothingElse) {
  const auto known = documented();
  ASSERT_GT(known.size(), 15U);
  Names seen;
  for (const std::string& words : runs()) {
    const Recorded told = run(words);
    ASSERT_FALSE(told.events.empty()) << words;
    for (const Json& event : told.events) {
      const std::string kind = event["event"];
      seen.insert(kind);
      ASSERT_TRUE(known.contains(kind)) << kind;
      if (kind == "verdict") continue;  // is in the tables of check
      for (const auto& [member, value] : event.items())
        EXPECT_TRUE(Names({"n", "t", "event", "check", "lane", "conjunct", "skipped"}).contains(member) ||
                    known.at(kind).contains(member))
            << kind << ": " << member;
    }
  }
  for (const auto& [kind, members] : known) EXPECT_TRUE(seen.contains(kind)) << kind << " occurs nowhere";
}

TEST(Events, AreNumberedAndEndWithTheExitStatus) {
  for (const std::string& words : runs()) {
    const Recorded told = run(words);
    double before = 0;
    for (std::size_t i = 0; i < told.events.size(); ++i) {
      EXPECT_EQ(told.events[i]["n"], i + 1) << words;
      EXPECT_GE(told.events[i]["t"], before) << words;
      before = told.events[i]["t"];
    }
    EXPECT_EQ(told.events.front()["event"], "start") << words;
    EXPECT_EQ(told.events.back()["event"], "end") << words;
    EXPECT_EQ(told.events.back()["status"], told.status) << words;
  }
}

TEST(Events, SayWhichCheckTheyAreAbout) {
  const Recorded told = run("check gas_station/gas_station.lts");
  std::map<int, std::string> plan;
  Names answered;
  for (const Json& event : told.events) {
    if (event["event"] == "plan")
      for (const Json& check : event["checks"])
        plan[check["id"]] = check.value("property", "") + check["kind"].get<std::string>();
    if (!event.contains("check")) continue;
    ASSERT_TRUE(plan.contains(event["check"])) << event;
    if (event["event"] == "verdict") {
      EXPECT_EQ(plan[event["check"]], event.value("property", "") + event["kind"].get<std::string>());
      answered.insert(plan[event["check"]]);
    }
  }
  EXPECT_EQ(answered.size(), plan.size()) << "every check has a verdict";
}

TEST(Events, ActionsAreNumbersWhoseNamesCameBefore) {
  for (const std::string& words : runs()) {
    std::size_t names = 0;
    const auto look = [&](const Json& word) {
      for (const Json& action : word) EXPECT_LT(action, names) << words;
    };
    for (const Json& event : run(words).events) {
      if (event["event"] == "model") names = event["actions"].size();
      if (event["event"] == "actions") {
        EXPECT_EQ(event["from"], names);
        names += event["names"].size();
      }
      if (event["event"] == "verdict") continue;
      for (const char* member : {"word", "trace", "ours", "theirs", "added", "interface"})
        if (event.contains(member)) look(event[member]);
      if (event.contains("lts") && event["lts"].contains("steps")) {
        for (const Json& step : event["lts"]["steps"]) EXPECT_LT(step[1], names) << words;
      }
    }
  }
}

// Of a pipe that nobody reads: the run ends soon, though it would take long.
TEST(Events, AReaderThatGoesAwayEndsTheRun) {
  const fs::path status = fs::temp_directory_path() / ("surety-status-" + std::to_string(::getpid()));
  const auto start = std::chrono::steady_clock::now();
  const std::string run = "'" SURETY_BINARY "' check '" SURETY_EXAMPLES
                          "/philosophers/philosophers.lts' -DK=12 --method monolithic --events /dev/fd/3";
  const std::string command =
      "{ " + run + " 3>&1 >/dev/null 2>/dev/null; echo $? >'" + status.string() + "'; } | head -n 1 >/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  int code = 0;
  std::ifstream(status) >> code;
  EXPECT_EQ(code, 65);
  fs::remove(status);
}

}  // namespace
