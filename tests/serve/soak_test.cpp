// Twenty pages at once, for a while: they open models, change texts, ask, run checks of all kinds, listen to them or go
// away in the middle, and some leave without a word. What the server needs stays the same, none of its children stays a
// zombie, and at the end nothing is left.
//
// Four seconds in the usual tests; `./dev soak` lets it go on for ten minutes (SURETY_SOAK_SECONDS).

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

#include "server.hpp"

namespace surety::serve_test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kPages = 20;
constexpr int kSeconds = 4;           // without SURETY_SOAK_SECONDS
constexpr int kJudged = 60;           // seconds from which on the memory has had time to be flat
constexpr double kMostResident = 48;  // MiB
constexpr std::size_t kMostProcesses = 8;

std::chrono::seconds duration() {
  const char* const asked = std::getenv("SURETY_SOAK_SECONDS");
  return std::chrono::seconds(asked == nullptr ? kSeconds : std::atoi(asked));
}

// What the system says of the server.
struct Sample {
  double resident = 0;  // MiB
  std::size_t threads = 0, files = 0, checks = 0, languages = 0;
  std::vector<pid_t> zombies;
};

// Also of a process that ends while it is read: then nothing.
std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<pid_t> zombies_of(pid_t parent) {
  std::vector<pid_t> out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = text_of(entry.path() / "stat");
    const auto close = stat.rfind(')');
    if (close == std::string::npos || close + 4 > stat.size() || stat[close + 2] != 'Z') continue;
    if (std::atoi(stat.c_str() + close + 4) == parent) out.push_back(std::stoi(name));
  }
  return out;
}

Sample look_at(const Server& server) {
  Sample out;
  const fs::path proc = "/proc/" + std::to_string(server.pid());
  std::istringstream status(text_of(proc / "status"));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) out.resident = std::atof(line.c_str() + 6) / 1024;
    if (line.starts_with("Threads:")) out.threads = static_cast<std::size_t>(std::atoi(line.c_str() + 8));
  }
  out.files = static_cast<std::size_t>(std::distance(fs::directory_iterator(proc / "fd"), fs::directory_iterator()));
  out.checks = server.children("check").size();
  out.languages = server.children("lsp").size();
  out.zombies = zombies_of(server.pid());
  return out;
}

// What all pages have done; what may not happen is kept.
struct Log {
  std::atomic<long> requests{0}, jobs{0}, events{0}, full{0};
  std::mutex mutex;
  std::vector<std::string> wrong;

  void blame(const std::string& what) {
    const std::scoped_lock lock(mutex);
    if (wrong.size() < 20) wrong.push_back(what);
  }
};

// One browser page, with a mind of its own.
class Page {
 public:
  Page(const Server& server, Log& log, unsigned seed) : server_(server), log_(log), random_(seed) {}

  void live_until(Clock::time_point end) {
    while (Clock::now() < end) {
      come();
      const int acts = up_to(6);
      for (int i = 0; i <= acts && Clock::now() < end; ++i) act();
      if (up_to(3) > 0) expect("DELETE", "/api/models/" + model_, {}, {200, 404});
    }
  }

 private:
  int up_to(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n + 1)); }

  Reply expect(const std::string& method, const std::string& target, const Json& body, const std::vector<int>& may) {
    Reply reply;
    try {
      reply = server_.ask(method, target, body.is_null() ? "" : body.dump());
    } catch (const std::exception& e) {
      log_.blame(method + " " + target + ": " + e.what());
      return reply;
    }
    ++log_.requests;
    if (std::ranges::find(may, reply.status) == may.end())
      log_.blame(method + " " + target + ": " + std::to_string(reply.status) + " " + reply.body.substr(0, 300));
    return reply;
  }

  // As the page does when it is loaded.
  void come() {
    expect("GET", "/", {}, {200});
    expect("GET", "/api/hello", {}, {200});
    expect("GET", "/api/files", {}, {200});
    expect("GET", "/api/file?path=examples:gas_station/gas_station.lts", {}, {200});
    const Reply opened = expect("POST", "/api/models", {{"path", "examples:gas_station/gas_station.lts"}}, {200});
    if (opened.status == 200) model_ = opened.json()["model"];
  }

  void act() {
    switch (up_to(8)) {
      case 0:
      case 1: write(); break;
      case 2: save(); break;
      case 3: check({{"path", "lights.lts"}}, true); break;
      case 4:
        check({{"path", "examples:rover/rover.lts"}, {"options", {{"method", "asym"}, {"property", "CLEARED_FIRST"}}}},
              true);
        break;
      case 5: check({{"path", "examples:philosophers/philosophers_broken.lts"}}, false); break;
      case 6: abort(); break;
      case 7: check({{"path", "endless.lts"}, {"options", {{"time", "1s"}}}}, false); break;
      default: be_rude(); break;
    }
  }

  void write() {
    const std::string text =
        std::string(kLights) + "// " + std::to_string(up_to(1000)) + (up_to(2) == 0 ? "\nWRONG = (" : "");
    expect("PATCH", "/api/models/" + model_, {{"text", text}}, {200, 404});
    // The process of a model may be ended for another one, or be late where the machine is busy.
    for (const char* method : {"textDocument/diagnostic", "textDocument/documentSymbol", "surety/system"})
      expect("POST", "/api/models/" + model_, {{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}},
             {200, 404, 502, 504});
  }

  void save() {
    const Reply there = expect("GET", "/api/file?path=shared.lts", {}, {200});
    if (there.status != 200) return;
    expect(
        "PUT", "/api/file",
        {{"path", "shared.lts"}, {"text", kLights + std::to_string(up_to(9))}, {"if_sha256", there.json()["sha256"]}},
        {200, 409});
  }

  std::string start(Json job) {
    job["command"] = "check";
    const Reply reply = expect("POST", "/api/jobs", job, {202, 429});
    ++(reply.status == 202 ? log_.jobs : log_.full);
    return reply.status == 202 ? std::string(reply.json()["job"]) : "";
  }

  // One in four goes away in the middle.
  void check(const Json& job, bool proves) {
    const std::string id = start(job);
    if (id.empty()) return;
    const bool stays = up_to(3) > 0;
    const auto events = server_.events(id, 0, [&](const Json&) { return !stays && up_to(4) == 0; });
    log_.events += static_cast<long>(events.size());
    if (!stays) return;
    const bool ended = !events.empty() && events.back()["event"] == "ended";
    if (!ended) return;  // of streams there are sixteen
    expect("GET", "/api/jobs/" + id + "/report", {}, {200, 404});
    if (!proves) return;
    expect("GET", "/api/jobs/" + id + "/certificate", {}, {200, 404});
    const Reply again = expect("POST", "/api/jobs/" + id + "/recheck", {}, {202, 404, 429});
    if (again.status == 202) log_.events += static_cast<long>(server_.events(again.json()["job"]).size());
  }

  void abort() {
    const std::string id = start({{"path", "endless.lts"}});
    if (id.empty()) return;
    server_.events(id, 0, [](const Json& event) { return event["event"] == "progress"; });
    if (up_to(9) > 0) expect("POST", "/api/jobs/" + id + "/cancel", {}, {202, 404});  // else the server has to see it
  }

  void be_rude() {
    Line half(server_.port()), much(server_.port());
    half.send("GET / HTTP/1.1\r\nHost:");
    much.send(server_.head("PUT", "/api/file", {}, 100'000) + "{\"path\"");
    std::this_thread::sleep_for(std::chrono::milliseconds(up_to(50)));
  }

  const Server& server_;
  Log& log_;
  std::minstd_rand random_;
  std::string model_;
};

double most_resident(const std::vector<Sample>& samples, std::size_t from, std::size_t to) {
  double out = 0;
  for (std::size_t i = from; i < to; ++i) out = std::max(out, samples[i].resident);
  return out;
}

TEST(Soak, ManyPagesLeaveNothingBehind) {
  Server server({"--jobs=4", "--memory=300M", "--time=20s"});
  server.write("endless.lts", kEndless);
  server.write("shared.lts", kLights);
  Log log;
  const auto end = Clock::now() + duration();
  std::vector<std::jthread> pages;
  for (unsigned i = 0; i < kPages; ++i) pages.emplace_back([&, i] { Page(server, log, i + 1).live_until(end); });

  std::vector<Sample> samples;
  std::map<pid_t, int> seen_dead;
  while (Clock::now() < end) {
    std::this_thread::sleep_for(500ms);
    samples.push_back(look_at(server));
    std::map<pid_t, int> dead;
    for (const pid_t pid : samples.back().zombies) dead[pid] = seen_dead[pid] + 1;
    for (const auto& [pid, times] : dead) EXPECT_LT(times, 4) << pid << " stays a zombie";
    seen_dead = std::move(dead);
  }
  for (auto& page : pages) page.join();
  for (const std::string& what : log.wrong) ADD_FAILURE() << what;

  // Those who went without a word: their checks are ended after ten seconds, and the models that they had open sleep.
  EXPECT_TRUE(soon([&] { return server.children("check").empty() && zombies_of(server.pid()).empty(); }, 20s));
  EXPECT_TRUE(soon([&] { return server.children("lsp").size() <= kMostProcesses; }, 5s));
  Json undone;  // a process may be gone a moment before its job is done
  EXPECT_TRUE(soon(
      [&] {
        undone = Json::array();
        for (const Json& job : server.ask("GET", "/api/jobs").json())
          if (job["state"] != "done") undone.push_back(job);
        return undone.empty();
      },
      5s))
      << undone.dump();
  const Sample last = look_at(server);
  const auto jobs = server.ask("GET", "/api/jobs").json().size();
  EXPECT_LE(jobs, 200U);
  EXPECT_LE(last.files,
            jobs + 2 * last.languages + 24);  // a log for each job that is kept, two pipes for each language process

  double most = 0;
  std::size_t files = 0, threads = 0, languages = 0, checks = 0;
  for (const Sample& one : samples) {
    most = std::max(most, one.resident);
    files = std::max(files, one.files);
    threads = std::max(threads, one.threads);
    languages = std::max(languages, one.languages);
    checks = std::max(checks, one.checks);
    EXPECT_LE(one.checks, 4U);
    EXPECT_LE(one.threads, 44U);
    EXPECT_LE(one.languages, kMostProcesses + 4);  // those that have just been killed
  }
  EXPECT_LT(most, kMostResident);
  const std::size_t third = samples.size() / 3;
  if (duration() >= std::chrono::seconds(kJudged)) {
    EXPECT_LT(most_resident(samples, 2 * third, samples.size()), 1.1 * most_resident(samples, third, 2 * third) + 1);
  }
  std::printf("%ld s, %ld requests, %ld checks (%ld refused: the queue was full), %ld events\n",
              static_cast<long>(duration().count()), log.requests.load(), log.jobs.load(), log.full.load(),
              log.events.load());
  std::printf("resident, MiB: first %.1f, most in thirds %.1f %.1f %.1f, at the end %.1f\n", samples.front().resident,
              most_resident(samples, 0, third), most_resident(samples, third, 2 * third),
              most_resident(samples, 2 * third, samples.size()), last.resident);
  std::printf(
      "at most %zu checks, %zu language processes, %zu threads, %zu files; at the end %zu files, %zu language "
      "processes\n",
      checks, languages, threads, files, last.files, last.languages);

  const auto children = server.children();
  EXPECT_EQ(server.end(SIGINT), 0);
  EXPECT_TRUE(soon([&] { return std::ranges::none_of(children, lives); }));
}

}  // namespace
}  // namespace surety::serve_test
