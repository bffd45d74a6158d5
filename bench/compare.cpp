// Our engine and SPIN on the same systems, side by side.
//
//   bench_compare [--quick | --large]
//
// Both search the whole state space, in a process of their own each, so that the
// kernel tells us what it cost: CPU time (user and system) and peak memory. SPIN
// gets what its manual advises for an exhaustive search: -O2, -DSAFETY, a hash
// table as large as the number of states, a stack just deep enough. -DNOREDUCE,
// because ours is not a reduced search either: it visits every state. A state
// count that differs is an error. SPIN runs once, ours three times, of which the
// middle one counts.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "systems.hpp"

using namespace surety;
using namespace surety::bench;
namespace fs = std::filesystem;

namespace {

struct Measured {
  bool ok = false;
  std::uint64_t states = 0, transitions = 0;
  double cpu = 0, wall = 0;  // seconds
  std::uint64_t memory = 0;  // bytes, at its peak
  std::string why;           // not ok: the reason
};

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

// Waits for a child and notes what it cost.
bool finish(pid_t child, std::chrono::steady_clock::time_point start, Measured& measured) {
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child) return false;
  measured.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  measured.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  measured.memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// --- Ours.

Measured run_ours(const System& system, unsigned threads) {
  Measured measured;
  int pipe[2];
  if (::pipe(pipe) != 0) return measured;
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    Budget budget;
    const auto result = search(parts_of(system), system.property ? Goal::violation : Goal::count, budget, threads);
    const std::uint64_t answer[2] = {result.states, result.transitions};
    const bool sent = ::write(pipe[1], answer, sizeof answer) == sizeof answer;
    ::_exit(sent && result.outcome == SearchResult::Outcome::exhausted ? 0 : 1);
  }
  ::close(pipe[1]);
  measured.ok = finish(child, start, measured);
  std::uint64_t answer[2] = {};
  measured.ok = ::read(pipe[0], answer, sizeof answer) == sizeof answer && measured.ok;
  ::close(pipe[0]);
  measured.states = answer[0];
  measured.transitions = answer[1];
  if (!measured.ok) measured.why = "our search did not end as it should";
  return measured;
}

// The middle one of three runs, by CPU time: other programs come and go on such a machine.
Measured middle_of_three(const System& system, unsigned threads) {
  std::array<Measured, 3> runs;
  for (auto& run : runs) run = run_ours(system, threads);
  for (const auto& run : runs)
    if (!run.ok) return run;
  std::ranges::sort(runs, {}, threads == 1 ? &Measured::cpu : &Measured::wall);
  return runs[1];
}

// --- SPIN.

bool have_spin() { return std::system("spin -V >/dev/null 2>&1") == 0; }

// The number before `words` in SPIN's report.
std::uint64_t number_before(const std::string& report, const std::string& words) {
  const auto end = report.find(words);
  if (end == std::string::npos) return 0;
  const auto line = report.rfind('\n', end) + 1;
  return static_cast<std::uint64_t>(std::stod(report.substr(line, end - line)));
}

constexpr const char* kStackTooSmall = "SPIN's stack was too small";

Measured run_spin(const System& system, std::uint64_t states, double depth_share, const fs::path& folder) {
  Measured measured;
  std::ofstream(folder / "system.pml") << system.promela;
  // -o3: no merging of steps, which would make its state space another one than ours.
  const auto build = fmt::format(
      "cd {} && spin -a -o3 system.pml >/dev/null && "
      "gcc -O2 -DSAFETY -DNOREDUCE -DMEMLIM=16000 -o pan pan.c 2>/dev/null",
      folder.string());
  if (std::system(build.c_str()) != 0) {
    measured.why = "spin or gcc failed";
    return measured;
  }
  const auto depth = static_cast<std::uint64_t>(static_cast<double>(states) * depth_share) + 1000;
  const std::string pan = (folder / "pan").string(), report = (folder / "report").string();
  const std::string stack = fmt::format("-m{}", depth), table = fmt::format("-w{}", std::bit_width(states));
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    const int out = ::open(report.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    ::dup2(out, 1);
    ::dup2(out, 2);
    ::execl(pan.c_str(), "pan", "-E", stack.c_str(), table.c_str(), nullptr);  // -E: deadlocks do not stop it
    ::_exit(127);
  }
  measured.ok = finish(child, start, measured);
  std::ostringstream text;
  text << std::ifstream(report).rdbuf();
  measured.states = number_before(text.str(), " states, stored");
  measured.transitions = number_before(text.str(), " transitions (= stored+matched)");
  if (text.str().find("max search depth too small") != std::string::npos)
    measured.why = kStackTooSmall;
  else if (text.str().find("errors: 0") == std::string::npos)
    measured.why = "SPIN reports an error";
  measured.ok = measured.ok && measured.why.empty();
  return measured;
}

// --- The table.

std::string thousands(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(static_cast<std::size_t>(i), ",");
  return digits;
}
double rate(const Measured& m) { return static_cast<double>(m.states) / m.cpu / 1e6; }
double bytes(const Measured& m) { return static_cast<double>(m.memory) / static_cast<double>(m.states); }

void print_head() {
  fmt::print("{:57} | {:^22} | {:^22}\n", "", "M states/s of CPU", "bytes/state at the peak");
  fmt::print("{:<31}{:>13}{:>13} |{:>8}{:>8}{:>7} |{:>8}{:>8}{:>7}\n", "system", "states", "transitions", "ours",
             "SPIN", "ratio", "ours", "SPIN", "ratio");
  fmt::print("{:-<106}\n", "");
}

// False: the state spaces differ, or a run failed.
bool print_row(const System& system, const Measured& ours, const Measured* spin) {
  fmt::print("{:<31}{:>13}{:>13} |", system.name, thousands(ours.states), thousands(ours.transitions));
  if (!ours.ok) {
    fmt::print(" {}\n", ours.why);
    return false;
  }
  if (spin == nullptr) {
    fmt::print("{:>8.2f}{:>8}{:>7} |{:>8.1f}\n", rate(ours), "-", "-", bytes(ours));
    return true;
  }
  if (!spin->ok) {
    fmt::print(" {}\n", spin->why);
    return false;
  }
  fmt::print("{:>8.2f}{:>8.3f}{:>6.1f}x |{:>8.1f}{:>8.1f}{:>6.1f}x\n", rate(ours), rate(*spin),
             rate(ours) / rate(*spin), bytes(ours), bytes(*spin), bytes(*spin) / bytes(ours));
  // SPIN counts the initial state as a transition.
  const bool same = spin->states == ours.states && spin->transitions == ours.transitions + 1;
  if (!same)
    fmt::print("  MISMATCH: SPIN has {} states and {} transitions\n", thousands(spin->states),
               thousands(spin->transitions - 1));
  return same;
}

struct Sizes {
  unsigned philosophers, others;
};
constexpr Sizes kQuick{8, 14}, kUsual{9, 17}, kLarge{9, 18};

std::vector<System> systems(ActionTable& actions, const Sizes& sizes) {
  std::vector<System> all;
  all.push_back(philosophers(actions, sizes.philosophers, false));
  all.push_back(philosophers(actions, sizes.philosophers - 1, true));
  all.push_back(milner(actions, sizes.others));
  all.push_back(token_ring(actions, sizes.others));
  all.push_back(client_server(actions, sizes.others));
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view option = argc == 2 ? argv[1] : "";
  if (argc > 2 || (argc == 2 && option != "--quick" && option != "--large")) {
    fmt::print(stderr, "usage: bench_compare [--quick | --large]\n");
    return 64;
  }
  const Sizes sizes = option == "--quick" ? kQuick : option == "--large" ? kLarge : kUsual;
  ActionTable actions;
  const bool spin = have_spin();
  const fs::path folder = fs::temp_directory_path() / fmt::format("bench_compare.{}", ::getpid());
  fs::create_directories(folder);
  fmt::print("Exhaustive search, one thread, CPU time and peak memory of the whole process.{}\n\n",
             spin ? "" : " SPIN skipped: spin is not installed.");
  print_head();
  bool fine = true;
  for (const auto& system : systems(actions, sizes)) {
    const auto ours = middle_of_three(system, 1);
    Measured theirs;
    for (double share = system.spin_depth_share; spin; share *= 1.2) {
      theirs = run_spin(system, ours.states, share, folder);
      if (theirs.why != kStackTooSmall) break;
    }
    fine = print_row(system, ours, spin ? &theirs : nullptr) && fine;
    std::fflush(stdout);
  }
  const auto wide = widened(actions, philosophers(actions, sizes.philosophers, false), 40);
  fine = print_row(wide, run_ours(wide, 1), nullptr) && fine;

  const auto many = philosophers(actions, std::max(8U, sizes.philosophers), false);
  const auto one = middle_of_three(many, 1), two = middle_of_three(many, 2);
  fmt::print("\n{} with 2 threads instead of 1: {:.2f} times as fast by the clock, {:.2f} times the CPU time\n",
             many.name, one.wall / two.wall, two.cpu / one.cpu);
  fine = fine && one.ok && two.ok && one.states == two.states && one.transitions == two.transitions;
  fs::remove_all(folder);
  return fine ? 0 : 1;
}
