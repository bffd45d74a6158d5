#include "spin/pan.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <regex>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "spin/cache.hpp"

namespace surety::spin {
namespace {

constexpr const char* kModel = "model.pml";

// No partial order reduction: SPIN cannot see through the tables. Not breadth first: with rendezvous, SPIN 6.5.2 then
// misses states, as tests/agreement/spin_test.cpp showed.
const std::vector<std::string> kFlags = {"-w", "-DSAFETY", "-DNOREDUCE", "-DVECTORSZ=16384"};
constexpr std::uint64_t kFirstDepth = 10'000, kLastDepth = 1'000'000'000;
constexpr const char* kTooDeep = "max search depth too small";

// The first lines, for a message.
std::string beginning(const std::string& text) {
  std::size_t end = 0;
  for (int lines = 0; lines < 3 && end < text.size(); ++lines)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  while (end > 0 && text[end - 1] == '\n') --end;
  return text.substr(0, end);
}

std::uint64_t number(const std::string& text, const std::regex& pattern) {
  std::smatch found;
  return std::regex_search(text, found, pattern) ? static_cast<std::uint64_t>(std::stod(found[1])) : 0;
}

}  // namespace

Result<Tools> Tools::find(Budget& budget) {
  Tools out;
  const auto spin = find_program("spin");
  if (!spin)
    return surety::fail(file_error("", "--engine spin needs the program spin, which is not in PATH",
                                   "install it (Debian, Ubuntu: apt install spin; source: spinroot.com), or leave out "
                                   "--engine spin"));
  const char* wanted = std::getenv("CC");
  std::vector<std::string> compilers{"cc", "gcc", "clang"};
  if (wanted != nullptr && *wanted != '\0') compilers = {wanted};
  std::optional<std::string> cc;
  for (const auto& name : compilers)
    if (!cc) cc = find_program(name);
  if (!cc)
    return surety::fail(file_error(
        "", fmt::format("--engine spin needs a C compiler, and there is no {} in PATH", fmt::join(compilers, ", ")),
        "install one (Debian, Ubuntu: apt install gcc), or leave out --engine spin"));
  out.spin = *spin;
  out.cc = *cc;
  for (const auto& [program, option] : {std::pair{out.spin, "-V"}, std::pair{out.cc, "--version"}})
    out.identity += program + "\n" + run({{program, option}}, budget).output;
  return out;
}

PanReport parse_report(const Ran& ran) {
  static const std::regex errors("State-vector [0-9]+ byte, depth reached [0-9]+, errors: ([0-9]+)");
  static const std::regex error("(?:^|\n)pan:[0-9]+: ([^\n]*) \\(at depth [0-9]+\\)");
  static const std::regex stored("\n *([0-9.e+]+) states, stored");
  static const std::regex transitions("\n *([0-9.e+]+) transitions");
  PanReport out;
  std::smatch found;
  const bool finished = ran.end == Ran::End::exited && std::regex_search(ran.output, found, errors);
  if (!finished || ran.output.find("out of memory") != std::string::npos) {
    const bool memory_ended =
        ran.output.find("memory") != std::string::npos || ran.output.find("MEMLIM") != std::string::npos;
    out.kind = memory_ended ? PanReport::Kind::memory : PanReport::Kind::failed;
    out.message = beginning(ran.output);
    return out;
  }
  const std::uint64_t count = std::stoull(found[1]);
  out.states = number(ran.output, stored);
  out.transitions = number(ran.output, transitions);
  static const std::regex megabytes("\n *([0-9.]+)[ \t]+total actual memory");
  if (std::regex_search(ran.output, found, megabytes))
    out.bytes = static_cast<std::uint64_t>(std::stod(found[1]) * 1024 * 1024);
  if (std::regex_search(ran.output, found, error)) out.message = found[1];
  if (count > 0) {
    out.kind = PanReport::Kind::violation;
  } else if (ran.output.find(kTooDeep) != std::string::npos) {
    out.kind = PanReport::Kind::too_deep;
  } else if (ran.output.find("Search not completed") == std::string::npos) {
    out.kind = PanReport::Kind::clean;
  } else {
    out.message = beginning(ran.output);
  }
  return out;
}

void Pan::fail(std::string message, const std::string& output, Budget& budget) {
  if (trouble_.empty()) trouble_.push_back(file_error("", std::move(message), beginning(output)));
  budget.stop(Stop::tool);
}

Ran Pan::call(std::vector<std::string> words, const std::string& folder, double& seconds, Budget& budget,
              std::uint64_t memory) {
  const double start = budget.seconds_used();
  Command command{std::move(words), folder};
  command.memory = memory;
  command.settings = {{"TMPDIR", folder}};  // a compiler that is killed leaves its files behind: where we clean up
  Ran ran = run(command, budget);
  seconds += budget.seconds_used() - start;
  return ran;
}

bool Pan::make(const std::string& folder, const std::string& text, bool whole, bool cache, Budget& budget) {
  std::vector<std::string> words{tools_.cc, whole ? "-O2" : "-O0"};
  words.insert(words.end(), kFlags.begin(), kFlags.end());
  words.insert(words.end(), {"-o", "pan", "pan.c"});
  const std::string key = sha256_hex(fmt::format("{}\n{}\n{}", tools_.identity, fmt::join(words, " "), text));
  if (cache && take_from_cache(key, folder + "/pan")) {
    ++statistics_.cached;
    return true;
  }
  if (auto written = write_file(folder + "/" + kModel, text); !written) {
    fail("a model for SPIN cannot be written: " + written.error().front().message, "", budget);
    return false;
  }
  budget.phase("spin -a");
  ++statistics_.translations;
  const Ran spin = call({tools_.spin, "-a", kModel}, folder, statistics_.spin_s, budget);
  if (spin.end == Ran::End::stopped) return false;
  if (!spin.fine()) {
    fail("spin does not accept what surety wrote for it", spin.output, budget);
    return false;
  }
  budget.phase("cc");
  ++statistics_.compilations;
  const Ran cc = call(words, folder, statistics_.cc_s, budget);
  if (cc.end == Ran::End::stopped) return false;
  if (!cc.fine()) {
    fail("the C compiler failed on a verifier of SPIN", cc.output, budget);
    return false;
  }
  if (cache) put_into_cache(key, folder + "/pan");
  return true;
}

PanReport Pan::verify(const std::string& folder, Budget& budget) {
  PanReport report;
  Ran ran;
  for (std::uint64_t depth = kFirstDepth; depth <= kLastDepth; depth *= 10) {
    ++statistics_.runs;
    ran = call({folder + "/pan", "-E", "-n", "-w12", fmt::format("-m{}", depth)}, folder, statistics_.pan_s, budget,
               budget.memory_left());
    if (ran.end == Ran::End::stopped) return {};
    report = parse_report(ran);
    if (report.kind != PanReport::Kind::too_deep) break;
  }
  statistics_.largest_bytes = std::max(statistics_.largest_bytes, report.bytes);
  if (report.kind == PanReport::Kind::memory) budget.stop(Stop::memory);
  if (report.kind == PanReport::Kind::too_deep || report.kind == PanReport::Kind::failed)
    fail("a verifier of SPIN failed", ran.output, budget);
  budget.add_states(report.states);
  return report;
}

std::string Pan::replay(const std::string& folder, bool by_pan, Budget& budget) {
  if (by_pan) return call({folder + "/pan", "-w12", "-r"}, folder, statistics_.pan_s, budget).output;
  return call({tools_.spin, "-t", "-r", "-b", kModel}, folder, statistics_.spin_s, budget).output;
}

}  // namespace surety::spin
