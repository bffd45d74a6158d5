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
    if (!item.is_finished() && (item.is_mono() || item.is_of_all() || item.reason == "other" || item.reason == "order"))
      order.push_back(i);
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

std::string name_of(const Shard& shard) { return fmt::format("{}/{}", shard.number, shard.count); }

// A run that goes on, and not the file of another shard.
api::Outcome<void> is_that_shard(const std::string& part, const Shard& shard) {
  auto store = Store::open(part, Database::Mode::read);
  if (!store) return tl::unexpected(std::move(store.error()));
  return guarded(part, [&]() -> api::Outcome<void> {
    const Study study = store->read();
    const auto found = study.notes.find("shard");
    if (found != study.notes.end() && found->second == name_of(shard)) return {};
    const std::string what = found == study.notes.end() ? "a whole study" : "shard " + found->second;
    return api::bad_input({file_error(part, fmt::format("this is {}, not shard {}", what, name_of(shard)),
                                      "each shard has a file of its own")});
  });
}

}  // namespace

api::Outcome<void> prepare_shard(const std::string& file, const std::string& part, const Shard& shard) {
  std::error_code none;
  if (std::filesystem::exists(part, none)) return is_that_shard(part, shard);
  auto source = Store::open(file, Database::Mode::read);
  if (!source) return tl::unexpected(std::move(source.error()));
  // The file has its name when it is whole: a process that is killed here leaves nothing that looks like a shard.
  const std::string unfinished = part + ".unfinished";
  for (const char* const rest : {"", "-wal", "-shm"}) std::filesystem::remove(unfinished + rest, none);
  auto made = guarded(part, [&]() -> api::Outcome<void> {
    Study study = source->read();
    const auto chosen = items_of(study, shard);
    auto target = Store::open(unfinished, Database::Mode::create);
    if (!target) return tl::unexpected(std::move(target.error()));
    target->begin();
    study.notes["shard"] = name_of(shard);
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
  if (made) std::filesystem::rename(unfinished, part, none);
  if (made && none) return api::bad_input({file_error(part, "it cannot be written: " + none.message())});
  return made;
}

}  // namespace surety::study
