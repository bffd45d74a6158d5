// Out of time, memory or patience is a result: `unknown`, with what is known, and
// exit status 2. On systems that no machine can search: 24 philosophers, 6^24 states, for plain
// search; seven processes in Peterson's protocol, with cells for their variables, for all methods at once.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "paths.hpp"

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Budgets : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "surety-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    constexpr int kSeats = 24;
    for (int i = 0; i < kSeats; ++i) {
      const int right = (i + 1) % kSeats, left = (i + kSeats - 1) % kSeats;
      // The last one takes his forks the other way round, so there is no deadlock to find.
      const int first = i == kSeats - 1 ? right : i, second = i == kSeats - 1 ? i : right;
      write(fmt::format("phil{}", i),
            fmt::format("des (0, 6, 6)\n(0, sit.{0}, 1)\n(1, take.{0}.{1}, 2)\n(2, take.{0}.{2}, 3)\n(3, eat.{0}, 4)\n"
                        "(4, put.{0}.{1}, 5)\n(5, put.{0}.{2}, 0)\n",
                        i, first, second));
      write(fmt::format("fork{}", i),
            fmt::format(
                "des (0, 4, 3)\n(0, take.{0}.{0}, 1)\n(1, put.{0}.{0}, 0)\n(0, take.{1}.{0}, 2)\n(2, put.{1}.{0}, 0)\n",
                i, left));
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    files_.push_back((folder_ / (name + ".aut")).string());
    std::ofstream(files_.back()) << text;
  }

  struct Run {
    int status = -1;
    long peak_kib = 0;
    nlohmann::json report;
  };
  // Runs check --json with these options; sends SIGINT after a while if asked to. With a reduction it would soon be
  // done.
  Run check(const std::vector<std::string>& options, std::chrono::milliseconds interrupt_after = 0ms) {
    std::vector<std::string> words{"--method", "monolithic", "--reduction", "none"};
    words.insert(words.end(), files_.begin(), files_.end());
    words.insert(words.end(), options.begin(), options.end());
    return run(words, interrupt_after);
  }
  Run check_by_all(const std::vector<std::string>& options, std::chrono::milliseconds interrupt_after = 0ms) {
    std::vector<std::string> words{SURETY_EXAMPLES "/peterson/peterson_cells.lts", "--define", "K=7", "--property",
                                   "MUTEX"};
    words.insert(words.end(), options.begin(), options.end());
    return run(words, interrupt_after);
  }
  Run run(std::vector<std::string> words, std::chrono::milliseconds interrupt_after) {
    words.insert(words.begin(), {SURETY_BINARY, "check", "--json"});
    const fs::path out = folder_ / "out.json";
    const pid_t child = ::fork();
    if (child == 0) {
      std::vector<char*> argv;
      for (auto& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      if (std::freopen(out.c_str(), "w", stdout) == nullptr) ::_exit(99);
      ::execv(argv[0], argv.data());
      ::_exit(99);
    }
    if (interrupt_after > 0ms) {
      std::this_thread::sleep_for(interrupt_after);
      ::kill(child, SIGINT);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    Run run{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), usage.ru_maxrss, {}};
    std::ifstream in(out);
    run.report = nlohmann::json::parse(in, nullptr, false);
    return run;
  }

  // After the report of an interrupted run the process ends by the signal.
  void expect_unknown(const Run& run, const std::string& why) {
    EXPECT_EQ(run.status, why == "interrupted" ? 128 + SIGINT : 2);
    ASSERT_TRUE(run.report.is_object());
    EXPECT_EQ(run.report["verdict"], "unknown");
    EXPECT_EQ(run.report["checks"][0]["why"], why);
    EXPECT_GT(run.report["checks"][0]["states"], 1000) << "what is known is not told";
  }

  fs::path folder_;
  std::vector<std::string> files_;
};

TEST_F(Budgets, TimeEndsInUnknown) { expect_unknown(check({"--time", "300ms"}), "time"); }

TEST_F(Budgets, StatesEndInUnknown) { expect_unknown(check({"--states", "20000"}), "states"); }

// Refinement finds no end of the first property, and the others take it a few milliseconds.
TEST_F(Budgets, AHardCheckLeavesTheOthersTheirTime) {
  std::ifstream in(SURETY_EXAMPLES "/peterson/peterson_cells.lts");
  const fs::path file = folder_ / "hard.lts";
  std::ofstream(file) << in.rdbuf()
                      << "property ENTER(P=1) = (enter[P] -> leave[P] -> ENTER).\n"
                         "||ALL = (SYSTEM || ENTER(1) || ENTER(2)).\n";
  const Run all = run({file.string(), "--define", "K=7", "--method", "cegar", "--time", "2s", "--property", "MUTEX",
                       "--property", "ENTER(1)", "--property", "ENTER(2)"},
                      0ms);
  EXPECT_EQ(all.status, 2);
  ASSERT_TRUE(all.report.is_object());
  ASSERT_EQ(all.report["checks"].size(), 3U);
  EXPECT_EQ(all.report["checks"][0]["property"], "SYSTEM.MUTEX");
  EXPECT_EQ(all.report["checks"][0]["why"], "time");
  EXPECT_GT(all.report["checks"][0]["states"], 1000) << "what is known is not told";
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(all.report["checks"][i]["verdict"], "holds");
    EXPECT_EQ(all.report["checks"][i]["certified"], true);
  }
}

TEST_F(Budgets, AnInterruptEndsInUnknown) { expect_unknown(check({}, 700ms), "interrupted"); }

TEST_F(Budgets, AllMethodsAtOnceEndWithTheBudget) {
  expect_unknown(check_by_all({"--threads", "2", "--time", "1500ms"}), "time");
  expect_unknown(check_by_all({"--threads", "2", "--states", "200000"}), "states");
  expect_unknown(check_by_all({"--threads", "2"}, 1500ms), "interrupted");
  expect_unknown(check_by_all({"--threads", "1", "--states", "200000"}), "states");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Budgets, MemoryEndsInUnknownBeforeItIsUsedUp) {
  const Run run = check({"--memory", "200M"});
  expect_unknown(run, "memory");
  EXPECT_LE(run.peak_kib, 200 * 1024 + 4096);
  EXPECT_GT(run.peak_kib, 100 * 1024) << "most of what was allowed should have been used";
}

TEST_F(Budgets, AllMethodsShareOneMemory) {
  const Run run = check_by_all({"--threads", "2", "--memory", "150M", "--time", "8s"});
  expect_unknown(run, "time");  // refinement needs little memory and goes on
  EXPECT_LE(run.peak_kib,
            240 * 1024);  // 210 on a quiet machine: while one that has to stop gives back what it has, the others go on
  bool full = false;
  for (const auto& attempt : run.report["checks"][0]["attempts"]) full |= attempt["result"] == "stopped by memory";
  EXPECT_TRUE(full) << run.report["checks"][0]["attempts"];
}
#endif

}  // namespace
