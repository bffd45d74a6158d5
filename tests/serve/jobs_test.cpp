// Jobs with the real program: what they tell, how they end, and what is left of them.

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <set>
#include <thread>

#include "server.hpp"

namespace surety::serve_test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

Json check(const std::string& path, const Json& options = Json::object()) {
  return {{"command", "check"}, {"path", path}, {"options", options}};
}

bool is_progress(const Json& event) { return event["event"] == "progress"; }

const Json* find_event(const std::vector<Json>& events, const std::string& name) {
  for (const Json& event : events)
    if (event["event"] == name) return &event;
  return nullptr;
}

// --- What they tell.

TEST(Jobs, TellEverythingInOrderUntilTheyEnd) {
  const Server server;
  const std::string job =
      server.start(check("examples:rover/rover.lts", {{"method", "asym"}, {"property", "CLEARED_FIRST"}}));
  const auto events = server.events(job);
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i]["n"], i + 1);
  EXPECT_EQ(events.front()["event"], "start");
  EXPECT_EQ(events[events.size() - 2]["event"], "end");
  EXPECT_EQ(events.back()["event"], "ended");
  EXPECT_EQ(events.back()["status"], 0);
  EXPECT_NE(find_event(events, "conjecture"), nullptr);
  // From the middle on, and from behind the end.
  const auto later = server.events(job, 100);
  EXPECT_EQ(later.front()["n"], 101);
  EXPECT_EQ(later.size(), events.size() - 100);
  EXPECT_TRUE(server.events(job, 100'000).empty());
  const Json report = server.ask("GET", "/api/jobs/" + job + "/report").json();
  EXPECT_EQ(report["verdict"], "holds");
  EXPECT_EQ(report["checks"].size(), 1U);
}

TEST(Jobs, SayTheLineThatAPersonWouldType) {
  const Server server;
  const Reply reply = server.ask_json("POST", "/api/jobs",
                                      check("lights.lts", {{"property", {"ORDER", "deadlock"}},
                                                           {"method", "asym"},
                                                           {"split", "a b | c"},
                                                           {"define", {{"N", 3}}},
                                                           {"unfair", true},
                                                           {"time", "60s"}}));
  EXPECT_EQ(reply.json()["command_line"],
            "surety check lights.lts --define N=3 --method asym --property ORDER --property deadlock --split 'a b | c' "
            "--unfair --time 60s");
}

TEST(Jobs, AreAboutTheTextOfThePage) {
  const Server server;
  Json job = check("lights.lts");
  job["text"] = "A = (a -> STOP).\n";
  const auto events = server.events(server.start(job));
  const Json* verdict = find_event(events, "verdict");
  ASSERT_NE(verdict, nullptr);
  EXPECT_EQ((*verdict)["kind"], "deadlock");
  EXPECT_EQ((*verdict)["verdict"], "violated");
  EXPECT_FALSE(verdict->contains("place"));
  job["text"] = "A = (a -> ";
  const std::string broken = server.start(job);
  server.events(broken);
  const Json report = server.ask("GET", "/api/jobs/" + broken + "/report").json();
  EXPECT_EQ(report["errors"][0]["file"], "lights.lts");
  EXPECT_EQ(server.read("lights.lts"), kLights);
}

TEST(Jobs, KeepTheTextThatWasThereWhenTheyWereAskedFor) {
  const Server server({"--jobs=1"});
  server.write("endless.lts", kEndless);
  const std::string first = server.start(check("endless.lts"));
  const std::string second = server.start(check("lights.lts", {{"property", "ORDER"}}));
  server.write("lights.lts", "no model at all");
  server.ask("POST", "/api/jobs/" + first + "/cancel");
  const auto events = server.events(second);
  EXPECT_EQ(events.back()["status"], 0);
}

// --- What may be asked for.

TEST(Jobs, TakeOnlyOptionsThatAreOnTheList) {
  const Server server;
  for (const char* option : {"certificate", "trace", "events", "overlay", "beneath", "output", "assumption-out",
                             "junit", "sarif", "json", "color", "nonsense", "Property", "--property", ""}) {
    const Reply reply = server.ask_json("POST", "/api/jobs", check("lights.lts", {{option, "x"}}));
    EXPECT_EQ(reply.status, 400) << option;
  }
  for (const char* command : {"serve", "lsp", "study run", "draw", "simulate", "info", "docs", "", "check --json"})
    EXPECT_EQ(server.ask_json("POST", "/api/jobs", {{"command", command}, {"path", "lights.lts"}}).status, 400);
  EXPECT_EQ(server.ask_json("POST", "/api/jobs", check("lights.lts", {{"unfair", "yes"}})).status, 400);
  EXPECT_EQ(server.ask_json("POST", "/api/jobs", check("lights.lts", {{"method", {"a", "b"}}})).status, 400);
  EXPECT_EQ(server.ask_json("POST", "/api/jobs", check("lights.lts", {{"property", ""}})).status, 400);
  EXPECT_EQ(server.ask_json("POST", "/api/jobs", check("lights.lts", {{"property", "a\nb"}})).status, 400);
}

TEST(Jobs, HaveValuesThatNobodyTakesForOptionsOrCommands) {
  const Server server;
  const fs::path mark = server.folder() / "mark";
  for (const std::string& value :
       {std::string("--certificate=") + mark.string(), "$(touch " + mark.string() + ")", "; touch " + mark.string(),
        std::string("-o"), std::string("--unfair"), "x --output=" + mark.string()}) {
    const Reply reply = server.ask_json("POST", "/api/jobs", check("lights.lts", {{"property", value}}));
    if (reply.status != 202) continue;
    const auto events = server.events(reply.json()["job"]);
    EXPECT_EQ(events.back()["status"], 64) << value;  // there is no such property
  }
  server.write("-o.lts", "A = (a -> A).");
  EXPECT_EQ(server.events(server.start(check("-o.lts"))).back()["status"], 0);
  EXPECT_FALSE(fs::exists(mark));
}

TEST(Jobs, ReadNothingOutsideOfTheFolder) {
  const Server server;
  const fs::path outside = server.folder().string() + "-out";
  fs::create_directories(outside);
  std::ofstream(outside / "p.aut") << "des (0, 1, 1)\n(0, \"secret\", 0)\n";
  std::ofstream(outside / "x.h") << "#define SECRET 1\n";
  const std::string there = outside.string(), up = "../" + outside.filename().string();
  fs::create_symlink(outside / "p.aut", server.folder() / "link.aut");
  fs::create_symlink(outside / "x.h", server.folder() / "link.h");
  for (const std::string& file : {there + "/p.aut", up + "/p.aut", std::string("link.aut")}) {
    server.write("import.lts", "import P = \"" + file + "\"\n||S = P.\n");
    const auto events = server.events(server.start(check("import.lts")));
    EXPECT_EQ(events.back()["status"], 65) << file;
    for (const char* option : {"property", "assumption", "seed-assumption"}) {
      const Reply reply =
          server.ask_json("POST", "/api/jobs", check("lights.lts", {{option, file}, {"method", "asym"}}));
      if (reply.status == 202) {
        EXPECT_NE(server.events(reply.json()["job"]).back()["status"], 0) << file << " " << option;
      }
    }
  }
  for (const std::string& line :
       {"#include \"" + there + "/x.h\"", "#include \"" + up + "/x.h\"", std::string("#include \"link.h\""),
        "#define F \"" + there + "/x.h\"\n#include F", "%:include \"" + there + "/x.h\"",
        "#/* */inc\\\nlude /*\n*/ \"" + there + "/x.h\""}) {
    server.write("include.pml", line + "\nactive proctype P() { assert(SECRET == 2) }\n");
    const std::string job = server.start(check("include.pml"));
    EXPECT_EQ(server.events(job).back()["status"], 65) << line;
    EXPECT_EQ(server.ask("GET", "/api/jobs/" + job + "/report").body.find("violated"), std::string::npos) << line;
  }
  server.write("near.h", "#define SECRET 2\n");
  server.write("include.pml", "#include \"near.h\"\nactive proctype P() { assert(SECRET == 2) }\n");
  EXPECT_EQ(server.events(server.start(check("include.pml"))).back()["status"], 0);
  fs::remove_all(outside);
}

TEST(Jobs, UseSpinOnlyWhereThatWasAllowed) {
  const Server server;
  server.write("x.pml", "active proctype P() { assert(true) }\n");
  const Reply reply = server.ask_json("POST", "/api/jobs", check("x.pml", {{"engine", "spin"}}));
  EXPECT_EQ(reply.status, 403);
  EXPECT_EQ(reply.code(), "spin");
  EXPECT_EQ(server.ask_json("POST", "/api/jobs", check("x.pml", {{"engine", {"spin"}}})).status, 403);  // in a list
  EXPECT_EQ(server.ask("GET", "/api/hello").json()["spin"], false);
  const Server other({"--allow-spin"});
  other.write("x.pml", "active proctype P() { assert(true) }\n");
  EXPECT_EQ(other.ask_json("POST", "/api/jobs", check("x.pml", {{"engine", "spin"}})).status, 202);
}

// --- How they end.

TEST(Jobs, EndAtOnceWhenTheyAreCancelledAndTellWhatTheyKnow) {
  const Server server;
  server.write("endless.lts", kEndless);
  const std::string job = server.start(check("endless.lts", {{"property", "deadlock"}, {"method", "monolithic"}}));
  server.events(job, 0, is_progress);
  const auto begin = Clock::now();
  EXPECT_EQ(server.ask("POST", "/api/jobs/" + job + "/cancel").status, 202);
  const auto events = server.events(job);
  EXPECT_LT(Clock::now() - begin, 1s);
  const Json* verdict = find_event(events, "verdict");
  ASSERT_NE(verdict, nullptr);
  EXPECT_EQ((*verdict)["verdict"], "unknown");
  EXPECT_TRUE(soon([&] { return server.children("check").empty(); }));
  EXPECT_EQ(server.ask("GET", "/api/jobs").json()[0]["state"], "done");
}

TEST(Jobs, ThatDoNotListenAreEnded) {
  const Server server;
  server.write("endless.lts", kEndless);
  const std::string job = server.start(check("endless.lts"));
  server.events(job, 0, is_progress);
  const pid_t child = server.children("check").at(0);
  ::kill(child, SIGSTOP);  // it cannot hear the signal
  const auto begin = Clock::now();
  server.ask("POST", "/api/jobs/" + job + "/cancel");
  const auto events = server.events(job);
  EXPECT_EQ(events.back()["signal"], "SIGKILL");
  EXPECT_GT(Clock::now() - begin, 1500ms);
  EXPECT_LT(Clock::now() - begin, 4s);
}

TEST(Jobs, ThatDieAreToldOfAndTheServerGoesOn) {
  const Server server;
  server.write("endless.lts", kEndless);
  const std::string job = server.start(check("endless.lts"));
  server.events(job, 0, is_progress);
  ::kill(server.children("check").at(0), SIGSEGV);
  const auto events = server.events(job);
  EXPECT_EQ(events.back()["event"], "ended");
  EXPECT_EQ(events.back()["signal"], "SIGSEGV");
  EXPECT_EQ(events.back()["n"], events.size());
  EXPECT_EQ(server.ask("GET", "/api/hello").status, 200);
  EXPECT_EQ(server.events(server.start(check("lights.lts"))).back()["status"], 0);
}

TEST(Jobs, WaitForATurnAndCanBeTakenOutOfTheQueue) {
  const Server server({"--jobs=1"});
  server.write("endless.lts", kEndless);
  const std::string first = server.start(check("endless.lts"));
  const std::string second = server.start(check("lights.lts"));
  const std::string third = server.start(check("lights.lts"));
  EXPECT_TRUE(soon([&] { return server.children("check").size() == 1; }));
  server.ask("POST", "/api/jobs/" + second + "/cancel");
  EXPECT_EQ(server.events(second).back()["event"], "ended");
  server.ask("POST", "/api/jobs/" + first + "/cancel");
  EXPECT_EQ(server.events(third).back()["status"], 0);
}

TEST(Jobs, HaveLimitsAndAGroupOfTheirOwn) {
  const Server server({"--memory=200M"});
  server.write("endless.lts", kEndless);
  const std::string job = server.start(check("endless.lts"));
  server.events(job, 0, is_progress);
  const pid_t child = server.children("check").at(0);
  EXPECT_EQ(::getpgid(child), child);
  std::ifstream in("/proc/" + std::to_string(child) + "/limits");
  std::map<std::string, std::string> limits;
  for (std::string line; std::getline(in, line);) limits[line.substr(0, line.find("  "))] = line;
  EXPECT_NE(limits["Max core file size"].find(" 0  "), std::string::npos) << limits["Max core file size"];
  EXPECT_NE(limits["Max address space"].find(std::to_string((200ULL << 20) / 2 * 3 + (1ULL << 30))), std::string::npos);
  // Of what the server has open, a child has three files and the pipe for its events.
  std::set<std::string> opened;
  for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(child) + "/fd"))
    opened.insert(fs::read_symlink(entry.path()).string());
  for (const std::string& file : opened) EXPECT_EQ(file.find("socket"), std::string::npos) << file;
  EXPECT_LE(opened.size(), 7U);
}

// --- What is left of them.

TEST(Jobs, LeaveTheAssumptionsThatTheyTriedAsFiles) {
  const Server server;
  const std::string job =
      server.start(check("examples:rover/rover.lts", {{"method", "asym"}, {"property", "CLEARED_FIRST"}}));
  server.events(job);
  const auto lts = [&](const std::string& query) { return server.ask("GET", "/api/jobs/" + job + "/lts?" + query); };
  EXPECT_EQ(lts("of=assumption.1&k=5").json()["steps"].size(), 3U);
  EXPECT_EQ(lts("of=assumption.1&k=5&format=aut").body,
            "des (0,3,1)\n(0,\"tell.1\",0)\n(0,\"tell.2\",0)\n(0,\"check.lock\",0)\n");
  EXPECT_EQ(lts("of=assumption.1").json()["states"], 37);
  EXPECT_TRUE(lts("of=assumption.1&format=dot").body.starts_with("digraph"));
  EXPECT_EQ(lts("of=assumption.1&k=99999").status, 404);
  EXPECT_EQ(lts("of=assumption.2").status, 404);
  EXPECT_EQ(lts("of=whole").status, 404);
  EXPECT_EQ(lts("of=../../report").status, 400);
  EXPECT_EQ(lts("format=exe").status, 400);
}

TEST(Jobs, LeaveACertificateThatIsSavedBesideItsInputs) {
  const Server server;
  server.write("sub/lights.lts", kLights);
  const std::string job = server.start(check("sub/lights.lts", {{"property", "ORDER"}}));
  server.events(job);
  const Json proof = server.ask("GET", "/api/jobs/" + job + "/certificate").json();
  EXPECT_EQ(proof["inputs"][0]["file"], "sub/lights.lts");
  const std::string target = "/api/jobs/" + job + "/certificate";
  EXPECT_EQ(server.ask_json("PUT", target, {{"path", "sub/proof.json"}}).status, 200);
  EXPECT_EQ(Json::parse(server.read("sub/proof.json"))["inputs"][0]["file"], "lights.lts");
  EXPECT_EQ(server.ask_json("PUT", target, {{"path", "sub/proof.json"}}).status, 409);
  EXPECT_EQ(server.ask_json("PUT", target, {{"path", "proof.lts"}}).status, 400);
  EXPECT_EQ(server.ask_json("PUT", target, {{"path", "../proof.json"}}).status, 403);
  // It is a certificate like any other.
  const auto events = server.events(server.start({{"command", "certify"}, {"path", "sub/proof.json"}}));
  EXPECT_EQ(events.back()["status"], 0);
}

TEST(Jobs, CanBeCheckedAgainWithTheTextsOfThen) {
  const Server server;
  server.write("p.aut", "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\", 0)\n");
  Json job = check("new.lts", {{"property", "Q"}});
  job["text"] = "import P = \"p.aut\"\nproperty Q = (a -> b -> Q).\n||S = (P || Q).\n";  // saved nowhere
  const std::string first = server.start(job);
  server.events(first);
  server.write("p.aut", "des (0, 1, 1)\n(0, \"b\", 0)\n");  // and it would be violated now
  const Reply again = server.ask_json("POST", "/api/jobs/" + first + "/recheck", Json::object());
  ASSERT_EQ(again.status, 202) << again.body;
  const auto events = server.events(again.json()["job"]);
  EXPECT_EQ(events.back()["status"], 0);
  EXPECT_NE(find_event(events, "premise"), nullptr);
  EXPECT_EQ(server.ask("GET", "/api/jobs/" + again.json()["job"].get<std::string>() + "/report").json()["accepted"],
            true);
}

TEST(Jobs, LeaveNoCertificateOfWhatDoesNotHold) {
  const Server server;
  Json job = check("lights.lts");
  job["text"] = "A = (a -> STOP).\n";
  const std::string id = server.start(job);
  server.events(id);
  EXPECT_EQ(server.ask("GET", "/api/jobs/" + id + "/certificate").status, 404);
  EXPECT_EQ(server.ask_json("POST", "/api/jobs/" + id + "/recheck", Json::object()).status, 404);
}

// --- The other commands.

TEST(Jobs, ComposeAndCompareAndAssume) {
  const Server server;
  const std::string whole =
      server.start({{"command", "compose"}, {"path", "lights.lts"}, {"options", {{"minimise", "weak"}}}});
  EXPECT_EQ(server.events(whole).back()["status"], 0);
  EXPECT_EQ(server.ask("GET", "/api/jobs/" + whole + "/lts?of=whole").json()["states"], 2);

  const std::string same = server.start(
      {{"command", "compare"}, {"path", "lights.lts"}, {"options", {{"name", "LIGHT"}, {"other", "lights.lts:S"}}}});
  EXPECT_EQ(server.events(same).back()["status"], 0);
  const std::string other = server.start({{"command", "compare"},
                                          {"path", "lights.lts"},
                                          {"options", {{"other", "lights.lts"}, {"other_text", "A = (on -> A)."}}}});
  EXPECT_EQ(server.events(other).back()["status"], 1);

  const std::string weakest = server.start(
      {{"command", "assume"}, {"path", "lights.lts"}, {"options", {{"kind", "weakest"}, {"property", "ORDER"}}}});
  EXPECT_EQ(server.events(weakest).back()["status"], 0);
  EXPECT_EQ(server.ask("GET", "/api/jobs/" + weakest + "/lts").status, 200);
}

TEST(Jobs, TakeAnAssumptionThatIsInNoFile) {
  const Server server;
  const std::string job =
      server.start(check("examples:rover/rover.lts", {{"method", "asym"},
                                                      {"property", "CLEARED_FIRST"},
                                                      {"assumption", "own.lts"},
                                                      {"texts", {{"own.lts", "A = STOP + {start}."}}}}));
  const auto events = server.events(job);
  EXPECT_EQ(events.back()["event"], "ended");
  EXPECT_LE(events.back()["status"], 2) << server.ask("GET", "/api/jobs/" + job + "/report").body;
}

TEST(Jobs, AnExperimentRunsEveryPoint) {
  const Server server;
  const std::string job = server.start(
      {{"command", "experiment"},
       {"path", "examples:gas_station/gas_station.lts"},
       {"options", {{"property", {"CHANGE"}}, {"methods", {"asym", "monolithic"}}, {"define", {{"K", "2..3"}}}}}});
  std::set<std::string> points;
  int whole = 0;
  for (const Json& event : server.events(job)) {
    if (event["event"] == "verdict") points.insert(event["point"].dump());
    if (event["event"] == "point") ++whole;
    if (event["event"] == "point") {
      EXPECT_GT(event["peak_bytes"], 0);
    }
  }
  EXPECT_EQ(points.size(), 4U);
  EXPECT_EQ(whole, 4);
  const std::string lost = server.start(
      {{"command", "experiment"}, {"path", "lights.lts"}, {"options", {{"define", {{"NOBODY", {1, 2}}}}}}});
  int count = 0;
  for (const Json& event : server.events(lost))
    if (event["event"] == "lost") {
      ++count;
      EXPECT_NE(event["message"].get<std::string>().find("NOBODY"), std::string::npos);
    }
  EXPECT_EQ(count, 2);
  EXPECT_EQ(
      server
          .ask_json(
              "POST", "/api/jobs",
              {{"command", "experiment"}, {"path", "lights.lts"}, {"options", {{"define", {{"N", "1..100000"}}}}}})
          .status,
      400);
}

}  // namespace
}  // namespace surety::serve_test
