// Machines as a page draws and lists them, and what it is told of the system.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "base/file.hpp"
#include "lsp_help.hpp"
#include "paths.hpp"

namespace surety::lsp {
namespace {

const std::string kDesk =
    "const N = 2\n"
    "range R = 1..N\n"
    "DESK = DESK[0],\n"
    "DESK[i:0..N] = (when (i < N) in -> DESK[i + 1] | when (i > 0) out -> DESK[i - 1]).\n"
    "property FEW = (in -> out -> FEW).\n"
    "property OTHER = (out -> OTHER).\n"
    "||PAIR(M = 2) = ([i:1..M]:DESK).\n"
    "progress MOVES = {in}\n"
    "menu ALL = {in, out}\n"
    "||SYSTEM = (DESK || FEW) \\ {out}.\n";

TEST(LspMachines, TheSystemSaysWhatIsInItAndWhere) {
  Page page(kDesk, "/models/desk.lts");
  ASSERT_EQ(page.diagnostics.dump().find("error"), std::string::npos);
  const Json system = page.ask("system");
  EXPECT_EQ(system["system"], "SYSTEM");
  EXPECT_EQ(system["language"], "fsp");
  EXPECT_EQ(system["place"]["line"], 10);
  const Json& desk = system["components"][0];
  EXPECT_EQ(desk["name"], "DESK");
  EXPECT_EQ(desk["kind"], "process");
  EXPECT_EQ(desk["definition"], "DESK");
  EXPECT_EQ(desk["alphabet"], (Json{"in", "out"}));
  EXPECT_EQ(desk["place"]["line"], 3);
  EXPECT_EQ(names(system["properties"], "name"), std::vector<std::string>{"FEW"});
  EXPECT_EQ(system["actions"]["in"], (Json{"DESK", "FEW"}));
  EXPECT_EQ(system["hidden"], Json{"out"});
  EXPECT_EQ(system["systems"], (Json{"PAIR", "SYSTEM", "DESK", "FEW", "OTHER"}));
  EXPECT_EQ(system["constants"]["N"], 2);
  EXPECT_EQ(names(system["defines"], "name"), (std::vector<std::string>{"N", "M"}));
  EXPECT_EQ(system["defines"][0]["of"], "constant");
  EXPECT_EQ(system["defines"][0]["place"]["line"], 1);
  EXPECT_EQ(system["defines"][1]["of"], "PAIR");
  EXPECT_EQ(system["menus"]["ALL"], (Json{"in", "out"}));
  std::vector<std::string> checks;
  for (const Json& check : system["checks"])
    checks.push_back(check["kind"].get<std::string>() + " " + check["name"].get<std::string>());
  EXPECT_EQ(checks, (std::vector<std::string>{"safety FEW", "deadlock ", "progress MOVES", "safety OTHER"}));
  EXPECT_EQ(system["checks"][3]["inside"], false);
  EXPECT_EQ(system["checks"][2]["place"]["line"], 8);
}

TEST(LspMachines, StatesHaveTheNamesOfTheText) {
  Page page(kDesk);
  const Json desk = page.ask("machine", {{"name", "DESK"}});
  EXPECT_EQ(desk["kind"], "component");
  EXPECT_EQ(desk["names"], (Json{"DESK[0]", "DESK[1]", "DESK[2]"}));
  EXPECT_EQ(desk["lines"], (Json{4, 4, 4}));
  EXPECT_EQ(desk["place"]["line"], 3);
  EXPECT_FALSE(page.ask("machine", {{"name", "DESK"}, {"names", false}}).contains("names"));
}

TEST(LspMachines, APropertyHasTheStatesThatItHasInAWalk) {
  Page page(kDesk);
  const Json few = page.ask("machine", {{"name", "FEW"}});
  EXPECT_EQ(few["property"], true);
  EXPECT_EQ(few["states"], 2);
  EXPECT_EQ(few["names"], (Json{"FEW", "FEW after in"}));
  const Json complete = page.ask("machine", {{"name", "FEW"}, {"complete", true}});
  EXPECT_EQ(complete["states"], 3);
  EXPECT_EQ(complete["error"], 2);
  EXPECT_EQ(complete["steps"].size(), 4U);
  EXPECT_EQ(page.ask("machine", {{"name", "OTHER"}})["property"], true) << "no part of the system";
}

TEST(LspMachines, CompositesAreComposedAndMinimised) {
  Page page(kDesk);
  EXPECT_EQ(page.ask("machine", {{"name", "PAIR"}})["states"], 9);
  EXPECT_EQ(page.ask("machine", {{"name", "PAIR(1)"}})["states"], 3);
  EXPECT_EQ(page.ask("machine", {{"name", "PAIR"}})["kind"], "composite");
  const Json whole = page.ask("machine", {{"name", "SYSTEM"}});
  EXPECT_EQ(whole["kind"], "system");
  EXPECT_EQ(whole["alphabet"], Json{"in"});
  for (const char* how : {"strong", "weak", "trace", "ltsa"}) {
    const Json small = page.ask("machine", {{"name", "SYSTEM"}, {"minimise", how}});
    EXPECT_LE(small["states"], whole["states"]) << how;
    EXPECT_EQ(small["minimise"], how);
  }
  EXPECT_EQ(page.ask("machine", {{"name", "SYSTEM"}, {"minimise", "much"}})["code"], -32602);
  EXPECT_EQ(page.ask("machine", {{"name", "NONE"}})["code"], -32602);
  EXPECT_EQ(page.ask("machine", {{"name", "PAIR(x)"}})["code"], -32602);
}

// A page fills the state where a walk is.
TEST(LspMachines, StatesOfTheWholeSystemAreThoseOfMoments) {
  const std::string broken = std::string(SURETY_EXAMPLES) + "/gas_station/gas_station_broken.";
  for (const char* ending : {"lts", "adb"}) {
    const std::string path = broken + ending;
    Page page(*read_file(path), path);
    const Json system = page.ask("machine", {{"name", page.ask("system")["whole"]}, {"steps", 100'000}});
    const Json walk = page.ask("walk", {{"steps", 300}, {"seed", 5}});
    ASSERT_EQ(system["positions"].size(), system["states"]);
    for (std::size_t i = 0; i + 1 < walk["moments"].size(); ++i) {
      const Json& now = walk["moments"][i];
      const Json& next = walk["moments"][i + 1];
      const auto& positions = system["positions"];
      const auto here = std::ranges::find(positions, now["state"]);
      ASSERT_NE(here, positions.end()) << ending << now["state"];
      if (next.contains("violates")) break;
      const auto there = std::ranges::find(positions, next["state"]);
      const Json step{here - positions.begin(), next["by"]["action"], there - positions.begin()};
      EXPECT_NE(std::ranges::find(system["steps"], step), system["steps"].end()) << ending << step;
    }
  }
  Page small("P = (a -> STOP).\nminimal ||S = P.\n");
  EXPECT_FALSE(small.ask("machine", {{"name", "S"}}).contains("positions"));
}

TEST(LspMachines, LongTablesComeInPages) {
  Page page("P = (a -> b -> P).\n||S = ([i:1..9]:P).\n");
  const Json all = page.ask("machine", {{"name", "S"}, {"steps", 100'000}});
  ASSERT_EQ(all["steps"].size(), 512U * 9);
  EXPECT_EQ(page.ask("machine", {{"name", "S"}, {"steps", 100}})["too_large"], true);
  Json pages = Json::array();
  for (std::uint64_t from = 0; from < 512 * 9; from += 1000) {
    const Json one = page.ask("machine", {{"name", "S"}, {"from", from}, {"count", 1000}});
    EXPECT_EQ(one["from"], from);
    for (const Json& step : one["steps"]) pages.push_back(step);
  }
  EXPECT_EQ(pages, all["steps"]);
  EXPECT_EQ(page.ask("machine", {{"name", "S"}, {"from", 512 * 9}})["steps"], Json::array());
  const Json only = page.ask("machine", {{"name", "S"}, {"from", 10}, {"count", 5}, {"actions", {"3.a"}}});
  EXPECT_EQ(only["of"], 256);
  ASSERT_EQ(only["steps"].size(), 5U);
  for (const Json& step : only["steps"]) EXPECT_EQ(step[1], "3.a");
  const Json around = page.ask("machine", {{"name", "S"}, {"from", 0}, {"state", 0}});
  EXPECT_EQ(around["of"], 18) << "nine lead away, and nine back";
}

TEST(LspMachines, PagesOfALargeMachineAreQuick) {
  Page page("P = (a -> b -> P).\n||S = ([i:1..16]:P).\n");
  const Json first = page.ask("machine", {{"name", "S"}, {"from", 0}, {"count", 200}});
  ASSERT_EQ(first["transitions"], 16 * 65'536) << first.dump();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(page.ask("machine", {{"name", "S"}, {"from", 50'000 * i}, {"count", 200}})["steps"].size(), 200U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(LspMachines, WhatTakesLongerThanAQuestionMaySaysSo) {
  Page page("P = (a -> b -> c -> P).\n||S = ([i:1..40]:P).\n");
  const auto begin = std::chrono::steady_clock::now();
  const Json whole = page.ask("machine", {{"name", "S"}});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(whole["too_large"], true) << whole.dump();
  EXPECT_TRUE(whole["why"] == "time" || whole["why"] == "memory") << whole["why"];
  EXPECT_GT(whole["at_least"], 1000);
  EXPECT_EQ(page.ask("near", {{"machine", "S"}, {"state", 0}})["code"], -32803);
}

TEST(LspMachines, ATextThatTakesLongerToReadThanAQuestionMayIsNoError) {
  const std::string path = std::string(SURETY_EXAMPLES) + "/peterson/peterson.lts";
  Page page(*read_file(path), path, {{"define", {{"K", 5}}}});
  ASSERT_EQ(page.diagnostics.size(), 1U) << page.diagnostics.dump();
  EXPECT_EQ(page.diagnostics[0]["code"], "too-much") << page.diagnostics.dump();
  EXPECT_EQ(page.diagnostics[0]["severity"], 3);
  const Json system = page.ask("system");
  EXPECT_EQ(system["code"], -32803);
  EXPECT_EQ(system["message"], page.diagnostics[0]["message"]);
  Page wrong("P = (a -> .\n");
  EXPECT_FALSE(wrong.diagnostics[0].contains("code"));
  EXPECT_EQ(wrong.ask("system")["code"], -32602);
}

TEST(LspMachines, NearAStateForwardsAndBackwards) {
  Page page("P = (a -> b -> c -> d -> P).\n");
  const Json forward = page.ask("near", {{"machine", "P"}, {"state", 1}, {"radius", 1}});
  EXPECT_EQ(forward["states"], (Json{1, 2}));
  EXPECT_EQ(forward["rim"], Json{2});
  EXPECT_EQ(forward["of"], 4);
  const Json both = page.ask("near", {{"machine", "P"}, {"state", 1}, {"radius", 1}, {"forward", false}});
  EXPECT_EQ(both["states"], (Json{0, 1, 2}));
  EXPECT_EQ(both["distance"], (Json{1, 0, 1}));
  EXPECT_EQ(both["rim"], (Json{0, 2}));
  const Json way = page.ask("path", {{"machine", "P"}, {"action", "c"}});
  EXPECT_EQ(way["trace"], (Json{"a", "b", "c"}));
  EXPECT_EQ(way["states"], (Json{0, 1, 2, 3}));
  EXPECT_EQ(page.ask("path", {{"machine", "P"}, {"from", 3}, {"state", 1}})["trace"], (Json{"d", "a"}));
  EXPECT_EQ(page.ask("path", {{"machine", "P"}, {"action", "x"}}), Json());
}

TEST(LspMachines, AProgramIsToldInParts) {
  const std::string path = std::string(SURETY_EXAMPLES) + "/peterson/peterson.pml";
  Page page(*read_file(path), path);
  const Json system = page.ask("system");
  EXPECT_EQ(system["language"], "promela");
  EXPECT_EQ(system["apart"], true);
  EXPECT_GE(system["components"].size(), 2U);
  EXPECT_EQ(system["components"][0]["kind"], "part");
  EXPECT_FALSE(system["checks"].empty());
  const std::string name = system["components"][0]["name"];
  EXPECT_EQ(page.ask("machine", {{"name", name}})["states"], system["components"][0]["states"]);
  EXPECT_GT(page.ask("machine", {{"name", "peterson"}})["states"], 10) << "the whole";
  Page whole("active proctype P() { int x; do :: x++ od }\n", "/models/p.pml");
  const Json why = whole.ask("system");
  EXPECT_EQ(why["apart"], false);
  EXPECT_FALSE(why["not_apart"]["message"].get<std::string>().empty());
}

TEST(LspMachines, AnAdaProgramHasTasks) {
  const std::string path = std::string(SURETY_EXAMPLES) + "/peterson/peterson.adb";
  Page page(*read_file(path), path);
  const Json system = page.ask("system");
  EXPECT_EQ(system["language"], "ada");
  std::vector<std::string> kinds = names(system["components"], "kind");
  EXPECT_NE(std::ranges::find(kinds, "task"), kinds.end());
  EXPECT_NE(std::ranges::find(kinds, "variable"), kinds.end());
  for (const Json& component : system["components"]) {
    const Json machine = page.ask("machine", {{"name", component["name"]}});
    EXPECT_EQ(machine["states"], component["states"]);
    EXPECT_TRUE(machine.contains("names")) << component["name"];
    EXPECT_GT(component["place"]["line"], 1) << component["name"];
  }
}

}  // namespace
}  // namespace surety::lsp
