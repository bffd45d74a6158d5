// What is to do: the queue of items that can be run now, in their turns, and what the plan adds to it.

#include <algorithm>

#include "study/owner.hpp"

namespace surety::study {

Track Owner::track_of(const Item& item) const {
  const Instance& instance = study_.instance_of(item);
  const ModelRow& model = study_.model_of(instance);
  return {model.system, model.engine, instance.property};
}

bool Owner::is_wanted(const Item& item) const {
  if (is_left_out(study_, item)) return false;
  const Instance& instance = study_.instance_of(item);
  if (!options_.only_system.empty() && study_.system_of(instance).definition.name != options_.only_system) return false;
  return options_.only_property.empty() || instance.property == options_.only_property;
}

// The limits of a run depend on the monolithic one, and the constraints to start with on those of smaller sizes, too.
bool Owner::is_gated(std::size_t instance) const {
  const auto waits_for = [&](std::size_t place) {
    const Item* const mono = study_.mono_of(study_.instances[place]);
    return mono != nullptr && !mono->is_finished();
  };
  const Instance& own = study_.instances[instance];
  const ModelRow& model = study_.model_of(own);
  if (!takes_constraints(model.engine)) return waits_for(instance);
  return std::ranges::any_of(study_.sizes_of({model.system, model.engine, own.property}),
                             [&](const auto& entry) { return entry.first <= model.size && waits_for(entry.second); });
}

// As the runs of its instance were on average, once there are some.
double Owner::expected_now(const Item& item) const { return spent_[item.instance].mean().value_or(item.expected); }

bool Owner::is_bounded(const Item& item) const {
  if (item.reason != "all" || options_.bound == Bound::none) return false;
  return options_.bound != Bound::usual || study_.model_of(study_.instance_of(item)).size > 2;
}

Turn Owner::turn_of(const Item& item) const {
  const auto place = static_cast<std::size_t>(&item - study_.items.data());
  if (item.is_mono()) return {Turn::When::monolithic, 0, 0, 0, place};
  if (!is_bounded(item)) return {Turn::When::unbounded, 0, 0, -item.expected, place};
  const Instance& instance = study_.instance_of(item);
  return {Turn::When::bounded, study_.model_of(instance).size, instance.model, expected_cost_from_below(study_, item),
          place};
}

void Owner::enqueue(std::size_t place) {
  const Item& item = study_.items[place];
  if (item.is_mono() || !is_gated(item.instance)) enqueue_now(place);
}

void Owner::enqueue_now(std::size_t place) {
  Item& item = study_.items[place];
  if (item.status != Status::open || !is_wanted(item)) return;
  item.expected = expected_time(study_, item, spent_[item.instance]);
  dequeue(place);
  queue_.insert(turns_[place] = turn_of(item));
}

void Owner::dequeue(std::size_t place) {
  const auto found = turns_.find(place);
  if (found == turns_.end()) return;
  queue_.erase(found->second);
  turns_.erase(found);
}

void Owner::enqueue_ready(std::size_t instance) {
  const bool waits = is_gated(instance);
  for (const std::size_t place : study_.instances[instance].items)
    if (!waits || study_.items[place].is_mono()) enqueue_now(place);
}

// All splits of this size are known: which of the next size are likely to be the cheapest, and how long they take.
void Owner::enqueue_above(std::size_t instance) {
  const Instance& done = study_.instances[instance];
  const ModelRow& model = study_.model_of(done);
  if (const auto above = study_.instance_at({model.system, model.engine, done.property}, model.size + 1))
    enqueue_ready(*above);
}

// What the last run has left.
void Owner::reopen() {
  if (options_.orbits) {
    study_.notes["orbits"] = *options_.orbits ? "1" : "0";
    store_.note("orbits", study_.notes["orbits"]);
  }
  best_.resize(study_.instances.size());
  spent_.resize(study_.instances.size());
  left_.resize(study_.instances.size());
  for (Item& item : study_.items) {
    if (item.status == Status::running || (item.status == Status::worse && options_.bound == Bound::none)) {
      item.status = Status::open;
      item.bound.reset();
      item.result.reset();
      store_.save_result(item);
    }
    if (item.is_of_all() && !item.is_finished() && is_wanted(item)) ++left_[item.instance];
    if (item.is_finished()) ++done_at_start_;
    if (item.holds() && item.mask) {
      auto& best = best_[item.instance].try_emplace(item.way, item.cost()).first->second;
      best = std::min(best, item.cost());
    }
  }
}

void Owner::plan_all() {
  for (std::size_t i = 0; i < study_.instances.size(); ++i) enqueue_ready(i);
  for (const Track& track : study_.tracks()) plan_track(track);
}

void Owner::add_item(Item item) {
  store_.add(study_, item);
  enqueue(study_.add(std::move(item)));
}

void Owner::plan_track(const Track& track) {
  if (options_.first_phases_only) return;
  if (!options_.only_system.empty() && study_.systems[track.system].definition.name != options_.only_system) return;
  if (!options_.only_property.empty() && track.property != options_.only_property) return;
  Wishes wishes = plan(study_, track);
  for (const std::size_t instance : wishes.excluded) {
    for (const std::size_t place : study_.instances[instance].items)
      if (Item& item = study_.items[place]; item.status == Status::open) {
        item.status = Status::done;
        item.result.emplace();
        item.result->verdict = "excluded";
        item.result->why = "the property does not hold";
        store_.save_result(item);
        dequeue(place);
      }
    left_[instance] = 0;
  }
  for (const int size : wishes.sizes)
    if (describing_.insert({track.system, track.engine, size}).second)
      first_.push_back({Job::Kind::describe, 0, track, size});
  for (Item& item : wishes.items) add_item(std::move(item));
  for (const std::size_t place : wishes.exactly) {
    Item& item = study_.items[place];
    if (item.status == Status::running) continue;
    item.status = Status::open;
    item.reason = "all exactly";
    item.bound.reset();
    item.result.reset();
    store_.save_result(item);
    enqueue(place);
  }
  for (const std::size_t place : wishes.recheck)
    if (rechecking_.insert(place).second) first_.push_back({Job::Kind::recheck, place, {}, 0});
}

}  // namespace surety::study
