#include "study/study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace surety::study {
namespace {

constexpr std::array<std::string_view, 6> kStatusNames = {"open", "running", "done", "over_limit", "worse", "crashed"};

std::uint64_t assumption_states(const Study& study, const Item& item) {
  const auto found = study.assumptions.find(item.result->assumption);
  return found == study.assumptions.end() ? item.result->largest_assumption : found->second.states;
}

}  // namespace

std::string_view name_of(Status status) { return kStatusNames[static_cast<std::size_t>(status)]; }

std::optional<Status> status_from_name(std::string_view name) {
  const auto* const at = std::ranges::find(kStatusNames, name);
  if (at == kStatusNames.end()) return std::nullopt;
  return static_cast<Status>(at - kStatusNames.begin());
}

std::string short_key(const Item& item) {
  std::string out = item.way.method;
  if (!item.way.alphabet.empty()) out += "/" + item.way.alphabet;
  if (!item.way.learner.empty()) out += "/" + item.way.learner;
  if (item.mask) out += "/" + item.mask->text();
  if (!item.order.empty()) out += fmt::format("/{}", fmt::join(item.order, ","));
  if (item.supplied != 0) out += "/" + item.reason;
  return out;
}

std::vector<Track> Study::tracks() const {
  std::vector<Track> out;
  for (std::size_t s = 0; s < systems.size(); ++s)
    for (const Engine engine : kEngines)
      for (const Instance& instance : instances) {
        const ModelRow& model = models[instance.model];
        const Track track{s, engine, instance.property};
        if (model.system == s && model.engine == engine && std::ranges::find(out, track) == out.end())
          out.push_back(track);
      }
  return out;
}

std::optional<std::size_t> Study::model_at(std::size_t system, Engine engine, int size) const {
  for (std::size_t i = 0; i < models.size(); ++i)
    if (models[i].system == system && models[i].engine == engine && models[i].size == size) return i;
  return std::nullopt;
}

std::optional<std::size_t> Study::instance_at(const Track& track, int size) const {
  const auto model = model_at(track.system, track.engine, size);
  if (!model) return std::nullopt;
  for (std::size_t i = 0; i < instances.size(); ++i)
    if (instances[i].model == *model && instances[i].property == track.property) return i;
  return std::nullopt;
}

std::map<int, std::size_t> Study::sizes_of(const Track& track) const {
  std::map<int, std::size_t> out;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const ModelRow& model = models[instances[i].model];
    if (model.system == track.system && model.engine == track.engine && instances[i].property == track.property)
      out[model.size] = i;
  }
  return out;
}

const Item* Study::find(const Instance& instance, const std::optional<Mask>& mask, const Way& way, Row supplied) const {
  if (supplied == 0) {
    Item wanted;
    wanted.mask = mask;
    wanted.way = way;
    const auto found = instance.by_key.find(short_key(wanted));
    return found == instance.by_key.end() ? nullptr : &items[found->second];
  }
  for (const std::size_t place : instance.items)
    if (const Item& item = items[place]; item.supplied == supplied && item.mask == mask && item.way == way)
      return &item;
  return nullptr;
}

const Item* Study::same_as(const Item& item) const {
  const auto& known = instance_of(item).by_key;
  const auto found = known.find(short_key(item));
  return found == known.end() ? nullptr : &items[found->second];
}

std::string Study::split_of(const Item& item) const {
  const auto& tasks = model_of(instance_of(item)).tasks;
  if (item.mask) return item.mask->split(tasks);
  std::string out;
  for (const std::size_t task : item.order) out += (out.empty() ? "" : " | ") + tasks[task];
  return out;
}

std::size_t Study::add(Item item) {
  const std::size_t place = items.size();
  Instance& instance = instances[item.instance];
  instance.items.push_back(place);
  if (item.is_mono()) instance.mono = place;
  instance.by_key[short_key(item)] = place;
  items.push_back(std::move(item));
  return place;
}

std::string Study::key(const Item& item) const {
  const Instance& instance = instance_of(item);
  const ModelRow& model = model_of(instance);
  return fmt::format("{}/{}/{}/{}/{}", systems[model.system].definition.name, name_of(model.engine), model.size,
                     instance.property, short_key(item));
}

bool is_left_out(const Study& study, const Item& item) {
  if (!item.mask || !item.is_of_all() || item.is_finished()) return false;
  const auto orbits = study.notes.find("orbits");
  if (orbits == study.notes.end() || orbits->second != "1") return false;
  const Instance& instance = study.instance_of(item);
  return study.model_of(instance).size > 2 && smallest_of_orbit(*item.mask, instance.classes) != *item.mask;
}

bool is_better(const Study& study, const Item& a, const Item& b) {
  const auto rank = [&](const Item& item) {
    return std::tuple(item.cost(), item.result->states, item.result->queries, assumption_states(study, item),
                      item.mask.value_or(Mask()));
  };
  return rank(a) < rank(b);
}

bool is_unsure(const Study& study, const Item& item) {
  return item.status == Status::worse && takes_constraints(study.model_of(study.instance_of(item)).engine) &&
         (!item.result || item.result->constraints.empty());
}

Best best_of(const Study& study, const Instance& instance, const Way& way) {
  Best out;
  out.complete = true;
  for (const std::size_t i : instance.items) {
    const Item& item = study.items[i];
    if (!item.is_of_all() || item.way != way || !item.mask || is_left_out(study, item)) continue;
    ++out.tried;
    if (!item.is_finished()) {
      out.complete = false;
      continue;
    }
    ++out.finished;
    if (item.status == Status::over_limit || item.status == Status::crashed) ++out.over_limit;
    if (is_unsure(study, item)) ++out.unsure;
    if (item.holds() && (out.item == nullptr || is_better(study, item, *out.item))) out.item = &item;
  }
  if (out.tried == 0) out.complete = false;
  if (out.item != nullptr)
    for (const std::size_t i : instance.items) {
      const Item& item = study.items[i];
      if (&item != out.item && item.is_of_all() && item.way == way && item.holds() && item.cost() == out.item->cost())
        ++out.ties;
    }
  return out;
}

}  // namespace surety::study
