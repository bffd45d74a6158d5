// What other methods and alphabets do: at size 2, upwards, split by split, and in all orders of components.

#include "study/report/table.hpp"
#include "study/report/ways.hpp"

namespace surety::study {
namespace {

using Files = std::map<std::string, std::string>;

std::string text(std::size_t n) { return std::to_string(n); }
std::string two_digits(double value) { return fmt::format("{:.2f}", value); }

// Engine, method, alphabet, sides.
std::vector<std::string> names_of(const WayFacts& way) {
  const std::string sides = way.in_two ? "two" : takes_split(way.way) || takes_order(way.way) ? "all" : "–";
  return {std::string(name_of(way.engine)), way.way.method, way.way.alphabet.empty() ? "–" : way.way.alphabet, sides};
}

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string at_size_2(const std::vector<WayFacts>& ways, Files& files) {
  Table table({"engine", "method", "alphabet", "sides", "properties", "better with the best split", "runs",
               "runs better than monolithic", "ended by the bound", "over limit", "median time, s", "slowest, s",
               "largest conjecture", "best cost against the first row", "at most the best split of the first row",
               "at most its median split"});
  for (const auto& way : ways) {
    const auto compared = [&](const std::string& value) { return way.counts_states ? value : "–"; };
    // Runs that a bound has ended may be better than monolithic or not.
    const std::string better_runs = (way.ended > 0 ? "≥ " : "") + per_cent(way.better_runs, way.runs);
    table.add(names_of(way) +
              std::vector<std::string>{text(way.properties), compared(text(way.better)), text(way.runs),
                                       compared(better_runs), text(way.ended), text(way.over_limit),
                                       fmt::format("{:.3g}", way.median_time), fmt::format("{:.3g}", way.slowest),
                                       text(way.largest_assumption),
                                       compared(way.best_against_first ? two_digits(*way.best_against_first) : "–"),
                                       compared(text(way.as_best)), compared(text(way.as_median))});
  }
  files["methods.csv"] = table.csv();
  return "## Methods and alphabets at size 2\n\nSides: *two*, every way to split in two; *all*, each component is one, "
         "in our order.\n\n" +
         table.text() + "\n";
}

// Of each property; the table has the numbers of each way.
void save_sizes(const std::vector<WayFacts>& ways, Files& files) {
  Table table({"engine", "method", "alphabet", "sides", "system", "property", "monolithic cost at size 2", "best cost",
               "largest size, monolithic", "largest size", "stopped at"});
  for (const auto& way : ways)
    for (const auto& [track, cost, reach] : way.upwards)
      table.add(names_of(way) +
                std::vector<std::string>{track->system, track->property, std::to_string(track->mono2->cost()),
                                         cost && way.counts_states ? std::to_string(*cost) : "–",
                                         std::to_string(track->mono_reach.largest), std::to_string(reach.largest),
                                         reach.stopped_at ? std::to_string(*reach.stopped_at) : ""});
  files["sizes.csv"] = table.csv();
}

// Monolithic verification of the same properties.
WayFacts monolithic_like(const WayFacts& way) {
  WayFacts out;
  out.way = kMonolithic;
  out.engine = way.engine;
  for (const auto& [track, cost, reach] : way.upwards)
    out.upwards.push_back({track, track->mono2->cost(), track->mono_reach});
  return out;
}

std::string upwards(const std::vector<WayFacts>& ways, Files& files) {
  Table table({"engine", "method", "alphabet", "sides", "properties", "better at size 2", "larger than monolithic",
               "as large", "smaller", "largest size: worst property", "median", "best", "not stopped by a limit"});
  const auto add = [&](const WayFacts& way, const std::string& better) {
    const ReachFacts reach = reach_facts(way);
    table.add(names_of(way) + std::vector<std::string>{text(way.upwards.size()), better, text(reach.larger),
                                                       text(reach.same), text(reach.smaller),
                                                       std::to_string(reach.least), std::to_string(reach.median),
                                                       std::to_string(reach.most), text(reach.to_the_end)});
  };
  std::optional<Engine> engine;
  for (const auto& way : ways) {
    if (way.upwards.empty()) continue;
    if (engine != way.engine) add(monolithic_like(way), "–");
    engine = way.engine;
    add(way, way.counts_states ? text(way.better) : "–");
  }
  if (!engine) return "";
  files["reach.csv"] = table.csv();
  save_sizes(ways, files);
  return "## How far each method goes\n\nProperties of which it verifies a larger system than monolithic verification "
         "within the limits, one as large, or a smaller one only; with two sides by its own best split of size 2, "
         "generalised. *Not stopped by a limit*: the largest size that was tried, or that can be built, is "
         "verified.\n\n" +
         table.text() + "\n";
}

std::string by_sides(const Study& study, const std::vector<TrackFacts>& facts, Files& files) {
  Table table({"engine", "method", "alphabet", "tasks of the smaller side", "splits", "cheaper", "the same", "dearer",
               "cost, geometric mean"});
  const auto rows = side_facts(study, facts);
  for (const auto& row : rows)
    table.add({std::string(name_of(row.engine)), row.way.method, row.way.alphabet.empty() ? "–" : row.way.alphabet,
               text(row.tasks), text(row.splits), text(row.cheaper), text(row.splits - row.cheaper - row.dearer),
               text(row.dearer), two_digits(row.ratio)});
  if (rows.empty()) return "";
  files["sides.csv"] = table.csv();
  return fmt::format(
      "## Split by split, against {}\n\nSplits of size 2 that both prove, by how many tasks the smaller side "
      "has.\n\n{}\n",
      study.way().method, table.text());
}

std::string by_orders(const Study& study, const std::vector<TrackFacts>& facts, Files& files) {
  const auto rows = order_facts(study, facts);
  if (rows.empty()) return "";
  Table table({"system", "property", "engine", "method", "alphabet", "monolithic", "best split in two", "orders",
               "not proved", "ours", "best", "median", "worst"});
  for (const auto& row : rows) {
    const TrackFacts& f = *row.track;
    table.add({f.system, f.property, std::string(name_of(f.engine)), row.way.method, row.way.alphabet,
               std::to_string(f.mono2->cost()), f.best2.item != nullptr ? std::to_string(f.best2.item->cost()) : "–",
               text(row.orders), text(row.failed), std::to_string(row.ours), std::to_string(row.best),
               std::to_string(row.median), std::to_string(row.worst)});
  }
  files["orders.csv"] = table.csv();
  return fmt::format("## Orders of components\n\nAll orders of at most {} components, at size 2: costs.\n\n{}\n",
                     kMostOrdered, table.text());
}

}  // namespace

std::string methods(const Study& study, const std::vector<TrackFacts>& facts, Files& files) {
  const auto ways = way_facts(study, facts);
  if (ways.size() < 2) return "";
  return at_size_2(ways, files) + upwards(ways, files) + by_sides(study, facts, files) + by_orders(study, facts, files);
}

}  // namespace surety::study
