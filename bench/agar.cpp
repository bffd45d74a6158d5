// Abstraction refinement against learning, in the shape of the AGAR paper's tables.
//
//   bench_agar [--quick] [--seconds N] [LIST]
//
// Every run is a process of its own with a limit of time and of 1 GB of memory, as in
// the paper; time is CPU time, memory the peak of the whole process, |A| the largest
// assumption on the way. A run that does not end in an answer has a "-" for its time,
// and the other two as they were then. No run is certified: the checker's time is not
// the method's. AGAR comes in its two forms (rules/agar.hpp): with the product of M2
// built, as in the paper, and with one abstraction per component.

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <sstream>

#include "engine/product/search.hpp"
#include "load/load.hpp"
#include "load/split.hpp"
#include "rules/agar.hpp"
#include "rules/rules.hpp"

using namespace surety;

namespace {

constexpr std::uint64_t kMemory = 1'000'000'000;
constexpr std::uint64_t kMostCounted = 5'000'000;  // states, for the sizes of the sides

struct Case {
  bool quick = false;
  int table = 1;
  std::string name, file, define, property, split;
};

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// NAME(1..3) to NAME(1),NAME(2),NAME(3).
std::string expanded(const std::string& text) {
  const auto dots = text.find("..");
  if (dots == std::string::npos) return text;
  const auto open = text.rfind('(', dots), close = text.find(')', dots);
  const auto start = text.find_last_of(",| ", open) + 1;
  const std::string name = text.substr(start, open - start);
  std::string all;
  for (int i = std::stoi(text.substr(open + 1)); i <= std::stoi(text.substr(dots + 2)); ++i)
    all += fmt::format("{}{}({})", all.empty() ? "" : ",", name, i);
  return expanded(text.substr(0, start) + all + text.substr(close + 1));
}

std::vector<Case> read_list(const std::string& file) {
  std::vector<Case> cases;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (trimmed(line).empty() || line[0] == '#') continue;
    Case c;
    c.quick = line[0] == '*';
    std::istringstream fields(line.substr(c.quick ? 1 : 0));
    std::string table;
    for (std::string* field : {&table, &c.name, &c.file, &c.define, &c.property, &c.split}) {
      std::getline(fields, *field, ';');
      *field = trimmed(*field);
    }
    c.table = std::stoi(table);
    c.split = expanded(c.split);
    cases.push_back(std::move(c));
  }
  return cases;
}

// --- A case, loaded.

struct Loaded {
  api::Model model;
  Network network;
  const Lts* property = nullptr;

  ComponentSet side(const std::vector<std::string>& names) const {
    ComponentSet out;
    for (const auto& name : names)
      for (const auto& component : network.components)
        if (component.name == name) out.push_back(&component.lts);
    return out;
  }
};

std::optional<Loaded> load(const Case& c) {
  api::Source source;
  source.files = words(c.file);
  if (api::is_model_file(c.property)) source.property_files = {c.property};
  if (const auto equals = c.define.find('='); equals != std::string::npos)
    source.defines.push_back({c.define.substr(0, equals), std::stoi(c.define.substr(equals + 1))});
  Budget budget;
  auto model = api::load(source, budget);
  if (!model) return std::nullopt;
  Loaded loaded{std::move(*model), {}, nullptr};
  loaded.network = api::safety_network(loaded.model);
  for (const auto& property : loaded.model.properties)
    if (property.name == c.property || !source.property_files.empty()) loaded.property = &property.lts;
  if (loaded.property == nullptr) return std::nullopt;
  return loaded;
}

// Of the product; of more than `most` only that they are more.
std::uint64_t count(const ComponentSet& side, const Lts* property, std::uint64_t most) {
  std::vector<Part> parts;
  for (const Lts* lts : side) parts.push_back({lts, Role::component, false});
  if (property != nullptr) parts.push_back({property, Role::watch, false});
  Limits limits;
  limits.states = most;
  Budget budget(limits);
  return search(parts, Goal::count, budget).states;
}

api::Outcome<Split> balanced(const Loaded& loaded) {
  const auto& all = loaded.network.components;
  Split best;
  std::uint64_t least = UINT64_MAX;
  for (std::uint32_t mask = 1; mask + 1 < 1U << all.size(); ++mask) {
    Split split(2);
    for (std::size_t i = 0; i < all.size(); ++i) split[mask >> i & 1].push_back(all[i].name);
    const auto one = count(loaded.side(split[0]), loaded.property, kMostCounted / 50);
    const auto two = count(loaded.side(split[1]), nullptr, kMostCounted / 50);
    const auto difference = one > two ? one - two : two - one;
    if (difference < least) least = difference, best = split;
  }
  return best;
}

// --- A run.

struct Run {
  bool answered = false;
  char verdict = '?';
  std::uint64_t size = 0;  // |A|
  double cpu = 0;
  std::uint64_t memory = 0;
};

using Prove = std::function<Verdict(const ProofGoal&, const Context&)>;

Run measure(const ProofGoal& goal, AlphabetMode mode, long seconds, const Prove& prove) {
  int pipe[2];
  Run run;
  if (::pipe(pipe) != 0) return run;
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    Limits limits;
    limits.time = std::chrono::seconds(seconds);
    limits.memory = kMemory;
    Budget budget(limits);
    Cost cost;
    const Verdict verdict = prove(goal, {.budget = budget, .cost = cost, .alphabet = mode});
    for (const auto& line : cost.iterations) run.size = std::max(run.size, line.size);
    run.answered = !std::holds_alternative<Unknown>(verdict);
    run.verdict = std::holds_alternative<Holds>(verdict) ? 'h' : std::holds_alternative<Violated>(verdict) ? 'v' : '?';
    ::_exit(::write(pipe[1], &run, sizeof run) == sizeof run ? 0 : 1);
  }
  ::close(pipe[1]);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  if (::read(pipe[0], &run, sizeof run) != sizeof run) run = {};
  ::close(pipe[0]);
  const auto seconds_of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  run.cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  run.memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return run;
}

std::string shown(const Run& run) {
  return fmt::format("{:>5} {:>6.1f} {:>6}", run.size, static_cast<double>(run.memory) / 1e6,
                     run.answered ? fmt::format("{:.2f}", run.cpu) : "-");
}

const std::vector<std::pair<const char*, Prove>> kWays = {
    {"AGAR, product",
     [](const ProofGoal& o, const Context& m) {
       return prove_agar_with(std::numeric_limits<std::uint64_t>::max(), o, m);
     }},
    {"AGAR, components", [](const ProofGoal& o, const Context& m) { return prove_agar_with(0, o, m); }},
    {"learning", [](const ProofGoal& o, const Context& m) { return find_rule(Method::asym)->prove(o, m); }}};

void print_head(int table) {
  const char* titles[] = {"", "Table 1: two components", "Table 2: balanced decompositions", "Table 3: M2 grows"};
  std::string names, columns;
  for (int mode = 0; mode < 2; ++mode) {
    names += " |", columns += " |";
    for (const auto& [name, prove] : kWays) {
      names += fmt::format(" {:^19}", name);
      columns += "   |A|     MB      s";
    }
  }
  fmt::print("\n{}\n\n{:<24} | {:^59} | {:^59} | {:^21}\n", titles[table], "", "no alphabet refinement",
             "with alphabet refinement", "sizes");
  fmt::print("{:<24}{} |\n", "", names);
  fmt::print("{:<24}{} | {:>10} {:>10}\n", "case", columns, "|M1||P|", "|M2|");
}

std::string at_most(std::uint64_t n) { return n > kMostCounted ? "> 5 M" : std::to_string(n); }

bool print_row(const Case& c, long seconds) {
  const std::string name = fmt::format("{} {}", c.name, c.define);
  const auto loaded = load(c);
  if (!loaded) return fmt::print("{:<24} cannot be loaded\n", name), false;
  auto split = c.split == "balanced" ? balanced(*loaded) : api::parse_split(c.split, loaded->network);
  if (!split) return fmt::print("{:<24} has another split\n", name), false;
  const ProofGoal goal{{loaded->side((*split)[0]), loaded->side((*split)[1])}, {loaded->property}};
  std::string row = fmt::format("{:<24}", name);
  char verdict = '?';
  bool agreed = true;
  for (const auto mode : {AlphabetMode::full, AlphabetMode::refine}) {
    row += " |";
    for (const auto& [way, prove] : kWays) {
      const Run run = measure(goal, mode, seconds, prove);
      row += " " + shown(run);
      if (run.answered && verdict != '?') agreed = agreed && run.verdict == verdict;
      if (run.answered) verdict = run.verdict;
    }
  }
  fmt::print("{} | {:>10} {:>10}{}\n", row, at_most(count(goal.sides[0], loaded->property, kMostCounted)),
             at_most(count(goal.sides[1], nullptr, kMostCounted)), agreed ? "" : "  VERDICTS DIFFER");
  return agreed;
}

// In a process of its own, so that no case pays for the memory of those before.
bool in_child(const std::function<bool()>& work) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    const bool fine = work();
    std::fflush(stdout);
    ::_exit(fine ? 0 : 1);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false, fine = true;
  long seconds = 60;
  std::string list = "bench/agar.txt";
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--quick")
      quick = true;
    else if (option == "--seconds" && i + 1 < argc)
      seconds = std::atol(argv[++i]);
    else if (option != "--large")  // of bench_compare
      list = option;
  }
  if (!std::ifstream(list)) {
    fmt::print(stderr, "usage: bench_agar [--quick] [--seconds N] [LIST]\nthere is no list '{}'\n", list);
    return 64;
  }
  int table = 0, missing = 0;
  for (const Case& c : read_list(list)) {
    if (quick && !c.quick) continue;
    const auto files = words(c.file);
    if (!std::all_of(files.begin(), files.end(), [](const auto& file) { return std::ifstream(file).good(); })) {
      ++missing;
      continue;
    }
    if (c.table != table) print_head(table = c.table);
    fine = in_child([&] { return print_row(c, seconds); }) && fine;
  }
  if (missing > 0) fmt::print("\n{} cases are left out: their files are not there\n", missing);
  return fine ? 0 : 1;
}
