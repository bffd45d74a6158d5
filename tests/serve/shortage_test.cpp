// What runs out: numbers for open files, and room for temporary ones. Whoever asks is told, and the server goes on.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <list>
#include <thread>

#include "server.hpp"

namespace surety::serve_test {
namespace {

using namespace std::chrono_literals;

std::size_t open_files(pid_t pid) {
  const fs::directory_iterator files("/proc/" + std::to_string(pid) + "/fd");
  return static_cast<std::size_t>(std::distance(files, fs::directory_iterator()));
}

void allow_files(const Server& server, std::size_t most) {
  rlimit both{most, 1024};
  ASSERT_EQ(::prlimit(server.pid(), RLIMIT_NOFILE, &both, nullptr), 0);
}

TEST(Shortage, OfFilesIsNoReasonToWork) {
  const Server server;
  server.ask("GET", "/api/hello");
  EXPECT_TRUE(soon([&] { return server.children("info").empty(); }));  // who looks at the examples
  allow_files(server, open_files(server.pid()) + 4);
  std::list<Line> guests;
  for (int i = 0; i < 60; ++i) guests.emplace_back(server.port());
  const long before = ticks_of(server.pid());
  std::this_thread::sleep_for(1s);
  EXPECT_LE(ticks_of(server.pid()) - before, 30);
  guests.clear();
  EXPECT_TRUE(soon([&] { return server.ask("GET", "/api/hello").status == 200; }));
}

// Wherever it is that one is missing: what could not be done is told, nothing stays behind, and later all is well.
TEST(Shortage, OfFilesIsToldAndTheServerGoesOn) {
  const Server server;
  const Json question{{"id", 1}, {"method", "surety/system"}};
  const std::string model = server.ask_json("POST", "/api/models", {{"path", "lights.lts"}}).json()["model"];
  EXPECT_TRUE(soon([&] { return server.children("info").empty(); }));
  int started = 0, failed = 0;
  for (std::size_t more = 1; more < 20; ++more) {
    const std::size_t now = open_files(server.pid());
    allow_files(server, now + more);
    const Reply job = server.ask_json("POST", "/api/jobs", {{"command", "check"}, {"path", "lights.lts"}});
    const Reply answer = server.ask_json("POST", "/api/models/" + model, question);
    EXPECT_TRUE(answer.status == 200 || answer.status == 0 || answer.status >= 500) << answer.body;
    allow_files(server, 1024);
    if (job.status == 202) {
      const auto events = server.events(job.json()["job"]);
      ASSERT_FALSE(events.empty());
      EXPECT_EQ(events.back()["event"], "ended");
      const int status = events.back()["status"];
      EXPECT_TRUE(status == 0 || status == 127) << events.back();
      ++(status == 0 ? started : failed);
    } else {
      EXPECT_TRUE(job.status == 0 || job.status >= 500) << job.body;
      ++failed;
    }
  }
  EXPECT_GT(started, 0);
  EXPECT_GT(failed, 0);
  EXPECT_EQ(server.ask_json("POST", "/api/models/" + model, question).status, 200);
  EXPECT_EQ(server.children("lsp").size(), 1U);
}

// A folder where a file of a job should be stands for a disk that is full: nothing can be written there.
class Room : public testing::Test {
 protected:
  Room() {
    fs::create_directories(folder_);
    ::setenv("TMPDIR", folder_.c_str(), 1);
    server = std::make_unique<Server>();
    ::unsetenv("TMPDIR");
  }
  ~Room() override {
    server.reset();
    fs::remove_all(folder_);
  }
  void take_room(const std::string& file) const {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename();
      if (name.starts_with("surety-") && !name.starts_with("surety-served"))
        fs::create_directories(entry.path() / file);
    }
  }
  std::unique_ptr<Server> server;

 private:
  const fs::path folder_ = fs::temp_directory_path() / ("serve-room-" + std::to_string(::getpid()));
};

// Else the check would be about the file, and not about the text of the page.
TEST_F(Room, ThatIsMissingForTheTextIsTold) {
  take_room("j1/text.0");
  const Reply reply = server->ask_json("POST", "/api/jobs", {{"command", "check"}, {"path", "lights.lts"}});
  EXPECT_EQ(reply.status, 507);
  EXPECT_EQ(reply.code(), "disk");
  EXPECT_EQ(server->ask("GET", "/api/jobs").json().size(), 0U);
}

TEST_F(Room, ThatIsMissingForTheReportIsTold) {
  take_room("j1/report");
  const auto events = server->events(server->start({{"command", "check"}, {"path", "lights.lts"}}));
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back()["status"], 127);
  EXPECT_EQ(server->ask("GET", "/api/jobs").json()[0]["state"], "done");
  EXPECT_EQ(server->events(server->start({{"command", "check"}, {"path", "lights.lts"}})).back()["status"], 0);
}

TEST_F(Room, ThatIsMissingForTheEventsIsTold) {
  take_room("j1/events");
  server->write("endless.lts", kEndless);
  const std::string job = server->start({{"command", "check"}, {"path", "endless.lts"}});
  const auto events = server->events(job);
  ASSERT_EQ(events.size(), 1U);  // without any room the last one is kept all the same
  EXPECT_EQ(events[0]["event"], "ended");
  EXPECT_EQ(events[0]["why"], "there is no room for temporary files");
  EXPECT_TRUE(soon([&] { return server->children("check").empty(); }));
}

}  // namespace
}  // namespace surety::serve_test
