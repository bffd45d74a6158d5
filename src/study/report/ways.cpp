#include "study/report/ways.hpp"

#include <algorithm>
#include <cmath>

namespace surety::study {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

class Counter {
 public:
  Counter(const Study& study, Engine engine, const Way& way) : study_(study) {
    row_.engine = engine;
    row_.way = way;
  }
  void add(const TrackFacts& track);
  WayFacts take() &&;

 private:
  const Item* best_run(const TrackFacts& track);
  void add_run(const Item& item);
  void add_reach(const TrackFacts& track);

  const Study& study_;
  WayFacts row_;
  std::vector<double> times_;
  double logs_ = 0;
  std::size_t compared_ = 0;
};

void Counter::add_run(const Item& item) {
  ++row_.runs;
  row_.over_limit += item.status == Status::over_limit ? 1 : 0;
  row_.ended += item.status == Status::worse ? 1 : 0;
  row_.slowest = std::max(row_.slowest, item.result->time_s);
  row_.largest_assumption = std::max(row_.largest_assumption, item.result->largest_assumption);
  times_.push_back(item.result->time_s);
}

// All runs of the way are counted.
const Item* Counter::best_run(const TrackFacts& track) {
  const Item* best = nullptr;
  for (const std::size_t place : study_.instance_of(*track.mono2).items) {
    const Item& item = study_.items[place];
    if (item.way != row_.way || item.supplied != 0 || !item.is_finished() || !item.result) continue;
    add_run(item);
    if (!item.holds()) continue;
    row_.counts_states &= item.cost() > 0;
    row_.better_runs += item.cost() < track.mono2->cost() ? 1 : 0;
    if (best == nullptr || item.cost() < best->cost()) best = &item;
  }
  return best;
}

void Counter::add_reach(const TrackFacts& track) {
  int reached = 0;
  for (const auto& [size, place] : study_.sizes_of(track.track))
    if (const Item* const item = study_.find(study_.instances[place], std::nullopt, row_.way);
        item != nullptr && item->holds())
      reached = size;
  row_.smallest_reach = row_.smallest_reach == 0 ? reached : std::min(row_.smallest_reach, reached);
  row_.largest_reach = std::max(row_.largest_reach, reached);
}

void Counter::add(const TrackFacts& track) {
  const std::size_t before = row_.runs;
  const Item* const best = best_run(track);
  if (row_.runs == before) return;
  ++row_.properties;
  if (best == nullptr) return;
  row_.better += best->cost() < track.mono2->cost() ? 1 : 0;
  if (track.best2.item != nullptr && best->cost() > 0 && track.best2.item->cost() > 0) {
    logs_ += std::log(ratio_of(*best, *track.best2.item));
    ++compared_;
  }
  if (!takes_split(row_.way)) add_reach(track);
}

WayFacts Counter::take() && {
  row_.median_time = median(times_);
  if (compared_ > 0) row_.best_against_first = std::exp(logs_ / static_cast<double>(compared_));
  return row_;
}

}  // namespace

std::vector<WayFacts> way_facts(const Study& study, const std::vector<TrackFacts>& facts) {
  std::vector<WayFacts> out;
  for (const Engine engine : kEngines)
    for (const Way& way : ways_of(study.settings)) {
      Counter counter(study, engine, way);
      for (const TrackFacts& track : facts)
        if (track.engine == engine && track.mono2 != nullptr) counter.add(track);
      if (WayFacts row = std::move(counter).take(); row.runs > 0) out.push_back(row);
    }
  return out;
}

namespace {

std::uint64_t letters_of(const Study& study, const Item& item) {
  const auto found = study.assumptions.find(item.result->assumption);
  return found == study.assumptions.end() ? 0 : found->second.letters;
}

}  // namespace

AlphabetFacts compare_alphabets(const Study& study, Engine engine) {
  AlphabetFacts out;
  Way full = study.way(), refine = study.way();
  full.alphabet = "full";
  refine.alphabet = "refine";
  std::uint64_t letters[2] = {0, 0};
  for (const Instance& instance : study.instances) {
    if (study.model_of(instance).size != 2 || study.model_of(instance).engine != engine) continue;
    for (const std::size_t place : instance.items) {
      const Item& one = study.items[place];
      if (one.way != full || !one.mask || one.supplied != 0 || !one.holds()) continue;
      const Item* const other = study.find(instance, one.mask, refine);
      if (other == nullptr || !other->holds()) continue;
      ++out.splits;
      out.cheaper += other->cost() < one.cost() ? 1 : 0;
      out.dearer += other->cost() > one.cost() ? 1 : 0;
      letters[0] += letters_of(study, one);
      letters[1] += letters_of(study, *other);
    }
    const Best of_full = best_of(study, instance, full), of_refine = best_of(study, instance, refine);
    if (of_full.item == nullptr || of_refine.item == nullptr) continue;
    ++out.properties;
    out.best_cheaper += of_refine.item->cost() < of_full.item->cost() ? 1 : 0;
    out.best_dearer += of_refine.item->cost() > of_full.item->cost() ? 1 : 0;
  }
  const auto average = [&](std::uint64_t sum) {
    return out.splits == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(out.splits);
  };
  out.letters_full = average(letters[0]);
  out.letters_refine = average(letters[1]);
  return out;
}

}  // namespace surety::study
