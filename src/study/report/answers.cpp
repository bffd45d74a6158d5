// What a study says, one sentence per question, with the paper's numbers.

#include <fmt/format.h>

#include <algorithm>

#include "study/report/paper.hpp"
#include "study/report/report.hpp"
#include "study/report/ways.hpp"

namespace surety::study {
namespace {

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
  if (known > 0)
    out += fmt::format(
        "; for {} some run was ended by a limit or a bound that leaves it open, so that the best may be better still",
        known);
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
  std::string out = fmt::format(
      "at the largest size of which all decompositions were examined the generalised one is the best for {} of "
      "{} ({}; paper {:.1f} %); of the {} others, {} beat monolithic verification when they are simplified to size 2 "
      "(paper: in one case)",
      best, looked_at, per_cent(best, looked_at), tool.best_generalised, looked_at - best, simplified);
  const auto compared = count(rows, [](const auto& f) { return f.other_ratio.has_value(); });
  if (compared == 0) return out + ".";
  const auto better = count(rows, [](const auto& f) { return f.other_ratio && *f.other_ratio < 1; });
  const auto farther = count(rows, [](const auto& f) { return f.reaches_farther; });
  return out + fmt::format(
                   "; generalised in their turn, {} of {} beat the one from size 2 (paper: all), and {} reach a "
                   "larger size than it and monolithic verification (paper: 3, both tools together).",
                   better, compared, farther);
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
  std::string out, farther;
  for (const auto& way : ways) {
    const std::string name = way_name(way);
    if (way.counts_states)
      out += fmt::format("{}{} is better for {} of {}", out.empty() ? "" : "; ", name, way.better, way.properties);
    if (!way.upwards.empty())
      farther += fmt::format("{}{} for {} of {}",
                             farther.empty() ? " A larger system than by monolithic verification is "
                                               "verified by "
                                             : ", ",
                             name, reach_facts(way).larger, way.upwards.size());
  }
  return out + " (the best split, size 2)." + (farther.empty() ? "" : farther + ".");
}

std::string answer7(const Study& study, const std::vector<WayFacts>& ways, Engine engine) {
  const WayFacts *full = nullptr, *refine = nullptr;
  for (const auto& way : ways)
    if (way.way.method == study.settings.methods.front()) (way.way.alphabet == "full" ? full : refine) = &way;
  if (full == nullptr || refine == nullptr) return "only one alphabet was run.";
  const AlphabetFacts both = compare_alphabets(study, engine);
  return fmt::format(
      "of {} splits that both prove at size 2, the refined alphabet makes {} cheaper and {} dearer; the best split is "
      "cheaper for {} of {} properties and dearer for {}; an assumption has {:.1f} letters on average, {:.1f} with the "
      "full one; the slowest run takes {:.3g} s and {:.3g} s, {} and {} runs are over the limit, and the largest "
      "conjecture has {} and {} states (refined, full).",
      both.splits, both.cheaper, both.dearer, both.best_cheaper, both.properties, both.best_dearer, both.letters_refine,
      both.letters_full, refine->slowest, full->slowest, refine->over_limit, full->over_limit,
      refine->largest_assumption, full->largest_assumption);
}

}  // namespace

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
    out += fmt::format("- **Q6, {}**: {}\n- **Q7, {}**: {}\n", name, answer6(mine), name, answer7(study, mine, engine));
  }
  if (out.empty()) out = "- No property has all its decompositions of size 2 done yet.\n";
  return out + "- **Q8**: `surety study predict` answers it.\n\n";
}

}  // namespace surety::study
