// What learning an assumption costs: membership queries per second, and all learners side by side.
//
//   bench_learn [LIST]
//
// LIST has one problem per line, see bench/learn.txt; each is proved by rule ASYM with every
// learner, over the whole interface and with a growing alphabet, and once more from the
// answer as a seed. Times are CPU times.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "api/verify.hpp"
#include "base/check.hpp"
#include "base/random.hpp"
#include "engine/product/subset.hpp"
#include "learn/caching_teacher.hpp"
#include "load/load.hpp"
#include "load/split.hpp"
#include "rules/asym.hpp"
#include "systems.hpp"

using namespace surety;
using namespace surety::bench;

namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Problem {
  std::string name;
  std::vector<Lts> m1, m2;
  Lts property;
};

ComponentSet pointers(const std::vector<Lts>& group) {
  ComponentSet side;
  for (const Lts& lts : group) side.push_back(&lts);
  return side;
}

// --- Membership queries: every word is a known one and a letter more, as learners ask them.

void query_speed(const char* name, const std::vector<Part>& parts, const Alphabet& letters) {
  struct WalkTeacher : Teacher {
    WalkTeacher(const std::vector<Part>& p, const Alphabet& a, Budget& budget) : alphabet_(a), walk(p, a, budget) {}
    const Alphabet& alphabet() const override { return alphabet_; }
    bool member(Word word) override { return walk.walk(word) != SubsetWalk::kRejected; }
    Answer conjecture(const Lts&) override { return Accepted{}; }
    Alphabet alphabet_;
    SubsetWalk walk;
  };
  constexpr std::size_t kQueries = 100'000, kLongest = 24;
  constexpr int kPasses = 10;
  Budget budget;
  std::vector<Trace> words;
  {
    WalkTeacher teacher(parts, letters, budget);
    Random random(1);
    std::vector<std::size_t> accepted;
    std::set<Trace> seen;
    while (words.size() < kQueries) {
      Trace word;
      if (!accepted.empty()) word = words[accepted[random.below(static_cast<std::uint32_t>(accepted.size()))]];
      if (word.size() >= kLongest) continue;
      word.push_back(letters[random.below(static_cast<std::uint32_t>(letters.size()))]);
      if (!seen.insert(word).second) continue;
      if (teacher.member(word)) accepted.push_back(words.size());
      words.push_back(std::move(word));
    }
  }
  std::size_t letters_asked = 0;
  for (const Trace& word : words) letters_asked += word.size();
  WalkTeacher teacher(parts, letters, budget);
  double first = 0, others = 0;
  for (int pass = 0; pass <= kPasses; ++pass) {  // a fresh cache each time: the walk keeps what it knows
    CachingTeacher cache(teacher, budget);
    const double start = cpu_seconds();
    for (const Trace& word : words) cache.member(word);
    (pass == 0 ? first : others) += cpu_seconds() - start;
    check(cache.queries() + 1 >= kQueries, "a query was answered by the cache");
  }
  fmt::print("{:<34} {:>8} {:>8} {:>8.1f} {:>12.2f} {:>12.2f}\n", name, teacher.walk.states(), letters.size(),
             static_cast<double>(letters_asked) / kQueries, kQueries / first / 1e6, kQueries * kPasses / others / 1e6);
}

void query_speeds() {
  fmt::print("{:<34} {:>8} {:>8} {:>8} {:>12} {:>12}\n", "membership queries, M/s", "states", "letters", "length",
             "first 10^5", "sets known");
  ActionTable actions;
  Random random(1);
  {
    LtsBuilder builder;  // one component, every action visible
    builder.set_state_count(10'000);
    std::vector<Action> letters;
    for (unsigned i = 0; i < 8; ++i) letters.push_back(actions.intern(fmt::format("visible.{}", i)));
    for (std::uint32_t s = 0; s < 10'000; ++s)
      for (const Action a : letters)
        if (random.chance(70)) builder.add_step(State{s}, a, State{random.below(10'000)});
    const Lts component = builder.build();
    query_speed("one component", {{&component}}, Alphabet(letters));
  }
  {
    const System system = client_server(actions, 10);  // most actions inside: large sets of states
    std::vector<Action> letters;
    for (unsigned i = 0; i < 4; ++i)
      for (const char* name : {"grant", "release"}) letters.push_back(actions.intern(fmt::format("{}.{}", name, i)));
    query_speed("client-server 10", parts_of(system), Alphabet(letters));
  }
}

// --- Learners side by side.

void learn_all(const Problem& problem, AlphabetMode mode) {
  for (const auto kind : kLearnerKinds) {
    std::vector<double> times;
    std::string rest;
    for (int run = 0; run < 3; ++run) {
      const double start = cpu_seconds();
      Limits limits;
      limits.time = std::chrono::seconds(60);
      Budget budget(limits);
      Cost cost;
      const Verdict verdict = prove_asym({{pointers(problem.m1), pointers(problem.m2)}, {&problem.property}},
                                         {.budget = budget, .cost = cost, .learner = kind, .alphabet = mode});
      times.push_back(cpu_seconds() - start);
      const auto* holds = std::get_if<Holds>(&verdict);
      Cost again;  // with the answer as a seed
      if (holds != nullptr && run == 2)
        prove_asym({{pointers(problem.m1), pointers(problem.m2)}, {&problem.property}},
                   {.budget = budget,
                    .cost = again,
                    .learner = kind,
                    .alphabet = mode,
                    .seeds = &holds->certificate.assumptions});
      rest = fmt::format("{:>8} {:>8} {:>7} {:>11} {:>9} {:>7} {:>7}", std::string(name_of(verdict)),
                         cost.iterations.empty() ? 0 : cost.iterations.back().size,
                         holds ? holds->certificate.assumptions[0].alphabet().size() : 0, cost.conjectures,
                         cost.queries, again.conjectures, again.queries);
    }
    std::sort(times.begin(), times.end());
    const bool first = kind == kLearnerKinds[0];
    fmt::print("{:<34.34} {:<14} {} {:>9.2f}\n",
               first ? problem.name + (mode == AlphabetMode::full ? "" : ", refined") : "", learner_name(kind), rest,
               times[1] * 1e3);
  }
}

void learn_all(const Problem& problem) {
  for (const auto mode : {AlphabetMode::full, AlphabetMode::refine}) learn_all(problem, mode);
}

// The components whose names `chosen` likes against the others.
Problem split(System system, const std::function<bool(const std::string&)>& chosen) {
  Problem problem{system.name, {}, {}, system.property->lts};
  for (auto& component : system.components)
    (chosen(component.name) ? problem.m1 : problem.m2).push_back(std::move(component.lts));
  return problem;
}

void generated() {
  ActionTable actions;
  for (const unsigned n : {4U, 8U, 11U})
    learn_all(split(client_server(actions, n), [](const std::string& name) { return name != "server"; }));
  for (const unsigned n : {4U, 6U, 8U}) {
    System ring = token_ring(actions, n);
    const auto half = ring.components[n / 2].name;
    bool first = true;
    learn_all(split(std::move(ring), [&](const std::string& name) { return first = first && name != half; }));
  }
}

// "files and K=V ; property ; split"
Problem read_problem(const std::string& line) {
  std::stringstream fields(line);
  std::string sources, property, sides;
  std::getline(fields, sources, ';');
  std::getline(fields >> std::ws, property, ';');
  std::getline(fields >> std::ws, sides, ';');
  while (!property.empty() && property.back() == ' ') property.pop_back();

  api::Source source;
  std::stringstream words(sources);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals == std::string::npos)
      source.files.push_back(word);
    else
      source.defines.push_back({word.substr(0, equals), std::stoi(word.substr(equals + 1))});
  }
  if (api::is_model_file(property)) source.property_files.push_back(property);
  Budget budget;
  auto model = api::load(source, budget);
  check(model.has_value(), "a file in the list cannot be read");
  if (source.property_files.empty())
    check(api::add_outside_properties(*model, {property}).has_value(), "no such property");
  const auto found = std::find_if(model->properties.begin(), model->properties.end(), [&](const Property& p) {
    return p.name == property || !source.property_files.empty();
  });
  check(found != model->properties.end(), "a property in the list is not in its file");
  Network network = api::safety_network(*model);
  const auto split = api::parse_split(sides, network);
  check(split.has_value(), "a split in the list does not name every component once");
  Problem problem{{}, {}, {}, found->lts};
  for (const auto& file : source.files)
    problem.name += (problem.name.empty() ? "" : " ") + std::filesystem::path(file).filename().string();
  for (const auto& define : source.defines) problem.name += fmt::format(" {}={}", define.name, define.value);
  for (auto& component : network.components) {
    const auto& first = split->at(0);
    const bool left = std::find(first.begin(), first.end(), component.name) != first.end();
    (left ? problem.m1 : problem.m2).push_back(std::move(component.lts));
  }
  return problem;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  query_speeds();
  fmt::print("\n{:<34} {:<14} {:>8} {:>8} {:>7} {:>11} {:>9} {:>7} {:>7} {:>9}\n", "problem", "learner", "verdict",
             "|A|", "letters", "conjectures", "queries", "seeded:", "queries", "ms");
  generated();
  const std::string file = argc > 1 ? argv[1] : "bench/learn.txt";
  std::ifstream list(file);
  if (!list) {
    fmt::print("{}: cannot be read\n", file);
    return 1;
  }
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line[0] == '#') continue;
    try {
      learn_all(read_problem(line));
    } catch (const InternalError& error) {
      fmt::print("{}\n  {}\n", line, error.what());
      return 1;
    }
  }
}
