#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "study/report/paper.hpp"
#include "study/report/report.hpp"
#include "study/report/svg.hpp"

namespace surety::study {
namespace {

std::string shown(const Engine engine) { return engine == Engine::flavers ? "FLAVERS" : "exact"; }

// One series per system, in the order of the study.
std::vector<Series> series_by_system(const std::vector<const TrackFacts*>& rows) {
  std::vector<Series> out;
  for (const auto* f : rows)
    if (out.empty() || out.back().name != f->system) out.push_back({f->system, {}, false});
  return out;
}

std::string link(const std::string& file, const std::string& caption) {
  return fmt::format("![{0}]({1})\n\n*{0}* ([data]({2}))\n\n", caption, file, file.substr(0, file.size() - 4) + ".csv");
}

// --- figures 1 and 2 -------------------------------------------------------------------

std::string best_figure(const std::vector<TrackFacts>& facts, Engine engine, int number,
                        std::map<std::string, std::string>& files) {
  std::vector<const TrackFacts*> rows = counted(facts, engine);
  std::erase_if(rows, [](const auto* f) { return !f->ratio2; });
  if (rows.empty()) return "";
  Plot plot;
  plot.title = fmt::format("Memory used by the best decomposition of size 2, {}", shown(engine));
  plot.x.title = "properties, by system";
  plot.y = {"% of the states of monolithic verification", true, {}, {}, {}, false};
  plot.line_at = 100;
  plot.line_name = "monolithic";
  plot.series = series_by_system(rows);
  std::string csv =
      csv_row({"system", "property", "best_cost", "monolithic_cost", "per_cent", "best_known_only", "ties", "split"});
  double x = 0, first = 1;
  std::size_t below = 0, hollow = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TrackFacts& f = *rows[i];
    ++x;
    Series& series = *std::ranges::find(plot.series, f.system, &Series::name);
    if (series.points.empty()) first = x;
    const bool known_only = f.best2.known_only();
    series.points.push_back({x, 100 * *f.ratio2,
                             fmt::format("{}: {} of {} states, {:.1f} %; {}", f.name(), f.best2.item->cost(),
                                         f.mono2->cost(), 100 * *f.ratio2, f.split2),
                             known_only});
    below += *f.ratio2 < 1 ? 1 : 0;
    hollow += known_only ? 1 : 0;
    csv += csv_row({f.system, f.property, std::to_string(f.best2.item->cost()), std::to_string(f.mono2->cost()),
                    fmt::format("{:.2f}", 100 * *f.ratio2), known_only ? "1" : "0", std::to_string(f.best2.ties),
                    f.split2});
    if (i + 1 == rows.size() || rows[i + 1]->system != f.system) {
      plot.x.labels.emplace_back((first + x) / 2, f.system);
      x += 1.2;  // room between systems
    }
  }
  plot.x.from = 0;
  plot.x.to = x + 0.2;
  plot.notes = {fmt::format("{} of {} below the line", below, rows.size()),
                fmt::format("paper: {} of {}", paper::tool(engine)->better_at_2, paper::tool(engine)->properties)};
  if (hollow > 0) plot.notes.insert(plot.notes.begin(), "hollow: best known only");
  const std::string name = fmt::format("figure{}.svg", number);
  files[name] = to_svg(plot);
  files[fmt::format("figure{}.csv", number)] = csv;
  return link(name,
              fmt::format("Figure {}: memory used by the best decomposition of size 2, {}", number, shown(engine)));
}

// --- figures 3 and 4, and all others of their kind ---------------------------------------

std::string file_name(const TrackFacts& f) {
  std::string out = "states-";
  for (const char c : f.system + "-" + f.property + "-" + std::string(name_of(f.engine)))
    out += std::isalnum(static_cast<unsigned char>(c)) != 0
               ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
               : '-';
  return out;
}

// What a run had searched when it hit a limit is a lower bound, and so is what was needed at a smaller size: the cross
// is at the larger of both.
void add_point(Series& series, std::string& csv, int size, const Item* item) {
  if (item == nullptr || !item->is_finished() || item->status == Status::worse || !item->result) return;
  const bool limit = item->status != Status::done;
  if (item->cost() == 0) return;
  double height = static_cast<double>(item->cost());
  if (limit && !series.points.empty()) height = std::max(height, series.points.back().y);
  series.points.push_back(
      {static_cast<double>(size), height,
       fmt::format("{}, size {}: {} states{}", series.name, size, item->cost(), limit ? ", limit hit" : ""), false,
       limit});
  csv += csv_row({series.name, std::to_string(size), std::to_string(item->cost()), limit ? "1" : "0"});
}

bool has_growth(const TrackFacts& f) { return f.line && f.line->items.size() > 1; }

std::string states_figure(const Study& study, const TrackFacts& f, const std::string& title, const std::string& name,
                          std::map<std::string, std::string>& files) {
  Plot plot;
  plot.title = fmt::format("{}: {}, {}", f.system, f.property, shown(f.engine));
  plot.x = {"size", false, {}, {}, {}, true};
  plot.y = {"states explored", true, {}, {}, {}, false};
  std::string csv = csv_row({"line", "size", "states", "limit"});
  Series mono{"monolithic", {}, true};
  for (const auto& [size, place] : study.sizes_of(f.track))
    add_point(mono, csv, size, study.mono_of(study.instances[place]));
  plot.series.push_back(std::move(mono));
  const auto add_line = [&](const Line& line) {
    Series series{fmt::format("generalised from {}", line.from), {}, true};
    for (const auto& [size, made] : line.generalised)
      if (!made.pattern.empty()) series.name = fmt::format("from {}, {}", line.from, made.pattern);
    for (const auto& [size, item] : line.items) add_point(series, csv, size, item);
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  };
  add_line(*f.line);
  for (const Line& line : f.others) add_line(line);
  Series best{"best of all", {}, false};
  for (const auto& [size, place] : study.sizes_of(f.track))
    if (const Best found = best_of(study, study.instances[place], study.way());
        found.complete && found.item != nullptr) {
      if (found.known_only()) best.name = "best known";
      add_point(best, csv, size, found.item);
    }
  for (PlotPoint& point : best.points) point.ring = true;
  if (!best.points.empty()) plot.series.push_back(std::move(best));
  if (std::ranges::any_of(plot.series,
                          [](const Series& s) { return std::ranges::any_of(s.points, &PlotPoint::cross); }))
    plot.notes.push_back("cross: a limit was hit");
  files[name + ".svg"] = to_svg(plot);
  files[name + ".csv"] = csv;
  return link(name + ".svg", title);
}

// --- figures 5 and 6 ----------------------------------------------------------------------

std::string learning_figure(const std::vector<TrackFacts>& facts, Engine engine, int number,
                            std::map<std::string, std::string>& files) {
  std::vector<const TrackFacts*> rows = counted(facts, engine);
  std::erase_if(
      rows, [](const auto* f) { return !f->assumption_states || !f->learning_share || *f->assumption_states == 0; });
  if (rows.empty()) return "";
  Plot plot;
  plot.title = fmt::format("Percentage of time spent learning, {}", shown(engine));
  plot.x = {"states of the learned assumption", true, 0.6, {}, {}, false};
  plot.side_by_side = true;
  plot.y = {"% of the time spent learning", false, 0.0, 100.0, {}, false};
  plot.series = series_by_system(rows);
  std::string csv = csv_row({"system", "property", "size", "assumption_states", "time_s", "learn_s", "per_cent"});
  std::size_t ones = 0;
  for (const auto* f : rows) {
    const double share = 100 * *f->learning_share;
    Series& series = *std::ranges::find(plot.series, f->system, &Series::name);
    series.points.push_back({static_cast<double>(*f->assumption_states), share,
                             fmt::format("{} at size {}: {} states, {:.0f} %", f->name(), f->generalised_reach.largest,
                                         *f->assumption_states, share)});
    ones += *f->assumption_states == 1 ? 1 : 0;
    csv += csv_row({f->system, f->property, std::to_string(f->generalised_reach.largest),
                    std::to_string(*f->assumption_states), fmt::format("{:.6f}", f->learned->result->time_s),
                    fmt::format("{:.6f}", f->learned->result->learn_s), fmt::format("{:.1f}", share)});
  }
  plot.notes = {"side by side: as many states", fmt::format("{} of {} properties", ones, rows.size()),
                "have assumption size 1",
                fmt::format("(paper: {} of {})", paper::tool(engine)->one_state, paper::tool(engine)->properties)};
  const std::string name = fmt::format("figure{}.svg", number);
  files[name] = to_svg(plot);
  files[fmt::format("figure{}.csv", number)] = csv;
  return link(name, fmt::format("Figure {}: percentage of time spent learning, {}", number, shown(engine)));
}

}  // namespace

std::string figures(const Study& study, const std::vector<TrackFacts>& facts,
                    std::map<std::string, std::string>& files) {
  std::string out = "## Figures\n\n";
  out += best_figure(facts, Engine::flavers, 1, files);
  out += best_figure(facts, Engine::exact, 2, files);
  // The two of the paper come first, for both engines.
  std::string others;
  for (const auto& f : facts) {
    if (!has_growth(f)) continue;
    const int number = f.system == "Gas Station" && f.property == "MUTEX" ? 3 : f.system == "Relay" ? 4 : 0;
    if (number > 0)
      out += states_figure(
          study, f, fmt::format("Figure {}: states explored against size, {}, {}", number, f.name(), shown(f.engine)),
          fmt::format("figure{}-{}", number, name_of(f.engine)), files);
    else
      others += states_figure(study, f, fmt::format("States explored against size, {}, {}", f.name(), shown(f.engine)),
                              file_name(f), files);
  }
  out += learning_figure(facts, Engine::flavers, 5, files);
  out += learning_figure(facts, Engine::exact, 6, files);
  if (!others.empty()) out += "### As figures 3 and 4, for the other properties\n\n" + others;
  return out;
}

}  // namespace surety::study
