#include "study/create.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <filesystem>
#include <map>
#include <thread>

#include "study/describe.hpp"
#include "study/plan.hpp"

namespace surety::study {
namespace {

// A model at one size, as it was found.
struct Found {
  std::size_t system = 0;
  ModelSpec spec;
  bool all = false;  // of which all decompositions are run
  Described described;
};

std::string machine() {
  utsname about{};
  ::uname(&about);
  return fmt::format("{} {} {}, {} cores", about.sysname, about.release, about.machine,
                     std::thread::hardware_concurrency());
}

class Creator {
 public:
  explicit Creator(const CreateOptions& options) : options_(options), definition_(options.definition) {}
  api::Outcome<Created> run();

 private:
  void choose_engines();
  void find_models();
  void find_model(std::size_t system, Engine engine, DefinedModel& model);
  std::string find_repeated(const DefinedSystem& system, Engine engine, const DefinedModel& model);
  std::optional<Described> look_at(const ModelSpec& spec);
  void wrong(Diagnostic d) { errors_.push_back(std::move(d)); }

  void check_limits(const Study& study);
  void write(Store& store, Study& study);
  std::size_t write_system(Store& store, Study& study, std::size_t system);
  void write_model(Store& store, Study& study, const Found& found, std::size_t system);
  void write_items(Store& store, Study& study, std::size_t instance, bool all);

  const CreateOptions& options_;
  Definition definition_;
  std::vector<Found> found_;
  Diagnostics errors_;
  Created made_;
};

void Creator::choose_engines() {
  for (DefinedSystem& system : definition_.systems)
    std::erase_if(system.models, [&](const auto& entry) {
      return !options_.engines.empty() && !options_.engines.contains(entry.first);
    });
  std::erase_if(definition_.systems, [](const DefinedSystem& system) { return system.models.empty(); });
  for (const Engine engine : kEngines) {
    const auto asks = [&](const DefinedSystem& system) { return system.models.contains(engine); };
    if (std::ranges::any_of(definition_.systems, asks) && !is_there(engine))
      wrong(file_error(options_.definition_file, why_not_there(engine), "--engine exact leaves it out"));
  }
  if (definition_.systems.empty() && errors_.empty())
    wrong(file_error(options_.definition_file, "no system has a model for this engine"));
  if (!takes_split(ways_of(definition_).empty() ? Way{"monolithic", "", ""} : ways_of(definition_).front()))
    wrong(file_error(
        options_.definition_file,
        fmt::format("the first method has to take a split in two, and {} does not", definition_.methods.front()),
        "name asym first"));
}

std::optional<Described> Creator::look_at(const ModelSpec& spec) {
  Limits limits;
  limits.time = std::chrono::nanoseconds(static_cast<std::int64_t>(definition_.limits.time_s * 1e9));
  limits.memory = definition_.limits.memory;
  Budget budget(limits, options_.interrupted);
  const auto model = read_model(spec, budget);
  if (model && takes_constraints(spec.engine) && !model->ada_network) {
    wrong(file_error(spec.model.file, fmt::format("the engine {} is for Ada programs", name_of(spec.engine)),
                     "--engine exact reads all"));
    return std::nullopt;
  }
  if (model) {
    auto out = describe(*model, spec, true, budget);
    if (out) return std::move(*out);
    errors_.insert(errors_.end(), out.error().diagnostics.begin(), out.error().diagnostics.end());
    return std::nullopt;
  }
  errors_.insert(errors_.end(), model.error().diagnostics.begin(), model.error().diagnostics.end());
  return std::nullopt;
}

// What there is one more of at the next size.
std::string Creator::find_repeated(const DefinedSystem& system, Engine engine, const DefinedModel& model) {
  ModelSpec spec{engine, model, system.parameter, 2};
  const auto smaller = look_at(spec);
  spec.size = 3;
  const auto larger = smaller ? look_at(spec) : std::nullopt;
  if (!larger) return "";
  auto name = repeated_name(smaller->tasks, larger->tasks);
  if (name.empty())
    wrong(file_error(model.file, fmt::format("no task occurs more often with {0}=3 than with {0}=2", system.parameter),
                     "name the constant that says how often: parameter = \"…\""));
  return name;
}

void Creator::find_model(std::size_t place, Engine engine, DefinedModel& model) {
  const DefinedSystem& system = definition_.systems[place];
  if (model.repeated.empty()) model.repeated = find_repeated(system, engine, model);
  if (model.repeated.empty()) return;
  std::set<int> sizes;
  for (int size = system.all.from; size <= system.all.to; ++size) sizes.insert(size);
  if (system.scale) sizes.insert(2);
  for (const int size : sizes) {
    Found found{place, {engine, model, system.parameter, size}, system.all.has(size), {}};
    auto described = look_at(found.spec);
    if (!described) return;  // the next size would say the same
    found.described = std::move(*described);
    if (found.all && found.described.tasks.size() > kMostTasks) {
      wrong(file_error(model.file,
                       fmt::format("with {}={} there are {} tasks, and too many ways to split them", system.parameter,
                                   size, found.described.tasks.size()),
                       fmt::format("all decompositions are tried of at most {} tasks", kMostTasks)));
      return;
    }
    found_.push_back(std::move(found));
  }
}

void Creator::find_models() {
  for (std::size_t i = 0; i < definition_.systems.size(); ++i)
    for (auto& [engine, model] : definition_.systems[i].models) find_model(i, engine, model);
}

void Creator::check_limits(const Study& study) {
  if (study.systems.empty()) return;
  if (study.limits != definition_.limits)
    wrong(file_error(options_.file, "this study has other limits than the definition", "make another file for it"));
  if (study.settings.methods.front() != definition_.methods.front() ||
      study.settings.alphabets.front() != definition_.alphabets.front() ||
      study.settings.learner != definition_.learner)
    wrong(file_error(options_.file, "this study has another first method, alphabet or learner than the definition",
                     "make another file for it"));
}

std::size_t Creator::write_system(Store& store, Study& study, std::size_t place) {
  DefinedSystem defined = definition_.systems[place];
  for (auto& [engine, model] : defined.models) model.file = store.stored_name(model.file);
  for (std::size_t i = 0; i < study.systems.size(); ++i) {
    SystemRow& row = study.systems[i];
    if (row.definition.name != defined.name) continue;
    for (const auto& [engine, model] : row.definition.models) defined.models.try_emplace(engine, model);
    row.definition = defined;
    store.save(row);
    return i;
  }
  study.systems.push_back({0, defined});
  store.add(study.systems.back());
  ++made_.systems;
  return study.systems.size() - 1;
}

void Creator::write_items(Store& store, Study& study, std::size_t place, bool all) {
  for (Item& item : first_items(study, place, all)) {
    const Item* const known = study.same_as(item);
    if (known != nullptr) {
      Item& there = study.items[static_cast<std::size_t>(known - study.items.data())];
      if (item.is_of_all() && !there.is_of_all()) {
        there.reason = "all exactly";
        store.save_status(there);
      }
      continue;
    }
    store.add(study, item);
    study.add(std::move(item));
    ++made_.items;
  }
}

void Creator::write_model(Store& store, Study& study, const Found& found, std::size_t system) {
  auto place = study.model_at(system, found.spec.engine, found.spec.size);
  if (!place) {
    ModelRow row;
    row.system = system;
    row.engine = found.spec.engine;
    row.file = store.stored_name(found.spec.model.file);
    row.sha256 = found.described.sha256;
    row.size = found.spec.size;
    row.tasks = found.described.tasks;
    row.repeated = found.described.repeated;
    store.add(study, row);
    place = study.models.size();
    study.models.push_back(std::move(row));
  }
  for (const auto& property : found.described.properties) {
    auto instance = study.instance_at({system, found.spec.engine, property.name}, found.spec.size);
    if (!instance) {
      Instance row;
      row.model = *place;
      row.property = property.name;
      row.singled_out = property.singled_out;
      row.classes = property.classes;
      store.add(study, row);
      instance = study.instances.size();
      study.instances.push_back(std::move(row));
      ++made_.instances;
    }
    write_items(store, study, *instance, found.all);
  }
}

void Creator::write(Store& store, Study& study) {
  study.limits = definition_.limits;
  study.settings = definition_;
  study.notes["machine"] = machine();
  if (!options_.definition_file.empty())
    study.notes["definition"] = std::filesystem::path(options_.definition_file).filename().string();
  store.save_settings(study);
  std::vector<std::size_t> systems;
  for (std::size_t i = 0; i < definition_.systems.size(); ++i) systems.push_back(write_system(store, study, i));
  for (const Found& found : found_) write_model(store, study, found, systems[found.system]);
}

// What is other about a model of the study than it was, in words. Empty: nothing.
std::string difference(const Store& store, const Study& study, const ModelRow& model, const Found& found,
                       const DefinedSystem& system) {
  const DefinedSystem& before = study.systems[model.system].definition;
  const DefinedModel &was = before.models.at(model.engine), &is = found.spec.model;
  const auto& hash = found.described.sha256;
  const bool as_it_was = hash.starts_with(found.spec.size == model.size ? model.sha256 : file_sha256(model)) &&
                         store.stored_name(is.file) == model.file;
  if (!as_it_was) return "this model has changed since the study was made";
  if (before.parameter != system.parameter) return fmt::format("in the study its parameter is {}", before.parameter);
  if (was.composite != is.composite)
    return was.composite.empty() ? "in the study no composite of it is named"
                                 : fmt::format("in the study its composite is {}", was.composite);
  if (was.repeated != is.repeated) return fmt::format("in the study {} is repeated", was.repeated);
  return "";
}

// Models of the study that are not as they were, and why.
std::map<std::size_t, std::string> changed_models(const Store& store, const Study& study,
                                                  const std::vector<Found>& found, const Definition& definition) {
  std::map<std::size_t, std::string> out;
  for (std::size_t i = 0; i < study.models.size(); ++i) {
    const ModelRow& model = study.models[i];
    for (const Found& f : found) {
      const DefinedSystem& system = definition.systems[f.system];
      if (system.name != study.systems[model.system].definition.name || f.spec.engine != model.engine) continue;
      if (auto what = difference(store, study, model, f, system); !what.empty()) out.emplace(i, std::move(what));
    }
  }
  return out;
}

api::Outcome<Created> Creator::run() {
  choose_engines();
  if (errors_.empty()) find_models();
  if (!errors_.empty()) return api::bad_input(std::move(errors_));
  auto store = Store::open(options_.file, Database::Mode::create);
  if (!store) return tl::unexpected(std::move(store.error()));
  auto lock = WriterLock::take(options_.file);
  if (!lock) return tl::unexpected(std::move(lock.error()));
  made_.is_new = store->is_new();
  Study study = store->read();
  check_limits(study);
  store->begin();
  if (const auto changed = changed_models(*store, study, found_, definition_); !changed.empty()) {
    for (const auto& [i, what] : changed) {
      if (options_.renew)
        store->remove_model(study.models[i]);
      else if (errors_.empty() || errors_.back().file != store->usable_name(study.models[i].file))
        wrong(file_error(store->usable_name(study.models[i].file), what, "--renew starts its runs again"));
    }
    if (errors_.empty()) study = store->read();
  }
  if (!errors_.empty()) {
    store->rollback();
    return api::bad_input(std::move(errors_));
  }
  write(*store, study);
  store->commit();
  made_.all_items = study.items.size();
  return made_;
}

}  // namespace

api::Outcome<Created> create(const CreateOptions& options) {
  std::error_code none;
  const bool existed = std::filesystem::exists(options.file, none);
  auto out = guarded(options.file, [&] { return Creator(options).run(); });
  if (!out && !existed) std::filesystem::remove(options.file, none);
  return out;
}

}  // namespace surety::study
