// How long the server waits: for a request, for a page that listens, for a language process. These tests wait most of
// the time themselves, so they do that at once.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

#include "server.hpp"

namespace surety::serve_test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

void a_request_has_thirty_seconds_to_arrive() {
  const Server server;
  Line half(server.port()), body(server.port());
  const auto begin = Clock::now();
  half.send("GET / HTTP/1.1\r\n");
  body.send(server.head("POST", "/api/jobs", {}, 100) + "{");
  EXPECT_EQ(read_reply(half.rest(40s)).status, 408);
  EXPECT_GE(read_reply(body.rest(40s)).status, 400);
  EXPECT_GT(Clock::now() - begin, 29s);
  EXPECT_LT(Clock::now() - begin, 38s);
}

void a_job_that_nobody_listens_to_for_ten_seconds_is_ended() {
  const Server server;
  server.write("endless.lts", kEndless);
  const std::string job = server.start({{"command", "check"}, {"path", "endless.lts"}});
  server.events(job, 0, [](const Json& event) { return event["event"] == "progress"; });  // and then the page goes
  const pid_t child = server.children("check").at(0);
  std::this_thread::sleep_for(7s);
  EXPECT_TRUE(lives(child));
  EXPECT_TRUE(soon([&] { return !lives(child); }, 10s));
  EXPECT_EQ(server.events(job).back()["why"], "no page listened");
}

std::string open_model(const Server& server) {
  return server.ask_json("POST", "/api/models", {{"path", "lights.lts"}}).json()["model"];
}

Reply ask(const Server& server, const std::string& model) {
  return server.ask_json("POST", "/api/models/" + model, {{"id", 7}, {"method", "textDocument/diagnostic"}});
}

// Eight that are busy are left alone; the ninth waits for its turn. Those that hang are ended, and come back.
void a_language_process_has_ten_seconds_to_answer() {
  const Server server;
  std::vector<std::string> models;
  for (int i = 0; i < 9; ++i) models.push_back(open_model(server));
  for (int i = 0; i < 8; ++i) ask(server, models[static_cast<std::size_t>(i)]);
  const auto children = server.children("lsp");
  ASSERT_EQ(children.size(), 8U);
  for (const pid_t child : children) ::kill(child, SIGSTOP);
  std::vector<std::jthread> pages;
  for (std::size_t i = 0; i < 8; ++i)
    pages.emplace_back([&, i] {
      const Reply reply = ask(server, models[i]);
      EXPECT_EQ(reply.status, 504);
      EXPECT_EQ(reply.code(), "late");
    });
  std::this_thread::sleep_for(500ms);
  std::atomic<bool> answered = false;
  pages.emplace_back([&] {
    EXPECT_EQ(ask(server, models[8]).status, 200);
    answered = true;
  });
  std::this_thread::sleep_for(2s);
  EXPECT_FALSE(answered);
  EXPECT_EQ(server.children("lsp").size(), 8U);
  pages.clear();
  EXPECT_TRUE(soon([&] { return std::ranges::none_of(children, lives); }));
  EXPECT_EQ(ask(server, models[0]).status, 200);
}

TEST(Patience, HasAnEnd) {
  std::vector<std::jthread> all;
  all.emplace_back(a_request_has_thirty_seconds_to_arrive);
  all.emplace_back(a_job_that_nobody_listens_to_for_ten_seconds_is_ended);
  all.emplace_back(a_language_process_has_ten_seconds_to_answer);
}

}  // namespace
}  // namespace surety::serve_test
