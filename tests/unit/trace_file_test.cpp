// Counterexamples as files: what is written reads back, and can be followed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "api/commands.hpp"
#include "api/verify.hpp"
#include "load/trace_file.hpp"
#include "paths.hpp"

namespace surety::api {
namespace {

class TraceFile : public testing::Test {
 protected:
  TraceFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "surety-trace-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~TraceFile() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  static SavedTrace trace(const std::vector<std::string>& names, std::size_t again) {
    SavedTrace out{{}, again};
    for (const auto& name : names) out.steps.push_back({name, {}});
    return out;
  }
  static std::vector<std::string> names(const SavedTrace& trace) {
    std::vector<std::string> out;
    for (const auto& step : trace.steps) out.push_back(step.action);
    return out;
  }

  std::filesystem::path folder_;
};

TEST_F(TraceFile, ReadsBackAsItWasWritten) {
  const std::vector<SavedTrace> traces = {
      trace({}, 0),      trace({"a"}, 1),          trace({"a", "tau", "b.2", "tau"}, 4), trace({"a", "tau", "b.2"}, 1),
      trace({"tau"}, 0), trace({"a", "a", "a"}, 0)};
  for (const auto& expected : traces)
    for (const char* name : {"t.json", "t.aut", "t.lts"}) {
      ActionTable actions;
      ASSERT_TRUE(save_trace(expected, actions, file(name)));
      Budget budget;
      const auto read = read_trace(file(name), budget);
      ASSERT_TRUE(read) << name;
      EXPECT_EQ(names(*read), names(expected)) << name;
      EXPECT_EQ(read->again, expected.again) << name;
      EXPECT_TRUE(was_saved_as_trace(file(name))) << name;
    }
}

TEST_F(TraceFile, SaysWhatItShows) {
  SavedTrace expected = trace({"a", "b"}, 2);
  for (const CheckKind kind : {CheckKind::safety, CheckKind::error, CheckKind::deadlock, CheckKind::ltl}) {
    expected.kind = kind;
    expected.property = has_name(kind) ? "P" : "";
    const bool fails = kind == CheckKind::safety || kind == CheckKind::error;
    for (const char* name : {"t.json", "t.aut", "t.lts"}) {
      ActionTable actions;
      ASSERT_TRUE(save_trace(expected, actions, file(name)));
      Budget budget;
      const auto read = read_trace(file(name), budget);
      ASSERT_TRUE(read) << name;
      EXPECT_EQ(names(*read), names(expected)) << name;
      EXPECT_TRUE(was_saved_as_trace(file(name))) << name;
      if (name == std::string("t.json")) {
        EXPECT_EQ(read->kind, expected.kind);
        EXPECT_EQ(read->property, expected.property);
      } else {
        EXPECT_EQ(read->kind, fails ? std::optional(CheckKind::error) : std::nullopt) << name;
      }
    }
  }
}

TEST_F(TraceFile, WhatPeopleWriteIsNotTakenForOne) {
  std::ofstream(file("p.lts")) << "P = (a -> b -> P).\n";
  std::ofstream(file("p.aut")) << "des (0, 1, 2)\n(0, a, 1)\n";
  std::ofstream(file("p.dot")) << "digraph G { a -> b; }\n";
  std::ofstream(file("p.json")) << R"({"trace": ["a"]})";
  for (const char* name : {"p.lts", "p.aut", "p.dot", "p.json", "none.json"})
    EXPECT_FALSE(was_saved_as_trace(file(name))) << name;
}

TEST_F(TraceFile, AnActionIsNoFile) {
  EXPECT_FALSE(is_trace_file("a"));
  EXPECT_FALSE(is_trace_file("a.json,b"));
  EXPECT_FALSE(is_trace_file(file("none.json")));
  std::ofstream(file("some.json")) << "{}";
  std::ofstream(file("some.txt")) << "{}";
  EXPECT_TRUE(is_trace_file(file("some.json")));
  EXPECT_FALSE(is_trace_file(file("some.txt")));
}

// Of every example that is violated.
TEST_F(TraceFile, CounterexamplesOfExamplesCanBeFollowed) {
  std::size_t followed = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SURETY_EXAMPLES)) {
    if (entry.path().extension() != ".lts") continue;
    Request request;
    request.source.files = {entry.path().string()};
    request.limits.time = std::chrono::seconds(1);
    const auto report = verify(request);
    if (!report) continue;
    for (const auto& check : report->checks) {
      if (!check.violated()) continue;
      ASSERT_TRUE(save_trace(saved_trace(check, *report->model.actions), *report->model.actions, file("t.json")));
      SimulateRequest walk;
      walk.source = request.source;
      walk.trace_file = file("t.json");
      const auto simulation = simulate(walk);
      ASSERT_TRUE(simulation);
      EXPECT_FALSE(simulation->stuck) << entry.path() << " " << check.property << " " << simulation->stuck->step;
      if (check.kind == CheckKind::deadlock) {
        EXPECT_TRUE(simulation->deadlock) << entry.path();
      }
      if (check.kind == CheckKind::error) {
        EXPECT_TRUE(simulation->is_wrong()) << entry.path();
      }
      if (check.kind == CheckKind::safety) {
        EXPECT_TRUE(simulation->is_wrong()) << entry.path() << check.property;
      }
      ++followed;
    }
  }
  EXPECT_GT(followed, 3U);
}

}  // namespace
}  // namespace surety::api
