// The report of a study: of a small one, of made-up numbers, its figures, and the numbers of the paper.

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "base/file.hpp"
#include "study/report/paper.hpp"
#include "study/report/report.hpp"
#include "study/report/svg.hpp"
#include "study/report/ways.hpp"
#include "study_help.hpp"

namespace surety::study {
namespace {

// Brackets match, attributes are quoted: enough to see that a browser can read it.
bool is_xml(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const auto end = text.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (std::ranges::count(tag, '"') % 2 != 0) return false;
    const std::string name =
        tag.substr(tag.starts_with('/') ? 1 : 0, tag.find_first_of(" /", 1) - (tag.starts_with('/') ? 1 : 0));
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}

TEST(StudyReport, OfASmallStudyHasItsTablesAndFiguresBesideThoseOfThePaper) {
  const Folder folder;
  create_small(folder / "a.db");
  const Study study = run_with(folder / "a.db", 1, perform);
  const auto report = make_report(study);
  EXPECT_NE(report.text.find("| Relay | – | – | – | 1 | 6 | 6 | 1 | 6 | 6 | 1 | 6 | 6 |"), std::string::npos)
      << report.text;
  EXPECT_NE(report.text.find("| paper, FLAVERS | 32 | 17 | 53.1 % | 18 | 56.3 % |"), std::string::npos) << report.text;
  EXPECT_NE(report.text.find("| Total |  | 1 | 100.0 % | 30 | 100.0 % | 32 | 100.0 % |"), std::string::npos)
      << report.text;
  for (const char* name :
       {"figure2.svg", "figure4-exact.svg", "figure6.svg", "table1.csv", "table2.csv", "table3.csv", "properties.csv"})
    EXPECT_TRUE(report.files.contains(name)) << name;
  for (const auto& [name, content] : report.files)
    if (name.ends_with(".svg")) {
      EXPECT_TRUE(is_xml(content)) << name;
      EXPECT_EQ(content.find("script"), std::string::npos);
    }
  EXPECT_EQ(make_report(study).files, report.files);
  ASSERT_TRUE(write_report(report, folder / "out"));
  EXPECT_TRUE(fs::exists(folder / "out/report.md"));
}

// Numbers that nothing has measured: what a split costs depends on its sides alone, and one property of Smokers is over
// the limit at size 5 with a split, at size 6 without.
Answer made_up(const Job& job, const api::Model& model) {
  if (job.kind == Job::Kind::describe) return perform(job, model);
  Answer out;
  out.id = job.id;
  out.host = "nowhere";
  const bool is_mono = job.split.empty();
  const auto size = static_cast<std::uint64_t>(job.model.size);
  const auto mono = std::uint64_t{100} << (2 * (size - 2));
  const auto first = static_cast<std::uint64_t>(std::count(
      job.split.begin(),
      job.split.begin() + static_cast<std::ptrdiff_t>(std::min(job.split.find('|'), job.split.size())), ','));
  const bool over = job.property == "COMPLETE" && size >= (is_mono ? 6 : 5);
  RunResult& r = out.result;
  r.verdict = over ? "unknown" : "holds";
  out.status = over ? Status::over_limit : Status::done;
  r.max_states = r.states = is_mono ? mono : mono * (2 + first) * (job.property == "COMPLETE" ? 1 : 3) / (2 * size);
  r.time_s = 0.25 * static_cast<double>(size);
  r.learn_s = is_mono ? 0 : r.time_s / static_cast<double>(1 + first);
  if (job.certify) r.certified = true;
  if (is_mono || over) return out;
  out.has_assumption = true;
  out.assumption = {0, 1 + 4 * first, 7, 3, "\xa0"};
  return out;
}

// The whole report of it is in tests/unit/study_report; with SURETY_UPDATE=1 it is written there anew.
TEST(StudyReport, OfMadeUpNumbersIsAsItWas) {
  const Folder folder;
  Definition definition = small_definition();
  DefinedSystem smokers = definition.systems[0];
  smokers.name = "Smokers";
  smokers.models[Engine::exact] = {example("smokers/smokers.lts"), "", "SMOKER", {"COMPLETE", "THANKED"}};
  smokers.scale = Range{2, 7};
  definition.systems.push_back(smokers);
  ASSERT_TRUE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  const auto report = make_report(run_with(folder / "a.db", 1, made_up));
  const fs::path kept = fs::path(SURETY_SOURCE_DIR) / "tests/unit/study_report";
  auto files = report.files;
  files["report.md"] = report.text;
  if (std::getenv("SURETY_UPDATE") != nullptr) {
    fs::create_directories(kept);
    for (const auto& [name, text] : files) std::ofstream(kept / name) << text;
  }
  for (const auto& [name, text] : files) {
    const auto expected = read_file((kept / name).string());
    ASSERT_TRUE(expected) << name;
    EXPECT_EQ(text, *expected) << name;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(kept), {}), static_cast<std::ptrdiff_t>(files.size()));
}

// A row of which sizes are still to be run is in no category: what is missing is no limit.
TEST(StudyReport, ACategoryWaitsForTheRunsThatItRestsOn) {
  const Folder folder;
  create_small(folder / "a.db");
  run_with(folder / "a.db", 1, made_up);
  const auto category = [&] {
    return facts_of(Store::open(folder / "a.db", Database::Mode::read)->read())[0].category;
  };
  EXPECT_EQ(category(), Category::appears_better);
  Database(folder / "a.db", Database::Mode::write)
      .execute(
          "DELETE FROM result WHERE item IN (SELECT id FROM item WHERE reason = 'generalised:2');"
          "UPDATE item SET status = 'open' WHERE reason = 'generalised:2'");
  EXPECT_EQ(category(), std::nullopt);
}

TEST(StudyReport, HasNoAnswerWithoutResults) {
  const Folder folder;
  create_small(folder / "a.db");
  const auto report = make_report(Store::open(folder / "a.db", Database::Mode::read)->read());
  EXPECT_NE(report.text.find("No property has all its decompositions of size 2 done yet"), std::string::npos);
}

// A symbolic search meets no states that could be compared, and what a bound has ended may be better or not.
TEST(StudyReport, WaysAreComparedOnlyWhereTheirCostsAreKnown) {
  const Folder folder;
  Definition definition = small_definition();
  definition.methods = {"asym", "symbolic"};
  definition.alphabets = {"full", "refine"};
  definition.systems[0].all = {2, 2};
  definition.systems[0].scale.reset();
  ASSERT_TRUE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  const auto run = [&](Bound bound) {
    const auto crew = make_local_crew(1);
    auto store = Store::open(folder / "a.db", Database::Mode::write);
    RunOptions options;
    options.bound = bound;
    EXPECT_TRUE(run_study(*store, *crew, options));
    return store->read();
  };
  const std::string bounded = make_report(run(Bound::best)).text;
  EXPECT_NE(bounded.find("| exact | asym | full | two | 1 | 1 | 6 | ≥ 16.7 % |"), std::string::npos) << bounded;
  const Study study = run(Bound::none);
  const std::string text = make_report(study).text;
  EXPECT_NE(text.find("| exact | asym | full | two | 1 | 1 | 6 | 16.7 % |"), std::string::npos) << text;
  EXPECT_NE(text.find("| exact | symbolic | – | – | 1 | – | 1 | – |"), std::string::npos) << text;
  EXPECT_EQ(text.find("symbolic is better"), std::string::npos);
  EXPECT_EQ(text.find("How far each method goes"), std::string::npos);  // no size above 2 was asked for
  EXPECT_EQ(text.find("Split by split"), std::string::npos);            // asym is the only rule
  const AlphabetFacts both = compare_alphabets(study, Engine::exact);
  EXPECT_EQ(both.splits, 6U);
  EXPECT_EQ(both.cheaper, 0U);
  EXPECT_EQ(both.dearer, 4U);
  EXPECT_EQ(both.best_dearer, 1U);
  EXPECT_LT(both.letters_refine, both.letters_full);
}

// Sizes and costs that nothing has measured: sym costs twice as much where a side has one task, and half where each has
// two; asym comes to size 3, sym to 2, cegar to the end, plain search to 4; asym-n costs what M1 says.
Answer with_other_rules(const Job& job, const api::Model& model) {
  if (job.kind == Job::Kind::describe) return perform(job, model);
  Answer out;
  out.id = job.id;
  out.host = "nowhere";
  const auto& method = job.way.method;
  const auto bar = job.split.find('|');
  const auto tasks = [&](std::size_t from, std::size_t to) {
    return 1 + std::count(job.split.begin() + static_cast<std::ptrdiff_t>(from),
                          job.split.begin() + static_cast<std::ptrdiff_t>(std::min(to, job.split.size())), ',');
  };
  std::uint64_t cost = 100;
  if (method == "sym") cost = std::min(tasks(0, bar), tasks(bar, job.split.size())) == 1 ? 200 : 50;
  if (method == "asym-n" && !job.split.empty()) cost = 10 + static_cast<std::uint64_t>(job.split[0]) - 'A';
  const int most = method == "asym" || method == "asym-n" ? 3 : method == "sym" ? 2 : method == "monolithic" ? 4 : 9;
  const bool over = job.model.size > most;
  out.status = over ? Status::over_limit : Status::done;
  out.result.verdict = over ? "unknown" : "holds";
  out.result.max_states = out.result.states = cost;
  if (job.certify) out.result.certified = true;
  return out;
}

TEST(StudyReport, SaysHowFarEachMethodGoesAndWhereOneRuleIsCheaper) {
  const Folder folder;
  Definition definition = small_definition();
  definition.methods = {"asym", "sym", "asym-n", "cegar"};
  definition.systems[0].models[Engine::exact] = {example("smokers/smokers.lts"), "", "SMOKER", {"COMPLETE"}};
  definition.systems[0].all = {2, 2};
  definition.systems[0].scale = Range{2, 5};
  ASSERT_TRUE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  const auto report = make_report(run_with(folder / "a.db", 1, with_other_rules));
  for (const char* row :
       {"| exact | monolithic | – | – | 1 | – | 0 | 1 | 0 | 4 | 4 | 4 | 0 |",
        "| exact | asym | full | two | 1 | 0 | 0 | 0 | 1 | 3 | 3 | 3 | 0 |",
        "| exact | sym | full | two | 1 | 1 | 0 | 0 | 1 | 2 | 2 | 2 | 0 |",
        "| exact | cegar | – | – | 1 | 0 | 1 | 0 | 0 | 5 | 5 | 5 | 1 |",
        "| exact | sym | full | 1 | 8 | 0 | 0 | 8 | 2.00 |", "| exact | sym | full | 2 | 6 | 6 | 0 | 0 | 0.50 |",
        "| Relay | COMPLETE | exact | asym-n | full | 100 | 100 | 24 | 0 | 100 | 10 | 28 | 29 |", "cegar for 1 of 1"})
    EXPECT_NE(report.text.find(row), std::string::npos) << row << "\n" << report.text;
  EXPECT_NE(report.files.at("sizes.csv").find("exact,asym,full,two,Relay,COMPLETE,100,100,4,3,4\n"), std::string::npos)
      << report.files.at("sizes.csv");
}

// The numbers that the tables of the paper have, and what follows from them.
TEST(StudyPaper, NumbersAddUp) {
  int flavers = 0, ltsa = 0;
  for (const auto& row : paper::kTable1) {
    if (row.system == "Total") {
      EXPECT_EQ(row.flavers_total, flavers);
      EXPECT_EQ(row.ltsa_total, ltsa);
      continue;
    }
    EXPECT_EQ(row.flavers_total, row.flavers_properties * row.flavers_decompositions);
    EXPECT_EQ(row.ltsa_total, row.ltsa_properties * row.ltsa_decompositions);
    flavers += row.flavers_total;
    ltsa += row.ltsa_total;
  }
  for (const auto& tool : paper::kTools) {
    int all = 0;
    for (const int n : tool.categories) all += n;
    EXPECT_EQ(all, tool.properties);
  }
}

TEST(StudySvg, EscapesWhatNamesMayHave) {
  Plot plot;
  plot.title = "a < b & \"c\"";
  plot.series = {{"s", {{1, 10, "<x>"}}, true}};
  EXPECT_TRUE(is_xml(to_svg(plot)));
}

// Where marks are, by their centres: circles alone.
std::vector<std::pair<double, double>> circles(const std::string& svg) {
  std::vector<std::pair<double, double>> out;
  for (auto at = svg.find("<circle cx=\""); at != std::string::npos; at = svg.find("<circle cx=\"", at + 1)) {
    double x = 0, y = 0;
    if (std::sscanf(svg.c_str() + at, "<circle cx=\"%lf\" cy=\"%lf\"", &x, &y) == 2) out.emplace_back(x, y);
  }
  return out;
}

TEST(StudySvg, MarksSideBySideDoNotCoverEachOther) {
  Plot plot;
  plot.x = {"x", true, 0.6, {}, {}, false};
  plot.y = {"y", false, 0.0, 100.0, {}, false};
  plot.series = {{"s", std::vector<PlotPoint>(7, {1, 50}), false}};
  plot.series[0].points.push_back({20, 50});
  plot.side_by_side = true;
  auto marks = circles(to_svg(plot));
  ASSERT_EQ(marks.size(), 9U);
  marks.pop_back();  // that of the legend
  for (std::size_t i = 0; i < marks.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE(std::abs(marks[i].first - marks[j].first), 9) << i << " and " << j;
    }
  plot.side_by_side = false;
  EXPECT_EQ(circles(to_svg(plot))[0], circles(to_svg(plot))[6]);
}

// The range of a logarithmic axis is as wide as its numbers need: 1, 2 or 5 times a power of ten.
TEST(StudySvg, ALogarithmicAxisHasRoundNumbersAtItsEnds) {
  Plot plot;
  plot.y = {"y", true, {}, {}, {}, false};
  plot.series = {{"s", {{1, 7}, {2, 300}}, true}};
  const std::string svg = to_svg(plot);
  for (const char* tick : {">5<", ">10<", ">20<", ">200<", ">500<"})
    EXPECT_NE(svg.find(tick), std::string::npos) << tick;
  EXPECT_EQ(svg.find(">1k<"), std::string::npos);
}

}  // namespace
}  // namespace surety::study
