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
constexpr double kPatience = 0.1, kMorePatience = 10;
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
  if (programs < kPrograms) return;
  // Something was compared.
  EXPECT_EQ(t.programs, programs);
  EXPECT_EQ(t.refused, 0U);
  EXPECT_EQ(t.runs, programs * number_from("SURETY_RUNS", kRuns));
  EXPECT_GT(t.steps, t.runs);
  EXPECT_LT(t.too_large, t.runs / 10 + 1);
  EXPECT_GT(t.seen, t.few / 2);
}

// The example of the paper, instrumented by hand: its ten complete traces, all of which are seen.
TEST(RunningAda, TheElevatorDoesAllThatItsNetworkCanDo) {
  if (!gnat_is_there()) GTEST_SKIP() << "gnat is not installed";
  const auto elevator = [](const std::string& run, const std::string& declarations, const std::string& set,
                           const std::string& unset, const std::string& test, const auto& accept) {
    std::string out = declarations + fmt::format("procedure Elevator{} is\n   X : Boolean := False;\n", run);
    if (!run.empty())
      out +=
          "   function Get_X return Boolean is\n      V : Boolean;\n   begin\n      Gate.Enter;\n      V := X;\n"
          "      Gate.Use_Variable (\"x\", \"is.\" & Gate.Show (Boolean'Image (V)));\n      Gate.Leave;\n"
          "      return V;\n   end Get_X;\n   procedure Set_X (V : Boolean) is\n   begin\n      Gate.Enter;\n"
          "      X := V;\n      Gate.Use_Variable (\"x\", \"to.\" & Gate.Show (Boolean'Image (V)));\n"
          "      Gate.Leave;\n   end Set_X;\n";
    out +=
        "   task Car is\n      entry Sync;\n      entry Open_Doors;\n      entry Close_Doors;\n      entry Move_Car;\n"
        "   end Car;\n   task Controller;\n   task body Car is\n   begin\n      " +
        set + accept("Sync") + "      if " + test + " then " + accept("Open_Doors") + " end if;\n      if " + test +
        " then " + accept("Close_Doors") + " end if;\n" + accept("Move_Car") +
        "   end Car;\n   task body Controller is\n   begin\n      " + unset + "      Car.Sync;\n      if " + test +
        " then Car.Open_Doors; end if;\n      if " + test +
        " then Car.Close_Doors; end if;\n      Car.Move_Car;\n   end Controller;\nbegin\n   null;\n";
    return out + fmt::format("end Elevator{};\n", run);
  };
  const std::string plain = elevator("", "", "X := True;\n", "X := False;\n", "X",
                                     [](const char* e) { return fmt::format("accept {};\n", e); });
  const std::string gated =
      elevator("_Run", "with Gate;\n", "Set_X (True);\n", "Set_X (False);\n", "Get_X", [](const std::string& e) {
        std::string lower = e;
        for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return fmt::format(
            "accept {0} do Gate.Enter; Gate.Act (\"car.{1}\", Gate.From ({0}'Caller)); Gate.Leave; end {0};\n", e,
            lower);
      });
  std::string why;
  const auto follower = Follower::make(plain, "elevator.adb", why);
  ASSERT_NE(follower, nullptr) << why;
  const auto all = follower->traces(kFewTraces);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), 10U);
  const RunningPrograms running({{"Elevator", gated}});
  ASSERT_EQ(running.trouble(), "");
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 1000 && seen.size() < all->size(); ++seed) {
    Observed run = running.run(0, seed, kPatience);
    if (run.how == "hang") run = running.run(0, seed, kMorePatience);  // the machine is busy
    EXPECT_EQ(follower->follow(run), "") << run.text;
    seen.insert(follower->trace_of(run));
  }
  EXPECT_EQ(seen, *all);
}

}  // namespace
}  // namespace surety
