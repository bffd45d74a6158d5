#include "base/process.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/temp_folder.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

Command shell(const std::string& script) { return {{"/bin/sh", "-c", script}}; }

Limits in(std::chrono::nanoseconds time) {
  Limits limits;
  limits.time = time;
  return limits;
}

TEST(Process, GivesStatusAndBothOutputs) {
  Budget budget;
  const Ran ran = run(shell("echo out; echo err >&2; exit 3"), budget);
  EXPECT_EQ(ran.end, Ran::End::exited);
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.output, "out\nerr\n");
  EXPECT_FALSE(ran.fine());
}

TEST(Process, PassesArgumentsFolderAndSettingsAsTheyAre) {
  Budget budget;
  Command command{{"/bin/sh", "-c", "echo \"$1|$NAME\"; pwd; cat", "sh", "a b;'\"$"}, "/", {{"NAME", "x y"}}};
  EXPECT_EQ(run(command, budget).output, "a b;'\"$|x y\n/\n");
}

TEST(Process, SaysThatAProgramCannotBeStarted) {
  Budget budget;
  const Ran ran = run({{"/no/such/program"}}, budget);
  EXPECT_EQ(ran.end, Ran::End::not_started);
  EXPECT_EQ(ran.status, ENOENT);
  EXPECT_EQ(run({{"/bin/sh", "-c", "true"}, "/no/such/folder"}, budget).end, Ran::End::not_started);
}

TEST(Process, SaysWhichSignalKilledIt) {
  Budget budget;
  const Ran ran = run(shell("kill -ABRT $$"), budget);
  EXPECT_EQ(ran.end, Ran::End::killed);
  EXPECT_EQ(ran.status, SIGABRT);
}

TEST(Process, DropsOutputBeyondWhatIsKept) {
  Budget budget;
  Command command = shell("head -c 20000000 /dev/zero; echo end >&2");
  command.keep = 1000;
  const Ran ran = run(command, budget);
  EXPECT_TRUE(ran.fine());
  EXPECT_TRUE(ran.cut);
  EXPECT_EQ(ran.output.size(), 1000U);
}

TEST(Process, IsEndedWhenItSaysTooMuch) {
  Budget budget;
  Command command = shell("cat /dev/zero");
  command.keep = 100'000;
  command.ends_when_full = true;
  const Ran ran = run(command, budget);
  EXPECT_EQ(ran.end, Ran::End::stopped);
  EXPECT_TRUE(ran.cut);
  EXPECT_EQ(budget.why(), Stop::none);
}

TEST(Process, AnEndlessOutputEndsWithTheBudget) {
  Budget budget(in(100ms));
  EXPECT_EQ(run(shell("cat /dev/zero"), budget).end, Ran::End::stopped);
  EXPECT_EQ(budget.why(), Stop::time);
}

TEST(Process, TakesItsInputAndKeepsErrorsApart) {
  Budget budget;
  const std::string input(200'000, 'x');  // more than a pipe holds
  Command command = shell("wc -c; echo err >&2");
  command.input = input;
  command.errors_apart = true;
  const Ran ran = run(command, budget);
  EXPECT_TRUE(ran.fine());
  EXPECT_EQ(ran.output, "200000\n");
  EXPECT_EQ(ran.errors, "err\n");
}

TEST(Process, IsLimitedInMemory) {
  Budget budget;
  Command command = shell("x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}");
  command.memory = 100 << 20;
  EXPECT_EQ(run(command, budget).output.find("300000000"), std::string::npos);
}

// The grandchild would hold the pipe open, and outlive the test.
TEST(Process, EndsWithItsChildrenWhenTimeIsUp) {
  Budget budget(in(100ms));
  const auto start = std::chrono::steady_clock::now();
  const Ran ran = run(shell("sleep 60 & echo $!; sleep 60"), budget);
  EXPECT_EQ(ran.end, Ran::End::stopped);
  EXPECT_EQ(budget.why(), Stop::time);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  const pid_t grandchild = std::atoi(ran.output.c_str());
  ASSERT_GT(grandchild, 0);
  for (int i = 0; i < 100 && ::kill(grandchild, 0) == 0; ++i) {
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    std::string pid, name, state;
    if (stat >> pid >> name >> state && state == "Z") return;  // dead, and nobody here to bury it
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_NE(::kill(grandchild, 0), 0);
}

TEST(Process, EndsWhenInterrupted) {
  std::atomic<bool> interrupted{false};
  Budget budget({}, &interrupted);
  std::jthread later([&] {
    std::this_thread::sleep_for(50ms);
    interrupted = true;
  });
  EXPECT_EQ(run(shell("sleep 60"), budget).end, Ran::End::stopped);
  EXPECT_EQ(run(shell("true"), budget).end, Ran::End::stopped);  // not even started
}

TEST(Process, DoesNotWaitForWhatAProgramLeavesBehind) {
  Budget budget(in(10s));
  const Ran ran = run(shell("sleep 60 & echo done"), budget);
  EXPECT_TRUE(ran.fine());
  EXPECT_EQ(ran.output, "done\n");
}

TEST(Process, FindsProgramsByPath) {
  EXPECT_TRUE(find_program("sh").has_value());
  EXPECT_FALSE(find_program("no-such-program-anywhere").has_value());
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
}

TEST(TempFolder, IsPrivateAndGoneAfterwards) {
  std::string path;
  {
    auto folder = TempFolder::make();
    ASSERT_TRUE(folder.has_value());
    path = folder->path();
    struct stat about {};
    ASSERT_EQ(::stat(path.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777U, 0700U);
    fs::create_directory(folder->file("inner"));
    std::ofstream(folder->file("inner/file")) << "x";
    TempFolder moved = std::move(*folder);
    EXPECT_TRUE(fs::exists(moved.path()));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempFolder, IsGoneAfterItsOwnerWasKilled) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    auto folder = TempFolder::make();
    std::ofstream(folder->file("file")) << "x";
    if (::write(ends[1], folder->path().data(), folder->path().size()) < 0) ::_exit(1);
    ::kill(::getpid(), SIGKILL);
  }
  ::close(ends[1]);
  char buffer[4096];
  const auto got = ::read(ends[0], buffer, sizeof buffer);
  ASSERT_GT(got, 0);
  const std::string path(buffer, static_cast<std::size_t>(got));
  ::waitpid(owner, nullptr, 0);
  for (int i = 0; i < 250 && fs::exists(path); ++i) std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempFolder, SaysWhereItCannotBeMade) {
  const char* old = std::getenv("TMPDIR");
  const std::string before = old == nullptr ? "" : old;
  ::setenv("TMPDIR", "/no/such/folder", 1);
  const auto folder = TempFolder::make();
  old == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
  ASSERT_FALSE(folder.has_value());
  EXPECT_NE(render(folder.error()[0]).find("/no/such/folder"), std::string::npos);
}

}  // namespace
}  // namespace surety
