// Walks that a page asks the language server for: moments of a walk, traces that are followed to their ends.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "api/json.hpp"
#include "base/file.hpp"
#include "lsp_help.hpp"
#include "paths.hpp"

namespace surety::lsp {
namespace {

namespace fs = std::filesystem;

// Where the move with this action leads; null: there is none.
Json after(const Json& moment, const std::string& action) {
  for (const Json& move : moment.at("moves"))
    if (move["action"] == action) return move["to"];
  return nullptr;
}

const std::string kLamp =
    "LAMP = (on -> LIT | break -> STOP), LIT = (off -> LAMP).\n"
    "USER = (on -> off -> USER).\n"
    "property ONCE = (on -> off -> ONCE).\n"
    "fluent SHINES = <on, off> initially 0\n"
    "assert DARK = []!SHINES\n"
    "||SYSTEM = (LAMP || USER || ONCE).\n";

TEST(LspWalks, AMomentTellsStatesByTheirNamesAndWhoRefusesWhat) {
  Page page(kLamp);
  ASSERT_EQ(page.diagnostics, Json::array());
  const Json start = page.ask("moves");
  EXPECT_EQ(names(start["moves"], "action"), (std::vector<std::string>{"on", "break"}));
  EXPECT_EQ(start["components"][0], (Json{{"name", "LAMP"}, {"state", 0}, {"at", "LAMP"}, {"line", 1}}));
  EXPECT_EQ(start["refused"], Json::array()) << "off: nobody could do it";
  const Json lit = page.ask("moves", {{"state", after(start, "on")}});
  EXPECT_EQ(lit["values"]["LAMP"], "LIT");
  const Json broken = page.ask("moves", {{"state", after(start, "break")}});
  EXPECT_EQ(broken["moves"], Json::array());
  EXPECT_EQ(broken["refused"], (Json{{{"action", "on"}, {"by", {"LAMP"}}}}));
  EXPECT_EQ(broken["deadlock"], true);
  EXPECT_FALSE(broken.contains("ended"));
}

TEST(LspWalks, APropertyThatIsViolatedStaysSo) {
  Page page("P = (a -> P | b -> P).\nproperty Q = (a -> b -> Q).\n||S = (P || Q).\n");
  const Json start = page.ask("moves");
  ASSERT_EQ(start["moves"][1]["action"], "b");
  EXPECT_EQ(start["moves"][1]["violates"], Json{"Q"});
  const Json then = page.ask("moves", {{"state", after(start, "b")}});
  EXPECT_EQ(then["violated"], Json{"Q"});
  EXPECT_EQ(then["watchers"][0]["violated"], true);
  EXPECT_EQ(then["watchers"][0]["state"], page.ask("machine", {{"name", "Q"}, {"complete", true}})["error"]);
}

TEST(LspWalks, APropertyOutsideOfTheSystemWatchesIfItIsNamed) {
  Page page("P = (a -> P | b -> P).\nproperty Q = (a -> b -> Q).\n||S = P.\n");
  EXPECT_EQ(page.ask("moves")["watchers"], Json::array());
  const Json with = page.ask("moves", {{"properties", {"Q"}}});
  EXPECT_EQ(names(with["watchers"], "name"), std::vector<std::string>{"Q"});
  const Json end = page.ask("follow", {{"trace", {"a", "a"}}, {"kind", "safety"}, {"property", "Q"}});
  EXPECT_EQ(end["moments"].back()["violates"], Json{"Q"});
}

TEST(LspWalks, ActionsOfLowPriorityAreRefusedByNobody) {
  Page page("P = (a -> P).\nQ = (b -> Q).\n||S = (P || Q) << {a}.\n");
  const Json start = page.ask("moves");
  EXPECT_EQ(names(start["moves"], "action"), std::vector<std::string>{"a"});
  EXPECT_EQ(start["refused"][0]["by"], Json::array());
  EXPECT_EQ(start["refused"][0]["priority"], true);
}

TEST(LspWalks, ErrorAndEndAreTold) {
  Page page("P = (bad -> ERROR | good -> END).\n||S = P.\n");
  const Json start = page.ask("moves");
  const Json bad = page.ask("moves", {{"state", after(start, "bad")}});
  EXPECT_EQ(bad["error"], "P in ERROR");
  EXPECT_FALSE(bad.contains("deadlock"));
  const Json good = page.ask("moves", {{"state", after(start, "good")}});
  EXPECT_EQ(good["ended"], true);
  EXPECT_EQ(good["components"][0]["at"], "END");
}

TEST(LspWalks, VariablesOfAnAdaProgramWaitForNothing) {
  const std::string path = std::string(SURETY_EXAMPLES) + "/peterson/peterson.adb";
  Page page(*read_file(path), path);
  const Json start = page.ask("moves");
  std::vector<std::string> tasks;
  const Json system = page.ask("system");
  for (const Json& component : system["components"])
    if (component["kind"] == "task") tasks.push_back(component["name"]);
  for (const Json& refused : start["refused"])
    for (const Json& by : refused["by"])
      EXPECT_NE(std::ranges::find(tasks, by.get<std::string>()), tasks.end()) << refused;
}

TEST(LspWalks, HiddenActionsSaySo) {
  Page page("P = (a -> b -> P).\n||S = P \\ {a}.\n");
  const Json start = page.ask("moves");
  EXPECT_EQ(start["moves"][0]["action"], "a");
  EXPECT_EQ(start["moves"][0]["hidden"], true);
}

TEST(LspWalks, ATraceIsFollowedThroughEveryChoiceOfTheSameName) {
  // The first a is the wrong one, and so is the first silent step.
  Page page("P = (a -> STOP | a -> Q), Q = (b -> R | b -> STOP), R = (c -> STOP).\n||S = P.\n");
  const Json end = page.ask("follow", {{"trace", {"a", "b", "c"}}});
  EXPECT_EQ(end["stuck"], false);
  ASSERT_EQ(end["moments"].size(), 4U);
  EXPECT_EQ(end["moments"][0]["taken"], "a");
  EXPECT_EQ(end["moments"][1]["by"]["who"], Json{"P"});
  EXPECT_EQ(end["moments"][1]["changed"], (Json{{{"name", "P"}, {"from", "P"}, {"to", "Q"}}}));
  EXPECT_EQ(end["moments"][3]["deadlock"], true);
  const Json stuck = page.ask("follow", {{"trace", {"a", "c"}}});
  EXPECT_EQ(stuck["stuck"], true);
  EXPECT_EQ(stuck["stuck_at"], "c");
  EXPECT_EQ(stuck["stuck_step"], 2);
  EXPECT_EQ(stuck["moments"].size(), 2U);
}

TEST(LspWalks, AStepThatSaysWhereItLeadsGoesThere) {
  Page page("P = (a -> STOP | a -> Q), Q = (b -> Q).\n||S = P.\n");
  const Json moves = page.ask("moves")["moves"];
  ASSERT_EQ(moves.size(), 2U);
  for (const Json& move : moves) {
    const Json end = page.ask("follow", {{"trace", {{{"action", "a"}, {"to", move["to"]}}}}});
    EXPECT_EQ(end["moments"].back()["state"], move["to"]);
  }
}

TEST(LspWalks, SilentStepsThatATraceLacksComeByThemselves) {
  Page page("P = (a -> b -> P) \\ {a}.\nQ = (b -> c -> Q).\n||S = (P || Q).\n");
  const Json end = page.ask("follow", {{"trace", {"b", "c"}}});
  EXPECT_EQ(end["stuck"], false);
  std::vector<std::string> taken;
  for (const Json& moment : end["moments"])
    if (moment.contains("taken")) taken.push_back(moment["taken"]);
  EXPECT_EQ(taken, (std::vector<std::string>{"tau", "b", "c"}));
  EXPECT_FALSE(end["moments"][1].contains("step"));
  EXPECT_EQ(end["moments"][2]["step"], 1);
  EXPECT_EQ(page.ask("follow", {{"trace", {"tau", "b"}}})["moments"].size(), 3U);
}

TEST(LspWalks, ACycleComesBackToWhereItBegan) {
  // Only after the second a does c come back.
  Page page("P = (a -> Q | a -> R), Q = (c -> STOP), R = (c -> R).\n||S = P.\n");
  const Json end = page.ask("follow", {{"trace", {"a"}}, {"cycle", {"c"}}, {"kind", "ltl"}});
  EXPECT_EQ(end["closed"], true);
  EXPECT_EQ(end["cycle_from"], 2);
  EXPECT_EQ(end["moments"][1]["state"], end["moments"][2]["state"]);
  const Json open = page.ask("follow", {{"trace", Json::array()}, {"cycle", {"a"}}});
  EXPECT_EQ(open["closed"], false);
  EXPECT_EQ(open["stuck"], false);
}

TEST(LspWalks, FluentsAndAssertionsWatchIfAskedFor) {
  Page page(kLamp);
  const Json end = page.ask("follow", {{"trace", {"on", "off"}}, {"watch", true}});
  EXPECT_EQ(end["moments"][0]["watch"]["fluent SHINES"], "false");
  EXPECT_EQ(end["moments"][1]["watch"]["fluent SHINES"], "true");
  EXPECT_EQ(end["moments"][1]["watch"]["assertion DARK"], "violated");
  EXPECT_EQ(end["moments"][1]["watch"]["property ONCE"], "ONCE after on");
  const auto flipped = names(end["moments"][2]["flipped"], "name");
  EXPECT_NE(std::ranges::find(flipped, "fluent SHINES"), flipped.end());
  EXPECT_FALSE(page.ask("follow", {{"trace", {"on"}}})["moments"][0].contains("watch"));
}

TEST(LspWalks, WalksAtRandomStopWhereTheyAreTold) {
  Page page(
      "P = (tick -> P | work -> Q), Q = (tick -> Q | bad -> P).\nproperty NEVER = STOP + {bad}.\n||S = (P || "
      "NEVER).\n");
  const Json until = page.ask("walk", {{"until", "work"}});
  EXPECT_EQ(until["stopped"], "until");
  EXPECT_EQ(until["moments"].back()["by"]["action"], "work");
  const Json ticks = page.ask("walk", {{"only", {"tick"}}, {"steps", 7}});
  EXPECT_EQ(ticks["stopped"], "steps");
  EXPECT_EQ(ticks["moments"].size(), 8U);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(ticks["moments"][i]["taken"], "tick");
  const Json wrong = page.ask("walk", {{"until", "violation"}});
  EXPECT_EQ(wrong["stopped"], "violation");
  EXPECT_EQ(wrong["moments"].back()["violates"], Json{"NEVER"});
  EXPECT_EQ(page.ask("walk", {{"only", {"bad"}}})["stopped"], "only");
  EXPECT_EQ(page.ask("walk", {{"seed", 4}, {"steps", 30}}), page.ask("walk", {{"seed", 4}, {"steps", 30}}));
  EXPECT_FALSE(page.ask("walk", {{"brief", true}})["moments"][0].contains("moves"));
}

TEST(LspWalks, OfAProgramLinesValuesAndProcessesAreTold) {
  Page page(
      "byte x = 0;\nchan c = [0] of { byte };\nactive proctype P() {\n  c!3;\n  x = 1\n}\n"
      "active proctype Q() {\n  byte y;\n  c?y;\n  assert(y == 4)\n}\n",
      "/models/m.pml");
  ASSERT_EQ(page.diagnostics, Json::array());
  const Json start = page.ask("moves");
  ASSERT_EQ(start["moves"].size(), 1U);
  EXPECT_EQ(start["processes"][0]["line"], 4);
  EXPECT_EQ(start["moves"][0]["with"]["process"], "Q");
  const Json end = page.ask(
      "follow",
      {{"steps",
        {start["moves"][0], {{"action", "tau"}, {"process", "Q"}, {"line", 10}, {"statement", "assert((y == 4))"}}}},
       {"kind", "error"}});
  ASSERT_EQ(end["moments"].size(), 3U) << end.dump(1);
  EXPECT_EQ(end["moments"][1]["changed"], (Json{{{"name", "Q.y"}, {"from", "0"}, {"to", "3"}}}));
  EXPECT_TRUE(end["moments"][2].contains("error"));
  EXPECT_EQ(end["moments"][2]["by"]["line"], 10);
}

TEST(LspWalks, StatesOfAProgramAreKnownAfterTheyWereMet) {
  Page page("active proctype P() { byte x; x = 1; x = 2 }\n", "/models/m.pml");
  EXPECT_EQ(page.ask("moves", {{"state", "00ff"}})["code"], -32602);
  const Json start = page.ask("moves");
  EXPECT_EQ(page.ask("moves", {{"state", start["moves"][0]["to"]}})["moves"].size(), 1U);
}

TEST(LspWalks, OfOneAldebaranFileToo) {
  Page page("des (0, 2, 3)\n(0, \"a\", 1)\n(1, \"b\", 2)\n", "/models/m.aut");
  const Json end = page.ask("follow", {{"trace", {"a", "b"}}, {"kind", "deadlock"}});
  EXPECT_EQ(end["stuck"], false);
  EXPECT_EQ(end["moments"].back()["deadlock"], true);
  EXPECT_EQ(page.ask("system")["components"][0]["name"], "m");
}

// What every violated check of an example shows can be followed to its end, with its cycle.
class LspFollow : public testing::TestWithParam<std::string> {};

std::vector<std::string> broken_examples() {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(SURETY_EXAMPLES))
    if (entry.path().stem().string().ends_with("_broken"))
      out.push_back(fs::relative(entry.path(), SURETY_EXAMPLES).string());
  std::ranges::sort(out);
  return out;
}

std::string name_of_test(const testing::TestParamInfo<std::string>& example) {
  std::string out = fs::path(example.param).filename().string();
  std::ranges::replace_if(
      out, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return out;
}

// How the last moment looks if the trace has shown what it is for.
void expect_shown(const Json& check, const Json& followed, bool program) {
  const Json& last = followed["moments"].back();
  const std::string kind = check["kind"];
  if (check.contains("cycle") && !check["cycle"].empty()) {
    EXPECT_EQ(followed["closed"], true);
    EXPECT_EQ(followed["moments"][followed["cycle_from"].get<std::size_t>() - 1]["state"], last["state"]);
  } else if (kind == "deadlock") {
    EXPECT_EQ(last["deadlock"], true);
  } else if (kind == "error") {
    EXPECT_TRUE(last.contains("error") || last.contains("violates") || !program) << last.dump(1);
  } else if (kind == "safety" && !program) {
    ASSERT_TRUE(last.contains("violates")) << last.dump(1);
    EXPECT_NE(std::ranges::find(last["violates"], check["property"]), last["violates"].end());
  } else if (kind == "ltl" || kind == "progress") {
    EXPECT_TRUE(last.contains("deadlock") || last.contains("ended") ||
                last["watch"].dump().find("violated") != std::string::npos)
        << last.dump(1);
  }
}

TEST_P(LspFollow, TheTracesOfTheExample) {
  const fs::path path = fs::path(SURETY_EXAMPLES) / GetParam();
  api::Request request;
  request.source.files = {path.string()};
  request.limits.time = std::chrono::seconds(60);
  const auto report = api::verify(request);
  ASSERT_TRUE(report);
  Page page(*read_file(path.string()), path.string());
  std::size_t violated = 0;
  for (const api::Check& one : report->checks) {
    if (!one.violated()) continue;
    const Json check = api::check_json(one, report->model);
    Json asked{{"trace", check["trace"]}, {"kind", check["kind"]}, {"watch", true}};
    for (const char* member : {"cycle", "steps", "property"})
      if (check.contains(member)) asked[member] = check[member];
    const Json followed = page.ask("follow", asked);
    const std::string name = GetParam() + " " + check["kind"].get<std::string>() + " " + one.property;
    ASSERT_TRUE(followed.contains("moments")) << name << followed.dump(1);
    EXPECT_EQ(followed["stuck"], false) << name << ": " << followed.value("stuck_at", "") << ", step "
                                        << followed.value("stuck_step", 0);
    EXPECT_FALSE(followed.contains("expected")) << name;
    EXPECT_FALSE(followed.contains("why")) << name;
    expect_shown(check, followed, report->model.promela != nullptr);
    ++violated;
  }
  EXPECT_GE(violated, 1U);
}

INSTANTIATE_TEST_SUITE_P(Examples, LspFollow, testing::ValuesIn(broken_examples()), name_of_test);

}  // namespace
}  // namespace surety::lsp
