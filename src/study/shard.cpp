#include "study/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "study/store.hpp"

namespace surety::study {
namespace {

// The monolithic runs come along, because limits depend on them, and those of smaller sizes where these tell with which
// constraints to begin.
std::set<std::size_t> items_of(const Study& study, const Shard& shard) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < study.items.size(); ++i) {
    const Item& item = study.items[i];
    if (!item.is_finished() && (item.is_mono() || item.is_of_all() || item.reason == "other")) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return study.items[i].expected; });
  std::set<std::size_t> out;
  for (std::size_t j = shard.number; j < order.size(); j += shard.count) {
    out.insert(order[j]);
    const Instance& instance = study.instance_of(study.items[order[j]]);
    const ModelRow& model = study.model_of(instance);
    for (const auto& [size, place] : study.sizes_of({model.system, model.engine, instance.property}))
      if (const auto mono = study.instances[place].mono;
          mono && (size == model.size || (size < model.size && takes_constraints(model.engine))))
        out.insert(*mono);
  }
  return out;
}

}  // namespace

api::Outcome<void> prepare_shard(const std::string& file, const std::string& part, const Shard& shard) {
  std::error_code none;
  if (std::filesystem::exists(part, none)) return {};
  auto source = Store::open(file, Database::Mode::read);
  if (!source) return tl::unexpected(std::move(source.error()));
  return guarded(part, [&]() -> api::Outcome<void> {
    Study study = source->read();
    const auto chosen = items_of(study, shard);
    auto target = Store::open(part, Database::Mode::create);
    if (!target) return tl::unexpected(std::move(target.error()));
    target->begin();
    study.notes["shard"] = fmt::format("{}/{}", shard.number, shard.count);
    target->save_settings(study);
    for (SystemRow& system : study.systems) {
      for (auto& [engine, model] : system.definition.models)
        model.file = target->stored_name(source->usable_name(model.file));
      target->add(system);
    }
    for (ModelRow& model : study.models) {
      model.file = target->stored_name(source->usable_name(model.file));
      target->add(study, model);
    }
    for (Instance& instance : study.instances) target->add(study, instance);
    for (const std::size_t i : chosen) {
      Item& item = study.items[i];
      if (item.status == Status::running) item.status = Status::open;
      if (item.result && item.result->assumption != 0) {
        Assumption assumption = study.assumptions.at(item.result->assumption);
        target->add(assumption);
        item.result->assumption = assumption.id;
      }
      target->add(study, item);
      target->save_result(item);
    }
    target->commit();
    return {};
  });
}

}  // namespace surety::study
