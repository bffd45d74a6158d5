// --engine spin from the outside: the same answers as the native engine, and what happens when SPIN is missing or
// the user has had enough.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/process.hpp"
#include "paths.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Json = nlohmann::json;

constexpr const char* kPing = R"(
chan ping = [0] of { bit };
chan pong = [0] of { bit };
active proctype A() { do :: ping!1; pong?1 od }
active proctype B() { do :: ping?1; pong!1 od }
trace { do :: ping?1 -> pong?1 od }
)";

constexpr const char* kPingTwice = R"(
chan ping = [0] of { bit };
chan pong = [0] of { bit };
active proctype A() { do :: ping!1 :: pong?1 od }
active proctype B() { do :: ping?1 :: pong!1; ping?1 od }
trace { do :: ping?1 -> pong?1 od }
)";

// Two senders and two receivers of the same message.
constexpr const char* kCrowd = R"(
chan c = [0] of { bit };
active [2] proctype A() { c!1; c!0 }
active [2] proctype B() { do :: c?_ od }
trace {
FOUR: c?1; if :: c?1; c?0; c?0 :: c?0; c?1; c?0 fi
}
trace {
IN_ROW: c?1; c?1; c?0; c?0
}
)";

class EngineSpin : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "surety-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    for (const char* inner : {"tmp", "cache"}) fs::create_directory(folder_ / inner);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static bool has_spin() { return find_program("spin") && find_program("cc"); }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path file = folder_ / name;
    std::ofstream(file) << text;
    return file.string();
  }
  static std::string example(const std::string& name) {
    return fmt::format("{}/examples/{}/{}.pml", SURETY_SOURCE_DIR, name.substr(0, name.find("_broken")), name);
  }

  Ran check(const std::string& file, std::vector<std::string> options, const std::string& path = {}) {
    return surety("check", file, std::move(options), path);
  }
  Ran surety(const char* what, const std::string& file, std::vector<std::string> options,
             const std::string& path = {}) {
    Command command{{SURETY_BINARY, what, file}};
    command.words.insert(command.words.end(), options.begin(), options.end());
    command.settings = {{"TMPDIR", (folder_ / "tmp").string()}, {"XDG_CACHE_HOME", (folder_ / "cache").string()}};
    if (!path.empty()) command.settings.emplace_back("PATH", path);
    Budget budget;
    return run(command, budget);
  }
  Json report(const std::string& file, std::vector<std::string> options) {
    options.emplace_back("--json");
    return Json::parse(check(file, std::move(options)).output, nullptr, false);
  }

  Json assumed(const std::string& file, std::vector<std::string> options) {
    options.insert(options.end(), {"--interface", "--json"});
    return Json::parse(surety("assume", file, std::move(options)).output, nullptr, false);
  }

  bool left_nothing() const { return fs::is_empty(folder_ / "tmp"); }

  // Verdict and assumptions; where counterexamples are the same, too, so are the numbers of conjectures and queries.
  void same_as_native(const std::string& file, std::vector<std::string> options, const std::string& mode,
                      bool same_way = true) {
    const Json native = report(file, options);
    options.insert(options.end(), {"--engine", "spin", "--spin-mode", mode});
    const Json spin = report(file, options);
    ASSERT_FALSE(spin.is_discarded());
    ASSERT_GT(spin["spin"]["runs"], 0);
    for (std::size_t i = 0; i < native["checks"].size(); ++i) {
      const Json &ours = native["checks"][i], &theirs = spin["checks"][i];
      EXPECT_EQ(ours["verdict"], theirs["verdict"]);
      EXPECT_TRUE(theirs["certified"]);
      for (const char* count : {"conjectures", "queries"})
        if (same_way) {
          EXPECT_EQ(ours[count], theirs[count]) << file << " " << count;
        }
      ASSERT_EQ(ours.contains("assumptions"), theirs.contains("assumptions"));
      if (ours.contains("assumptions")) {
        ASSERT_EQ(ours["assumptions"].size(), theirs["assumptions"].size());
        for (std::size_t a = 0; a < ours["assumptions"].size(); ++a)  // states may have other numbers
          for (const char* what : {"states", "transitions", "alphabet"})
            EXPECT_EQ(ours["assumptions"][a][what], theirs["assumptions"][a][what]);
      }
    }
    EXPECT_TRUE(left_nothing());
  }

  fs::path folder_;
};

#define NEEDS_SPIN \
  if (!has_spin()) GTEST_SKIP() << "no spin or no C compiler here"

TEST_F(EngineSpin, LearnsWhatTheNativeEngineLearns) {
  NEEDS_SPIN;
  for (const char* learner : {"lstar", "ttt"})
    for (const char* method : {"asym", "asym-n"})
      same_as_native(example("client_server"), {"--property", "MUTEX", "--method", method, "--learner", learner},
                     "separate");
  same_as_native(example("client_server"), {"--property", "MUTEX", "--method", "asym", "--alphabet", "full"},
                 "separate", false);
  same_as_native(example("mer"), {"--property", "COMM_OR_DRIVE", "--method", "asym-n", "--define", "R=2"}, "separate");
}

TEST_F(EngineSpin, LearnsTheSameWithAFileAQuery) {
  NEEDS_SPIN;
  same_as_native(write("ping.pml", kPing), {"--property", "trace", "--method", "asym"}, "per-query");
}

// Which of the two receives, and from whom, is told by no message.
TEST_F(EngineSpin, TellsThoseApartWhoCanDoTheSame) {
  NEEDS_SPIN;
  same_as_native(example("relay"), {"--property", "ALWAYS_1_BETWEEN_0", "--method", "asym"}, "separate", false);
  const std::string crowd = write("crowd.pml", kCrowd);
  for (const char* mode : {"separate", "per-query"})
    same_as_native(crowd, {"--property", "FOUR", "--property", "IN_ROW", "--method", "monolithic"}, mode, false);
  same_as_native(crowd, {"--property", "FOUR", "--method", "asym-n"}, "separate", false);
}

TEST_F(EngineSpin, LearnsTheInterfaceOfOneComponent) {
  NEEDS_SPIN;
  const auto same = [&](const std::string& file, std::vector<std::string> options, const std::string& mode) {
    const Json native = assumed(file, options);
    options.insert(options.end(), {"--engine", "spin", "--spin-mode", mode});
    const Json spin = assumed(file, options);
    ASSERT_FALSE(spin.is_discarded());
    EXPECT_EQ(spin["assumption"], native["assumption"]) << file;
    EXPECT_EQ(spin["weakest"], native["weakest"]);
    EXPECT_GE(spin["spin"]["runs"], spin["queries"]);  // SPIN was asked each
    EXPECT_TRUE(left_nothing());
  };
  same(example("client_server"),
       {"--system", "Client(1)", "--property", "MUTEX", "--actions", "grant.1,grant.2,cancel.1,cancel.2"}, "separate");
  same(example("client_server"),
       {"--system", "Client(1)", "--property", "MUTEX", "--define", "K=3", "--learner", "ttt", "--actions",
        "grant.1,grant.2,grant.3,cancel.1,cancel.2,cancel.3"},
       "separate");
  same(write("twice.pml", kPingTwice), {"--system", "A", "--property", "trace"}, "per-query");
}

TEST_F(EngineSpin, RefusesInterfacesThatItCannotAskFor) {
  const std::string file = example("client_server");
  const auto refused = [&](std::vector<std::string> options, const std::string& why) {
    options.insert(options.end(), {"--engine", "spin"});
    const Ran ran = surety("assume", file, std::move(options));
    EXPECT_EQ(ran.status, 64) << ran.output;
    EXPECT_NE(ran.output.find(why), std::string::npos) << ran.output;
  };
  refused({"--property", "MUTEX"}, "--weakest needs --engine native");
  refused({"--interface", "--system", "Client(1)"}, "about one property");
  refused({"--interface", "--property", "MUTEX", "--system", "Client(1)", "--actions", "grant.1"},
          "--actions lacks cancel.1, cancel.2, grant.2");
}

TEST_F(EngineSpin, FindsViolationsThatReplay) {
  NEEDS_SPIN;
  const std::string twice = write("twice.pml", kPingTwice);
  for (const char* mode : {"separate", "per-query"}) {
    const Json found =
        report(twice, {"--method", "asym", "--property", "trace", "--engine", "spin", "--spin-mode", mode});
    EXPECT_EQ(found["verdict"], "violated") << mode;
    EXPECT_TRUE(found["checks"][0]["certified"]);
  }
  for (const char* method : {"monolithic", "asym", "asym-n"}) {
    const Json found =
        report(example("client_server_broken"), {"--method", method, "--property", "MUTEX", "--engine", "spin"});
    EXPECT_EQ(found["verdict"], "violated") << method;
    EXPECT_TRUE(found["checks"][0]["certified"]);
  }
  EXPECT_TRUE(left_nothing());
}

TEST_F(EngineSpin, CompilesAComponentOnlyOnce) {
  NEEDS_SPIN;
  const std::vector<std::string> options{"--property", "MUTEX", "--method", "asym", "--engine", "spin"};
  const Json first = report(example("client_server"), options), second = report(example("client_server"), options);
  EXPECT_EQ(first["spin"]["compilations"], 2);
  EXPECT_EQ(second["spin"]["compilations"], 0);
  EXPECT_EQ(second["spin"]["cached"], 2);
}

// Deeper than pan goes unasked.
TEST_F(EngineSpin, GoesAsDeepAsItHasTo) {
  NEEDS_SPIN;
  const std::string deep = write("deep.pml",
                                 "chan c = [0] of { bit };\n"
                                 "active proctype A() { int i; do :: i < 30000 -> i++ :: else -> break od; c!1; c!0 }\n"
                                 "active proctype B() { do :: c?_ od }\n"
                                 "trace { do :: c?1 od }\n");
  const Ran found = check(deep, {"--method", "asym", "--property", "trace", "--engine", "spin"});
  EXPECT_EQ(found.status, 1);
  EXPECT_TRUE(found.output.starts_with("violated: property trace")) << found.output.substr(0, 200);
}

TEST_F(EngineSpin, SaysWhatToInstall) {
  const std::vector<std::string> options{"--engine", "spin", "--method", "asym"};
  const Ran none = check(write("ping.pml", kPing), options, "/nowhere");
  EXPECT_EQ(none.status, 65);
  EXPECT_NE(none.output.find("needs the program spin, which is not in PATH"), std::string::npos) << none.output;
  EXPECT_NE(none.output.find("apt install spin"), std::string::npos);
  fs::create_directory(folder_ / "bin");
  fs::create_symlink("/bin/true", folder_ / "bin/spin");
  const Ran no_compiler = check(write("ping.pml", kPing), options, (folder_ / "bin").string());
  EXPECT_EQ(no_compiler.status, 65);
  EXPECT_NE(no_compiler.output.find("needs a C compiler"), std::string::npos) << no_compiler.output;
  EXPECT_TRUE(left_nothing());
}

// What is not SPIN must not be believed.
TEST_F(EngineSpin, BelievesNothingButSpin) {
  if (!find_program("cc")) GTEST_SKIP() << "no C compiler here";
  fs::create_directory(folder_ / "bin");
  fs::create_symlink("/bin/true", folder_ / "bin/spin");
  for (const char* compiler : {"/bin/true", "/bin/false"}) {
    fs::remove(folder_ / "bin/cc");
    fs::create_symlink(compiler, folder_ / "bin/cc");
    const Ran ran =
        check(write("ping.pml", kPing), {"--engine", "spin", "--method", "asym"}, (folder_ / "bin").string());
    EXPECT_EQ(ran.status, 65) << ran.output;
  }
}

TEST_F(EngineSpin, RefusesWhatItCannotAskByParts) {
  const auto refused = [&](const std::string& text, const std::string& why) {
    const Ran ran = check(write("bad.pml", text), {"--engine", "spin", "--method", "monolithic"});
    EXPECT_EQ(ran.status, 65) << ran.output;
    EXPECT_NE(ran.output.find(why), std::string::npos) << ran.output;
  };
  refused("chan c = [1] of { bit }; active proctype A() { c!1 } active proctype B() { c?1 }",
          "--engine spin does not take");
  refused("chan c = [0] of { bit }; byte x; active proctype A() { x = 1; c!1 } active proctype B() { x == 1; c?1 }",
          "--engine spin does not take");
  refused("chan c = [0] of { bit }; byte x; active proctype A() { x = 1; x == 1; c!1 } active proctype B() { c?1 }",
          "--engine spin does not take the variable or buffer x");  // although it is no component, but in A
  refused("chan c = [0] of { bit }; active proctype A() { assert(c != 7); c!1 } active proctype B() { c?1 }",
          "--engine spin does not take");
  EXPECT_EQ(check(write("ping.pml", kPing), {"--engine", "spin", "--method", "sym"}).status, 64);
  EXPECT_EQ(check(write("ping.pml", kPing), {"--engine", "nips"}).status, 64);
  EXPECT_EQ(check(fmt::format("{}/examples/channel/channel.lts", SURETY_SOURCE_DIR), {"--engine", "spin"}).status, 64);
}

TEST_F(EngineSpin, StopsAndCleansUpWhenInterrupted) {
  NEEDS_SPIN;
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
      const std::string file = example("mer");
      if (std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(99);
      ::execl(SURETY_BINARY, "surety", "check", file.c_str(), "--engine", "spin", "--spin-mode", "per-query",
              "--method", "asym", "--quiet", static_cast<char*>(nullptr));
      ::_exit(99);
    }
    for (int i = 0; i < 1500 && left_nothing(); ++i) std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(left_nothing());
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));  // so that a loop in a shell stops
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_TRUE(left_nothing());
  }
}

}  // namespace
}  // namespace surety
