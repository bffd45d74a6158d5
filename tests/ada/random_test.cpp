// Random programs, compiled by gnat and run under a random scheduler (gate/gate.ads): whatever they do, their networks
// can do.
//
// SURETY_PROGRAMS says how many programs, SURETY_RUNS how often each is run, SURETY_SEED where to begin. What differs
// is shown with its seed and its text, and written into the folder that SURETY_KEEP names, if it names one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "ada/programs.hpp"
#include "ada/running.hpp"
#include "base/file.hpp"

namespace surety {
namespace {

constexpr std::uint64_t kPrograms = 30, kRuns = 20, kBatch = 30;
constexpr double kPatience = 0.1, kMorePatience = 2;
constexpr std::size_t kFewTraces = 50;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Tally {
  std::uint64_t programs = 0, refused = 0, runs = 0, hangs = 0, deaths = 0, steps = 0, too_large = 0;
  std::uint64_t few = 0, possible = 0, seen = 0;  // of programs with few traces: their traces
  std::vector<std::string> differences;
};

struct Candidate {
  std::uint64_t seed = 0;
  std::string name;
  AdaText text;
  std::unique_ptr<Follower> follower;
  std::set<std::string> traces;
  bool differs = false;
};

class Comparison {
 public:
  explicit Comparison(std::uint64_t runs) : runs_(runs) {}

  void batch(std::uint64_t first, std::uint64_t count) {
    std::vector<Candidate> candidates;
    std::vector<RunningPrograms::Source> sources;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      Candidate c;
      c.seed = seed;
      c.name = fmt::format("P{}", seed);
      c.text = random_ada(seed, c.name);
      ++tally.programs;
      std::string why;
      c.follower = Follower::make(c.text.plain, fmt::format("p{}.adb", seed), why);
      if (c.follower == nullptr) {
        ++tally.refused;
        differ(c, "it is refused: " + why, "");
        continue;
      }
      sources.push_back({c.name, c.text.gated});
      candidates.push_back(std::move(c));
    }
    const RunningPrograms running(sources);
    if (!running.trouble().empty()) {
      tally.differences.push_back(running.trouble());
      return;
    }
    std::atomic<std::uint64_t> next{0};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 3 * std::max(1U, std::thread::hardware_concurrency()); ++i)
      threads.emplace_back([&] {
        for (std::uint64_t n = next++; n < candidates.size() * runs_; n = next++)
          one(candidates[n / runs_], running, n / runs_, n % runs_);
      });
    for (auto& t : threads) t.join();
    for (Candidate& c : candidates) share(c);
  }

  Tally tally;

 private:
  void one(Candidate& c, const RunningPrograms& running, std::size_t program, std::uint64_t seed) {
    Observed run = running.run(program, seed, kPatience);
    const std::scoped_lock lock(mutex_);
    std::string wrong = c.follower->follow(run);
    if (wrong == "it cannot hang there") {  // or the machine is busy
      run = running.run(program, seed, kMorePatience);
      wrong = c.follower->follow(run);
    }
    ++tally.runs;
    tally.steps += run.lines.size();
    tally.hangs += run.how == "hang";
    tally.too_large += c.follower->too_large();
    tally.deaths += std::ranges::any_of(run.lines, [](const auto& l) { return l.kind == 'f'; });
    c.traces.insert(c.follower->trace_of(run));
    if (!wrong.empty() && !c.differs) {
      c.differs = true;
      differ(c, fmt::format("run {}: {}", seed, wrong), run.text);
    }
  }

  void share(Candidate& c) {
    const auto all = c.follower->traces(kFewTraces);
    if (!all || c.differs) return;
    ++tally.few;
    tally.possible += all->size();
    for (const std::string& trace : c.traces) tally.seen += all->contains(trace);
  }

  void differ(const Candidate& c, const std::string& wrong, const std::string& run) {
    if (const char* folder = std::getenv("SURETY_KEEP")) {
      (void)write_file(fmt::format("{}/p{}.adb", folder, c.seed), c.text.plain);
      (void)write_file(fmt::format("{}/p{}_run.adb", folder, c.seed), c.text.gated);
      (void)write_file(fmt::format("{}/p{}.txt", folder, c.seed), wrong + "\n" + run);
      tally.differences.push_back(fmt::format("seed {}: {}", c.seed, wrong));
    } else {
      tally.differences.push_back(fmt::format("seed {}: {}\n{}\n{}", c.seed, wrong, run, c.text.plain));
    }
  }

  std::uint64_t runs_;
  std::mutex mutex_;
};

TEST(RandomAda, DoesWhatItsNetworkCanDo) {
  if (!gnat_is_there()) GTEST_SKIP() << "gnat is not installed";
  const std::uint64_t programs = number_from("SURETY_PROGRAMS", kPrograms);
  const std::uint64_t first = number_from("SURETY_SEED", 1);
  Comparison comparison(number_from("SURETY_RUNS", kRuns));
  for (std::uint64_t done = 0; done < programs && comparison.tally.differences.size() < 20; done += kBatch)
    comparison.batch(first + done, std::min(kBatch, programs - done));
  const Tally& t = comparison.tally;
  fmt::print(
      "{} programs, {} refused, {} runs, {} steps; {} runs hang, in {} a task dies, {} too large; {} programs with few "
      "traces: {} of {} seen\n",
      t.programs, t.refused, t.runs, t.steps, t.hangs, t.deaths, t.too_large, t.few, t.seen, t.possible);
  for (const std::string& difference : t.differences) ADD_FAILURE() << difference;
}

}  // namespace
}  // namespace surety
