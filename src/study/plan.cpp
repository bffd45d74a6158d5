#include "study/plan.hpp"

#include <algorithm>
#include <numeric>

#include "api/verify.hpp"

namespace surety::study {
namespace {

bool has_option(const std::string& method, const std::string& option) {
  const auto options = api::options_of(method);
  return std::ranges::find(options, option) != options.end();
}

const DefinedSystem& definition_of(const Study& study, const Track& track) {
  return study.systems[track.system].definition;
}

Item new_item(std::size_t instance, std::optional<Mask> mask, Way way, std::string reason, Row supplied = 0) {
  Item out;
  out.instance = instance;
  out.mask = std::move(mask);
  out.way = std::move(way);
  out.reason = std::move(reason);
  out.supplied = supplied;
  return out;
}

std::vector<Order> all_orders(std::size_t tasks) {
  Order order(tasks);
  std::iota(order.begin(), order.end(), 0);
  std::vector<Order> out;
  do out.push_back(order);
  while (std::ranges::next_permutation(order).found);
  return out;
}

class Planner {
 public:
  Planner(const Study& study, const Track& track) : study_(study), track_(track) {}
  Wishes plan();

 private:
  bool exclude_what_fails();
  bool without_mask(const Way& way, const char* reason);
  void generalised(int size, const Way& way);
  void learning_cost(const Line& line);
  void check_best();

  // The next run of a row, or its model first.
  template <class Make>
  bool go_up(std::map<int, bool> tried, int from, Make make);

  const Study& study_;
  const Track& track_;
  Wishes out_;
};

bool Planner::exclude_what_fails() {
  bool any = false;
  for (const auto& [size, instance] : study_.sizes_of(track_)) {
    const Item* const mono = study_.mono_of(study_.instances[instance]);
    if (mono == nullptr || !mono->result || mono->result->verdict != "violated") continue;
    out_.excluded.insert(instance);
    any |= size == 2;
  }
  return any;
}

// True if there is nothing more to run in this row. A model that cannot be built ends a row where the row comes to it:
// what other rows have found out meanwhile, in whatever order, must not change which sizes this one has.
template <class Make>
bool Planner::go_up(std::map<int, bool> tried, int from, Make make) {
  const DefinedSystem& system = definition_of(study_, track_);
  const int to = system.scale ? system.scale->to : system.all.to;
  const auto cannot_be_built = [&](int size) {
    const auto model = study_.model_at(track_.system, track_.engine, size);
    return model && study_.models[*model].tasks.empty();
  };
  std::erase_if(tried, [&](const auto& entry) { return cannot_be_built(entry.first); });
  while (const auto size = next_size(tried, {from, std::max(from, to)})) {
    if (cannot_be_built(*size)) {
      tried[*size] = false;
      continue;
    }
    if (const auto instance = study_.instance_at(track_, *size)) return !make(*instance);
    if (study_.model_at(track_.system, track_.engine, *size)) return true;  // it has no such property
    out_.sizes.insert(*size);
    return false;
  }
  return true;
}

bool Planner::without_mask(const Way& way, const char* reason) {
  return go_up(sizes_without_mask(study_, track_, way), 2, [&](std::size_t instance) {
    if (study_.find(study_.instances[instance], std::nullopt, way) == nullptr)
      out_.items.push_back(new_item(instance, std::nullopt, way, reason));
    return true;
  });
}

// Upwards from the best of this size.
void Planner::generalised(int size, const Way& way) {
  const auto line = line_from(study_, track_, size, way);
  if (!line) return;
  if (size > 2) {
    const auto below = line_from(study_, track_, 2, way);
    if (!below || !below->items.contains(size)) return;
    const auto same = below->generalised.find(size);
    if (same != below->generalised.end() && same->second.mask == line->mask) return;
  }
  const bool done = go_up(line->tried, size, [&](std::size_t instance) {
    const int at = study_.model_of(study_.instances[instance]).size;
    const auto made = line->generalised.find(at);
    if (made == line->generalised.end()) return false;
    const Item* const item = study_.find(study_.instances[instance], made->second.mask, way);
    if (item == nullptr) {
      const std::string reason = made->second.pattern.empty() ? "generalised:" + std::to_string(size) : "pattern";
      out_.items.push_back(new_item(instance, made->second.mask, way, reason));
    } else if (item->status == Status::worse || (item->status == Status::open && item->reason == "all") ||
               is_left_out(study_, *item)) {  // not only as far as a bound, and not as late
      out_.exactly.insert(static_cast<std::size_t>(item - study_.items.data()));
    }
    return true;
  });
  if (done && size == 2 && way == study_.way()) learning_cost(*line);
}

void Planner::learning_cost(const Line& line) {
  if (!learns(study_.way())) return;
  const Reach reach = reach_of(line.tried);
  const auto at = line.items.find(reach.largest);
  if (at == line.items.end() || at->second == nullptr) return;
  const Item& learned = *at->second;
  const auto assumption = study_.assumptions.find(learned.result->assumption);
  if (assumption == study_.assumptions.end() || assumption->second.states == 0) return;
  if (assumption->second.packed.empty()) {
    out_.recheck.insert(static_cast<std::size_t>(&learned - study_.items.data()));
    return;
  }
  const Instance& instance = study_.instance_of(learned);
  const Way seeded{learned.way.method, learned.way.alphabet, "lstar-angluin"};
  for (const auto& [way, reason] : {std::pair(learned.way, "supplied"), std::pair(seeded, "seeded")})
    if (study_.find(instance, learned.mask, way, assumption->first) == nullptr)
      out_.items.push_back(new_item(learned.instance, learned.mask, way, reason, assumption->first));
}

// The proof of every best run is checked.
void Planner::check_best() {
  for (const auto& [size, instance] : study_.sizes_of(track_))
    for (const Way& way : ways_of(study_.settings)) {
      if (!takes_split(way)) continue;
      const Best best = best_of(study_, study_.instances[instance], way);
      if (best.complete && best.item != nullptr && !best.item->result->certified)
        out_.recheck.insert(static_cast<std::size_t>(best.item - study_.items.data()));
    }
}

Wishes Planner::plan() {
  if (exclude_what_fails()) return std::move(out_);
  check_best();
  if (!without_mask(kMonolithic, "mono")) return std::move(out_);
  const Range& all = definition_of(study_, track_).all;
  for (const Way& way : ways_of(study_.settings)) {
    if (takes_split(way)) generalised(2, way);
    if (way == study_.way())
      for (int size = std::max(3, all.from); size <= all.to; ++size) generalised(size, way);
    if (goes_without(way)) without_mask(way, "other");
  }
  return std::move(out_);
}

}  // namespace

std::vector<Way> ways_of(const Definition& settings) {
  std::vector<Way> out;
  for (const auto& method : settings.methods)
    for (const auto& alphabet : settings.alphabets) {
      const Way way{method, has_option(method, "alphabet") ? alphabet : "",
                    has_option(method, "learner") ? settings.learner : ""};
      if (way.method != "monolithic" && std::ranges::find(out, way) == out.end()) out.push_back(way);
    }
  return out;
}

bool takes_split(const Way& way) { return has_option(way.method, "split") && way.method != "asym-n"; }
bool goes_without(const Way& way) { return !takes_split(way) || way.method == "circular"; }
bool takes_order(const Way& way) { return way.method == "asym-n"; }
bool learns(const Way& way) { return has_option(way.method, "assumption"); }

Wishes plan(const Study& study, const Track& track) { return Planner(study, track).plan(); }

std::vector<Item> first_items(const Study& study, std::size_t instance, bool all_of_them) {
  std::vector<Item> out;
  out.push_back(new_item(instance, std::nullopt, kMonolithic, "mono"));
  if (!all_of_them) return out;
  const std::size_t tasks = study.model_of(study.instances[instance]).tasks.size();
  for (const Way& way : ways_of(study.settings)) {
    if (takes_split(way))
      for (Mask& mask : all_masks(tasks)) out.push_back(new_item(instance, std::move(mask), way, "all"));
    if (goes_without(way)) out.push_back(new_item(instance, std::nullopt, way, "other"));
    if (takes_order(way) && tasks <= kMostOrdered)
      for (Order& order : all_orders(tasks)) {
        out.push_back(new_item(instance, std::nullopt, way, "order"));
        out.back().order = std::move(order);
      }
  }
  return out;
}

Shape shape_of(const Study& study, const Instance& instance) {
  const ModelRow& model = study.model_of(instance);
  return {model.tasks, model.repeated, instance.singled_out};
}

std::map<int, bool> sizes_without_mask(const Study& study, const Track& track, const Way& way) {
  std::map<int, bool> out;
  for (const auto& [size, place] : study.sizes_of(track)) {
    const Instance& instance = study.instances[place];
    const Item* const item = study.find(instance, std::nullopt, way);
    if (study.model_of(instance).tasks.empty())
      out[size] = false;  // it cannot be built
    else if (item != nullptr && item->is_finished())
      out[size] = item->holds();
  }
  return out;
}

std::optional<Line> line_from(const Study& study, const Track& track, int size, const Way& way) {
  const auto sizes = study.sizes_of(track);
  const auto start = sizes.find(size);
  if (start == sizes.end()) return std::nullopt;
  const Instance& first = study.instances[start->second];
  const Best best = best_of(study, first, way);
  if (!best.complete || best.item == nullptr) return std::nullopt;
  Line out;
  out.from = size;
  out.mask = *best.item->mask;
  std::vector<Known> smaller;
  for (const auto& [at, instance] : sizes) {
    if (at < 3 || at >= size) continue;
    const Best other = best_of(study, study.instances[instance], way);
    if (other.complete && other.item != nullptr)
      smaller.push_back({*other.item->mask, shape_of(study, study.instances[instance])});
  }
  const Shape shape = shape_of(study, first);
  for (const auto& [at, place] : sizes) {
    if (at < size) continue;
    const Instance& instance = study.instances[place];
    if (study.model_of(instance).tasks.empty()) {
      out.tried[at] = false;
      continue;
    }
    const auto made = at == size ? std::optional(Generalised{out.mask, false, false, {}})
                                 : generalise_from(out.mask, shape, smaller, shape_of(study, instance));
    if (!made) {
      out.is_missing = true;
      continue;
    }
    out.generalised[at] = *made;
    const Item* const item = study.find(instance, made->mask, way);
    out.items[at] = item;
    if (item != nullptr && item->is_finished() && item->status != Status::worse) out.tried[at] = item->holds();
  }
  return out;
}

namespace {

// The run of the same split at the next smaller size, and how much larger the monolithic run is here.
struct Below {
  const Item* run = nullptr;
  double growth = 1;
};
std::optional<Below> run_below(const Study& study, const Item& item) {
  const Instance& instance = study.instance_of(item);
  const ModelRow& model = study.model_of(instance);
  const Track track{model.system, model.engine, instance.property};
  const auto below = study.instance_at(track, model.size - 1);
  if (!below) return std::nullopt;
  const Instance& smaller = study.instances[*below];
  std::optional<Mask> mask;
  if (item.mask) {
    const auto& tasks = study.model_of(smaller).tasks;
    mask.emplace(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto at = std::ranges::find(model.tasks, tasks[i]);
      if (at == model.tasks.end()) return std::nullopt;
      mask->put(i, item.mask->first(static_cast<std::size_t>(at - model.tasks.begin())));
    }
    if (!mask->splits()) return std::nullopt;
  }
  const Item* const before = study.find(smaller, mask, item.way);
  if (before == nullptr || !before->is_finished() || !before->result) return std::nullopt;
  const Item *const mine = study.mono_of(instance), *const theirs = study.mono_of(smaller);
  const double growth = mine != nullptr && theirs != nullptr && mine->cost() > 0 && theirs->cost() > 0
                            ? static_cast<double>(mine->cost()) / static_cast<double>(theirs->cost())
                            : 4.0;
  return Below{before, std::max(1.0, growth)};
}

}  // namespace

std::optional<double> Spent::mean() const {
  if (runs < 5) return std::nullopt;
  return seconds / static_cast<double>(runs);
}

double expected_time(const Study& study, const Item& item, const Spent& spent) {
  if (const auto below = run_below(study, item)) return below->run->result->time_s * below->growth;
  if (const auto mean = spent.mean(); mean && !item.is_mono()) return *mean;
  const Item* const mono = study.mono_of(study.instance_of(item));
  if (item.is_mono() || mono == nullptr || !mono->result) return 0.01;
  return std::max(0.001, 20e-6 * static_cast<double>(mono->cost()));
}

double expected_cost_from_below(const Study& study, const Item& item) {
  constexpr double kMore = 1e12;  // states
  const auto below = run_below(study, item);
  if (!below) return kMore;
  return static_cast<double>(below->run->cost()) * below->growth + (below->run->holds() ? 0 : kMore);
}

}  // namespace surety::study
