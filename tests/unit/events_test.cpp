// The writer of events alone: its limits, its threads, and readers that go away. What a run tells is in
// tests/cli/events_test.cpp.

#include "api/events.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "reference/reference.hpp"

namespace surety::api {
namespace {

using reference::lts;
using Events = std::vector<nlohmann::json>;

class EventFile : public testing::Test {
 protected:
  EventFile() : file_(std::filesystem::temp_directory_path() / ("surety-events-" + std::to_string(::getpid()))) {}
  ~EventFile() override { std::filesystem::remove(file_); }

  std::unique_ptr<EventWriter> open() { return EventWriter::open(file_.string(), nullptr).value(); }

  Events read(const std::string& kind = {}) const {
    Events out;
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) {
      const auto event = nlohmann::json::parse(line);
      ++lines_;
      EXPECT_EQ(event["n"], lines_);
      if (kind.empty() || event["event"] == kind) out.push_back(event);
    }
    return out;
  }

  std::filesystem::path file_;
  mutable std::uint64_t lines_ = 0;
};

Lts ring(std::uint32_t steps) {
  LtsBuilder builder;
  for (std::uint32_t s = 0; s < steps; ++s) builder.add_step(State{s}, Action{1}, State{(s + 1) % steps});
  builder.set_state_count(steps);
  return builder.build();
}

TEST_F(EventFile, BeginsWithTheSchemaAndEndsWithTheStatus) {
  const auto writer = open();
  writer->start({"surety", "check", "x.lts"});
  EXPECT_TRUE(writer->end("holds", 0));
  const Events events = read();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0]["event"], "start");
  EXPECT_EQ(events[0]["schema"], 1);
  EXPECT_EQ(events[0]["argv"], (std::vector<std::string>{"surety", "check", "x.lts"}));
  EXPECT_EQ(events[1]["event"], "end");
  EXPECT_EQ(events[1]["verdict"], "holds");
  EXPECT_EQ(events[1]["status"], 0);
}

TEST_F(EventFile, TellsALargeLtsByItsSizesOnly) {
  const auto writer = open();
  writer->tell({}, told::Conjecture{1, ring(2'000)});
  writer->tell({}, told::Conjecture{1, ring(2'001)});
  const Events events = read();
  EXPECT_EQ(events[0]["lts"]["steps"].size(), 2'000U);
  EXPECT_EQ(events[0]["lts"]["steps"][7], (std::vector<int>{7, 1, 8}));
  EXPECT_EQ(events[1]["lts"], (nlohmann::json{{"states", 2'001}, {"transitions", 2'001}}));
}

TEST_F(EventFile, ThinsOutThousandsOfConjecturesAndCountsWhatItLeavesOut) {
  const auto writer = open();
  const Lts one = lts("0 a 0");
  constexpr int kMany = 20'205;
  for (int i = 1; i <= kMany; ++i) {
    writer->tell({}, told::Conjecture{1, one});
    writer->tell({}, told::Answered{1, 1, "too weak"});
  }
  writer->tell({0, 5, 0}, told::Conjecture{1, one});
  writer->end("unknown", 2);
  std::uint64_t told = 0, skipped = 0, last = 0;
  for (const auto& event : read("conjecture")) {
    if (event["lane"] == 5) {
      EXPECT_EQ(event["k"], 1) << "every lane counts for itself";
      continue;
    }
    ++told;
    skipped += event.value("skipped", 0U);
    last = event["k"];
  }
  EXPECT_EQ(told, 2'000U + 1'800U + 2U + 1U);
  EXPECT_EQ(told + skipped, std::uint64_t{kMany});
  EXPECT_EQ(last, std::uint64_t{kMany}) << "the last one is always told";
  lines_ = 0;
  EXPECT_EQ(read("answered").size(), told) << "with what was found of it";
}

TEST_F(EventFile, WritesWholeLinesWhoeverTells) {
  const auto writer = open();
  constexpr int kThreads = 4, kEach = 500;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&writer, t] {
      for (int i = 0; i < kEach; ++i) writer->tell({0, t, 0}, told::TakenIn{"component", 7, 3, 2});
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(read("taken_in").size(), std::size_t{kThreads * kEach});  // read() sees that none is missing
}

TEST_F(EventFile, SamplesTheProgressOfTheRun) {
  const auto writer = open();
  Progress progress;
  writer->watch(&progress);
  progress.states = 7;
  progress.phase = "search";
  std::this_thread::sleep_for(std::chrono::milliseconds(900));
  writer->end("unknown", 2);
  const Events events = read("progress");
  ASSERT_EQ(events.size(), 1U) << "nothing changes, so nothing is told again";
  EXPECT_EQ(events[0]["states"], 7);
  EXPECT_EQ(events[0]["phase"], "search");
  EXPECT_GT(events[0]["memory"], 0);
}

TEST_F(EventFile, SamplesLanesThatHaveAProgressOfTheirOwnUntilTheyEnd) {
  const auto writer = open();
  Progress whole;
  writer->watch(&whole);
  {
    Progress mine;
    writer->tell({0, 2, 0}, told::Lane{Method::cegar, told::Lane::Is::started, {}, &mine});
    mine.states = 5;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    writer->tell({0, 2, 0}, told::Lane{Method::cegar, told::Lane::Is::stopped, "too slow"});
  }
  writer->watch(nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  writer->end("unknown", 2);
  const Events events = read("progress");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["lane"], 2);
  EXPECT_EQ(events[0]["states"], 5);
}

TEST_F(EventFile, ADescriptorThatIsOpenIsUsedAsItIs) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  {
    const auto writer = EventWriter::open("/dev/fd/" + std::to_string(ends[1]), nullptr).value();
    writer->start({});
  }
  ::close(ends[1]);
  std::string text(1000, '\0');
  EXPECT_GT(::read(ends[0], text.data(), text.size()), 0);
  EXPECT_NE(text.find("\"event\":\"start\""), std::string::npos);
  EXPECT_EQ(::read(ends[0], text.data(), text.size()), 0) << "the writer has closed its copy";
  ::close(ends[0]);
}

TEST_F(EventFile, AReaderThatIsGoneStopsTheRun) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::atomic<bool> stop{false};
  const auto writer = EventWriter::open("/dev/fd/" + std::to_string(ends[1]), &stop).value();
  ::close(ends[0]);
  EXPECT_FALSE(stop);
  writer->start({});
  EXPECT_TRUE(stop);
  EXPECT_FALSE(writer->end("unknown", 2));
  ::close(ends[1]);
}

TEST_F(EventFile, AFileThatCannotBeOpenedIsAnErrorOfInput) {
  for (const char* file : {"/nowhere/e.jsonl", "/dev/fd/987", "/dev/fd/x"}) {
    const auto writer = EventWriter::open(file, nullptr);
    ASSERT_FALSE(writer.has_value()) << file;
    EXPECT_EQ(writer.error().status, Failure::kInput);
    EXPECT_EQ(writer.error().diagnostics[0].file, file);
  }
}

}  // namespace
}  // namespace surety::api
