// Our answers against those of the real LTSA 3.0, for every file of the corpus.
//
// The corpus lies outside the project (SURETY_CORPUS, or ../shared/corpus); without it
// everything here is skipped. One test a file; each compares what `expected.json` says
// of that file, field by field, in the order of doc/semantics.md#how-we-compare-with-ltsa. A new kind of comparison is
// a new function in compare_process, compare_composite or compare_behaviour. Deliberate differences stand
// in one table, with their reasons; a summary by category is printed at the end.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "corpus/replay.hpp"
#include "engine/product/graph.hpp"
#include "engine/product/liveness.hpp"
#include "engine/product/progress.hpp"
#include "engine/product/search.hpp"
#include "lang/fsp/fsp.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// ---- where we differ, and why

struct Deliberate {
  const char* file;      // as in expected.json
  const char* name;      // of the process or composite; of an assertion: COMPOSITE.ASSERTION
  const char* category;  // kind and field, as in the summary
  const char* reason;
};

// LTSA's fair check misses violations when the automaton has to guess again and again (doc/semantics.md#fair-choice).
constexpr const char* kIncomplete = "a violation under fair choice that LTSA's incomplete check misses";
constexpr const char* kNotRecorded = "none is recorded, but LTSA's own trace has our length";
constexpr const char* kCrash = "LTSA crashes on a formula of constants, so there is no answer of its";

const std::vector<Deliberate> kDeliberate = {
    {"B1_ltl_fair_guess.lts", "DEFAULT.FGN", "ltl verdict", kIncomplete},
    {"B1_ltl_fair_guess.lts", "DEFAULT.FGC", "ltl verdict", kIncomplete},
    {"B2_ltl_fair_nested.lts", "DEFAULT.L5", "ltl verdict", kIncomplete},
    {"59_ltl_rigid.lts", "DEFAULT.F", "ltl verdict", kCrash},
    {"59_ltl_rigid.lts", "DEFAULT.T", "ltl verdict", kCrash},
    {"chapter9_lts/GolfClubBounded.lts", "GOLFCLUB", "safety shortest_to_error", kNotRecorded},
    {"chapter9_lts/GolfClubBounded.lts", "ProgressCheck", "safety shortest_to_error", kNotRecorded},
    {"chapter7_lts/SingleLaneBridgeDeadlock.lts", "SingleLaneBridge", "progress verdict",
     "LTSA's progress check claims a safety violation, but by its own safety check and composition no error is "
     "reachable"},
};

// A composite with more states is not asked for progress and assertions: the whole test is to stay below a minute.
constexpr std::uint64_t kMostStates = 1'500'000;

const Deliberate* deliberate(const std::string& file, const std::string& name, const std::string& category) {
  for (const Deliberate& d : kDeliberate)
    if (file == d.file && name == d.name && category == d.category) return &d;
  return nullptr;
}

// ---- the corpus

fs::path corpus_folder() {
  if (const char* folder = std::getenv("SURETY_CORPUS")) return folder;
  return fs::path(SURETY_SOURCE_DIR) / "../shared/corpus";
}

struct Case {
  std::string folder, file;
  Json expected;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> out;
    for (const char* folder : {"fsp-book", "fsp-probes"}) {
      std::ifstream in(corpus_folder() / folder / "expected.json");
      if (!in) continue;
      const Json expected = Json::parse(in);
      for (const auto& [file, answers] : expected.items()) out.push_back({folder, file, answers});
    }
    return out;
  }();
  return all;
}

// ---- the summary

struct Tally {
  int same = 0, all = 0, deliberate = 0;
};

class Summary : public testing::Environment {
 public:
  static std::map<std::string, Tally>& tallies() {
    static std::map<std::string, Tally> all;
    return all;
  }
  static std::vector<std::string>& notes() {
    static std::vector<std::string> all;
    return all;
  }
  void TearDown() override {
    for (const std::string& note : notes()) std::cout << "corpus: " << note << "\n";
    for (const auto& [category, t] : tallies()) {
      std::cout << "corpus: " << category << ": " << t.same << " of " << t.all;
      if (t.deliberate > 0) std::cout << " (" << t.deliberate << " differ on purpose)";
      std::cout << "\n";
    }
  }
};
[[maybe_unused]] const auto* const kSummary = testing::AddGlobalTestEnvironment(new Summary);

// ---- one file

// A composite as the engine sees it: properties are complete components.
struct System {
  System(const FspComposite& composite, bool with_graph)
      : parts(parts_of(composite)),
        priority(composite.priority ? &*composite.priority : nullptr),
        graph(with_graph ? Graph::build(parts, priority, budget) : std::nullopt) {
    for (const Part& part : parts) machines.push_back(part.lts);
  }
  static std::vector<Part> parts_of(const FspComposite& composite) {
    std::vector<Part> parts;
    for (const FspMachine& m : composite.machines) parts.push_back({&m.lts, Role::component, true});
    return parts;
  }

  Budget budget;
  std::vector<Part> parts;
  std::vector<const Lts*> machines;
  const Priority* priority;
  std::optional<Graph> graph;            // unless it is too large
  std::optional<Trace> deadlock, error;  // shortest ways
};

Json length(const std::optional<Trace>& way) { return way ? Json(way->size()) : Json(nullptr); }

// Every answer that LTSA can give to a safety check, which ends with the first thing it meets
// (doc/semantics.md#how-we-compare-with-ltsa). The lengths are those of shortest ways.
std::set<std::string> safety_answers(const Json& to_deadlock, const Json& to_error) {
  if (to_deadlock.is_null() && to_error.is_null()) return {"none"};
  if (to_deadlock.is_null()) return {"property_violation"};
  if (to_error.is_null()) return {"deadlock"};
  const auto d = to_deadlock.get<std::uint64_t>(), e = to_error.get<std::uint64_t>();
  if (e <= d) return {"property_violation"};
  if (e > d + 1) return {"deadlock"};
  return {"deadlock", "property_violation"};
}

// The same for progress and liveness, which ends with the first violation or step into the error state.
std::set<std::string> liveness_answers(bool violated, bool error) {
  std::set<std::string> answers;
  if (violated) answers.insert("violation");
  if (error) answers.insert("safety_violation");
  if (answers.empty()) answers.insert("none");
  return answers;
}

class Corpus : public testing::TestWithParam<std::size_t> {
 protected:
  void compare_file();
  void compare_parse(const Result<FspFile>& file);
  void compare_process(const std::string& name, const Json& expected, const FspFile& file);
  void compare_composite(const std::string& name, const Json& expected, const FspFile& file);
  void compare_lts(const std::string& kind, const std::string& name, const Json& expected, const Lts& lts);
  void compare_definitions(const FspFile& file);
  void compare_behaviour(const FspComposite& composite, const Json& expected, const FspFile& file);
  void compare_safety(const FspComposite& composite, const Json& expected, System& system);
  void compare_trace(const std::string& name, const Json& safety, const System& system);
  void compare_progress(const std::string& name, const Json& expected, const FspFile& file, const System& system);
  void compare_assertion(const std::string& name, const Json& expected, const Assertion& assertion, Fairness fairness,
                         const System& system);

  // Compares one field and counts it.
  void same(const std::string& kind, const std::string& name, const std::string& field, const Json& expected,
            const Json& ours);
  // The same where LTSA may give any of several answers.
  void one_of(const std::string& kind, const std::string& name, const std::string& field, const Json& expected,
              const std::set<std::string>& ours);

  const Case* case_ = nullptr;
  ActionTable actions_;
};

void Corpus::same(const std::string& kind, const std::string& name, const std::string& field, const Json& expected,
                  const Json& ours) {
  const std::string category = kind + " " + field;
  Tally& tally = Summary::tallies()[category];
  ++tally.all;
  if (expected == ours) {
    ++tally.same;
    EXPECT_EQ(deliberate(case_->file, name, category), nullptr)
        << "no longer a difference: " << name << " " << category;
  } else if (deliberate(case_->file, name, category) != nullptr) {
    ++tally.deliberate;
  } else {
    ADD_FAILURE() << case_->file << ": " << name << ": " << category << ": LTSA " << expected << ", we " << ours;
  }
}

void Corpus::one_of(const std::string& kind, const std::string& name, const std::string& field, const Json& expected,
                    const std::set<std::string>& ours) {
  const bool agrees = expected.is_string() && ours.contains(expected.get<std::string>());
  same(kind, name, field, expected, agrees ? expected : Json(*ours.begin()));
}

void Corpus::compare_file() {
  const std::string path = (corpus_folder() / case_->folder / case_->file).string();
  const auto text = read_file(path);
  ASSERT_TRUE(text) << path;
  const auto file = read_fsp(*text, path, actions_);
  compare_parse(file);
  if (!file || case_->expected.contains("error")) return;
  for (const auto& [name, expected] : case_->expected["processes"].items()) compare_process(name, expected, *file);
  compare_definitions(*file);
  for (const auto& [name, expected] : case_->expected["composites"].items()) compare_composite(name, expected, *file);
}

// 1: the text is accepted, or refused on the same line.
void Corpus::compare_parse(const Result<FspFile>& file) {
  const Json& expected = case_->expected;
  const Json line = expected.contains("error") ? expected["error"]["line"] : Json(nullptr);
  const Json ours = file ? Json(nullptr) : Json(file.error().front().line);
  same("file", "", "parse", line, ours);
  if (!file && line.is_null())
    for (const auto& d : file.error()) std::cout << render(d);
}

// 2: processes.
void Corpus::compare_process(const std::string& name, const Json& expected, const FspFile& file) {
  const auto process = file.process(name);
  same("process", name, "error", expected.contains("error"), !process);
  if (!process && !expected.contains("error"))
    for (const auto& d : process.error()) std::cout << render(d);
  if (!process || expected.contains("error")) return;
  compare_lts("process", name, expected, process->lts);
}

// 3: composites. 6: their minimised forms. 4, 5, 7: what they do.
void Corpus::compare_composite(const std::string& name, const Json& expected, const FspFile& file) {
  Budget budget;
  const auto composite = file.composite(name, budget);
  // An implicit composite without answers: LTSA did not come to an end.
  const bool refused = expected.contains("error") || (expected.size() == 1 && expected.contains("implicit"));
  same("composite", name, "error", refused, !composite);
  if (!composite && !refused)
    for (const auto& d : composite.error()) std::cout << render(d);
  if (!composite || refused) return;

  if (expected.contains("machines")) {
    std::vector<std::string> machines;
    for (const auto& m : composite->machines) machines.push_back(m.name);
    auto theirs = expected["machines"].get<std::vector<std::string>>();
    if (composite->implicit) std::ranges::sort(machines), std::ranges::sort(theirs);  // theirs are in no order at all
    same("composite", name, "machines", theirs, machines);
  }
  if (!expected.contains("states")) return;
  const auto lts = compose_fsp(*composite, budget);
  ASSERT_TRUE(lts);
  compare_lts("composite", name, expected, *lts);
  compare_behaviour(*composite, expected, file);
}

void Corpus::compare_lts(const std::string& kind, const std::string& name, const Json& expected, const Lts& lts) {
  std::uint64_t into_error = 0;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) into_error += step.target == lts.error();
  same(kind, name, "states", expected["states"], lts.state_count() - (lts.error() ? 1 : 0));
  same(kind, name, "transitions", expected["transitions"], lts.transition_count());
  same(kind, name, "transitions_to_error", expected["transitions_to_error"], into_error);
  const Json& alphabet = expected["alphabet"];
  same(kind, name, "alphabet", alphabet,
       alphabet.is_number() ? Json(lts.alphabet().size()) : Json(sorted_names(actions_, lts.alphabet())));
  same(kind, name, "end", expected.value("end", false), lts.end().has_value());
  if (!expected.contains("minimised_states")) return;
  const Lts minimised = minimise_ltsa(lts);
  same(kind, name, "minimised_states", expected["minimised_states"],
       minimised.state_count() - (minimised.error() ? 1 : 0));
}

void Corpus::compare_definitions(const FspFile& file) {
  const auto progress = file.progress();
  ASSERT_TRUE(progress);
  std::set<std::string> names;
  for (const auto& p : *progress) names.insert(p.name);
  const auto theirs = case_->expected.value("progress_defs", std::set<std::string>());
  same("file", "", "progress_defs", theirs, names);
  same("file", "", "asserts", case_->expected.value("asserts", Json::array()), file.assertions());
}

void Corpus::compare_behaviour(const FspComposite& composite, const Json& expected, const FspFile& file) {
  const bool small = expected["states"] <= kMostStates;
  System system(composite, small);
  ASSERT_EQ(system.graph.has_value(), small);
  compare_safety(composite, expected, system);
  if (!system.graph) {
    Summary::notes().push_back(case_->file + ": " + composite.name + ": progress and assertions skipped, " +
                               expected["states"].dump() + " states");
    return;
  }
  if (expected.contains("progress")) compare_progress(composite.name, expected["progress"], file, system);
  if (!expected.contains("ltl")) return;
  for (const auto& [name, answer] : expected["ltl"].items()) {
    const auto assertion = file.assertion(name);
    ASSERT_TRUE(assertion) << name;
    compare_assertion(composite.name, answer, *assertion, Fairness::choice, system);
    if (answer.contains("without_fair_choice"))
      compare_assertion(composite.name, answer, *assertion, Fairness::none, system);
  }
}

// By search; under a priority, of the composition.
std::optional<Trace> shortest_way(const System& system, const std::vector<const Lts*>& machines, Goal goal) {
  Budget budget;
  std::optional<Lts> whole;
  if (system.priority != nullptr) whole = compose(machines, budget, system.priority);
  std::vector<Part> parts;
  if (whole)
    parts.push_back({&*whole});
  else
    for (const Lts* machine : machines) parts.push_back({machine});
  const SearchResult found = search(parts, goal, budget);
  EXPECT_NE(found.outcome, SearchResult::Outcome::stopped);
  return found.outcome == SearchResult::Outcome::found ? std::optional(found.trace) : std::nullopt;
}

// To the error of this machine, whatever errors the others make on the way: none of them is nearer if this is one of
// the nearest.
std::optional<Trace> way_to_error_of(std::size_t machine, const System& system) {
  std::vector<Lts> others;
  for (const Lts* lts : system.machines) others.push_back(without_error(*lts));
  std::vector<const Lts*> machines;
  for (const Lts& lts : others) machines.push_back(&lts);
  machines[machine] = system.machines[machine];
  return shortest_way(system, machines, Goal::violation);
}

// 4: safety. Errors by search and by graph.
void Corpus::compare_safety(const FspComposite& composite, const Json& expected, System& system) {
  const std::string& name = composite.name;
  ASSERT_TRUE(system.graph || system.priority == nullptr) << "too large for the graph, which a priority needs";
  system.deadlock = shortest_way(system, system.machines, Goal::deadlock);
  system.error = shortest_way(system, system.machines, Goal::violation);
  EXPECT_TRUE(!system.graph || length(system.error) == length(system.graph->way_to_error()))
      << name << ": search and graph disagree";
  if (expected.contains("shortest_to_deadlock"))
    same("safety", name, "shortest_to_deadlock", expected["shortest_to_deadlock"], length(system.deadlock));
  if (expected.contains("shortest_to_error"))
    same("safety", name, "shortest_to_error", expected["shortest_to_error"], length(system.error));
  Replay to_deadlock(system.machines, system.priority), to_error(system.machines, system.priority);
  EXPECT_TRUE(!system.deadlock || (to_deadlock.run(*system.deadlock) && to_deadlock.in_deadlock())) << name;
  EXPECT_TRUE(!system.error || (to_error.run(*system.error) && to_error.in_error())) << name;

  if (!expected.contains("safety")) return;
  const Json& safety = expected["safety"];
  one_of("safety", name, "verdict", safety["verdict"], safety_answers(length(system.deadlock), length(system.error)));
  if (safety.contains("trace")) compare_trace(name, safety, system);
  if (!safety.contains("property") || !system.graph) return;
  // The one LTSA names fails on some shortest way.
  Json nearest = "none of the machines";
  for (std::size_t m = 0; m < composite.machines.size(); ++m)
    if (composite.machines[m].name == safety["property"]) nearest = length(way_to_error_of(m, system));
  same("safety", name, "property", safety["trace"].size(), nearest);
}

// LTSA's trace is one of ours, and as long as a shortest one.
void Corpus::compare_trace(const std::string& name, const Json& safety, const System& system) {
  const bool deadlock = safety["verdict"] == "deadlock";
  Trace trace;
  for (const auto& action : safety["trace"]) {
    const auto text = action.get<std::string>();
    trace.push_back(text == "tau" ? kTau : actions_.intern(text));
  }
  same("safety", name, "trace", trace.size(), length(deadlock ? system.deadlock : system.error));
  Replay replay(system.machines, system.priority);
  EXPECT_TRUE(replay.run(trace)) << name;
  EXPECT_TRUE(deadlock ? replay.in_deadlock() : replay.in_error()) << name << ": " << safety;
}

// 5: progress.
void Corpus::compare_progress(const std::string& name, const Json& expected, const FspFile& file,
                              const System& system) {
  const auto sets = file.progress();
  ASSERT_TRUE(sets);
  Budget budget;
  const auto result = check_progress(*system.graph, *sets, Fairness::choice, budget);
  ASSERT_TRUE(result);
  EXPECT_EQ(length(result->error), length(system.error)) << name;
  std::set<std::string> violated;
  for (const ProgressAnswer& answer : result->answers) {
    if (!answer.violated) continue;
    violated.insert(answer.name);
    Replay replay(system.machines, system.priority);
    EXPECT_TRUE(replay.run(answer.trace)) << name << ": " << answer.name;
    EXPECT_TRUE(!answer.cycle.empty() || replay.in_dead_end()) << name << ": " << answer.name;
    for (int round = 0; round < 2; ++round) EXPECT_TRUE(replay.run(answer.cycle)) << name << ": " << answer.name;
    for (const Action a : answer.cycle) EXPECT_FALSE(answer.missing.contains(a)) << name << ": " << answer.name;
  }
  one_of("progress", name, "verdict", expected["verdict"],
         liveness_answers(!violated.empty(), result->error.has_value()));
  if (expected.contains("violated"))
    same("progress", name, "violated", expected["violated"].get<std::set<std::string>>(), violated);
}

// 7: assertions.
void Corpus::compare_assertion(const std::string& name, const Json& expected, const Assertion& assertion,
                               Fairness fairness, const System& system) {
  Budget budget;
  const LivenessResult result = check_assertion(system.parts, assertion, fairness, system.priority, budget);
  ASSERT_NE(result.outcome, LivenessResult::Outcome::stopped);
  const bool violated = result.outcome == LivenessResult::Outcome::violated;
  const std::string full = name + "." + assertion.name;

  // Actions that only the assertion knows are free.
  const Alphabet free = subtract(alphabet_of(assertion), system.graph->alphabet());
  if (violated) {
    LtsBuilder builder;
    for (const Action a : free) builder.add_step(State{0}, a, State{0});
    const Lts anything = builder.build();
    auto machines = system.machines;
    machines.push_back(&anything);
    Replay replay(machines, system.priority);
    EXPECT_TRUE(replay.run(result.trace)) << full;
    for (int round = 0; round < 2; ++round) EXPECT_TRUE(replay.run(result.cycle)) << full;
    EXPECT_TRUE(result.kind != LivenessResult::Kind::end || replay.in_dead_end()) << full;
    EXPECT_TRUE(result.kind == LivenessResult::Kind::beginning || !holds_on(assertion, result.trace, result.cycle))
        << full;
  }

  if (expected["kind"] != "safety") {
    const bool fair = fairness == Fairness::choice;
    one_of("ltl", full, fair ? "verdict" : "without_fair_choice", expected[fair ? "verdict" : "without_fair_choice"],
           liveness_answers(violated, system.error.has_value()));
    return;
  }
  // A property beside the others: the whole safety check is made. With a free action nothing is a deadlock.
  EXPECT_TRUE(!violated || result.kind == LivenessResult::Kind::beginning) << full;
  Json to_error = length(system.error);
  if (violated && (to_error.is_null() || result.trace.size() < to_error)) to_error = result.trace.size();
  one_of("ltl", full, "verdict", expected["verdict"],
         safety_answers(free.empty() ? length(system.deadlock) : Json(nullptr), to_error));
}

TEST_P(Corpus, AgreesWithLtsa) {
  if (cases().empty()) GTEST_SKIP() << "no corpus in " << corpus_folder();
  case_ = &cases()[GetParam()];
  compare_file();
}

std::string test_name(const testing::TestParamInfo<std::size_t>& info) {
  if (cases().empty()) return "absent";
  std::string name = cases()[info.param].file;
  name = name.substr(0, name.rfind('.'));
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, Corpus, testing::Range<std::size_t>(0, std::max<std::size_t>(1, cases().size())),
                         test_name);

}  // namespace
}  // namespace surety
