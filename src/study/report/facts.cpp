#include "study/report/facts.hpp"

#include <algorithm>
#include <functional>

namespace surety::study {
namespace {

void at_size_2(const Study& study, const Instance& instance, TrackFacts& out) {
  if (const Item* const mono = study.mono_of(instance); mono != nullptr && mono->holds()) out.mono2 = mono;
  out.best2 = best_of(study, instance, study.way());
  out.decompositions = out.best2.tried;
  if (out.best2.item == nullptr) return;
  out.split2 = out.best2.item->mask->split(study.model_of(instance).tasks);
  if (out.mono2 != nullptr) out.ratio2 = ratio_of(*out.best2.item, *out.mono2);
}

// A model that cannot be built is no limit of a run: there is nothing larger, for either way. Nor is a run that has
// come to its end without an answer, because its graph would be too large, say.
Reach reach_where_built(const Study& study, const Track& track, std::map<int, bool> tried,
                        const std::function<const Item*(int)>& run_at) {
  std::erase_if(tried, [&](const auto& entry) {
    const auto model = study.model_at(track.system, track.engine, entry.first);
    const Item* const run = run_at(entry.first);
    return (model && study.models[*model].tasks.empty()) ||
           (run != nullptr && run->status == Status::done && !run->holds());
  });
  return reach_of(tried);
}

void upwards(const Study& study, TrackFacts& out) {
  out.mono_reach = reach_without_mask(study, out.track, kMonolithic);
  out.line = line_from(study, out.track, 2, study.way());
  if (!out.line) return;
  out.generalised_reach = reach_of_line(study, out.track, *out.line);
  for (const auto& [size, made] : out.line->generalised) out.extended |= made.extended;
  for (const auto& [size, item] : out.line->items) {
    const auto instance = study.instance_at(out.track, size);
    const Item* const whole = instance ? study.mono_of(study.instances[*instance]) : nullptr;
    if (item == nullptr || !item->holds() || whole == nullptr || !whole->holds()) continue;
    out.common = size;
    out.ratio = ratio_of(*item, *whole);
  }
  const auto& scale = study.systems[out.track.system].definition.scale;
  const auto is_done = [&](const std::map<int, bool>& tried) { return !next_size(tried, {2, scale->to}); };
  if (scale && out.common && is_done(sizes_without_mask(study, out.track, kMonolithic)) && is_done(out.line->tried))
    out.category = category_of(out.mono_reach, out.generalised_reach, out.ratio);
}

// The best of the largest size of which all are known, against what was generalised.
void at_larger_sizes(const Study& study, TrackFacts& out) {
  for (const auto& [size, place] : study.sizes_of(out.track)) {
    if (size == 2) continue;
    const Instance& instance = study.instances[place];
    const Best best = best_of(study, instance, study.way());
    if (!best.complete || best.item == nullptr) continue;
    out.largest_all = size;
    const Item* const generalised = out.line && out.line->items.contains(size) ? out.line->items.at(size) : nullptr;
    out.generalised_is_best =
        generalised != nullptr && generalised->holds() && generalised->cost() <= best.item->cost();
    out.simplified_ratio.reset();
    const auto two = study.instance_at(out.track, 2);
    if (two && out.mono2 != nullptr)
      for (const auto& made :
           simplify(*best.item->mask, shape_of(study, instance), shape_of(study, study.instances[*two])))
        if (const Item* const item = study.find(study.instances[*two], made.mask, study.way());
            item != nullptr && item->holds()) {
          const double ratio = ratio_of(*item, *out.mono2);
          out.simplified_ratio = std::min(out.simplified_ratio.value_or(ratio), ratio);
        }
    if (!*out.generalised_is_best)
      if (auto line = line_from(study, out.track, size, study.way())) out.others.push_back(std::move(*line));
  }
}

// What the best of a larger size is worth at larger sizes still.
void other_lines(TrackFacts& out) {
  if (out.others.empty()) return;
  for (const auto& [size, item] : out.others.back().items) {
    if (size <= out.others.back().from || item == nullptr || !item->holds()) continue;
    const auto same = out.line->items.find(size);
    if (same != out.line->items.end() && same->second != nullptr && same->second->holds())
      out.other_ratio = ratio_of(*item, *same->second);
  }
  const int both = std::max(out.mono_reach.largest, out.generalised_reach.largest);
  out.reaches_farther =
      std::ranges::any_of(out.others, [&](const Line& line) { return reach_of(line.tried).largest > both; });
}

void cost_of_learning(const Study& study, TrackFacts& out) {
  if (!out.line) return;
  const auto at = out.line->items.find(out.generalised_reach.largest);
  if (at == out.line->items.end() || at->second == nullptr || !at->second->holds()) return;
  out.learned = at->second;
  const RunResult& r = *out.learned->result;
  if (const auto found = study.assumptions.find(r.assumption); found != study.assumptions.end())
    out.assumption_states = found->second.states;
  if (r.time_s > 0) out.learning_share = r.learn_s / r.time_s;
  for (const std::size_t place : study.instance_of(*out.learned).items) {
    const Item& item = study.items[place];
    if (item.supplied == 0 || item.mask != out.learned->mask || !item.holds()) continue;
    (item.reason == "seeded" ? out.seeded : out.supplied) = &item;
  }
}

}  // namespace

Reach reach_without_mask(const Study& study, const Track& track, const Way& way) {
  return reach_where_built(study, track, sizes_without_mask(study, track, way), [&](int size) -> const Item* {
    const auto instance = study.instance_at(track, size);
    return instance ? study.find(study.instances[*instance], std::nullopt, way) : nullptr;
  });
}

Reach reach_of_line(const Study& study, const Track& track, const Line& line) {
  return reach_where_built(study, track, line.tried, [&](int size) -> const Item* {
    const auto found = line.items.find(size);
    return found == line.items.end() ? nullptr : found->second;
  });
}

double ratio_of(const Item& a, const Item& b) {
  return static_cast<double>(a.cost()) / static_cast<double>(std::max<std::uint64_t>(1, b.cost()));
}

std::vector<TrackFacts> facts_of(const Study& study) {
  std::vector<TrackFacts> out;
  for (const Track& track : study.tracks()) {
    TrackFacts facts;
    facts.track = track;
    facts.system = study.systems[track.system].definition.name;
    facts.property = track.property;
    facts.engine = track.engine;
    const auto two = study.instance_at(track, 2);
    if (two) at_size_2(study, study.instances[*two], facts);
    upwards(study, facts);
    at_larger_sizes(study, facts);
    if (facts.line) other_lines(facts);
    cost_of_learning(study, facts);
    out.push_back(std::move(facts));
  }
  return out;
}

OrbitSpread orbit_spread(const Study& study) {
  OrbitSpread out;
  for (const Instance& instance : study.instances) {
    if (study.model_of(instance).size != 2 || instance.classes.empty()) continue;
    std::map<Mask, std::vector<std::uint64_t>> costs;
    for (const std::size_t place : instance.items)
      if (const Item& item = study.items[place];
          item.mask && item.way == study.way() && item.supplied == 0 && item.holds())
        costs[smallest_of_orbit(*item.mask, instance.classes)].push_back(item.cost());
    for (const auto& [mask, list] : costs) {
      if (list.size() < 2) continue;
      const auto [least, most] = std::ranges::minmax(list);
      ++out.orbits;
      out.equal += least == most ? 1 : 0;
      out.largest =
          std::max(out.largest, static_cast<double>(most) / static_cast<double>(std::max<std::uint64_t>(1, least)));
    }
  }
  return out;
}

}  // namespace surety::study
