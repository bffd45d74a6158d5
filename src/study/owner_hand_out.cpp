// Who does what: a worker that has nothing to do gets the next item, or several short ones.

#include <fmt/chrono.h>

#include <algorithm>

#include "base/hash.hpp"
#include "study/owner.hpp"

namespace surety::study {
namespace {

constexpr double kShort = 0.005;  // seconds: such items share a child
constexpr double kBatch = 0.5;    // seconds of them

std::uint64_t hash_of(const std::string& text) {
  std::vector<std::uint64_t> bytes;
  for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
  return hash_range(bytes);
}

}  // namespace

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::optional<std::uint64_t> Owner::bound_of(const Item& item) const {
  if (!is_bounded(item)) return std::nullopt;
  if (options_.bound == Bound::mono) {
    const Item* const mono = study_.mono_of(study_.instance_of(item));
    return mono != nullptr && mono->holds() ? std::optional(mono->cost()) : std::nullopt;
  }
  const auto found = best_[item.instance].find(item.way);
  return found == best_[item.instance].end() ? std::nullopt : std::optional(found->second);
}

// The monolithic run finds out which constraints it needs. With them the others begin; a split that fails adds more. If
// the monolithic run has not come to an end, those of the next smaller size will do for a start.
std::string Owner::constraints_for(const Item& item, bool again) const {
  const Instance& instance = study_.instance_of(item);
  if (!takes_constraints(study_.model_of(instance).engine)) return "";
  if (item.is_mono()) return "auto";
  const Item* known = again ? &item : nullptr;
  if (item.supplied != 0) known = study_.find(instance, item.mask, study_.way());
  if (known != nullptr && known->result && !known->result->constraints.empty()) return known->result->constraints;
  std::string out = "none";
  for (const auto& [size, place] : study_.sizes_of(track_of(item)))
    if (size <= study_.model_of(instance).size && !study_.instances[place].constraints.empty())
      out = study_.instances[place].constraints;
  return "auto," + out;
}

// Of a size that is not described yet the file is to be as it was at the others; what it includes may depend on the
// size.
std::string Owner::sha256_at(const Track& track, int size) const {
  std::string file;
  for (const ModelRow& model : study_.models) {
    if (model.system != track.system || model.engine != track.engine || model.sha256.empty()) continue;
    if (model.size == size) return model.sha256;
    file = file_sha256(model);
  }
  return file;
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
    made.sha256 = sha256_at(track, size);
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
  out.split = study_.split_of(item);
  if (const Item* const mono = study_.mono_of(instance); mono != nullptr && mono->holds() && !item.is_mono())
    out.time_s = std::max(out.time_s, study_.limits.factor * mono->result->time_s);
  out.expected = item.expected;
  out.constraints = constraints_for(item, task.kind == Job::Kind::recheck);
  if (item.supplied != 0) {
    out.assumption = study_.assumptions.at(item.supplied).packed;
    out.seeded = item.reason == "seeded";
  }
  const bool again = task.kind == Job::Kind::recheck;
  out.certify = again || hash_of(study_.key(item)) % 20 == 0;
  out.keep_assumption = again || (item.reason != "all" && item.way == study_.way());  // what learning costs needs it
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
  // What will be a bound for the others is known sooner if they are not in one batch.
  const auto waits_for_a_bound = [&](const Item& item) { return is_bounded(item) && !bound_of(item); };
  const auto alone = [&](const Item& item) {
    return item.is_mono() || item.attempts > 0 || expected_time(study_, item, spent_[item.instance]) >= kShort ||
           waits_for_a_bound(item);
  };
  std::vector<Task> out = {{Job::Kind::run, queue_.begin()->item, {}, 0}};
  const Item& first = study_.items[out[0].item];
  dequeue(out[0].item);
  if (alone(first)) return out;
  double expected = expected_now(first);
  const std::size_t most = std::min<std::size_t>(200, queue_.size() / (4 * crew_.size()));
  std::size_t looked_at = 0;
  for (auto at = queue_.begin(); at != queue_.end() && out.size() < most && ++looked_at < 2000;) {
    const Item& item = study_.items[at->item];
    const double seconds = expected_now(item);
    if (alone(item) || expected + seconds > kBatch ||
        study_.instance_of(item).model != study_.instance_of(first).model) {
      ++at;
      continue;
    }
    expected += seconds;
    out.push_back({Job::Kind::run, at->item, {}, 0});
    turns_.erase(at->item);
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

}  // namespace surety::study
