// What comes back from workers: results, descriptions of models, crashes; and what each of them makes possible.

#include <fmt/format.h>

#include <algorithm>

#include "study/owner.hpp"

namespace surety::study {

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
  if (answer.end == Answer::End::changed) return give_up(task);
  switch (task.kind) {
    case Job::Kind::run: return take_run(task.item, std::move(answer));
    case Job::Kind::recheck: return take_recheck(task.item, std::move(answer));
    case Job::Kind::describe: return take_description(task, answer);
  }
}

// The file is not what the other results are about: nothing is kept of this one, and the study stops.
void Owner::give_up(const Task& task) {
  if (task.kind == Job::Kind::run) {
    Item& item = study_.items[task.item];
    item.status = Status::open;
    store_.save_status(item);
  }
  const Track track = task.kind == Job::Kind::describe ? task.track : track_of(study_.items[task.item]);
  changed_ = store_.usable_name(study_.systems[track.system].definition.models.at(track.engine).file);
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
  if (item.is_mono() && !item.result->constraints.empty()) {
    study_.instances[item.instance].constraints = item.result->constraints;
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
    const Track track = track_of(item);
    for (const auto& [size, waiting] : study_.sizes_of(track)) enqueue_ready(waiting);
    return plan_track(track);
  }
  if (item.mask && item.holds()) {
    auto& best = best_[instance].try_emplace(item.way, item.cost()).first->second;
    best = std::min(best, item.cost());
  }
  spent_[instance].seconds += item.result->time_s;
  ++spent_[instance].runs;
  if (item.is_of_all() && left_[instance] > 0 && --left_[instance] == 0) enqueue_above(instance);
  if (!item.is_of_all() || item.reason != "all" || left_[instance] == 0) plan_track(track_of(item));
}

}  // namespace surety::study
