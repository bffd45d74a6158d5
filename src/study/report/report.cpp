#include "study/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/file.hpp"
#include "study/report/paper.hpp"
#include "study/status.hpp"

namespace surety::study {
namespace {

namespace fs = std::filesystem;

// All that is in a report of one engine comes from these.
template <class Is>
std::size_t count(const std::vector<const TrackFacts*>& rows, Is is) {
  return static_cast<std::size_t>(std::ranges::count_if(rows, [&](const auto* f) { return is(*f); }));
}

double average(const std::vector<const TrackFacts*>& rows, bool below) {
  double sum = 0;
  std::size_t n = 0;
  for (const auto* f : rows)
    if (f->ratio2 && (*f->ratio2 < 1) == below) {
      sum += 100 * *f->ratio2;
      ++n;
    }
  return n == 0 ? 0 : sum / static_cast<double>(n);
}

// --- one sentence per question ----------------------------------------------------------

std::string answer1(const std::vector<const TrackFacts*>& rows, const paper::Tool& tool) {
  const auto better = count(rows, [](const auto& f) { return f.ratio2 && *f.ratio2 < 1; });
  const auto known = count(rows, [](const auto& f) { return f.best2.known_only(); });
  std::string out = fmt::format(
      "the best two-way decomposition of size 2 explores fewer states than monolithic verification for {} of {} "
      "properties ({}; paper {} of {})",
      better, rows.size(), per_cent(better, rows.size()), tool.better_at_2, tool.properties);
  if (better > 0)
    out += fmt::format("; where it is better it needs {:.1f} % on average (paper {:.1f} %)", average(rows, true),
                       tool.average_below);
  if (better < rows.size())
    out += fmt::format("; elsewhere it needs {:.1f} % (paper {:.1f} %)", average(rows, false), tool.average_above);
  if (known > 0) out += fmt::format("; for {} some run was over a limit, so that the best may be better still", known);
  return out + ".";
}

std::string answer2(const std::vector<const TrackFacts*>& rows, const paper::Tool& tool) {
  if (count(rows, [](const auto& f) { return f.common && *f.common > 2; }) == 0) return "no larger size was run.";
  const auto better = count(rows, [](const auto& f) { return f.ratio && *f.ratio < 1; });
  const auto lost = count(rows, [](const auto& f) { return f.ratio2 && *f.ratio2 < 1 && !(f.ratio && *f.ratio < 1); });
  const auto won = count(rows, [](const auto& f) { return f.ratio2 && *f.ratio2 >= 1 && f.ratio && *f.ratio < 1; });
  return fmt::format(
      "generalised to the largest size at which both could be verified it is better for {} of {} ({}; paper {} of {}); "
      "{} "
      "that were better at size 2 are not, {} the other way round.",
      better, rows.size(), per_cent(better, rows.size()), tool.better_generalised, tool.properties, lost, won);
}

std::string answer3(const std::vector<const TrackFacts*>& rows, const paper::Tool& tool) {
  const auto placed = count(rows, [](const auto& f) { return f.category.has_value(); });
  if (placed == 0) return "no larger size was run.";
  const auto farther = count(rows, [](const auto& f) { return f.category == Category::scales_farther; });
  std::string names;
  for (const auto* f : rows)
    if (f->category == Category::scales_farther)
      names += fmt::format("{}{} ({} instead of {})", names.empty() ? ": " : ", ", f->name(),
                           f->generalised_reach.largest, f->mono_reach.largest);
  return fmt::format("it verifies a larger system for {} of {} properties (paper {} of {}){}.", farther, placed,
                     tool.categories[0], tool.properties, names);
}

std::string answer4(const std::vector<const TrackFacts*>& rows, const paper::Tool& tool) {
  const auto looked_at = count(rows, [](const auto& f) { return f.generalised_is_best.has_value(); });
  if (looked_at == 0) return "all decompositions were run at size 2 only.";
  const auto best = count(rows, [](const auto& f) { return f.generalised_is_best.value_or(false); });
  const auto simplified = count(rows, [](const auto& f) {
    return f.generalised_is_best && !*f.generalised_is_best && f.simplified_ratio && *f.simplified_ratio < 1;
  });
  return fmt::format(
      "at the largest size of which all decompositions were examined the generalised one is the best for {} of "
      "{} ({}; paper {:.1f} %); of the {} others, {} beat monolithic verification when they are simplified to size 2.",
      best, looked_at, per_cent(best, looked_at), tool.best_generalised, looked_at - best, simplified);
}

std::string answer5(const std::vector<const TrackFacts*>& rows, const paper::Tool& tool) {
  std::size_t pairs = 0, same = 0, small = 0, small_half = 0, large = 0, large_most = 0, one = 0;
  double other = 0;
  std::uint64_t largest = 0;
  for (const auto* f : rows) {
    if (f->learned == nullptr) continue;
    if (f->assumption_states) {
      largest = std::max(largest, *f->assumption_states);
      one += *f->assumption_states == 1 ? 1 : 0;
      if (f->learning_share && *f->assumption_states < 10) {
        ++small;
        small_half += *f->learning_share < 0.5 ? 1 : 0;
      } else if (f->learning_share) {
        ++large;
        large_most += *f->learning_share > 0.9 ? 1 : 0;
      }
    }
    if (f->supplied == nullptr) continue;
    ++pairs;
    if (f->supplied->cost() == f->learned->cost())
      ++same;
    else
      other += 100.0 * static_cast<double>(f->supplied->cost()) /
               static_cast<double>(std::max<std::uint64_t>(1, f->learned->cost()));
  }
  if (pairs == 0) return "no run with a supplied assumption was made.";
  std::string out = fmt::format(
      "with the assumption supplied instead of learned the memory is the same for {} of {} (paper {} of {})", same,
      pairs, tool.same_memory, tool.properties);
  if (pairs > same)
    out += fmt::format(", and {:.1f} % on average for the others (paper {:.1f} %)",
                       other / static_cast<double>(pairs - same), tool.other_memory);
  out += fmt::format(
      "; {} assumptions have one state, the largest has {}; with under 10 states learning takes less than half of the "
      "time "
      "for {} of {}, with more it takes over 90 % for {} of {}.",
      one, largest, small_half, small, large_most, large);
  return out;
}

std::string answer6(const std::vector<WayFacts>& ways) {
  if (ways.size() < 2) return "no other method was run.";
  std::string out;
  for (const auto& way : ways)
    out += fmt::format("{}{}{} is better for {} of {}", out.empty() ? "" : "; ", way.way.method,
                       way.way.alphabet.empty() ? "" : " with the " + way.way.alphabet + " alphabet", way.better,
                       way.properties);
  return out + " (the best split, size 2).";
}

std::string answer7(const Study& study, const std::vector<WayFacts>& ways) {
  const WayFacts *full = nullptr, *refine = nullptr;
  for (const auto& way : ways)
    if (way.way.method == study.settings.methods.front()) (way.way.alphabet == "full" ? full : refine) = &way;
  if (full == nullptr || refine == nullptr) return "only one alphabet was run.";
  return fmt::format(
      "the slowest run takes {:.3g} s with the full alphabet and {:.3g} s with a refined one, {} and {} runs are over "
      "the "
      "limit, and the largest conjecture has {} and {} states.",
      full->slowest, refine->slowest, full->over_limit, refine->over_limit, full->largest_assumption,
      refine->largest_assumption);
}

// --- what is at the end -------------------------------------------------------------------

std::string properties_list(const Study& study, const std::vector<TrackFacts>& facts,
                            std::map<std::string, std::string>& files) {
  std::string out =
      "## Properties and their best decompositions\n\n| system | property | engine | monolithic, size 2 | best, size 2 "
      "| % | "
      "ties | S1 \\| S2 | verified: monolithic, generalised | ratio there | category |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n";
  std::string csv = csv_row({"system", "property", "engine", "monolithic", "best", "best_known_only", "ties", "split",
                             "largest_monolithic", "largest_generalised", "ratio", "category", "extended"});
  for (const auto& f : facts) {
    const std::string mono = f.mono2 != nullptr ? std::to_string(f.mono2->cost()) : "–";
    const bool has = f.best2.item != nullptr;
    const std::string best = has ? std::to_string(f.best2.item->cost()) : "–";
    std::string split = f.split2;
    if (const auto bar = split.find(" | "); bar != std::string::npos) split.replace(bar, 3, " \\| ");
    const std::string category = f.category ? std::to_string(static_cast<int>(*f.category)) : "–";
    out += fmt::format(
        "| {} | {} | {} | {} | {}{} | {} | {} | {} | {}, {} | {} | {}{} |\n", f.system, f.property, name_of(f.engine),
        mono, has && f.best2.known_only() ? "≤ " : "", best, f.ratio2 ? fmt::format("{:.1f}", 100 * *f.ratio2) : "–",
        has ? std::to_string(f.best2.ties) : "–", split, f.mono_reach.largest, f.generalised_reach.largest,
        f.ratio ? fmt::format("{:.3f}", *f.ratio) : "–", category, f.extended ? ", extended" : "");
    csv += csv_row({f.system, f.property, std::string(name_of(f.engine)), mono, best, f.best2.known_only() ? "1" : "0",
                    std::to_string(f.best2.ties), f.split2, std::to_string(f.mono_reach.largest),
                    std::to_string(f.generalised_reach.largest), f.ratio ? fmt::format("{:.6f}", *f.ratio) : "",
                    category, f.extended ? "1" : "0"});
  }
  files["properties.csv"] = csv;
  static_cast<void>(study);
  return out + "\n";
}

std::string left_out(const Study& study, const std::vector<TrackFacts>& facts) {
  const Standing standing = standing_of(study);
  std::string out = "## What was left out, and why\n\n";
  const auto item = [&](const std::string& text) { out += "- " + text + "\n"; };
  if (standing.total.left > 0)
    item(fmt::format("{} of {} runs are still to be done.", standing.total.left, standing.total.all));
  if (standing.total.over_limit > 0) item(fmt::format("{} runs were over a limit.", standing.total.over_limit));
  if (standing.total.worse > 0)
    item(fmt::format("{} runs were ended when a search exceeded the bound: their cost is only known to be above it.",
                     standing.total.worse));
  if (standing.total.crashed > 0) item(fmt::format("{} runs crashed.", standing.total.crashed));
  if (standing.total.excluded > 0)
    item(fmt::format("{} runs are of properties that do not hold.", standing.total.excluded));
  for (const auto& f : facts)
    if (!f.is_complete())
      item(fmt::format(
          "{} ({}): {}.", f.name(), name_of(f.engine),
          f.mono2 == nullptr ? "not verified monolithically at size 2" : "not all decompositions of size 2 are done"));
  for (const auto& f : facts)
    if (f.is_complete() && f.best2.item == nullptr)
      item(fmt::format("{} ({}): no decomposition of size 2 proves it{}.", f.name(), name_of(f.engine),
                       f.engine == Engine::flavers ? "; the constraints are those that the whole needs" : ""));
  for (const auto& text : standing.not_built) item("not built: " + text);
  const OrbitSpread spread = orbit_spread(study);
  if (spread.orbits > 0)
    item(
        fmt::format("Decompositions that differ only by tasks that can change places: of {} such sets at size 2, {} "
                    "have equal costs throughout; "
                    "the largest ratio within one is {:.2f}. That is what `--orbits` may lose.",
                    spread.orbits, spread.equal, spread.largest));
  if (out.ends_with("\n\n")) item("nothing.");
  return out + "\n";
}

Json json_of(const TrackFacts& f) {
  Json out = {
      {"system", f.system}, {"property", f.property}, {"engine", name_of(f.engine)}, {"complete", f.is_complete()}};
  const auto add = [&](const char* name, const auto& value) { out[name] = value ? Json(*value) : Json(nullptr); };
  out["monolithic"] = f.mono2 != nullptr ? Json(f.mono2->cost()) : Json(nullptr);
  out["best"] = f.best2.item != nullptr ? Json(f.best2.item->cost()) : Json(nullptr);
  out["best_known_only"] = f.best2.known_only();
  out["ties"] = f.best2.ties;
  out["split"] = f.split2;
  add("ratio", f.ratio2);
  out["largest_monolithic"] = f.mono_reach.largest;
  out["largest_generalised"] = f.generalised_reach.largest;
  add("common_size", f.common);
  add("common_ratio", f.ratio);
  out["category"] = f.category ? Json(static_cast<int>(*f.category)) : Json(nullptr);
  add("generalised_is_best", f.generalised_is_best);
  add("assumption_states", f.assumption_states);
  add("learning_share", f.learning_share);
  return out;
}

}  // namespace

std::vector<const TrackFacts*> counted(const std::vector<TrackFacts>& facts, Engine engine) {
  std::vector<const TrackFacts*> out;
  for (const auto& f : facts)
    if (f.engine == engine && f.is_complete()) out.push_back(&f);
  return out;
}

std::string per_cent(std::size_t part, std::size_t whole) {
  if (whole == 0) return "–";
  const std::size_t tenths = (2000 * part + whole) / (2 * whole);  // a half is rounded up, as the paper does
  return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

std::string csv_row(const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    if (cells[i].find_first_of(",\"\n") == std::string::npos) {
      out += cells[i];
      continue;
    }
    out += '"';
    for (const char c : cells[i]) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  }
  return out + "\n";
}

std::string answers(const Study& study, const std::vector<TrackFacts>& facts) {
  const auto ways = way_facts(study, facts);
  std::string out;
  for (const Engine engine : kEngines) {
    const auto rows = counted(facts, engine);
    if (rows.empty()) continue;
    const paper::Tool& tool = *paper::tool(engine);
    const std::string name = engine == Engine::flavers ? "FLAVERS" : "exact engine";
    int number = 0;
    for (const auto& text :
         {answer1(rows, tool), answer2(rows, tool), answer3(rows, tool), answer4(rows, tool), answer5(rows, tool)})
      out += fmt::format("- **Q{}, {}**: {}\n", ++number, name, text);
    std::vector<WayFacts> mine;
    std::ranges::copy_if(ways, std::back_inserter(mine), [&](const WayFacts& way) { return way.engine == engine; });
    out += fmt::format("- **Q6, {}**: {}\n- **Q7, {}**: {}\n", name, answer6(mine), name, answer7(study, mine));
  }
  if (out.empty()) out = "- No property has all its decompositions of size 2 done yet.\n";
  return out + "- **Q8**: `surety study predict` answers it.\n\n";
}

std::string further_sections(const Study& study, const std::vector<TrackFacts>& facts,
                             std::map<std::string, std::string>& files) {
  const auto ways = way_facts(study, facts);
  std::string out;
  if (ways.size() > 1) {
    out =
        "## Methods and alphabets at size 2\n\n| engine | method | alphabet | properties | better with the best split "
        "| runs | runs better "
        "than monolithic | over limit | median time | slowest | largest conjecture | best cost against the first row | "
        "sizes verified |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    std::string csv = csv_row({"engine", "method", "alphabet", "properties", "better", "runs", "better_runs",
                               "over_limit", "median_s", "slowest_s", "largest_conjecture", "best_against_first"});
    for (const auto& way : ways) {
      const std::string against = way.best_against_first ? fmt::format("{:.2f}", *way.best_against_first) : "–";
      const std::string sizes =
          way.largest_reach == 0 ? "–" : fmt::format("{} to {}", way.smallest_reach, way.largest_reach);
      out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {:.3g} s | {:.3g} s | {} | {} | {} |\n",
                         name_of(way.engine), way.way.method, way.way.alphabet.empty() ? "–" : way.way.alphabet,
                         way.properties, way.better, way.runs, per_cent(way.better_runs, way.runs), way.over_limit,
                         way.median_time, way.slowest, way.largest_assumption, against, sizes);
      csv +=
          csv_row({std::string(name_of(way.engine)), way.way.method, way.way.alphabet, std::to_string(way.properties),
                   std::to_string(way.better), std::to_string(way.runs), std::to_string(way.better_runs),
                   std::to_string(way.over_limit), fmt::format("{:.6f}", way.median_time),
                   fmt::format("{:.6f}", way.slowest), std::to_string(way.largest_assumption), against});
    }
    files["methods.csv"] = csv;
    out += "\n";
  }
  std::string learning =
      "## What learning costs\n\n| system | property | engine | size | states of the assumption | cost, learned | "
      "cost, "
      "supplied | time, learned | time, supplied | queries | queries of Angluin's L\\*, seeded |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n";
  bool any = false;
  for (const auto& f : facts) {
    if (f.supplied == nullptr) continue;
    any = true;
    learning +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {:.3g} s | {:.3g} s | {} | {} |\n", f.system, f.property,
                    name_of(f.engine), f.generalised_reach.largest, f.assumption_states.value_or(0), f.learned->cost(),
                    f.supplied->cost(), f.learned->result->time_s, f.supplied->result->time_s,
                    f.learned->result->queries, f.seeded != nullptr ? std::to_string(f.seeded->result->queries) : "–");
  }
  if (any) out += learning + "\n";
  return out + properties_list(study, facts, files) + left_out(study, facts);
}

StudyReport make_report(const Study& study) {
  StudyReport out;
  const auto facts = facts_of(study);
  const Standing standing = standing_of(study);
  out.text = "# Does breaking up pay?\n\n" + answers(study, facts);
  out.text += fmt::format(
      "{} runs, {:.0f} s of CPU time; limits of a run: {:g} s or {:g} times the monolithic time, {} MiB. The paper "
      "examined over "
      "43,000 decompositions in 1.43 years.\n\n",
      standing.total.all - standing.total.left, standing.total.seconds, study.limits.time_s, study.limits.factor,
      study.limits.memory >> 20);
  out.text += tables(study, facts, out.files);
  out.text += figures(study, facts, out.files);
  out.text += further_sections(study, facts, out.files);
  Json tracks = Json::array();
  for (const auto& f : facts) tracks.push_back(json_of(f));
  out.json = {{"schema", 1}, {"runs", to_json(standing).at("total")}, {"properties", std::move(tracks)}};
  return out;
}

api::Outcome<void> write_report(const StudyReport& report, const std::string& folder) {
  std::error_code wrong;
  fs::create_directories(folder, wrong);
  if (wrong || !fs::is_directory(folder))
    return api::bad_input({file_error(folder, "this folder cannot be made", wrong ? wrong.message() : "")});
  // The page comes last: if it is there, all that it shows is.
  for (const auto& [name, content] : report.files)
    if (auto written = write_file((fs::path(folder) / name).string(), content); !written)
      return api::bad_input(std::move(written.error()));
  if (auto written = write_file((fs::path(folder) / "report.md").string(), report.text); !written)
    return api::bad_input(std::move(written.error()));
  return {};
}

}  // namespace surety::study
