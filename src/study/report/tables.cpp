#include <fmt/format.h>

#include "study/report/paper.hpp"
#include "study/report/report.hpp"
#include "study/report/table.hpp"

namespace surety::study {
namespace {

std::string text(std::size_t n) { return std::to_string(n); }

// --- table 1 ------------------------------------------------------------------------

struct Count {
  std::size_t properties = 0, decompositions = 0, total = 0;
};
Count count_of(const std::vector<TrackFacts>& facts, std::size_t system, Engine engine) {
  Count out;
  for (const auto& f : facts) {
    if (f.track.system != system || f.engine != engine || f.decompositions == 0) continue;
    ++out.properties;
    out.decompositions = f.decompositions;
    out.total += f.best2.finished;
  }
  return out;
}

void add_counts(std::vector<std::string>& cells, const Count& count) {
  if (count.properties == 0) {
    cells.insert(cells.end(), {"–", "–", "–"});
    return;
  }
  cells.insert(cells.end(), {text(count.properties), count.decompositions == 0 ? "" : text(count.decompositions),
                             text(count.total)});
}

std::string of_paper(int n) { return n == 0 ? "" : std::to_string(n); }

std::string table1(const Study& study, const std::vector<TrackFacts>& facts,
                   std::map<std::string, std::string>& files) {
  Table table({"System", "FLAVERS: properties", "decompositions", "total", "exact: properties", "decompositions",
               "total", "paper, FLAVERS", "", "", "paper, LTSA", "", ""});
  Count flavers_all, exact_all;
  const auto add = [&](const std::string& name, const Count& flavers, const Count& exact) {
    std::vector<std::string> cells = {name};
    add_counts(cells, flavers);
    add_counts(cells, exact);
    const auto* const row = std::ranges::find(paper::kTable1, name, &paper::Table1Row::system);
    if (row != paper::kTable1.end())
      for (const int n : {row->flavers_properties, row->flavers_decompositions, row->flavers_total,
                          row->ltsa_properties, row->ltsa_decompositions, row->ltsa_total})
        cells.push_back(of_paper(n));
    else
      cells.insert(cells.end(), 6, "");
    table.add(cells);
  };
  for (std::size_t s = 0; s < study.systems.size(); ++s) {
    const Count flavers = count_of(facts, s, Engine::flavers), exact = count_of(facts, s, Engine::exact);
    for (const auto& [one, all] : {std::pair(&flavers, &flavers_all), std::pair(&exact, &exact_all)}) {
      all->properties += one->properties;
      all->total += one->total;
    }
    add(study.systems[s].definition.name, flavers, exact);
  }
  add("Total", flavers_all, exact_all);
  files["table1.csv"] = table.csv();
  return "## Table 1: number of two-way decompositions examined for systems of size 2\n\n" + table.text() + "\n";
}

// --- table 2 ------------------------------------------------------------------------

std::string table2(const std::vector<TrackFacts>& facts, std::map<std::string, std::string>& files) {
  Table table({"Tool", "Properties", "Best decomp. at size 2 is better than mono.", "Percentage",
               "Generalised decomp. is better than mono.", "Percentage"});
  for (const Engine engine : kEngines) {
    const auto rows = counted(facts, engine);
    if (!rows.empty()) {
      const auto better = static_cast<std::size_t>(
          std::ranges::count_if(rows, [](const auto* f) { return f->ratio2 && *f->ratio2 < 1; }));
      const auto generalised = static_cast<std::size_t>(
          std::ranges::count_if(rows, [](const auto* f) { return f->ratio && *f->ratio < 1; }));
      const bool scaled = std::ranges::any_of(rows, [](const auto* f) { return f->common && *f->common > 2; });
      table.add({std::string(name_of(engine)), text(rows.size()), text(better), per_cent(better, rows.size()),
                 scaled ? text(generalised) : "–", scaled ? per_cent(generalised, rows.size()) : "–"});
    }
    const auto* const tool = paper::tool(engine);
    const auto all = static_cast<std::size_t>(tool->properties);
    const auto at_2 = static_cast<std::size_t>(tool->better_at_2),
               more = static_cast<std::size_t>(tool->better_generalised);
    table.add(
        {"paper, " + paper_name(engine), text(all), text(at_2), per_cent(at_2, all), text(more), per_cent(more, all)});
  }
  files["table2.csv"] = table.csv();
  return "## Table 2: the best decompositions for size 2 and the generalised ones against monolithic verification\n\n" +
         table.text() + "\nThe generalised one at the largest size at which both could be verified.\n\n";
}

// --- table 3 ------------------------------------------------------------------------

std::string table3(const std::vector<TrackFacts>& facts, std::map<std::string, std::string>& files) {
  std::vector<std::string> head = {"", ""};
  std::vector<std::vector<std::size_t>> columns;  // by engine and source: five categories
  for (const Engine engine : kEngines) {
    std::vector<std::size_t> ours(5, 0);
    std::size_t all = 0;
    for (const auto* f : counted(facts, engine))
      if (f->category) {
        ++ours[static_cast<std::size_t>(*f->category) - 1];
        ++all;
      }
    if (all > 0) {
      head.insert(head.end(), {std::string(name_of(engine)), "%"});
      columns.push_back(std::move(ours));
    }
    const auto* const tool = paper::tool(engine);
    head.insert(head.end(), {"paper, " + paper_name(engine), "%"});
    columns.emplace_back(tool->categories.begin(), tool->categories.end());
  }
  Table table(head);
  const auto add = [&](const std::string& group, const std::string& name, const std::vector<std::size_t>& categories) {
    std::vector<std::string> cells = {group, name};
    for (const auto& column : columns) {
      std::size_t some = 0, all = 0;
      for (const std::size_t c : categories) some += column[c];
      for (const std::size_t n : column) all += n;
      cells.insert(cells.end(), {text(some), per_cent(some, all)});
    }
    table.add(cells);
  };
  const auto line = [&](const std::string& group, std::size_t c) {
    add(group, fmt::format("{} {}", c + 1, describe(static_cast<Category>(c + 1))), {c});
  };
  line("Potential success", 0);
  line("", 1);
  add("", "subtotal", {0, 1});
  line("Likely failure", 2);
  line("", 3);
  line("", 4);
  add("", "subtotal", {2, 3, 4});
  add("Total", "", {0, 1, 2, 3, 4});
  files["table3.csv"] = table.csv();
  std::string out =
      "## Table 3: generalised decompositions compared to monolithic verification with respect to scaling\n\n" +
      table.text() + "\n";
  std::string close;
  for (const auto& f : facts)
    if (f.category == Category::appears_better && f.ratio && *f.ratio > 0.8)
      close += fmt::format("{}{} ({:.2f})", close.empty() ? "" : ", ", f.name(), *f.ratio);
  if (!close.empty())
    out += "The paper asks for \"substantially better\" in category 2. Of ours these have ratios between 0.8 and 1: " +
           close + ".\n\n";
  return out;
}

}  // namespace

std::string tables(const Study& study, const std::vector<TrackFacts>& facts,
                   std::map<std::string, std::string>& files) {
  return table1(study, facts, files) + table2(facts, files) + table3(facts, files);
}

}  // namespace surety::study
