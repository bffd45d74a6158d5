// Random programs through every engine: the machine, the network of its parts by plain search and by a method in turn,
// and the real SPIN for some.
//
// 2,000 programs per run, in shards. For a soak (./dev soak) SURETY_PROGRAMS says how many, SURETY_SEED where to begin;
// then one in ten goes through SPIN. What differs is shown with its seed and its text, and written into the folder that
// SURETY_KEEP names, if it names one. SURETY_SEED=S SURETY_PROGRAMS=1 repeats one program.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "agreement/promela_programs.hpp"
#include "agreement/promela_ways.hpp"
#include "agreement/spin.hpp"
#include "base/file.hpp"
#include "promela/help.hpp"

namespace surety {
namespace {

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kPrograms = 2'000;
constexpr std::uint64_t kStates = 3'000;      // of a program that is not too large
constexpr std::size_t kMostDifferences = 20;  // then it stops
constexpr std::uint64_t kAskEvery = 40;       // of the programs that pan takes, without a soak: 1 in 40 of all

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

bool soaking() { return std::getenv("SURETY_PROGRAMS") != nullptr; }

// One in ten for pan: half of them with formulas and nothing else, half without.
ProgramMix mix_of(std::uint64_t seed) {
  ProgramMix mix;
  mix.pan = seed % 10 == 0;
  if (!mix.pan) return mix;
  const bool formulas = seed % 20 == 0;
  mix.formulas = formulas ? 1 + seed / 20 % 2 : 0;
  if (formulas) mix.assertions = mix.traces = false;
  return mix;
}

struct Tally {
  std::uint64_t programs = 0, too_large = 0, apart = 0, assertions = 0, deadlocks = 0, safety = 0, safety_violated = 0,
                unknown = 0, asked = 0, states = 0;
  std::map<std::string, std::uint64_t> methods;
  std::map<std::string, std::uint64_t> why_not_apart;
  std::vector<std::string> differences;
};

class Soak {
 public:
  explicit Soak(bool spin) : spin_(spin) {}

  // All programs from `first` on, by as many threads.
  Tally run(std::uint64_t first, std::uint64_t count, unsigned threads) {
    std::atomic<std::uint64_t> next{first};
    const auto work = [&] {
      for (std::uint64_t seed = next++; seed < first + count && !full(); seed = next++) program(seed);
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    for (auto& thread : others) thread.join();
    return std::move(tally_);
  }

 private:
  bool full() {
    const std::scoped_lock lock(mutex_);
    return tally_.differences.size() >= kMostDifferences;
  }

  void program(std::uint64_t seed) {
    const std::string text = random_promela(seed, mix_of(seed));
    const ProgramFile file(text);
    Way all;
    all.states = kStates;
    const Answers whole = ask(file.path(), all);
    if (!whole.trouble.empty()) return differ(seed, text, "the machine", whole.trouble);
    const bool large = std::ranges::any_of(whole.verdicts, [](const auto& v) { return v.second == "unknown"; });
    const Answers plain = large ? Answers{} : by_parts(seed, text, file.path(), whole);
    const Answers method = large ? Answers{} : by_method(seed, text, file.path(), whole, plain);
    if (!large && spin_ && seed % (soaking() ? 10 : kAskEvery) == 0) ask_spin_too(seed, text, whole);
    const std::scoped_lock lock(mutex_);
    ++tally_.programs;
    if (large) return void(++tally_.too_large);
    count(whole, plain, method);
  }

  Answers by_parts(std::uint64_t seed, const std::string& text, const std::string& file, const Answers& whole) {
    const Reduction reduction = seed % 2 == 0 ? Reduction::none : Reduction::por;
    const Answers plain = search_parts(file, reduction, 20 * kStates, 20);
    if (const std::string wrong = difference(whole, plain); !wrong.empty())
      differ(seed, text, fmt::format("plain search of the parts{}", seed % 2 == 0 ? "" : " (reduced)"), wrong);
    return plain;
  }

  Answers by_method(std::uint64_t seed, const std::string& text, const std::string& file, const Answers& whole,
                    const Answers& plain) {
    Way way = way_for(seed, plain.safety);
    way.states = 40 * kStates;
    way.seconds = soaking() ? 10 : 2;
    const Answers method = ask(file, way);
    {
      const std::scoped_lock lock(mutex_);
      ++tally_.methods[way.method];
    }
    if (const std::string wrong = difference(whole, method); !wrong.empty())
      differ(seed, text, fmt::format("{} {} {}", way.method, way.learner, way.alphabet), wrong);
    return method;
  }

  void ask_spin_too(std::uint64_t seed, const std::string& text, const Answers& whole) {
    std::string wrong;
    bool compared = false;
    if (seed % 20 == 0) {
      for (const auto& [name, verdict] : whole.verdicts) {
        if (name[0] != 'f') continue;
        const auto violated = ask_spin_for_formula(text, name);
        if (!violated) continue;
        compared = true;
        if (verdict != word(*violated)) wrong += fmt::format("{} is {}, to us {}; ", name, word(*violated), verdict);
      }
    } else if (const SpinFacts spin = spin_facts(text); spin.accepted) {
      compared = true;
      wrong = spin_difference(text, whole, spin);
    }
    if (!wrong.empty()) differ(seed, text, "SPIN", wrong);
    const std::scoped_lock lock(mutex_);
    tally_.asked += compared;
  }

  // A trace assertion that is not complete makes an end invalid for pan.
  static std::string spin_difference(const std::string& text, const Answers& whole, const SpinFacts& spin) {
    std::string wrong;
    const auto compare = [&](const std::string& name, bool violated) {
      const auto ours = whole.verdicts.find(name);
      const std::string verdict = ours == whole.verdicts.end() ? "holds" : ours->second;
      if (verdict != word(violated)) wrong += fmt::format("{} is {}, to us {}; ", name, word(violated), verdict);
    };
    compare("assert", spin.assertion);
    const bool traced = whole.verdicts.contains("t0");
    compare("t0", spin.trace);
    if (traced) return wrong;
    compare("deadlock", spin.invalid_end);
    promela_test::Program program(text);
    const auto states = promela_test::facts(*program.machine).states;
    if (states != spin.states) wrong += fmt::format("{} states, to us {}; ", spin.states, states);
    return wrong;
  }

  static std::string word(bool violated) { return violated ? "violated" : "holds"; }

  void count(const Answers& whole, const Answers& plain, const Answers& method) {
    tally_.apart += plain.apart;
    tally_.states += whole.states;
    if (!plain.apart) ++tally_.why_not_apart[plain.why_not_apart];
    tally_.assertions += whole.verdicts.at("assert") == "violated";
    tally_.deadlocks += whole.verdicts.at("deadlock") == "violated";
    for (const auto& name : plain.safety) {
      ++tally_.safety;
      tally_.safety_violated += whole.verdicts.at(name) == "violated";
    }
    for (const Answers* answers : {&plain, &method})
      for (const auto& [name, verdict] : answers->verdicts) tally_.unknown += verdict == "unknown";
  }

  void differ(std::uint64_t seed, const std::string& text, const std::string& way, const std::string& wrong) {
    if (const char* folder = std::getenv("SURETY_KEEP"))
      (void)write_file(fmt::format("{}/{}.pml", folder, seed), text + fmt::format("/* {}: {} */\n", way, wrong));
    const std::scoped_lock lock(mutex_);
    tally_.differences.push_back(fmt::format("seed {}, {}: {}\n{}", seed, way, wrong, text));
  }

  bool spin_;
  std::mutex mutex_;
  Tally tally_;
};

void print(const Tally& t) {
  fmt::print(
      "{} programs, {} too large, {} came apart; violated: assert {}, deadlock {}, properties {} of {}; {} answers "
      "unknown; {} compared with SPIN; {} states on average\n",
      t.programs, t.too_large, t.apart, t.assertions, t.deadlocks, t.safety_violated, t.safety, t.unknown, t.asked,
      t.states / std::max<std::uint64_t>(1, t.programs - t.too_large));
  if (std::getenv("SURETY_VERBOSE") == nullptr) return;
  for (const auto& [method, count] : t.methods) fmt::print("  {:6} {}\n", count, method);
  for (const auto& [why, count] : t.why_not_apart) fmt::print("  {:6} {}\n", count, why);
}

class RandomPrograms : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPrograms, GetTheSameAnswersFromEveryEngine) {
  const std::uint64_t all = number_from("SURETY_PROGRAMS", kPrograms);
  const std::uint64_t here = all / kShards + (GetParam() < all % kShards ? 1 : 0);
  const std::uint64_t first =
      number_from("SURETY_SEED", 1) + GetParam() * (all / kShards) + std::min(GetParam(), all % kShards);
  if (here == 0) GTEST_SKIP() << "no program is left for this shard";
  fmt::print("seeds {} to {}\n", first, first + here - 1);
  const unsigned threads = soaking() ? std::max(1U, std::thread::hardware_concurrency()) : 1;
  const Tally tally = Soak(spin_is_there()).run(first, here, threads);
  print(tally);
  for (const auto& text : tally.differences) ADD_FAILURE() << text;
  if (here < 100) return;  // too few to say more
  const std::uint64_t compared = tally.programs - tally.too_large;
  EXPECT_GT(compared, tally.programs * 8 / 10);
  EXPECT_GE(tally.apart * 10, compared * 6);
  for (const std::uint64_t violated : {tally.assertions, tally.deadlocks}) {
    EXPECT_GT(violated, compared / 10);
    EXPECT_LT(violated, compared * 9 / 10);
  }
  EXPECT_GT(tally.safety_violated, tally.safety / 10);
  EXPECT_LT(tally.safety_violated, tally.safety * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomPrograms, testing::Range<std::uint64_t>(0, kShards));

}  // namespace
}  // namespace surety
