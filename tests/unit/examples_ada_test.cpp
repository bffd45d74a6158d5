// The Ada programs in examples/: every file says what it says, and the compiler has nothing to say.
//
// Verdicts are those of the table at the default size, by every method; traces are replayed by definition, on
// tuples of states, and certificates are read again. Where the same system is there in FSP, it has the same verdicts.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "api/verify.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/process.hpp"
#include "certificate/certify_file.hpp"
#include "certificate/write.hpp"
#include "corpus/replay.hpp"
#include "lang/ada/network/network.hpp"
#include "load/ada.hpp"
#include "paths.hpp"
#include "product/compose.hpp"
#include "rules/rules.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(SURETY_SOURCE_DIR) / "examples";

struct Program {
  std::string name;        // in examples/, without .adb
  std::size_t properties;  // of its file
  std::string violated;    // "CHANGE 19, deadlock 18": with the length of a shortest trace
  std::string fsp;         // the same system in FSP, with the same verdicts, or nothing

  friend std::ostream& operator<<(std::ostream& out, const Program& p) { return out << p.name; }
};

const std::vector<Program> kPrograms = {
    {"bounded_buffer/bounded_buffer", 2, "", ""},
    {"bounded_buffer/bounded_buffer_broken", 2, "IN_ORDER 4, BOUNDED 3", ""},
    {"chiron/chiron", 9, "deadlock 18", ""},
    {"chiron/chiron_broken", 9, "TOLD_BEFORE_NEXT 19, deadlock 18", ""},
    {"chiron_multiple/chiron_multiple", 9, "deadlock 25", ""},
    {"chiron_multiple/chiron_multiple_broken", 9, "TOLD_BEFORE_NEXT 25, NO_OTHER_EVENT 26, deadlock 26", ""},
    {"elevator/elevator", 1, "", "elevator/elevator"},
    {"elevator/elevator_broken", 1, "CLOSED_WHEN_MOVING 10, deadlock 9", "elevator/elevator_broken"},
    {"elevator/elevator_cars", 1, "", "elevator/elevator"},
    {"gas_station/gas_station", 4, "", "gas_station/gas_station"},
    {"gas_station/gas_station_broken", 4, "CHANGE 19", "gas_station/gas_station_broken"},
    {"peterson/peterson", 1, "", "peterson/peterson_cells"},
    {"peterson/peterson_broken", 1, "MUTEX 13", "peterson/peterson_broken"},
    {"philosophers/philosophers", 1, "", "philosophers/philosophers"},
    {"philosophers/philosophers_broken", 1, "deadlock 2", "philosophers/philosophers_broken"},
    {"readers_writers/readers_writers", 2, "", ""},
    {"readers_writers/readers_writers_broken", 2, "NO_READER 4, ONE_WRITER 2", ""},
    {"relay/relay", 1, "", "relay/relay"},
    {"relay/relay_broken", 1, "ALWAYS_1_BETWEEN_0 8", "relay/relay_broken"},
    {"smokers/smokers", 8, "", "smokers/smokers"},
    {"smokers/smokers_broken", 8, "deadlock 5", "smokers/smokers_broken"},
};

api::Request request_for(const std::string& file, std::vector<FspDefine> defines = {}) {
  api::Request request;
  request.source.files = {(kRoot / file).string()};
  request.source.defines = std::move(defines);
  return request;
}

std::string shown(const api::Check& check) {
  return check.property.empty() ? std::string(name_of(check.kind)) : check.property;
}

// "violated 19": of safety, error and deadlock.
std::map<std::string, std::string> verdicts(const api::Request& request) {
  std::map<std::string, std::string> out;
  const auto report = api::verify(request).value();
  for (const auto& check : report.checks) {
    std::string& verdict = out[shown(check)] = std::string(name_of(check.verdict));
    const auto* violated = std::get_if<Violated>(&check.verdict);
    if (violated) verdict += " " + std::to_string(violated->trace.size());
  }
  return out;
}

std::map<std::string, std::string> without_lengths(std::map<std::string, std::string> verdicts) {
  for (auto& [property, verdict] : verdicts) verdict = verdict.substr(0, verdict.find(' '));
  return verdicts;
}

// "MUTEX 6, deadlock 4" as the verdicts that it means.
std::map<std::string, std::string> expected(const Program& program) {
  std::map<std::string, std::string> out;
  const std::regex item("(\\w+) ([0-9]+)");
  for (std::sregex_iterator i(program.violated.begin(), program.violated.end(), item), end; i != end; ++i)
    out[(*i)[1]] = "violated " + (*i)[2].str();
  return out;
}

std::vector<const Lts*> parts(const api::Model& model) {
  std::vector<const Lts*> out;
  for (const auto& component : model.network.components) out.push_back(&component.lts);
  return out;
}

api::Model load(const std::string& name, std::vector<FspDefine> defines = {}) {
  Budget budget;
  return api::load(request_for(name + ".adb", std::move(defines)).source, budget).value();
}

int default_size(const api::Model& model) {
  for (const AdaDefine& constant : model.ada->constants)
    if (constant.name == "K" || constant.name == "k") return static_cast<int>(constant.value);
  return 0;
}

class AdaExamples : public testing::TestWithParam<Program> {};

TEST_P(AdaExamples, ChecksComeOutAsTheTableSays) {
  auto wanted = expected(GetParam());
  auto request = request_for(GetParam().name + ".adb");
  request.method = "monolithic";
  const auto seen = verdicts(request);
  EXPECT_EQ(seen.size(), GetParam().properties + 2);  // no ERROR and no deadlock
  for (const auto& [property, verdict] : seen)
    EXPECT_EQ(verdict, wanted.contains(property) ? wanted[property] : "holds") << property;
  for (const auto& [property, verdict] : wanted) EXPECT_TRUE(seen.contains(property)) << property;
}

// Where the fault needs a certain size, that is the default one.
TEST_P(AdaExamples, LargerOnesAreAsRightOrWrong) {
  const int size = default_size(load(GetParam().name));
  if (size == 0) return;  // the elevator of the paper
  auto wanted = without_lengths(expected(GetParam()));
  auto request = request_for(GetParam().name + ".adb", {{"K", size + 1}});
  request.certify = false;
  for (const auto& [property, verdict] : without_lengths(verdicts(request)))
    EXPECT_EQ(verdict, wanted.contains(property) ? "violated" : "holds") << property << " at " << size + 1;
}

TEST_P(AdaExamples, SayTheSameAsTheFspForm) {
  if (GetParam().fsp.empty()) return;
  auto wanted = without_lengths(expected(GetParam()));
  for (const auto& [property, verdict] : without_lengths(verdicts(request_for(GetParam().fsp + ".lts")))) {
    const std::string name = property.substr(0, property.find('('));  // CLOSED_WHEN_MOVING(1)
    if (name.find('.') != std::string::npos) continue;                // progress, which Ada programs have none of
    EXPECT_EQ(verdict, wanted.contains(name) ? "violated" : "holds") << property;
  }
}

// A label that fits nothing is warned of: of artist 2 and event 2 that is what the property says.
TEST_P(AdaExamples, AreReadWithoutWarnings) {
  const auto model = load(GetParam().name);
  for (const Diagnostic& d : model.warnings)
    EXPECT_NE(d.message.find("notify_client_event.e2' in N"), std::string::npos) << d.message;
}

// "Tasks: K + 3, the main one included", or a number.
TEST_P(AdaExamples, HeaderCountsTheTasks) {
  const auto text = read_file((kRoot / (GetParam().name + ".adb")).string()).value();
  std::smatch m;
  ASSERT_TRUE(std::regex_search(text, m, std::regex("Tasks: ([0-9]*)(K?)(?: \\+ ([0-9]+))?[.,:]")));
  const int factor = m[1].length() > 0 ? std::stoi(m[1]) : 1, offset = m[3].matched ? std::stoi(m[3]) : 0;
  const int size = default_size(load(GetParam().name));
  for (int k = size; k <= size + (size > 0 ? 2 : 0); ++k) {
    const auto model = size > 0 ? load(GetParam().name, {{"K", k}}) : load(GetParam().name);
    EXPECT_EQ(model.ada_network->tasks.size(), static_cast<std::size_t>(factor * (m[2].length() > 0 ? k : 1) + offset))
        << k;
  }
}

// Does a property allow the steps of a trace that it knows?
bool allows(const Lts& property, const Trace& trace) {
  State now = property.initial();
  for (const Action a : trace) {
    if (!property.alphabet().contains(a)) continue;
    const auto steps = property.steps(now, a);
    if (steps.empty() || steps.begin()->target == property.error()) return false;
    now = steps.begin()->target;
  }
  return true;
}

TEST_P(AdaExamples, CounterexamplesAreThoseOfTheNetwork) {
  for (const char* method : {"auto", "monolithic", "symbolic"}) {
    auto request = request_for(GetParam().name + ".adb");
    request.method = method;
    const auto report = api::verify(request).value();
    for (const auto& check : report.checks) {
      const auto* violated = std::get_if<Violated>(&check.verdict);
      if (violated == nullptr) continue;
      Replay replay(parts(report.model), nullptr);
      ASSERT_TRUE(replay.run(violated->trace)) << shown(check) << " by " << method;
      EXPECT_TRUE(check.kind != CheckKind::deadlock || replay.in_deadlock());
      for (const Property& property : report.model.properties)
        EXPECT_FALSE(property.name == check.property && allows(property.lts, violated->trace)) << check.property;
    }
  }
}

TEST_P(AdaExamples, CertificatesAreAccepted) {
  std::string folder = (fs::temp_directory_path() / "surety-test-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const auto report = api::verify(request_for(GetParam().name + ".adb")).value();
  api::CertifyRequest again;
  again.file = (fs::path(folder) / "proof.json").string();
  const auto json = api::certificate_json(report.model, report.checks, again.file);
  ASSERT_TRUE(write_file(again.file, dump(json)));
  const auto certification = api::certify_file(again);
  fs::remove_all(folder);
  ASSERT_TRUE(certification);
  EXPECT_TRUE(certification->accepted()) << certification->refused;
  EXPECT_EQ(certification->not_covered.size(), expected(GetParam()).size());
}

// Every step of a trace is a statement of some task, the uses of its variables too.
void expect_statements(const api::Model& model, const Trace& trace) {
  const auto steps = api::ada_steps(model, trace);
  ASSERT_EQ(steps.size(), trace.size());
  const Alphabet own = model.ada_network->own_accesses();
  for (std::size_t i = 0; i < trace.size(); ++i)
    if (own.contains(trace[i])) {
      ASSERT_EQ(steps[i].size(), 1U) << model.actions->name(trace[i]);
      EXPECT_GT(steps[i][0].line, 0U) << model.actions->name(trace[i]);
    }
}

TEST_P(AdaExamples, ComeOutTheSameWithTheVariablesOfTasksApart) {
  std::string folder = (fs::temp_directory_path() / "surety-test-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const auto wanted = expected(GetParam());
  for (const char* method : {"auto", "monolithic"}) {
    auto request = request_for(GetParam().name + ".adb");
    request.method = method;
    request.source.cells = FspCells{.whole_states = 0};
    const auto report = api::verify(request).value();
    EXPECT_EQ(report.checks.size(), GetParam().properties + 2);
    for (const auto& check : report.checks) {
      EXPECT_EQ(name_of(check.verdict), wanted.contains(shown(check)) ? "violated" : "holds") << shown(check);
      if (const auto* violated = std::get_if<Violated>(&check.verdict))
        expect_statements(report.model, violated->trace);
    }
    api::CertifyRequest again;
    again.file = (fs::path(folder) / "proof.json").string();
    ASSERT_TRUE(write_file(again.file, dump(api::certificate_json(report.model, report.checks, again.file))));
    const auto certification = api::certify_file(again);
    ASSERT_TRUE(certification);
    EXPECT_TRUE(certification->accepted()) << certification->refused;
  }
  fs::remove_all(folder);
}

// With its variables a task of Chiron with six artists has more than a million states.
TEST(AdaExamplesApart, TasksComeApartWhereTheyWouldBeRefused) {
  const auto small = load("chiron_multiple/chiron_multiple"),
             large = load("chiron_multiple/chiron_multiple", {{"K", 7}});
  EXPECT_TRUE(small.ada_network->own_accesses().empty());
  EXPECT_FALSE(large.ada_network->own_accesses().empty());
  ASSERT_EQ(large.cell_notes.size(), 1U);
  EXPECT_TRUE(large.cell_notes[0].starts_with("Dispatch(e1) and ")) << large.cell_notes[0];
}

// The budget is small and counted in states and queries, so that the outcome does not depend on the machine. The
// searches of the whole answer every question with it, the others most.
TEST_P(AdaExamples, EveryMethodAgrees) {
  const std::set<std::string> whole{"auto", "monolithic", "symbolic"};
  const auto wanted = expected(GetParam());
  const auto model = load(GetParam().name);
  std::size_t answered = 0, asked = 0;
  for (const std::string& method : api::method_names())
    for (const auto& property : model.properties) {
      auto request = request_for(GetParam().name + ".adb");
      request.method = method;
      request.properties = {property.name};
      if (const auto known = method_from_name(method))
        if (const Rule* rule = find_rule(*known); rule != nullptr && rule->property_per_side)
          request.properties.push_back(property.name);  // the default split has two sides
      request.limits.states = 20'000;
      request.limits.queries = 500;
      const auto report = api::verify(request);
      ASSERT_TRUE(report) << method;
      const std::string seen(name_of(verdict_kind(*report)));
      ++asked;
      if (seen == "unknown" && !whole.contains(method)) continue;
      EXPECT_EQ(seen, wanted.contains(property.name) ? "violated" : "holds") << property.name << " by " << method;
      ++answered;
    }
  EXPECT_GE(3 * answered, asked);
}

TEST_P(AdaExamples, CompileWithoutAWord) {
  if (!find_program("gnatmake")) GTEST_SKIP() << "there is no GNAT here";
  std::string folder = (fs::temp_directory_path() / "surety-test-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  Budget budget;
  const Ran compiled = run(
      {{*find_program("gcc"), "-c", "-gnatc", "-gnatwa", (kRoot / GetParam().name).string() + ".adb"}, folder}, budget);
  fs::remove_all(folder);
  EXPECT_TRUE(compiled.fine());
  EXPECT_EQ(compiled.output, "");
}

INSTANTIATE_TEST_SUITE_P(All, AdaExamples, testing::ValuesIn(kPrograms),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

TEST(AdaExamplesAsASet, AreAllInTheTable) {
  std::set<std::string> listed, found;
  for (const auto& program : kPrograms) listed.insert(program.name);
  for (const auto& entry : fs::recursive_directory_iterator(kRoot))
    if (entry.path().extension() == ".adb")
      found.insert(fs::relative(entry.path(), kRoot).replace_extension().generic_string());
  EXPECT_EQ(found, listed);
}

// "| `relay.adb` | 4 | 35 / 42 | ...": examples/README.md, the product of the components.
TEST(AdaExamplesReadme, GivesTheSizes) {
  const auto text = read_file((kRoot / "README.md").string()).value();
  const std::regex row("\\n\\| `(\\w+)\\.adb` \\| ([0-9]+) \\| [0-9]+ \\| ([^|]*) \\| ([^|]*) \\| ([^|]*) ?\\|");
  int checked = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), row), end; i != end; ++i)
    for (int k = 2; k <= 4; ++k) {
      const std::string name = (*i)[1];
      const std::string cell = std::regex_replace((*i)[static_cast<std::size_t>(k) + 1].str(), std::regex("[, ]"), "");
      if (cell.find('/') == std::string::npos || cell.size() > 13) continue;  // none, or more than takes a moment
      const std::string folder = name == "elevator_cars" ? "elevator" : name;
      const auto model = load(folder + "/" + name, {{"K", k}});
      EXPECT_TRUE(k > 2 || std::to_string(model.network.components.size()) == (*i)[2].str()) << name;
      Budget budget;
      const auto composed = compose(parts(model), budget);
      EXPECT_EQ(cell, fmt::format("{}/{}", composed->state_count(), composed->transition_count())) << name << " " << k;
      ++checked;
    }
  EXPECT_GE(checked, 25);
}

}  // namespace
}  // namespace surety
