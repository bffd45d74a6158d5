// Nothing is lost: a study that is killed again and again, spread over processes, ranks and shards, or out of disk ends
// up equal to one that was left alone.

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "paths.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* kSurety = "'" SURETY_BINARY "'";  // for a shell

class StudyFiles : public ::testing::Test {
 protected:
  StudyFiles() {
    std::string name = (fs::temp_directory_path() / "surety-study-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    std::ofstream(folder_ / "s.toml") << fmt::format(R"(
limit = {{ time = "60s", memory = "500M" }}
[[system]]
name = "Relay"
exact = "{0}/relay/relay.lts"
repeated = "TASK"
all = "2..4"
scale = "2..6"
[[system]]
name = "Smokers"
exact = "{0}/smokers/smokers.lts"
repeated = "SMOKER"
properties = ["COMPLETE", "THANKED"]
all = "2..3"
scale = "2..4"
)",
                                                     SURETY_EXAMPLES);
  }
  ~StudyFiles() override { fs::remove_all(folder_); }

  // The exit status; what was printed is in `output_`.
  int sh(const std::string& command) {
    const std::string line = fmt::format("cd '{}' && {} > output 2>&1 < /dev/null", folder_.string(), command);
    const int status = std::system(line.c_str());
    std::ifstream in(folder_ / "output");
    output_ = std::string(std::istreambuf_iterator<char>(in), {});
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  void define_other_methods() {
    std::ofstream(folder_ / "s.toml") << fmt::format(R"(
limit = {{ time = "60s", memory = "500M" }}
method = ["asym", "sym", "circular", "asym-n", "cegar"]
alphabet = ["refine"]
[[system]]
name = "Relay"
exact = "{0}/relay/relay.lts"
repeated = "TASK"
scale = "2..3"
[[system]]
name = "Smokers"
exact = "{0}/smokers/smokers.lts"
repeated = "SMOKER"
properties = ["COMPLETE"]
scale = "2..3"
)",
                                                     SURETY_EXAMPLES);
  }
  int surety(const std::string& words) { return sh(std::string(kSurety) + " study " + words); }

  void create(const std::string& file) { ASSERT_EQ(surety("create " + file + " s.toml"), 0) << output_; }
  void expect_equal(const std::string& file) {
    EXPECT_EQ(surety("diff reference.db " + file), 0) << output_;
    EXPECT_NE(output_.find("equal but for times"), std::string::npos) << output_;
  }
  void expect_same_however_it_is_run();
  void make_reference() {
    create("reference.db");
    ASSERT_EQ(surety("run reference.db -j 1 --bound none"), 0) << output_;
  }

  // Runs it until it has ended or this much time has passed; then kill -9. True: it has ended.
  bool run_and_kill(const std::string& file, int milliseconds) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      const int out = ::open("/dev/null", O_WRONLY);
      ::dup2(out, 1);
      ::dup2(out, 2);
      const std::string path = (folder_ / file).string();
      ::execl(SURETY_BINARY, "surety", "study", "run", path.c_str(), "-j", "2", "--bound", "none", nullptr);
      ::_exit(127);
    }
    int status = 0;
    for (int waited = 0; waited < milliseconds; waited += 10) {
      if (::waitpid(pid, &status, WNOHANG) == pid) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
      ::usleep(10'000);
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, &status, 0);
    return false;
  }

  fs::path folder_;
  std::string output_;
};

void StudyFiles::expect_same_however_it_is_run() {
  make_reference();
  create("four.db");
  EXPECT_EQ(surety("run four.db -j 4 --bound none"), 0) << output_;
  expect_equal("four.db");

  create("whole.db");
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(surety(fmt::format("run whole.db --shard {0}/5 -o part.{0}.db -j 2 --bound none", i)), 0) << output_;
  EXPECT_EQ(surety("merge whole.db part.0.db part.1.db part.2.db part.3.db part.4.db"), 0) << output_;
  EXPECT_EQ(surety("run whole.db --bound none"), 0) << output_;
  expect_equal("whole.db");

  if (!fs::exists(fs::path(SURETY_BINARY).parent_path() / "surety-mpi") || sh("mpirun --version") != 0)
    GTEST_SKIP() << "no MPI";
  create("ranks.db");
  EXPECT_EQ(sh(fmt::format("mpirun --allow-run-as-root --oversubscribe -n 4 {} study run ranks.db --mpi --bound none",
                           kSurety)),
            0)
      << output_;
  expect_equal("ranks.db");
}

TEST_F(StudyFiles, SeveralWorkersShardsAndRanksComeToTheSame) { expect_same_however_it_is_run(); }

// Orders of components, own best splits carried over to larger sizes, and methods without a split.
TEST_F(StudyFiles, SoTheyDoWithOtherMethods) {
  define_other_methods();
  expect_same_however_it_is_run();
  EXPECT_EQ(surety("show reference.db 2/COMPLETE/asym-n/refine/lstar/3,0,1,2"), 0) << output_;
  EXPECT_NE(output_.find("TABLE | SMOKER(1) | SMOKER(2) | AGENT"), std::string::npos) << output_;
  EXPECT_NE(output_.find("--split 'TABLE | SMOKER(1) | SMOKER(2) | AGENT'"), std::string::npos) << output_;
}

TEST_F(StudyFiles, KilledTenTimesItGoesOnWhereItWas) {
  make_reference();
  create("killed.db");
  std::mt19937 random(7);
  bool done = false;
  for (int i = 0; i < 10 && !done; ++i)
    done = run_and_kill("killed.db", std::uniform_int_distribution(200, 1500)(random));
  EXPECT_EQ(surety("run killed.db --bound none"), 0) << output_;
  expect_equal("killed.db");
  EXPECT_EQ(surety("status killed.db --json"), 0);
  EXPECT_EQ(nlohmann::json::parse(output_).at("total").at("crashed"), 0);
}

TEST_F(StudyFiles, ABudgetAndASignalEndARunWithStatusTwoAndTheNextOneGoesOn) {
  make_reference();
  create("a.db");
  EXPECT_EQ(surety("run a.db --budget 1ms --bound none"), 2) << output_;
  EXPECT_EQ(
      sh(fmt::format("timeout -s TERM 0.3 {} study run a.db -j 1 --bound none; [ $? = 124 ] || [ $? = 0 ]", kSurety)),
      0)
      << output_;
  EXPECT_EQ(surety("run a.db --bound none"), 0) << output_;
  expect_equal("a.db");
}

TEST_F(StudyFiles, AFullDiskIsAMessageAndNothingIsLost) {
  make_reference();
  create("a.db");
  EXPECT_EQ(sh(fmt::format("trap '' XFSZ; ulimit -f 200; {} study run a.db -j 2 --bound none", kSurety)), 65)
      << output_;
  EXPECT_NE(output_.find("what was done so far is kept"), std::string::npos) << output_;
  EXPECT_EQ(surety("run a.db --bound none"), 0) << output_;
  expect_equal("a.db");
}

TEST_F(StudyFiles, WhatCannotBeWrittenIsAMessage) {
  create("a.db");
  EXPECT_EQ(surety("create nowhere/a.db s.toml"), 65) << output_;
  EXPECT_EQ(surety("report a.db -o a.db"), 64) << output_;
  EXPECT_EQ(surety("report a.db -o s.toml/x"), 65) << output_;
  EXPECT_EQ(surety("run a.db --shard 5/5 -o p.db"), 64) << output_;
  EXPECT_EQ(surety("run a.db --only Rely"), 64) << output_;
  EXPECT_NE(output_.find("did you mean 'Relay'?"), std::string::npos) << output_;
}

}  // namespace
