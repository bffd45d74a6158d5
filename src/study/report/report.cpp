#include "study/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "study/status.hpp"

namespace surety::study {
namespace {

namespace fs = std::filesystem;

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
  if (const auto unsure = std::ranges::count_if(study.items, [&](const Item& i) { return is_unsure(study, i); });
      unsure > 0)
    item(fmt::format(
        "Of {} of them the search had fewer constraints than a proof may need, and with these it might have "
        "been smaller; where there are such runs, the best is only best known.",
        unsure));
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

std::string further_sections(const Study& study, const std::vector<TrackFacts>& facts,
                             std::map<std::string, std::string>& files) {
  std::string out = methods(study, facts, files);
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
