// Our answers against those of the real LTSA 3.0, for every file of the corpus.
//
// The corpus lies outside the project (SURETY_CORPUS, or ../shared/corpus); without it
// everything here is skipped. One test a file; each compares what `expected.json` says
// of that file, field by field, in the order of FSP.md 9. A new kind of comparison is
// a new function in compare_process or compare_composite. Deliberate differences stand
// in one table, with their reasons; a summary by category is printed at the end.

#include <gtest/gtest.h>

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
#include "lang/fsp/fsp.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// ---- where we differ, and why

struct Deliberate {
  const char* file;  // as in expected.json
  const char* name;  // of the process or composite
  const char* field;
  const char* reason;
};

const std::vector<Deliberate> kDeliberate = {};

const Deliberate* deliberate(const std::string& file, const std::string& name, const std::string& field) {
  for (const Deliberate& d : kDeliberate)
    if (file == d.file && name == d.name && field == d.field) return &d;
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
  void TearDown() override {
    for (const auto& [category, t] : tallies()) {
      std::cout << "corpus: " << category << ": " << t.same << " of " << t.all;
      if (t.deliberate > 0) std::cout << " (" << t.deliberate << " differ on purpose)";
      std::cout << "\n";
    }
  }
};
[[maybe_unused]] const auto* const kSummary = testing::AddGlobalTestEnvironment(new Summary);

// ---- one file

class Corpus : public testing::TestWithParam<std::size_t> {
 protected:
  void compare_file();
  void compare_parse(const Result<FspFile>& file);
  void compare_process(const std::string& name, const Json& expected, const FspFile& file);
  void compare_composite(const std::string& name, const Json& expected, const FspFile& file);
  void compare_lts(const std::string& kind, const std::string& name, const Json& expected, const Lts& lts);
  void compare_progress(const FspFile& file);

  // Compares one field and counts it.
  void same(const std::string& kind, const std::string& name, const std::string& field, const Json& expected,
            const Json& ours);

  const Case* case_ = nullptr;
  ActionTable actions_;
};

void Corpus::same(const std::string& kind, const std::string& name, const std::string& field, const Json& expected,
                  const Json& ours) {
  Tally& tally = Summary::tallies()[kind + " " + field];
  ++tally.all;
  if (expected == ours) {
    ++tally.same;
    EXPECT_EQ(deliberate(case_->file, name, field), nullptr) << "no longer a difference: " << name << " " << field;
  } else if (deliberate(case_->file, name, field) != nullptr) {
    ++tally.deliberate;
  } else {
    ADD_FAILURE() << case_->file << ": " << name << ": " << field << ": LTSA " << expected << ", we " << ours;
  }
}

void Corpus::compare_file() {
  const std::string path = (corpus_folder() / case_->folder / case_->file).string();
  const auto text = read_file(path);
  ASSERT_TRUE(text) << path;
  const auto file = read_fsp(*text, path, actions_);
  compare_parse(file);
  if (!file || case_->expected.contains("error")) return;
  for (const auto& [name, expected] : case_->expected["processes"].items()) compare_process(name, expected, *file);
  compare_progress(*file);
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

// 3: composites. 6: their minimised forms.
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
}

void Corpus::compare_lts(const std::string& kind, const std::string& name, const Json& expected, const Lts& lts) {
  std::uint64_t into_error = 0;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) into_error += step.target == lts.error();
  same(kind, name, "states", expected["states"], lts.state_count() - (lts.error() ? 1 : 0));
  same(kind, name, "transitions", expected["transitions"], lts.step_count());
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

void Corpus::compare_progress(const FspFile& file) {
  const auto progress = file.progress();
  ASSERT_TRUE(progress);
  std::set<std::string> names;
  for (const auto& p : *progress) names.insert(p.name);
  const auto theirs = case_->expected.value("progress_defs", std::set<std::string>());
  same("file", "", "progress_defs", theirs, names);
  same("file", "", "asserts", case_->expected.value("asserts", Json::array()), file.assertions());
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
