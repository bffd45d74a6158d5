#include "study/run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/check.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"

namespace surety::study {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kShort = 0.005;  // seconds: such items share a child
constexpr double kBatch = 0.5;    // seconds of them

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::uint64_t hash_of(const std::string& text) {
  std::vector<std::uint64_t> bytes;
  for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
  return hash_range(bytes);
}

// A task for a worker: an item to run or to check again, or a model to describe.
struct Task {
  Job::Kind kind = Job::Kind::run;
  std::size_t item = 0;  // of a run
  Track track = {};      // of a description; the property is not used
  int size = 0;
};

class Owner {
 public:
  Owner(Store& store, Crew& crew, const RunOptions& options)
      : store_(store), crew_(crew), options_(options), study_(store.read()), busy_(crew.size()) {}

  api::Outcome<RunEnd> run();

 private:
  // --- what is to do
  void reopen();
  void plan_all();
  void plan_track(const Track& track);
  void add_item(Item item);
  void enqueue(std::size_t item);
  void enqueue_ready(std::size_t instance);
  bool is_wanted(const Item& item) const;
  bool is_gated(const Item& item) const;
  double estimate(const Item& item) const;
  double expected_now(const Item& item) const;
  Track track_of(const Item& item) const;

  // --- handing out
  void hand_out();
  std::vector<Task> next_tasks();
  Job job_of(const Task& task, std::int64_t id);
  std::optional<std::uint64_t> bound_of(const Item& item) const;

  // --- what comes back
  void hear(const Crew::News& news);
  void lost(std::size_t worker, const std::string& why);
  void take(const Task& task, Answer answer);
  void take_run(std::size_t item, Answer answer);
  void take_recheck(std::size_t item, Answer answer);
  void take_description(const Task& task, const Answer& answer);
  void crashed(std::size_t item, const std::string& why);
  void after(std::size_t item);
  Row keep(Assumption assumption);

  bool must_stop();
  void tell();
  RunProgress progress() const;

  Store& store_;
  Crew& crew_;
  const RunOptions& options_;
  Study study_;

  struct Running {
    Task task;
    Clock::time_point since;
  };
  struct Busy {
    std::vector<std::int64_t> ids;  // in the order in which they are done
  };
  std::vector<Busy> busy_;
  std::map<std::int64_t, Running> running_;
  std::int64_t next_id_ = 1;
  std::vector<Task> first_;                                         // descriptions and rechecks
  std::set<std::pair<double, std::size_t>, std::greater<>> queue_;  // by expected time
  std::set<std::size_t> rechecking_;                                // items
  std::set<std::tuple<std::size_t, Engine, int>> describing_;       // models
  std::vector<std::map<Way, std::uint64_t>> best_;                  // by instance: the best cost known
  std::vector<std::pair<double, std::size_t>> spent_;               // by instance: seconds and runs
  std::vector<std::size_t> left_;                                   // by instance: runs of (b) to do
  Clock::time_point start_ = Clock::now(), told_ = start_;
  std::size_t done_at_start_ = 0, done_now_ = 0;
  std::string contradiction_;
  RunEnd::Why why_ = RunEnd::Why::done;
};

// --- what is to do -----------------------------------------------------------------

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

// The limits of a run depend on the monolithic one.
bool Owner::is_gated(const Item& item) const {
  const Item* const mono = study_.mono_of(study_.instance_of(item));
  return !item.is_mono() && mono != nullptr && !mono->is_finished();
}

double Owner::estimate(const Item& item) const {
  if (const auto below = expected_from_below(study_, item)) return *below;
  const auto& [seconds, runs] = spent_[item.instance];
  if (runs >= 5 && !item.is_mono()) return seconds / static_cast<double>(runs);
  const Item* const mono = study_.mono_of(study_.instance_of(item));
  if (item.is_mono() || mono == nullptr || !mono->result) return 0.01;
  return std::max(0.001, 20e-6 * static_cast<double>(mono->cost()));
}

// As the runs of its instance were on average, once there are some.
double Owner::expected_now(const Item& item) const {
  const auto& [seconds, runs] = spent_[item.instance];
  return runs >= 5 ? seconds / static_cast<double>(runs) : item.expected;
}

void Owner::enqueue(std::size_t place) {
  Item& item = study_.items[place];
  if (item.status != Status::open || !is_wanted(item) || is_gated(item)) return;
  item.expected = estimate(item);
  queue_.insert({item.is_mono() ? 1e9 : item.expected, place});
}

void Owner::enqueue_ready(std::size_t instance) {
  for (const std::size_t place : study_.instances[instance].items) enqueue(place);
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
  for (std::size_t i = 0; i < study_.items.size(); ++i) enqueue(i);
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
        queue_.erase({item.expected, place});
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

// --- handing out ---------------------------------------------------------------------

std::optional<std::uint64_t> Owner::bound_of(const Item& item) const {
  if (item.reason != "all" || options_.bound == Bound::none) return std::nullopt;
  const Instance& instance = study_.instance_of(item);
  if (options_.bound == Bound::usual && study_.model_of(instance).size <= 2) return std::nullopt;
  if (options_.bound == Bound::mono) {
    const Item* const mono = study_.mono_of(instance);
    return mono != nullptr && mono->holds() ? std::optional(mono->cost()) : std::nullopt;
  }
  const auto found = best_[item.instance].find(item.way);
  return found == best_[item.instance].end() ? std::nullopt : std::optional(found->second);
}

Job Owner::job_of(const Task& task, std::int64_t id) {
  Job out;
  out.kind = task.kind;
  out.id = id;
  out.memory = study_.limits.memory;
  out.time_s = study_.limits.time_s;
  const auto spec = [&](const Track& track, int size) {
    const DefinedSystem& system = study_.systems[track.system].definition;
    ModelSpec made{track.engine, system.models.at(track.engine), system.parameter, size};
    made.model.file = store_.usable_name(made.model.file);
    return made;
  };
  if (task.kind == Job::Kind::describe) {
    out.model = spec(task.track, task.size);
    return out;
  }
  Item& item = study_.items[task.item];
  const Instance& instance = study_.instance_of(item);
  out.model = spec(track_of(item), study_.model_of(instance).size);
  out.property = instance.property;
  out.way = item.way;
  if (item.mask) out.split = item.mask->split(study_.model_of(instance).tasks);
  if (const Item* const mono = study_.mono_of(instance); mono != nullptr && mono->holds() && !item.is_mono())
    out.time_s = std::max(out.time_s, study_.limits.factor * mono->result->time_s);
  out.expected = item.expected;
  if (!item.is_mono()) out.constraints = instance.constraints;
  if (item.supplied != 0) {
    out.assumption = study_.assumptions.at(item.supplied).packed;
    out.seeded = item.reason == "seeded";
  }
  const bool again = task.kind == Job::Kind::recheck;
  out.certify = again || hash_of(study_.key(item)) % 20 == 0;
  out.keep_assumption = again || item.reason != "all";
  if (again) return out;
  item.bound = bound_of(item);
  out.bound = item.bound;
  item.status = Status::running;
  item.started = now();
  store_.save_status(item);
  return out;
}

// One item, or several short ones of the same model.
std::vector<Task> Owner::next_tasks() {
  if (!first_.empty()) {
    const Task task = first_.back();
    first_.pop_back();
    return {task};
  }
  if (queue_.empty()) return {};
  const auto alone = [&](const Item& item) { return item.is_mono() || item.attempts > 0 || estimate(item) >= kShort; };
  std::vector<Task> out = {{Job::Kind::run, queue_.begin()->second, {}, 0}};
  const Item& first = study_.items[out[0].item];
  queue_.erase(queue_.begin());
  if (alone(first)) return out;
  double expected = expected_now(first);
  const std::size_t most = std::min<std::size_t>(200, queue_.size() / (4 * crew_.size()));
  std::size_t looked_at = 0;
  for (auto at = queue_.begin(); at != queue_.end() && out.size() < most && ++looked_at < 2000;) {
    const Item& item = study_.items[at->second];
    const double seconds = expected_now(item);
    if (alone(item) || expected + seconds > kBatch ||
        study_.instance_of(item).model != study_.instance_of(first).model) {
      ++at;
      continue;
    }
    expected += seconds;
    out.push_back({Job::Kind::run, at->second, {}, 0});
    at = queue_.erase(at);
  }
  return out;
}

void Owner::hand_out() {
  for (std::size_t worker = 0; worker < busy_.size(); ++worker) {
    if (!busy_[worker].ids.empty()) continue;
    const auto tasks = next_tasks();
    if (tasks.empty()) return;
    store_.begin();
    Json list = Json::array();
    for (const Task& task : tasks) {
      const std::int64_t id = next_id_++;
      list.push_back(to_json(job_of(task, id)));
      running_[id] = {task, Clock::now()};
      busy_[worker].ids.push_back(id);
    }
    crew_.give(worker, list.dump());
  }
}

// --- what comes back -------------------------------------------------------------------

void Owner::hear(const Crew::News& news) {
  store_.begin();
  if (!news.line) return lost(news.worker, news.why);
  Answer answer = answer_from_json(Json::parse(*news.line));
  const auto found = running_.find(answer.id);
  if (found == running_.end()) return;
  const Task task = found->second.task;
  running_.erase(found);
  std::erase(busy_[news.worker].ids, answer.id);
  if (!busy_[news.worker].ids.empty()) running_[busy_[news.worker].ids.front()].since = Clock::now();
  take(task, std::move(answer));
}

// A worker is gone, and what it was working on may be why.
void Owner::lost(std::size_t worker, const std::string& why) {
  auto ids = std::move(busy_[worker].ids);
  busy_[worker].ids.clear();
  for (const std::int64_t id : ids) {
    const Task task = running_.at(id).task;
    running_.erase(id);
    Answer answer;
    answer.end = Answer::End::crashed;
    answer.why = why;
    if (id == ids.front()) {
      take(task, std::move(answer));
    } else {
      study_.items[task.item].status = Status::open;  // only runs come in batches
      store_.save_status(study_.items[task.item]);
      enqueue(task.item);
    }
  }
}

void Owner::take(const Task& task, Answer answer) {
  switch (task.kind) {
    case Job::Kind::run: return take_run(task.item, std::move(answer));
    case Job::Kind::recheck: return take_recheck(task.item, std::move(answer));
    case Job::Kind::describe: return take_description(task, answer);
  }
}

Row Owner::keep(Assumption assumption) {
  store_.add(assumption);
  const Row id = assumption.id;
  study_.assumptions[id] = std::move(assumption);
  return id;
}

void Owner::crashed(std::size_t place, const std::string& why) {
  Item& item = study_.items[place];
  ++item.attempts;
  if (item.attempts < 2) {
    item.status = Status::open;
    store_.save_status(item);
    enqueue(place);
    return;
  }
  item.status = Status::crashed;
  item.finished = now();
  item.result.emplace();
  item.result->verdict = "unknown";
  item.result->why = why;
  store_.save_result(item);
  after(place);
}

void Owner::take_run(std::size_t place, Answer answer) {
  Item& item = study_.items[place];
  item.host = answer.host;
  if (answer.end != Answer::End::answered) return crashed(place, answer.why);
  item.status = answer.status;
  item.finished = now();
  item.result = std::move(answer.result);
  if (answer.has_assumption) item.result->assumption = keep(std::move(answer.assumption));
  store_.save_result(item);
  if (item.is_mono() && !answer.constraints.empty()) {
    study_.instances[item.instance].constraints = answer.constraints;
    store_.save_constraints(study_.instances[item.instance]);
  }
  after(place);
}

void Owner::take_recheck(std::size_t place, Answer answer) {
  Item& item = study_.items[place];
  const bool same = answer.end == Answer::End::answered && answer.result.verdict == item.result->verdict &&
                    answer.result.max_states == item.result->max_states;
  if (answer.end == Answer::End::answered && answer.status == Status::done && !same)
    contradiction_ = fmt::format("{} gave another result when it was run again", study_.key(item));
  item.result->certified = same && answer.result.certified.value_or(false);
  if (const auto found = study_.assumptions.find(item.result->assumption);
      same && answer.has_assumption && found != study_.assumptions.end() && found->second.packed.empty()) {
    found->second.packed = std::move(answer.assumption.packed);
    store_.save_lts(found->second);
  }
  store_.save_result(item);
  plan_track(track_of(item));
}

void Owner::take_description(const Task& task, const Answer& answer) {
  ModelRow model;
  model.system = task.track.system;
  model.engine = task.track.engine;
  model.size = task.size;
  const DefinedModel& defined = study_.systems[model.system].definition.models.at(model.engine);
  model.file = defined.file;
  if (answer.described) {
    model.tasks = answer.described->tasks;
    model.repeated = answer.described->repeated;
    model.sha256 = answer.described->sha256;
  } else {
    model.why = answer.why.empty() ? "it could not be built" : answer.why;
  }
  store_.add(study_, model);
  const std::size_t place = study_.models.size();
  study_.models.push_back(std::move(model));
  std::vector<std::string> properties;
  for (const Track& track : study_.tracks())
    if (track.system == task.track.system && track.engine == task.track.engine) properties.push_back(track.property);
  for (const auto& property : properties) {
    Instance instance;
    instance.model = place;
    instance.property = property;
    if (answer.described)
      for (const auto& p : answer.described->properties)
        if (p.name == property) instance.singled_out = p.singled_out;
    store_.add(study_, instance);
    study_.instances.push_back(std::move(instance));
  }
  best_.resize(study_.instances.size());
  spent_.resize(study_.instances.size());
  left_.resize(study_.instances.size());
  for (const auto& property : properties) plan_track({task.track.system, task.track.engine, property});
}

// Whatever a result makes possible.
void Owner::after(std::size_t place) {
  const Item& item = study_.items[place];
  const std::size_t instance = item.instance;
  ++done_now_;
  const Item* const mono = study_.mono_of(study_.instances[instance]);
  if (item.result->verdict == "violated" && mono != nullptr && mono->holds())
    contradiction_ = fmt::format("{} is violated, and monolithic verification says that it holds", study_.key(item));
  if (item.is_mono()) {
    enqueue_ready(instance);
    return plan_track(track_of(item));
  }
  if (item.mask && item.holds()) {
    auto& best = best_[instance].try_emplace(item.way, item.cost()).first->second;
    best = std::min(best, item.cost());
  }
  spent_[instance].first += item.result->time_s;
  ++spent_[instance].second;
  if (item.is_of_all() && left_[instance] > 0) --left_[instance];
  if (!item.is_of_all() || item.reason != "all" || left_[instance] == 0) plan_track(track_of(item));
}

// --- the loop --------------------------------------------------------------------------

bool Owner::must_stop() {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (options_.interrupted != nullptr && *options_.interrupted)
    why_ = RunEnd::Why::interrupted;
  else if (options_.budget_s && seconds >= *options_.budget_s)
    why_ = RunEnd::Why::budget;
  return why_ != RunEnd::Why::done || !contradiction_.empty();
}

RunProgress Owner::progress() const {
  RunProgress out;
  out.workers = crew_.size();
  out.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  out.since_start = done_now_;
  for (const Item& item : study_.items) {
    if (!is_wanted(item) && !item.is_finished()) continue;
    ++out.all;
    if (!item.is_finished()) {
      out.left_s += item.expected;
      continue;
    }
    ++out.done;
    out.done_s += item.result ? item.result->time_s : 0;
    out.over_limit += item.status == Status::over_limit ? 1 : 0;
    out.worse += item.status == Status::worse ? 1 : 0;
    out.crashed += item.status == Status::crashed ? 1 : 0;
  }
  for (const Busy& busy : busy_) {
    if (busy.ids.empty()) continue;
    const Running& running = running_.at(busy.ids.front());
    const double seconds = std::chrono::duration<double>(Clock::now() - running.since).count();
    const std::string what =
        running.task.kind == Job::Kind::describe
            ? fmt::format("{} at size {}", study_.systems[running.task.track.system].definition.name, running.task.size)
            : study_.key(study_.items[running.task.item]);
    out.running.push_back({what, seconds});
  }
  std::ranges::sort(out.running, std::greater(), &RunProgress::Running::seconds);
  return out;
}

void Owner::tell() {
  if (!options_.progress || Clock::now() - told_ < std::chrono::milliseconds(500)) return;
  told_ = Clock::now();
  options_.progress(progress());
}

api::Outcome<RunEnd> Owner::run() {
  if (auto ok = can_run(store_, study_); !ok) return tl::unexpected(std::move(ok.error()));
  store_.begin();
  reopen();
  plan_all();
  store_.commit();
  while (!must_stop()) {
    hand_out();
    if (running_.empty()) break;
    for (const Crew::News& news : crew_.wait(std::chrono::milliseconds(200))) hear(news);
    if (store_.is_due()) store_.commit();
    tell();
  }
  // What is still running stays open.
  store_.begin();
  for (const auto& [id, running] : running_)
    if (running.task.kind == Job::Kind::run) {
      Item& item = study_.items[running.task.item];
      item.status = Status::open;
      store_.save_status(item);
    }
  store_.commit();
  check(contradiction_.empty(), contradiction_.c_str());
  return RunEnd{why_, progress()};
}

}  // namespace

api::Outcome<void> can_run(const Store& store, const Study& study) {
  Diagnostics wrong;
  std::set<std::string> looked_at;
  for (const ModelRow& model : study.models) {
    if (!is_there(model.engine)) {
      wrong.push_back(file_error(study.file, why_not_there(model.engine)));
      break;
    }
    if (model.sha256.empty() || !looked_at.insert(model.file).second) continue;
    const std::string file = store.usable_name(model.file);
    const auto text = read_file(file);
    if (!text)
      wrong.insert(wrong.end(), text.error().begin(), text.error().end());
    else if (sha256_hex(*text) != model.sha256)
      wrong.push_back(file_error(file, "this model has changed since the study was made",
                                 "surety study create --renew starts its runs again"));
  }
  if (!wrong.empty()) return api::bad_input(std::move(wrong));
  return {};
}

api::Outcome<RunEnd> run_study(Store& store, Crew& crew, const RunOptions& options) {
  return guarded(store.file(), [&]() -> api::Outcome<RunEnd> {
    Owner owner(store, crew, options);
    return owner.run();
  });
}

namespace {

// The monolithic runs come along, because limits depend on them.
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
    if (const auto mono = study.instance_of(study.items[order[j]]).mono) out.insert(*mono);
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
