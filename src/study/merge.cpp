#include "study/merge.hpp"

#include <fmt/format.h>

#include <map>

namespace surety::study {
namespace {

std::map<std::string, const Item*> by_key(const Study& study) {
  std::map<std::string, const Item*> out;
  for (const Item& item : study.items) out[study.key(item)] = &item;
  return out;
}

std::uint64_t states_of_assumption(const Study& study, const RunResult& result) {
  const auto found = study.assumptions.find(result.assumption);
  return found == study.assumptions.end() ? 0 : found->second.states;
}

// What may not depend on who ran it.
std::string numbers(const Study& study, const Item& item) {
  const RunResult& r = *item.result;
  return fmt::format(
      "{} max {} sum {} transitions {} queries {} conjectures {} query states {} premises {} {} "
      "assumption {} largest {}",
      r.verdict, r.max_states, r.states, r.transitions, r.queries, r.conjectures, r.query_states, r.premise1,
      r.premise2, states_of_assumption(study, r), r.largest_assumption);
}

std::string shown(const Item& item) {
  return item.status == Status::done
             ? fmt::format("{}, {} states", item.result->verdict, item.cost())
             : fmt::format("{} ({})", name_of(item.status), item.result ? item.result->why : "");
}

enum class Agreement { equal, limits, contradiction };
Agreement compare(const Study& a, const Item& x, const Study& b, const Item& y) {
  if (x.status == Status::done && y.status == Status::done)
    return numbers(a, x) == numbers(b, y) ? Agreement::equal : Agreement::contradiction;
  if (is_unsure(a, x) || is_unsure(b, y)) return Agreement::limits;
  const auto cut_off = [](const Item& cut, const Item& done) {
    return !done.holds() || !cut.bound || done.cost() > *cut.bound;
  };
  if (x.status == Status::worse && y.status == Status::done)
    return cut_off(x, y) ? Agreement::equal : Agreement::contradiction;
  if (y.status == Status::worse && x.status == Status::done)
    return cut_off(y, x) ? Agreement::equal : Agreement::contradiction;
  if (x.status == y.status) return Agreement::equal;
  return Agreement::limits;
}

}  // namespace

Differences differences(const Study& a, const Study& b) {
  Differences out;
  const auto first = by_key(a), second = by_key(b);
  for (const auto& [key, item] : first) {
    if (!item->is_finished()) continue;
    const auto found = second.find(key);
    if (found == second.end() || !found->second->is_finished()) {
      out.first_only.push_back(key);
      continue;
    }
    switch (compare(a, *item, b, *found->second)) {
      case Agreement::equal: ++out.equal; break;
      case Agreement::limits:
        out.within_limits.push_back(fmt::format("{}: {}, {}", key, shown(*item), shown(*found->second)));
        break;
      case Agreement::contradiction:
        out.contradictions.push_back(fmt::format("{}: {}, {}", key, shown(*item), shown(*found->second)));
        break;
    }
  }
  for (const auto& [key, item] : second)
    if (const auto found = first.find(key);
        item->is_finished() && (found == first.end() || !found->second->is_finished()))
      out.second_only.push_back(key);
  return out;
}

api::Outcome<Differences> diff(const std::string& a, const std::string& b) {
  std::vector<Study> studies;
  for (const auto& file : {a, b}) {
    auto store = Store::open(file, Database::Mode::read);
    if (!store) return tl::unexpected(std::move(store.error()));
    auto study = guarded(file, [&]() -> api::Outcome<Study> { return store->read(); });
    if (!study) return tl::unexpected(std::move(study.error()));
    studies.push_back(std::move(*study));
  }
  return differences(studies[0], studies[1]);
}

namespace {

// The one may know of fewer files that it includes.
bool is_same_text(const ModelRow& a, const ModelRow& b) {
  return a.sha256.starts_with(b.sha256) || b.sha256.starts_with(a.sha256);
}

class Merger {
 public:
  explicit Merger(Store& store) : store_(store), study_(store.read()) {}

  Diagnostics add(const std::string& file, const Study& part);
  Merged merged;

 private:
  bool is_about_the_same(const std::string& file, const Study& part, Diagnostics& wrong) const;
  void take(const Study& part, const Item& theirs, Item& mine);
  bool is_of_later_phase(const Study& part, const Item& theirs) const;

  Store& store_;
  Study study_;
};

bool Merger::is_about_the_same(const std::string& file, const Study& part, Diagnostics& wrong) const {
  if (part.limits != study_.limits) wrong.push_back(file_error(file, "this part has other limits than the study"));
  for (const ModelRow& theirs : part.models) {
    const auto& name = part.systems[theirs.system].definition.name;
    for (const ModelRow& mine : study_.models)
      if (study_.systems[mine.system].definition.name == name && mine.engine == theirs.engine &&
          mine.size == theirs.size && (!is_same_text(mine, theirs) || mine.tasks != theirs.tasks)) {
        wrong.push_back(file_error(file, fmt::format("this part is about another model of {}", name)));
        return false;
      }
  }
  return wrong.empty();
}

// The study makes such a run by itself when it comes to it: of a property that it has, with a split that was
// generalised, or of the whole system at a size that it has not come to.
bool Merger::is_of_later_phase(const Study& part, const Item& theirs) const {
  if (theirs.is_of_all()) return false;
  const Instance& instance = part.instance_of(theirs);
  const ModelRow& model = part.model_of(instance);
  const auto is_track = [&](const Track& track) {
    return study_.systems[track.system].definition.name == part.systems[model.system].definition.name &&
           track.engine == model.engine && track.property == instance.property;
  };
  const auto tracks = study_.tracks();
  const auto track = std::ranges::find_if(tracks, is_track);
  if (track == tracks.end()) return false;
  return !theirs.is_mono() || !study_.instance_at(*track, model.size);
}

void Merger::take(const Study& part, const Item& theirs, Item& mine) {
  mine.status = theirs.status;
  mine.attempts = theirs.attempts;
  mine.bound = theirs.bound;
  mine.host = theirs.host;
  mine.started = theirs.started;
  mine.finished = theirs.finished;
  mine.result = theirs.result;
  if (const auto found = part.assumptions.find(theirs.result->assumption); found != part.assumptions.end()) {
    Assumption assumption = found->second;
    store_.add(assumption);
    mine.result->assumption = assumption.id;
    study_.assumptions[assumption.id] = std::move(assumption);
  } else {
    mine.result->assumption = 0;
  }
  if (Instance& instance = study_.instances[mine.instance]; mine.is_mono() && instance.constraints.empty()) {
    instance.constraints = part.instance_of(theirs).constraints;
    store_.save_constraints(instance);
  }
  store_.save_result(mine);
  ++merged.taken;
}

Diagnostics Merger::add(const std::string& file, const Study& part) {
  Diagnostics wrong;
  if (!is_about_the_same(file, part, wrong)) return wrong;
  const auto mine = by_key(study_);
  for (const auto& [key, theirs] : by_key(part)) {
    if (!theirs->is_finished() || !theirs->result) continue;
    const auto found = mine.find(key);
    if (found == mine.end() && is_of_later_phase(part, *theirs)) {
      ++merged.left_out;
      continue;
    }
    if (found == mine.end()) {
      wrong.push_back(file_error(file, fmt::format("the study has no run {}", key)));
      return wrong;
    }
    Item& item = study_.items[static_cast<std::size_t>(found->second - study_.items.data())];
    const bool was_ended = item.status == Status::worse || item.status == Status::over_limit;
    if (!item.is_finished() || (was_ended && theirs->status == Status::done &&
                                compare(study_, item, part, *theirs) != Agreement::contradiction)) {
      take(part, *theirs, item);
    } else if (compare(study_, item, part, *theirs) == Agreement::contradiction) {
      wrong.push_back(file_error(file, fmt::format("{}: here {}, in the study {}", key, shown(*theirs), shown(item)),
                                 "one of the two is wrong, or the versions of surety differ"));
    } else {
      ++merged.known;
    }
  }
  ++merged.parts;
  return wrong;
}

}  // namespace

api::Outcome<Merged> merge(const std::string& file, const std::vector<std::string>& parts) {
  auto store = Store::open(file, Database::Mode::write);
  if (!store) return tl::unexpected(std::move(store.error()));
  auto lock = WriterLock::take(file);
  if (!lock) return tl::unexpected(std::move(lock.error()));
  return guarded(file, [&]() -> api::Outcome<Merged> {
    Merger merger(*store);
    Diagnostics wrong;
    store->begin();
    for (const auto& name : parts) {
      auto part = Store::open(name, Database::Mode::read);
      if (!part) {
        wrong.insert(wrong.end(), part.error().diagnostics.begin(), part.error().diagnostics.end());
        continue;
      }
      auto study = guarded(name, [&]() -> api::Outcome<Study> { return part->read(); });
      auto more = study ? merger.add(name, *study) : study.error().diagnostics;
      wrong.insert(wrong.end(), more.begin(), more.end());
    }
    if (!wrong.empty()) {
      store->rollback();
      return api::bad_input(std::move(wrong));
    }
    store->commit();
    return merger.merged;
  });
}

}  // namespace surety::study
