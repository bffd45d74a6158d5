// What is too much: connections, threads, slow and silent guests, streams, jobs.

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <list>
#include <thread>

#include "server.hpp"

namespace surety::serve_test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(Limits, SilentGuestsHoldNobodyUp) {
  const Server server;
  std::list<Line> guests;
  for (int i = 0; i < 200; ++i) {
    guests.emplace_back(server.port());
    guests.back().send("GET / HTTP/1.1\r\nX: ");  // and no more
  }
  const auto begin = Clock::now();
  EXPECT_EQ(server.ask("GET", "/api/hello").status, 200);
  EXPECT_LT(Clock::now() - begin, 3s);
  EXPECT_TRUE(soon([&] {  // those that came first had to go
    return std::ranges::count_if(guests, [](Line& guest) { return guest.rest(1ms).empty() && !guest.send("x"); }) >=
           100;
  }));
}

// A thread is only given to a request whose head is there, and whose token is right.
TEST(Limits, StrangersGetNoThread) {
  const Server server;
  std::list<Line> guests;
  for (int i = 0; i < 60; ++i) {
    guests.emplace_back(server.port());
    guests.back().send(server.head("POST", "/api/jobs", {{"Authorization", "Bearer wrong"}}, 1'000'000));
  }
  EXPECT_EQ(server.ask("GET", "/api/hello").status, 200);
  for (Line& guest : guests) EXPECT_EQ(read_reply(guest.rest(5s)).status, 401);
}

TEST(Limits, ThereAreFortyThreads) {
  const Server server;
  std::list<Line> guests;
  for (int i = 0; i < 60; ++i) {
    guests.emplace_back(server.port());
    guests.back().send(server.head("POST", "/api/jobs", {}, 1'000) + "{");  // and no more: a thread waits for it
  }
  const auto threads = [&] {
    std::size_t n = 0;
    for (const auto& one : fs::directory_iterator("/proc/" + std::to_string(server.pid()) + "/task"))
      n += one.exists() ? 1 : 0;
    return n;
  };
  EXPECT_TRUE(soon([&] { return threads() >= 40; }));
  std::this_thread::sleep_for(200ms);
  EXPECT_LE(threads(), 40U + 4U);  // the door, the nursery, the gallery
  guests.clear();
  EXPECT_EQ(server.ask("GET", "/api/hello").status, 200);
}

TEST(Limits, ThereAreSixtyFourConnections) {
  const Server server({"--jobs=1"});
  server.write("endless.lts", kEndless);
  const std::string job = server.start({{"command", "check"}, {"path", "endless.lts"}});
  std::list<Line> readers;
  for (int i = 0; i < 16; ++i) {
    readers.emplace_back(server.port());
    readers.back().send(server.head("GET", "/api/jobs/" + job + "/events"));
    EXPECT_NE(readers.back().until("text/event-stream", 5s).find(" 200 "), std::string::npos);
  }
  Line more(server.port());
  more.send(server.head("GET", "/api/jobs/" + job + "/events"));
  EXPECT_EQ(read_reply(more.rest(5s)).status, 429);  // of streams there are sixteen
  // Those who wait have the places that are left; a new one takes that of the first.
  std::list<Line> guests;
  for (int i = 0; i < 64; ++i) guests.emplace_back(server.port());
  EXPECT_EQ(server.ask("GET", "/api/hello").status, 200);
  EXPECT_TRUE(soon([&] { return !guests.front().send("x"); }));
  EXPECT_TRUE(guests.back().send("x"));
  readers.clear();
  EXPECT_TRUE(soon([&] {
    Line again(server.port());
    again.send(server.head("GET", "/api/jobs/" + job + "/events"));
    return again.until("event-stream", 2s).find(" 200 ") != std::string::npos;
  }));
}

TEST(Limits, ReadersThatAreGoneAreNoticed) {
  const Server server({"--jobs=1"});
  server.write("endless.lts", kEndless);
  const std::string job = server.start({{"command", "check"}, {"path", "endless.lts"}});
  EXPECT_TRUE(soon([&] { return !server.children("check").empty(); }));
  ::kill(server.children("check").at(0), SIGSTOP);  // it tells nothing that a reader could be missed by
  // Of streams there are sixteen; those of the round before have gone after they had begun.
  for (int round = 0; round < 3; ++round) {
    std::list<Line> readers;
    while (readers.size() < 16)
      ASSERT_TRUE(soon([&] {
        Line& reader = readers.emplace_back(server.port());
        reader.send(server.head("GET", "/api/jobs/" + job + "/events"));
        const bool begun = reader.until("event-stream", 2s).find(" 200 ") != std::string::npos;
        if (!begun) readers.pop_back();
        return begun;
      })) << round;
  }
}

TEST(Limits, TheQueueIsFullAtThirtyTwo) {
  const Server server({"--jobs=1"});
  server.write("endless.lts", kEndless);
  const Json job{{"command", "check"}, {"path", "endless.lts"}};
  std::vector<std::string> jobs;
  for (int i = 0; i < 33; ++i) jobs.push_back(server.start(job));
  const Reply full = server.ask_json("POST", "/api/jobs", job);
  EXPECT_EQ(full.status, 429);
  EXPECT_EQ(full.code(), "full");
  std::map<std::string, int> states;
  for (const Json& one : server.ask("GET", "/api/jobs").json()) ++states[one["state"]];
  EXPECT_EQ(states["running"], 1);
  EXPECT_EQ(states["queued"], 32);
  EXPECT_EQ(server.children("check").size(), 1U);
  EXPECT_EQ(server.ask("POST", "/api/jobs/" + jobs.back() + "/cancel").status, 202);  // a place is free
  EXPECT_EQ(server.ask_json("POST", "/api/jobs", job).status, 202);
}

TEST(Limits, FourJobsRunAtOnceIfFourMay) {
  const Server server({"--jobs=4", "--memory=300M"});
  server.write("endless.lts", kEndless);
  for (int i = 0; i < 6; ++i) server.start({{"command", "check"}, {"path", "endless.lts"}});
  EXPECT_TRUE(soon([&] { return server.children("check").size() == 4; }));
}

TEST(Limits, TwoHundredJobsAreKept) {
  const Server server({"--jobs=4"});
  std::string last;
  for (int i = 0; i < 215; ++i) {
    last = server.start({{"command", "check"}, {"path", "lights.lts"}, {"options", {{"property", "ORDER"}}}});
    server.events(last);
  }
  EXPECT_EQ(server.ask("GET", "/api/jobs").json().size(), 200U);
  EXPECT_EQ(server.ask("GET", "/api/jobs/j1/report").status, 404);
  EXPECT_EQ(server.ask("GET", "/api/jobs/" + last + "/report").status, 200);
}

// A program that tells so many MiB about a model, in place of the real one.
std::string talkative(const Server& where, int mebibytes) {
  where.write("surety", "#!/bin/sh\n[ \"$1\" = check ] || exec '" + real_surety() +
                            "' \"$@\"\nyes \"$(head -c 1000 /dev/zero | tr '\\0' x)\" | head -c " +
                            std::to_string(mebibytes) + "M >&3\necho >&3\n");
  fs::permissions(where.folder() / "surety", fs::perms::owner_all);
  return (where.folder() / "surety").string();
}

TEST(Limits, AJobThatTellsTooMuchIsEnded) {
  const Server place;
  const Server server({"--surety=" + talkative(place, 200)});
  const std::string job = server.start({{"command", "check"}, {"path", "lights.lts"}});
  EXPECT_TRUE(soon([&] { return server.ask("GET", "/api/jobs").json()[0]["state"] == "done"; }, 30s));
  Line line(server.port());
  line.send(server.head("GET", "/api/jobs/" + job + "/events?after=60000"));
  EXPECT_NE(line.rest(10s).find("its log is too long"), std::string::npos);
}

TEST(Limits, TwoHundredAndFiftySixMebibytesOfLogsAreKept) {
  const Server place;
  const Server server({"--surety=" + talkative(place, 60)});
  const auto run = [&] {
    server.start({{"command", "check"}, {"path", "lights.lts"}});
    EXPECT_TRUE(soon([&] { return server.ask("GET", "/api/jobs").json().back()["state"] == "done"; }, 30s));
    return server.ask("GET", "/api/jobs").json().size();
  };
  for (std::size_t i = 1; i <= 5; ++i) EXPECT_EQ(run(), i);  // 300 MiB, with the last one
  EXPECT_EQ(run(), 5U);
}

TEST(Limits, AJobGetsNoMoreThanTheServerMay) {
  const Server server({"--time=2s", "--memory=100M"});
  server.write("endless.lts", kEndless);
  const Reply reply = server.ask_json(
      "POST", "/api/jobs",
      {{"command", "check"}, {"path", "endless.lts"}, {"options", {{"time", "1h"}, {"memory", "64G"}}}});
  EXPECT_EQ(reply.json()["command_line"], "surety check endless.lts --time 2s --memory 104857600");
  const auto begin = Clock::now();
  const auto events = server.events(reply.json()["job"]);
  EXPECT_LT(Clock::now() - begin, 6s);
  EXPECT_EQ(events.back()["event"], "ended");
  EXPECT_EQ(events.back()["status"], 2);
}

}  // namespace
}  // namespace surety::serve_test
