// The case studies in examples/: every file says what it says.
//
// The numbers of the table are those of two ways to count: our composition and the
// brute force of tests/reference; the traces are compared with brute force too.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "api/verify.hpp"
#include "base/file.hpp"
#include "load/apart.hpp"
#include "model/automata.hpp"
#include "paths.hpp"
#include "product/compose.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

struct Example {
  std::string name;               // in examples/, without .lts
  std::size_t tasks, properties;  // at the default size
  std::uint32_t states;           // of the tasks without the properties
  std::uint64_t steps;
  std::string violated;  // "MUTEX 6, deadlock 4, SERVED.1": safety and deadlock with the length of a shortest trace

  friend std::ostream& operator<<(std::ostream& out, const Example& e) { return out << e.name; }
};

const std::vector<Example> kExamples = {
    {"channel/channel", 2, 1, 4, 4, ""},
    {"channel/channel_broken", 2, 1, 4, 5, "ORDER 4"},
    {"chiron/chiron", 6, 8, 212, 448, ""},
    {"chiron/chiron_broken", 6, 8, 162, 357, "TOLD_BEFORE_NEXT 9"},
    {"chiron/chiron_cells", 10, 8, 357, 759, ""},
    {"chiron_multiple/chiron_multiple", 8, 8, 890, 2566, ""},
    {"chiron_multiple/chiron_multiple_broken", 8, 8, 890, 2437, "deadlock 11, TOLD.1.1, TOLD.1.2, TOLD.2.1, TOLD.2.2"},
    {"chiron_multiple/chiron_multiple_cells", 12, 8, 2053, 6195, ""},
    {"client_server/client_server", 3, 2, 7, 10, ""},
    {"client_server/client_server_broken", 3, 2, 13, 20, "MUTEX 6, DENIED_IF_TAKEN 9"},
    {"client_server/client_server_cells", 4, 2, 15, 18, ""},
    {"elevator/elevator", 3, 1, 24, 32, ""},
    {"elevator/elevator_broken", 3, 1, 22, 28, "CLOSED_WHEN_MOVING(1) 10, deadlock 9, MOVES.1"},
    {"gas_station/gas_station", 5, 4, 77, 140, ""},
    {"gas_station/gas_station_broken", 5, 4, 89, 156, "CHANGE 11"},
    {"gas_station/gas_station_cells", 7, 4, 121, 208, ""},
    {"mer/mer", 3, 4, 243, 446, ""},
    {"mer/mer_broken", 3, 4, 9855, 25976, "COMM_OR_DRIVE 5, ARM_OR_DRIVE 5"},
    {"mer/mer_cells", 7, 4, 778, 981, ""},
    {"milner/milner", 2, 2, 12, 18, ""},
    {"milner/milner_broken", 3, 2, 27, 45, "IN_ORDER 3"},
    {"peterson/peterson", 3, 1, 48, 96, ""},
    {"peterson/peterson_broken", 3, 1, 96, 192, "MUTEX 9"},
    {"peterson/peterson_cells", 5, 1, 48, 96, ""},
    {"philosophers/philosophers", 4, 1, 12, 14, ""},
    {"philosophers/philosophers_broken", 4, 1, 12, 14, "deadlock 2, EATS.1, EATS.2"},
    {"relay/relay", 3, 1, 16, 22, ""},
    {"relay/relay_broken", 3, 1, 26, 38, "ALWAYS_1_BETWEEN_0 5"},
    {"rover/rover", 8, 3, 816, 3160, ""},
    {"rover/rover_broken", 8, 3, 864, 3232, "CLEARED_FIRST 18"},
    {"smokers/smokers", 4, 8, 51, 112, ""},
    {"smokers/smokers_broken", 5, 8, 429, 1228, "deadlock 4, SMOKES.1, SMOKES.2, SMOKES.3"},
    {"smokers/smokers_cells", 5, 8, 51, 112, ""},
    {"token_ring/token_ring", 2, 2, 12, 22, ""},
    {"token_ring/token_ring_broken", 2, 2, 21, 43, "MUTEX 5"},
};

std::string file_of(const std::string& name) {
  return (fs::path(SURETY_SOURCE_DIR) / "examples" / (name + ".lts")).string();
}

api::Request request_for(const std::string& name, const std::vector<FspDefine>& defines = {}) {
  api::Request request;
  request.source.files = {file_of(name)};
  request.source.defines = defines;
  return request;
}

api::Model load(const std::string& name, const std::vector<FspDefine>& defines = {}) {
  Budget budget;
  return api::load(request_for(name, defines).source, budget).value();
}

int default_size(const std::string& name) {
  for (const auto& constant : load(name).fsp->constants())
    if (constant.name == "K") return std::get<int>(constant.value);
  ADD_FAILURE() << name << " has no constant K";
  return 0;
}

std::string shown(const api::Check& check) {
  return check.property.empty() ? std::string(name_of(check.kind)) : check.property;
}

// "MUTEX 6": what is violated, with the length of the trace if it is a shortest one.
std::map<std::string, std::string> verdicts(const api::Request& request) {
  std::map<std::string, std::string> out;
  const auto report = api::verify(request).value();
  for (const auto& check : report.checks) {
    std::string& verdict = out[shown(check)] = std::string(name_of(check.verdict));
    const auto* violated = std::get_if<Violated>(&check.verdict);
    if (violated && check.kind != CheckKind::progress) verdict += " " + std::to_string(violated->trace.size());
  }
  return out;
}

std::vector<std::string> list(const std::string& text) {
  std::vector<std::string> out;
  const std::regex comma(", *");
  for (std::sregex_token_iterator i(text.begin(), text.end(), comma, -1), end; i != end; ++i)
    if (i->length() > 0) out.push_back(*i);
  return out;
}

// "MUTEX 6, SERVED.1" as the verdicts that it means.
std::map<std::string, std::string> expected(const Example& example) {
  std::map<std::string, std::string> out;
  for (const auto& item : list(example.violated)) {
    const auto blank = item.find(' ');
    out[item.substr(0, blank)] = "violated" + (blank == std::string::npos ? "" : item.substr(blank));
  }
  return out;
}

std::vector<const Lts*> parts(const api::Model& model) {
  std::vector<const Lts*> out;
  for (const auto& component : model.network.components) out.push_back(&component.lts);
  return out;
}

class Examples : public testing::TestWithParam<Example> {};

TEST_P(Examples, ChecksComeOutAsTheTableSays) {
  auto wanted = expected(GetParam());
  const auto seen = verdicts(request_for(GetParam().name));
  std::size_t failures = 0;
  for (const auto& [property, verdict] : seen) {
    EXPECT_EQ(verdict, wanted.contains(property) ? wanted[property] : "holds") << property;
    failures += verdict != "holds";
  }
  EXPECT_EQ(failures, wanted.size());
}

TEST_P(Examples, TasksPropertiesAndSizesAreThoseOfTheTable) {
  const auto& example = GetParam();
  const auto model = load(example.name);
  EXPECT_EQ(model.network.components.size(), example.tasks);
  EXPECT_EQ(model.properties.size(), example.properties);
  EXPECT_TRUE(model.warnings.empty());

  Budget budget;
  const auto composed = compose(parts(model), budget);
  ASSERT_TRUE(composed);
  EXPECT_EQ(composed->state_count(), example.states);
  EXPECT_EQ(composed->transition_count(), example.steps);
  if (example.states > 1000) return;  // brute force is slow
  const auto product = reference::product(parts(model));
  EXPECT_EQ(product.state_count(), example.states);
  EXPECT_EQ(product.transition_count(), example.steps);
}

TEST_P(Examples, BruteForceFindsTheSameShortestTraces) {
  const auto model = load(GetParam().name);
  auto wanted = expected(GetParam());
  const auto length = [&](const std::string& property) {
    return wanted.contains(property) ? std::stoul(wanted[property].substr(9)) : 0;
  };
  if (GetParam().states > 1000 && wanted.empty()) return;  // nothing to find, and a long search for it
  for (const auto& property : model.properties) {
    if (GetParam().states > 1000 && !wanted.contains(property.name)) continue;
    const auto trace = reference::shortest_violation(parts(model), property.lts);
    EXPECT_EQ(trace ? trace->size() : 0, length(property.name)) << property.name;
  }
  if (GetParam().states > 1000 && !wanted.contains("deadlock")) return;
  const auto deadlock = reference::shortest_deadlock(parts(model));
  EXPECT_EQ(deadlock ? deadlock->size() : 0, length("deadlock"));
}

// The header says "Tasks: K + 3": so it is, at every size.
TEST_P(Examples, HeaderCountsTheTasks) {
  const auto& name = GetParam().name;
  const auto text = read_file(file_of(name)).value();
  std::smatch m;
  ASSERT_TRUE(std::regex_search(text, m, std::regex("Tasks: ([0-9]*)K(?: ([+-]) ([0-9]+))?[.,:]")));
  const int factor = m[1].length() > 0 ? std::stoi(m[1]) : 1;
  const int offset = m[2].matched ? (m[2] == "-" ? -1 : 1) * std::stoi(m[3]) : 0;
  const int size = default_size(name);
  for (int k = size; k <= size + 2; ++k)
    EXPECT_EQ(load(name, {{"K", k}}).network.components.size(), static_cast<std::size_t>(factor * k + offset)) << k;
}

TEST_P(Examples, LargerOnesAreAsRightOrWrong) {
  const auto& example = GetParam();
  const int size = default_size(example.name);
  const bool broken = !example.violated.empty();
  for (int k = size + 1; k <= size + (broken ? 1 : 2); ++k) {
    auto request = request_for(example.name, {{"K", k}});
    request.certify = false;
    if (broken) {  // longer traces perhaps, but the same faults; not every check of a broken system is quick
      for (const auto& [property, verdict] : expected(example))
        if (verdict != "violated") request.properties.push_back(property);
    }
    for (const auto& [property, verdict] : verdicts(request))
      EXPECT_EQ(verdict.substr(0, verdict.find(' ')), broken ? "violated" : "holds") << property << " at " << k;
  }
}

// Which split is sensible depends on the property; these two need a better one than the default.
std::string split_for(const std::string& name, const std::string& property) {
  if (name != "mer/mer_cells") return {};
  if (property == "FIRST_KEEPS") return "ARBITER, TABLE(1), TABLE(2), TABLE(3), TABLE(4) | USER(1), USER(2)";
  if (property == "RESCIND_ONCE") return "ARBITER, TABLE(1), USER(2) | USER(1), TABLE(2), TABLE(3), TABLE(4)";
  return {};
}

TEST_P(Examples, RuleAsymAgrees) {
  auto wanted = expected(GetParam());
  for (const auto& property : load(GetParam().name).properties) {
    auto request = request_for(GetParam().name);
    request.method = "asym";
    request.properties = {property.name};
    request.split = split_for(GetParam().name, property.name);
    const auto report = api::verify(request).value();
    ASSERT_EQ(report.checks.size(), 1u);
    EXPECT_EQ(std::string(name_of(report.checks[0].verdict)), wanted.contains(property.name) ? "violated" : "holds")
        << property.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(kExamples),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

TEST(ExamplesAsASet, AreAllInTheTable) {
  std::set<std::string> listed, found;
  for (const auto& example : kExamples) listed.insert(example.name);
  const fs::path root = fs::path(SURETY_SOURCE_DIR) / "examples";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto name = fs::relative(entry.path(), root).replace_extension().generic_string();
    if (name.ends_with("_ada")) continue;  // the properties of an Ada program
    if (entry.path().extension() == ".lts" && !name.starts_with("fsp/") && !name.starts_with("tutorial/"))
      found.insert(name);
  }
  EXPECT_EQ(found, listed);
}

// A form in cells has more steps or none more, but the same answers to the same questions.
TEST(ExamplesAsASet, CellsGiveTheSameVerdicts) {
  int pairs = 0;
  for (const auto& example : kExamples) {
    if (!example.name.ends_with("_cells")) continue;
    const std::string plain = example.name.substr(0, example.name.size() - 6);
    for (const int k : {2, 3}) {
      EXPECT_EQ(verdicts(request_for(plain, {{"K", k}})), verdicts(request_for(example.name, {{"K", k}}))) << plain;
      EXPECT_LT(load(plain, {{"K", k}}).network.components.size(),
                load(example.name, {{"K", k}}).network.components.size());
    }
    ++pairs;
  }
  EXPECT_EQ(pairs, 7);
}

TEST(ExamplesAsASet, ThinkingChangesNoVerdict) {
  for (const std::string name : {"client_server/client_server", "client_server/client_server_cells",
                                 "client_server/client_server_broken", "mer/mer", "mer/mer_cells"}) {
    auto idle = verdicts(request_for(name)), thinking = verdicts(request_for(name, {{"THINK", 1}}));
    for (auto* some : {&idle, &thinking})
      for (auto& [property, verdict] : *some) verdict = verdict.substr(0, verdict.find(' '));
    EXPECT_EQ(idle, thinking) << name;
  }
}

// --- What examples/README.md says.

std::string folder_and(const std::string& name) {
  return std::regex_replace(name, std::regex("_(cells|broken)$"), "") + "/" + name;
}

// The rows of its tables whose first cell is a name in backquotes, cell by cell.
std::vector<std::vector<std::string>> readme_rows() {
  std::vector<std::vector<std::string>> rows;
  const auto text = read_file((fs::path(SURETY_SOURCE_DIR) / "examples/README.md").string()).value();
  const std::regex row("\\n\\| `(\\w+)`([^\\n]*) \\|"), bar(" *\\| *");
  for (std::sregex_iterator i(text.begin(), text.end(), row), end; i != end; ++i) {
    const std::string rest = (*i)[2];
    rows.push_back({(*i)[1]});
    rows.back().insert(rows.back().end(), ++std::sregex_token_iterator(rest.begin(), rest.end(), bar, -1), {});
  }
  return rows;
}

TEST(ExamplesReadme, GivesTheSizes) {
  std::size_t checked = 0;
  for (const auto& row : readme_rows()) {
    if (row.size() < 9) continue;  // not the table of sizes
    const std::string name = folder_and(row[0]);
    const auto example =
        std::find_if(kExamples.begin(), kExamples.end(), [&](const Example& e) { return e.name == name; });
    ASSERT_NE(example, kExamples.end()) << name;
    EXPECT_EQ(row[3], std::to_string(example->tasks)) << name;
    EXPECT_EQ(row[4], std::to_string(example->properties)) << name;
    for (int k = 2; k <= 5; ++k) {
      const std::string cell = std::regex_replace(row[static_cast<std::size_t>(k) + 3], std::regex(","), "");
      if (cell.find('/') == std::string::npos || cell.size() > 16) continue;  // none, or more than takes a moment
      Budget budget;
      const auto composed = compose(parts(load(name, {{"K", k}})), budget);
      EXPECT_EQ(cell, fmt::format("{} / {}", composed->state_count(), composed->transition_count()))
          << name << " " << k;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 82u);
}

TEST(ExamplesReadme, GivesTheFaults) {
  std::size_t checked = 0;
  for (const auto& row : readme_rows()) {
    if (row.size() > 4) continue;  // not the table of faults
    const std::string name = folder_and(row[0] + "_broken");
    const auto example =
        std::find_if(kExamples.begin(), kExamples.end(), [&](const Example& e) { return e.name == name; });
    ASSERT_NE(example, kExamples.end()) << name;
    for (auto item : list(std::regex_replace(example->violated, std::regex("\\(1\\)"), ""))) {
      if (item.find(' ') == std::string::npos) item = "progress";
      EXPECT_NE(row.back().find(item), std::string::npos) << name << ": " << item;
    }
    ++checked;
  }
  EXPECT_EQ(checked, 14u);
}

// "| `mer.pml` | 3 | 823 / 1,495 | ...": the product of the parts of a program.
TEST(ExamplesReadme, GivesTheSizesOfThePromelaNetworks) {
  const auto text = read_file((fs::path(SURETY_SOURCE_DIR) / "examples/README.md").string()).value();
  const auto table = text.substr(text.find("| Promela network"));
  const std::regex row("\\n\\| `(\\w+)\\.pml` \\| ([0-9]+) \\| ([^|]*) \\| ([^|]*) \\| ([^|]*) ?\\|");
  int checked = 0;
  for (std::sregex_iterator i(table.begin(), table.end(), row), end; i != end; ++i)
    for (int k = 2; k <= 4; ++k) {
      const std::string name = (*i)[1];
      const std::string cell = std::regex_replace((*i)[static_cast<std::size_t>(k) + 1].str(), std::regex("[, ]"), "");
      if (cell.empty()) continue;
      api::Source source;
      source.files = {(fs::path(SURETY_SOURCE_DIR) / "examples" / name / (name + ".pml")).string()};
      source.defines = {{"K", k}};
      Budget budget;
      auto model = api::load(source, budget).value();
      ASSERT_FALSE(api::take_apart(model, budget, std::nullopt)) << name;
      const std::string components = std::to_string(model.network.components.size());
      EXPECT_EQ(k == 2 ? components : (*i)[2].str(), (*i)[2].str()) << name;
      const auto composed = compose(parts(model), budget);
      EXPECT_EQ(cell, fmt::format("{}/{}", composed->state_count(), composed->transition_count())) << name << " " << k;
      ++checked;
    }
  EXPECT_EQ(checked, 17);
}

struct Sides {
  std::string name, property, m2;                                // M1 is the rest; "K" in a name is the size
  std::map<int, std::pair<std::uint32_t, std::uint32_t>> sizes;  // by K: M1 || P_err without the error state, M2
};

const std::vector<Sides> kSides = {
    {"gas_station/gas_station",
     "CHANGE",
     "OPERATOR, PUMP(1)",
     {{3, {1188, 374}}, {4, {8640, 983}}, {5, {60912, 2134}}}},
    {"chiron/chiron",
     "TOLD_BEFORE_NEXT",
     "!DISPATCHER",
     {{2, {48, 97}}, {3, {256, 322}}, {4, {1280, 1051}}, {5, {6144, 3400}}}},
    {"chiron/chiron",
     "TOLD_AFTER_EVENT",
     "!DISPATCHER",
     {{2, {64, 97}}, {3, {320, 322}}, {4, {1536, 1051}}, {5, {7168, 3400}}}},
    {"mer/mer", "COMM_OR_DRIVE", "ARBITER, USER(K)", {{2, {144, 2059}}, {3, {6912, 9411}}, {4, {331776, 28067}}}},
    {"rover/rover", "CLEARED_FIRST", "EXECUTIVE, ACTION", {{2, {396, 8}}}},
};

std::uint32_t size_of(const std::vector<const Lts*>& some) {
  Budget budget;
  const auto lts = compose(some, budget);
  return lts->state_count() - (lts->error() ? 1 : 0);
}

TEST(ExamplesReadme, GivesTheSizesOfTheTwoSides) {
  for (const auto& sides : kSides)
    for (const auto& [k, sizes] : sides.sizes) {
      const auto model = load(sides.name, {{"K", k}});
      const bool all_but = sides.m2.starts_with('!');
      auto names = list(sides.m2.substr(all_but));
      for (auto& name : names) name = std::regex_replace(name, std::regex("\\(K\\)"), fmt::format("({})", k));
      std::vector<const Lts*> m1, m2;
      for (const auto& component : model.network.components) {
        const bool named = std::find(names.begin(), names.end(), component.name) != names.end();
        (named != all_but ? m2 : m1).push_back(&component.lts);
      }
      const auto property = std::find_if(model.properties.begin(), model.properties.end(),
                                         [&](const Property& p) { return p.name == sides.property; });
      ASSERT_NE(property, model.properties.end());
      const Lts watcher = complete(property->lts);
      m1.push_back(&watcher);
      EXPECT_EQ(size_of(m1), sizes.first) << sides.name << " " << k;
      EXPECT_EQ(size_of(m2), sizes.second) << sides.name << " " << k;
    }
}

}  // namespace
}  // namespace surety
