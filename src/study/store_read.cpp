// A study from its database, in the order of the rows.

#include <fmt/format.h>

#include "study/store.hpp"

namespace surety::study {
namespace {

constexpr const char* kDamaged = "this study is damaged: its tables do not fit together";

Json json_of(const std::string& text) { return text.empty() ? Json::array() : Json::parse(text); }

void read_notes(Database& database, Study& study) {
  auto query = database.prepare("SELECT key, value FROM study");
  while (query.step()) study.notes[query.text(0)] = query.text(1);
  if (const auto found = study.notes.find("limits"); found != study.notes.end()) {
    const Json limits = Json::parse(found->second);
    study.limits = {limits.at("time_s"), limits.at("factor"), limits.at("memory")};
  }
  if (const auto found = study.notes.find("settings"); found != study.notes.end()) {
    const Json settings = Json::parse(found->second);
    study.settings.methods = settings.at("methods");
    study.settings.alphabets = settings.at("alphabets");
    study.settings.learner = settings.at("learner");
  }
  study.settings.limits = study.limits;
}

using Places = std::unordered_map<Row, std::size_t>;  // of rows in vectors

Engine engine_of(const std::string& name) {
  const auto engine = engine_from_name(name);
  if (!engine) throw SqlError(fmt::format("this version has no engine '{}'", name), false, false, false);
  return *engine;
}

Places read_systems(Database& database, Study& study) {
  Places out;
  auto query = database.prepare("SELECT id, definition FROM system ORDER BY id");
  while (query.step()) {
    out[query.integer(0)] = study.systems.size();
    const Json definition = Json::parse(query.text(1));
    for (const auto& [name, model] : definition.at("models").items()) engine_of(name);
    study.systems.push_back({query.integer(0), system_from_json(definition)});
  }
  return out;
}

Places read_models(Database& database, Study& study, const Places& systems) {
  Places out;
  auto query =
      database.prepare("SELECT id, system, engine, file, sha256, size, tasks, repeated, why FROM model ORDER BY id");
  while (query.step()) {
    ModelRow row;
    row.id = query.integer(0);
    row.system = systems.at(query.integer(1));
    row.engine = engine_of(query.text(2));
    row.file = query.text(3);
    row.sha256 = query.text(4);
    row.size = static_cast<int>(query.integer(5));
    row.tasks = json_of(query.text(6)).get<std::vector<std::string>>();
    row.repeated = json_of(query.text(7)).get<std::vector<std::size_t>>();
    row.why = query.text(8);
    out[row.id] = study.models.size();
    study.models.push_back(std::move(row));
  }
  return out;
}

Places read_instances(Database& database, Study& study, const Places& models) {
  Places out;
  auto query =
      database.prepare("SELECT id, model, property, singled_out, classes, constraints FROM instance ORDER BY id");
  while (query.step()) {
    Instance row;
    row.id = query.integer(0);
    row.model = models.at(query.integer(1));
    row.property = query.text(2);
    row.singled_out = json_of(query.text(3)).get<std::vector<std::size_t>>();
    row.classes = json_of(query.text(4)).get<std::vector<std::vector<std::size_t>>>();
    row.constraints = query.text(5);
    out[row.id] = study.instances.size();
    study.instances.push_back(std::move(row));
  }
  return out;
}

RunResult read_result(const Statement& query, int at) {
  RunResult out;
  out.verdict = query.text(at);
  std::uint64_t* const counts[] = {&out.max_states,   &out.max_transitions,   &out.states,   &out.transitions,
                                   &out.query_states, &out.premise1,          &out.premise2, &out.queries,
                                   &out.conjectures,  &out.largest_assumption};
  for (std::uint64_t* const count : counts) *count = query.count(++at);
  out.assumption = query.integer(++at);
  out.time_s = query.real(++at);
  out.learn_s = query.real(++at);
  out.peak_bytes = query.count(++at);
  if (!query.is_null(++at)) out.certified = query.integer(at) != 0;
  out.why = query.text(++at);
  out.constraints = query.text(++at);
  return out;
}

Order order_of(const std::string& text, std::size_t tasks) {
  Order out = json_of(text).get<Order>();
  for (const std::size_t task : out)
    if (task >= tasks) throw SqlError(kDamaged, false, false, false);
  return out;
}

void read_items(Database& database, Study& study, const Places& instances) {
  // A study of schema 1 that is only read has no such column.
  const std::string order = database.number("PRAGMA user_version") == 1 ? "''" : "task_order";
  const std::string sql =
      "SELECT id, instance, mask, method, alphabet, learner, reason, bound, supplied, expected, status, attempts, "
      "host, "
      "started, finished, verdict, max_states, max_transitions, states, transitions, query_states, premise1, premise2, "
      "queries, conjectures, largest_assumption, assumption, time_s, learn_s, peak_bytes, certified, why, "
      "result.constraints, " +
      order + " FROM item LEFT JOIN result ON result.item = item.id ORDER BY id";
  auto query = database.prepare(sql.c_str());
  while (query.step()) {
    Item item;
    item.id = query.integer(0);
    item.instance = instances.at(query.integer(1));
    const Instance& instance = study.instances[item.instance];
    if (!query.is_null(2)) item.mask = Mask::from_blob(study.model_of(instance).tasks.size(), query.text(2));
    item.way = {query.text(3), query.text(4), query.text(5)};
    item.reason = query.text(6);
    if (!query.is_null(7)) item.bound = query.count(7);
    item.supplied = query.integer(8);
    item.expected = query.real(9);
    item.status = status_from_name(query.text(10)).value_or(Status::open);
    item.attempts = static_cast<int>(query.integer(11));
    item.host = query.text(12);
    item.started = query.text(13);
    item.finished = query.text(14);
    if (!query.is_null(15)) item.result = read_result(query, 15);
    item.order = order_of(query.text(33), study.model_of(instance).tasks.size());
    study.add(std::move(item));
  }
}

void read_assumptions(Database& database, Study& study) {
  auto query = database.prepare("SELECT id, states, transitions, letters, lts FROM assumption");
  while (query.step())
    study.assumptions[query.integer(0)] = {query.integer(0), query.count(1), query.count(2), query.count(3),
                                           query.text(4)};
}

}  // namespace

// A value that cannot be read, or a row that is about one that is not there.
Study Store::read() try {
  Study study;
  study.file = file_;
  read_notes(database_, study);
  const Places systems = read_systems(database_, study);
  const Places models = read_models(database_, study, systems);
  const Places instances = read_instances(database_, study, models);
  read_items(database_, study, instances);
  read_assumptions(database_, study);
  return study;
} catch (const Json::exception&) {
  throw SqlError(kDamaged, false, false, false);
} catch (const std::out_of_range&) {
  throw SqlError(kDamaged, false, false, false);
}

}  // namespace surety::study
