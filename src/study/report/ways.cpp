#include "study/report/ways.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace surety::study {
namespace {

template <class Value>
Value median(std::vector<Value> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

class Counter {
 public:
  Counter(const Study& study, Engine engine, const Way& way, bool in_two) : study_(study) {
    row_.engine = engine;
    row_.way = way;
    row_.in_two = in_two;
  }
  void add(const TrackFacts& track);
  WayFacts take() &&;

 private:
  const Item* best_run(const TrackFacts& track);
  void add_run(const Item& item);
  Reach reach_of(const TrackFacts& track) const;

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
    if (item.way != row_.way || item.mask.has_value() != row_.in_two || !item.order.empty() || item.supplied != 0 ||
        !item.is_finished() || !item.result)
      continue;
    add_run(item);
    if (!item.holds()) continue;
    row_.counts_states &= item.cost() > 0;
    row_.better_runs += item.cost() < track.mono2->cost() ? 1 : 0;
    if (best == nullptr || item.cost() < best->cost()) best = &item;
  }
  return best;
}

Reach Counter::reach_of(const TrackFacts& track) const {
  if (!row_.in_two) return reach_without_mask(study_, track.track, row_.way);
  const auto line = line_from(study_, track.track, 2, row_.way);
  return line ? reach_of_line(study_, track.track, *line) : Reach{0, 2};
}

// Of all splits in the study's way at size 2; one that is over a limit costs more than all others.
std::uint64_t median_cost(const Study& study, const TrackFacts& track) {
  std::vector<std::uint64_t> costs;
  for (const std::size_t place : study.instance_of(*track.mono2).items)
    if (const Item& item = study.items[place]; item.mask && item.is_of_all() && item.way == study.way())
      costs.push_back(item.holds() ? item.cost() : std::numeric_limits<std::uint64_t>::max());
  return median(std::move(costs));
}

void Counter::add(const TrackFacts& track) {
  const std::size_t before = row_.runs;
  const Item* const best = best_run(track);
  if (row_.runs == before) return;
  ++row_.properties;
  if (study_.systems[track.track.system].definition.scale)
    row_.upwards.push_back({&track, best == nullptr ? std::nullopt : std::optional(best->cost()), reach_of(track)});
  if (best == nullptr) return;
  row_.better += best->cost() < track.mono2->cost() ? 1 : 0;
  if (track.best2.item != nullptr && best->cost() > 0 && track.best2.item->cost() > 0) {
    logs_ += std::log(ratio_of(*best, *track.best2.item));
    ++compared_;
    row_.as_best += best->cost() <= track.best2.item->cost() ? 1 : 0;
    row_.as_median += best->cost() <= median_cost(study_, track) ? 1 : 0;
  }
}

WayFacts Counter::take() && {
  row_.median_time = median(times_);
  if (compared_ > 0) row_.best_against_first = std::exp(logs_ / static_cast<double>(compared_));
  return row_;
}

}  // namespace

std::string way_name(const WayFacts& way) {
  std::string out = way.way.method;
  if (takes_split(way.way) && goes_without(way.way)) out += way.in_two ? " of two sides" : " of all components";
  if (!way.way.alphabet.empty()) out += " with the " + way.way.alphabet + " alphabet";
  return out;
}

std::vector<WayFacts> way_facts(const Study& study, const std::vector<TrackFacts>& facts) {
  std::vector<WayFacts> out;
  for (const Engine engine : kEngines)
    for (const Way& way : ways_of(study.settings))
      for (const bool in_two : {true, false}) {
        if (!(in_two ? takes_split(way) : goes_without(way))) continue;
        Counter counter(study, engine, way, in_two);
        for (const TrackFacts& track : facts)
          if (track.engine == engine && track.mono2 != nullptr) counter.add(track);
        if (WayFacts row = std::move(counter).take(); row.runs > 0) out.push_back(row);
      }
  return out;
}

ReachFacts reach_facts(const WayFacts& way) {
  ReachFacts out;
  std::vector<int> sizes;
  for (const auto& [track, cost, reach] : way.upwards) {
    const int mono = track->mono_reach.largest;
    ++(reach.largest > mono ? out.larger : reach.largest == mono ? out.same : out.smaller);
    out.to_the_end += reach.stopped_at ? 0 : 1;
    sizes.push_back(reach.largest);
  }
  if (sizes.empty()) return out;
  out.least = std::ranges::min(sizes);
  out.most = std::ranges::max(sizes);
  out.median = median(std::move(sizes));
  return out;
}

std::vector<SideFacts> side_facts(const Study& study, const std::vector<TrackFacts>& facts) {
  std::vector<SideFacts> out;
  for (const Engine engine : kEngines)
    for (const Way& way : ways_of(study.settings)) {
      if (!takes_split(way) || way.method == study.way().method) continue;
      std::map<std::size_t, SideFacts> by_tasks;
      for (const TrackFacts& track : facts) {
        if (track.engine != engine || track.mono2 == nullptr) continue;
        const Instance& instance = study.instance_of(*track.mono2);
        for (const std::size_t place : instance.items) {
          const Item& mine = study.items[place];
          if (mine.way != way || !mine.mask || mine.supplied != 0 || !mine.holds()) continue;
          const Item* const first = study.find(instance, mine.mask, study.way());
          if (first == nullptr || !first->holds()) continue;
          const std::size_t tasks = mine.mask->tasks_of_smaller_side();
          SideFacts& row = by_tasks.try_emplace(tasks, SideFacts{way, engine, tasks, 0, 0, 0, 0}).first->second;
          ++row.splits;
          row.cheaper += mine.cost() < first->cost() ? 1 : 0;
          row.dearer += mine.cost() > first->cost() ? 1 : 0;
          row.ratio += std::log(ratio_of(mine, *first));
        }
      }
      for (auto& [tasks, row] : by_tasks) {
        row.ratio = std::exp(row.ratio / static_cast<double>(row.splits));
        out.push_back(row);
      }
    }
  return out;
}

std::vector<OrderFacts> order_facts(const Study& study, const std::vector<TrackFacts>& facts) {
  std::vector<OrderFacts> out;
  for (const TrackFacts& track : facts)
    for (const Way& way : ways_of(study.settings)) {
      if (track.mono2 == nullptr || !takes_order(way)) continue;
      const Instance& instance = study.instance_of(*track.mono2);
      OrderFacts row{&track, way};
      std::vector<std::uint64_t> costs;
      for (const std::size_t place : instance.items) {
        const Item& item = study.items[place];
        if (item.order.empty() || item.way != way || !item.is_finished()) continue;
        ++row.orders;
        if (item.holds())
          costs.push_back(item.cost());
        else
          ++row.failed;
      }
      const Item* const ours = study.find(instance, std::nullopt, way);
      if (costs.empty() || ours == nullptr || !ours->holds()) continue;
      row.ours = ours->cost();
      row.best = std::ranges::min(costs);
      row.worst = std::ranges::max(costs);
      row.median = median(std::move(costs));
      out.push_back(row);
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
