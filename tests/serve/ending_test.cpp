// How the server begins and ends, and that nothing outlives it.

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <regex>
#include <thread>

#include "server.hpp"

namespace surety::serve_test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A server with two jobs that run and a language process.
std::vector<pid_t> make_busy(const Server& server) {
  server.write("endless.lts", kEndless);
  for (int i = 0; i < 3; ++i) server.start({{"command", "check"}, {"path", "endless.lts"}});
  const std::string model = server.ask_json("POST", "/api/models", {{"path", "lights.lts"}}).json()["model"];
  server.ask_json("POST", "/api/models/" + model, {{"id", 1}, {"method", "surety/system"}});
  EXPECT_TRUE(soon([&] { return server.children("check").size() == 2 && server.children("lsp").size() == 1; }));
  return server.children();
}

bool all_gone(const std::vector<pid_t>& children) {
  return soon([&] {
    for (const pid_t child : children)
      if (lives(child)) return false;
    return true;
  });
}

std::vector<fs::path> temporary_folders(const fs::path& where) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(where))
    if (entry.path().filename().string().starts_with("surety-")) out.push_back(entry.path());
  return out;
}

class WithOwnTemporaryFolder : public testing::Test {
 protected:
  WithOwnTemporaryFolder() {
    fs::create_directories(folder);
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  ~WithOwnTemporaryFolder() override {
    ::unsetenv("TMPDIR");
    std::error_code gone;  // who cleans up behind a server that was killed may be at it, too
    fs::remove_all(folder, gone);
  }
  const fs::path folder = fs::temp_directory_path() / ("serve-ends-" + std::to_string(::getpid()));
};
using Ending = WithOwnTemporaryFolder;
using Beginnings = WithOwnTemporaryFolder;

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST_F(Ending, ByOneSignalLeavesNothing) {
  Server server({"--jobs=2", "--memory=300M"});
  const auto children = make_busy(server);
  EXPECT_GE(children.size(), 3U);  // and who looks at the examples, in the beginning
  const auto private_folders = temporary_folders(folder);
  ASSERT_FALSE(private_folders.empty());
  for (const fs::path& one : private_folders)
    if (!one.filename().string().starts_with("surety-served")) {
      EXPECT_EQ(fs::status(one).permissions(), fs::perms::owner_all) << one;
    }
  const auto begin = Clock::now();
  EXPECT_EQ(server.end(SIGINT), 0);
  EXPECT_LT(Clock::now() - begin, 2500ms);
  EXPECT_TRUE(all_gone(children));
  for (const fs::path& one : temporary_folders(folder))
    EXPECT_TRUE(one.filename().string().starts_with("surety-served"));
}

TEST_F(Ending, DoesNotWaitForChildrenThatDoNotHear) {
  Server server({"--jobs=2", "--memory=300M"});
  const auto children = make_busy(server);
  for (const pid_t child : children) ::kill(child, SIGSTOP);
  const auto begin = Clock::now();
  EXPECT_EQ(server.end(SIGTERM), 0);
  EXPECT_LT(Clock::now() - begin, 3s);
  EXPECT_TRUE(all_gone(children));
}

TEST_F(Ending, DoesNotWaitForPagesAndQuestions) {
  Server server;
  const std::string model = server.ask_json("POST", "/api/models", {{"path", "lights.lts"}}).json()["model"];
  const Json question{{"id", 1}, {"method", "surety/system"}};
  server.ask_json("POST", "/api/models/" + model, question);
  for (const pid_t child : server.children("lsp")) ::kill(child, SIGSTOP);
  Line half(server.port()), waits(server.port());
  half.send(server.head("PUT", "/api/file", {}, 100) + "{");
  const std::string body = question.dump();
  waits.send(server.head("POST", "/api/models/" + model, {}, body.size()) + body);
  std::this_thread::sleep_for(200ms);
  const auto begin = Clock::now();
  EXPECT_EQ(server.end(SIGINT), 0);
  EXPECT_LT(Clock::now() - begin, 4s);
  EXPECT_EQ(read_reply(waits.rest()).code(), "ending");
}

TEST_F(Ending, ByASecondSignalIsAtOnce) {
  Server server({"--jobs=2", "--memory=300M"});
  const auto children = make_busy(server);
  for (const pid_t child : children) ::kill(child, SIGSTOP);
  ::kill(server.pid(), SIGINT);
  std::this_thread::sleep_for(300ms);
  const auto begin = Clock::now();
  EXPECT_EQ(server.end(SIGINT), 130);
  EXPECT_LT(Clock::now() - begin, 500ms);
  EXPECT_TRUE(all_gone(children));
}

TEST_F(Ending, BySigkillLeavesNothingEither) {
  Server server({"--jobs=2", "--memory=300M"});
  const auto children = make_busy(server);
  EXPECT_EQ(server.end(SIGKILL), 128 + SIGKILL);
  EXPECT_TRUE(all_gone(children));
  EXPECT_TRUE(soon([&] {
    for (const fs::path& one : temporary_folders(folder))
      if (!one.filename().string().starts_with("surety-served")) return false;
    return true;
  }));
}

TEST_F(Ending, EndsTheStreamsOfPages) {
  Server server;
  server.write("endless.lts", kEndless);
  const std::string job = server.start({{"command", "check"}, {"path", "endless.lts"}});
  Line reader(server.port());
  reader.send(server.head("GET", "/api/jobs/" + job + "/events"));
  reader.until("progress");
  std::thread ending([&] { EXPECT_EQ(server.end(SIGINT), 0); });
  const auto begin = Clock::now();
  reader.rest();
  EXPECT_LT(Clock::now() - begin, 2s);
  ending.join();
}

TEST(Beginning, SaysWhereItIs) {
  const Server server;
  EXPECT_TRUE(std::regex_match(server.said(), std::regex("http://127\\.0\\.0\\.1:\\d+/#t=[\\w-]{43}  folder " +
                                                         server.folder().filename().string() + ", Ctrl-C ends")))
      << server.said();
}

// As it is started at a terminal by somebody with a screen; the browser is a script that keeps what it is given.
TEST_F(Beginnings, TheBrowserGetsTheTokenInAFileOfTheUserAlone) {
  const fs::path bin = folder / "bin", given = folder / "given";
  fs::create_directories(bin);
  std::ofstream(bin / "xdg-open") << "#!/bin/sh\nstat -c %a \"$1\" >" << given.string() << ".mode\ncp \"$1\" "
                                  << given.string() << ".html\n"
                                  << "echo \"$@\" >" << given.string() << ".words\n";
  fs::permissions(bin / "xdg-open", fs::perms::owner_all);
  int terminal = -1;
  const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (pid == 0) {
    ::setenv("PATH", (bin.string() + ":" + std::getenv("PATH")).c_str(), 1);
    ::setenv("DISPLAY", ":0", 1);
    const std::string serve = served_program(), surety = "--surety=" + real_surety();
    ::execl(serve.c_str(), serve.c_str(), surety.c_str(), "--port=0", "--", folder.c_str(), nullptr);
    ::_exit(127);
  }
  std::string said;
  for (char c = 0; said.find("Ctrl-C") == std::string::npos && ::read(terminal, &c, 1) == 1;) said += c;
  const std::string address = said.substr(0, said.find(' '));
  ASSERT_TRUE(soon([&] { return fs::exists(given.string() + ".words"); }));
  EXPECT_EQ(text_of(given.string() + ".words").find(address.substr(address.find("#t="))), std::string::npos);
  EXPECT_NE(text_of(given.string() + ".html").find(address), std::string::npos);
  EXPECT_EQ(text_of(given.string() + ".mode"), "600\n");
  ::kill(pid, SIGINT);
  int status = 0;
  EXPECT_TRUE(soon([&] { return ::waitpid(pid, &status, WNOHANG) == pid; }));
  ::close(terminal);
}

TEST(Beginning, TakesNoPortThatIsTaken) {
  const Server first;
  Server second({"--port=" + std::to_string(first.port())});
  EXPECT_EQ(second.said(), "");
  EXPECT_EQ(second.end(0), 64);
  EXPECT_EQ(first.ask("GET", "/api/hello").status, 200);
}

TEST(Beginning, CanHaveThePortOfAServerThatHasJustEnded) {
  int port = 0;
  {
    const Server server;
    port = server.port();
    server.ask("GET", "/api/hello");
  }
  const Server again({"--port=" + std::to_string(port)});
  EXPECT_EQ(again.port(), port);
}

TEST(Beginning, UsesNothingWhileNothingIsAsked) {
  const Server server;
  server.ask("GET", "/api/hello");
  long before = 0, now = 1;  // in the beginning it looks at the examples
  for (int i = 0; i < 10 && now != before; ++i) {
    before = ticks_of(server.pid());
    std::this_thread::sleep_for(2s);
    now = ticks_of(server.pid());
  }
  EXPECT_EQ(now, before);
}

}  // namespace
}  // namespace surety::serve_test
