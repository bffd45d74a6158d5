#include "study/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "certificate/write.hpp"

namespace surety::study {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kApplication = 0x53555245;  // "SURE"

constexpr const char* kTables = R"(
CREATE TABLE study(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE system(id INTEGER PRIMARY KEY, name TEXT UNIQUE, parameter TEXT, repeated TEXT, definition TEXT);
CREATE TABLE model(id INTEGER PRIMARY KEY, system INTEGER REFERENCES system, engine TEXT, file TEXT, sha256 TEXT,
                   size INTEGER, tasks TEXT, repeated TEXT, why TEXT, UNIQUE(system, engine, size));
CREATE TABLE instance(id INTEGER PRIMARY KEY, model INTEGER REFERENCES model, property TEXT, singled_out TEXT,
                      classes TEXT, constraints TEXT, UNIQUE(model, property));
CREATE TABLE assumption(id INTEGER PRIMARY KEY, states INTEGER, transitions INTEGER, letters INTEGER, lts BLOB);
CREATE TABLE item(id INTEGER PRIMARY KEY, instance INTEGER REFERENCES instance, mask BLOB, method TEXT, alphabet TEXT,
                  learner TEXT, reason TEXT, bound INTEGER, supplied INTEGER REFERENCES assumption, expected REAL,
                  status TEXT CHECK(status IN ('open','running','done','over_limit','worse','crashed')) DEFAULT 'open',
                  attempts INTEGER DEFAULT 0, host TEXT, started TEXT, finished TEXT, task_order TEXT,
                  UNIQUE(instance, mask, method, alphabet, learner, supplied));
CREATE TABLE result(item INTEGER PRIMARY KEY REFERENCES item, verdict TEXT, max_states INTEGER,
                    max_transitions INTEGER, states INTEGER, transitions INTEGER, query_states INTEGER,
                    premise1 INTEGER, premise2 INTEGER, queries INTEGER, conjectures INTEGER,
                    largest_assumption INTEGER, assumption INTEGER REFERENCES assumption, time_s REAL, learn_s REAL,
                    peak_bytes INTEGER, certified INTEGER, why TEXT, constraints TEXT);
CREATE INDEX item_open ON item(status, expected DESC);
CREATE INDEX item_instance ON item(instance, status);
)";

std::optional<Row> reference(Row row) { return row == 0 ? std::nullopt : std::optional(row); }

}  // namespace

api::Failure failure_of(const std::string& file, const SqlError& error) {
  const std::string hint = error.full      ? "make room and start again: what was done so far is kept"
                           : error.locked  ? "another process is writing to it"
                           : error.foreign ? "a study is made by: surety study create FILE.db DEFINITION.toml"
                                           : "";
  const std::string what = error.full ? fmt::format("it cannot be written ({})", error.what()) : error.what();
  return {api::Failure::kInput, {file_error(file, what, hint)}};
}

bool is_on_network(const std::string& file) {
  struct statfs about {};
  const std::string folder = fs::absolute(file).parent_path().string();
  if (::statfs(folder.c_str(), &about) != 0) return false;
  constexpr std::uint64_t kNetwork[] = {0x6969, 0x517B, 0xFE534D42, 0xFF534D42, 0x0BD00BD0, 0x47504653, 0x19830326};
  return std::ranges::find(kNetwork, static_cast<std::uint64_t>(about.f_type) & 0xFFFFFFFF) != std::end(kNetwork);
}

// --- opening ---------------------------------------------------------------------

void Store::renew_schema(Database& database) {
  if (database.number("PRAGMA user_version") == kSchema) return;
  database.execute("BEGIN IMMEDIATE");
  if (database.number("PRAGMA user_version") == 1) {
    database.execute("ALTER TABLE item ADD COLUMN task_order TEXT");
    database.execute(fmt::format("PRAGMA user_version = {}", kSchema).c_str());
  }
  database.execute("COMMIT");
}

void Store::prepare_schema(Database& database) {
  database.execute("BEGIN IMMEDIATE");
  if (database.number("SELECT count(*) FROM sqlite_master") == 0) {
    database.execute(kTables);
    database.execute(fmt::format("PRAGMA application_id = {}", kApplication).c_str());
    database.execute(fmt::format("PRAGMA user_version = {}", kSchema).c_str());
  }
  database.execute("COMMIT");
}

api::Outcome<Store> Store::open(const std::string& file, Database::Mode mode) {
  using Mode = Database::Mode;
  std::error_code none;
  const bool exists = fs::exists(file, none);
  if (!exists && mode != Mode::create)
    return api::bad_input(
        {file_error(file, "there is no such study", "surety study create FILE.db DEFINITION.toml makes one")});
  if (exists && fs::is_directory(file, none))
    return api::bad_input({file_error(file, "this is a folder, not a study")});
  return guarded(file, [&]() -> api::Outcome<Store> {
    const std::string folder = fs::absolute(file).parent_path().string();
    // The log beside the file could not be made.
    const bool sealed = mode == Mode::read && ::access(folder.c_str(), W_OK) != 0;
    Database database(sealed ? "file:" + fs::absolute(file).string() + "?immutable=1" : file, mode);
    const bool is_new = mode == Mode::create && database.number("SELECT count(*) FROM sqlite_master") == 0;
    if (is_new) prepare_schema(database);
    if (database.number("PRAGMA application_id") != kApplication)
      return api::bad_input(
          {file_error(file, "this is no study", "surety study create FILE.db DEFINITION.toml makes one")});
    if (const auto version = database.number("PRAGMA user_version"); version < 1 || version > kSchema)
      return api::bad_input({file_error(
          file, fmt::format("this study has schema {}, and this version of surety knows {}", version, kSchema),
          "use the version that made it, or a newer one")});
    if (mode != Mode::read) {
      database.execute(is_on_network(file) ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL");
      database.execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF");
      renew_schema(database);
    }
    return Store(file, std::move(database), is_new);
  });
}

std::string Store::stored_name(const std::string& file) const {
  // As people see the folders: links are not followed.
  const fs::path folder = fs::absolute(file_).lexically_normal().parent_path();
  const fs::path whole = fs::absolute(file).lexically_normal(), relative = whole.lexically_relative(folder);
  return relative.empty() ? whole.string() : relative.generic_string();
}

std::string Store::usable_name(const std::string& stored) const {
  const fs::path path(stored);
  if (path.is_absolute()) return stored;
  return (fs::path(file_).parent_path() / path).lexically_normal().string();
}

// --- writing ---------------------------------------------------------------------

void Store::begin() {
  if (open_since_) return;
  database_.execute("BEGIN IMMEDIATE");
  open_since_ = std::chrono::steady_clock::now();
}
void Store::commit() {
  if (!open_since_) return;
  database_.execute("COMMIT");
  open_since_.reset();
}
void Store::rollback() {
  if (!open_since_) return;
  open_since_.reset();
  database_.execute("ROLLBACK");
}
bool Store::is_due() const {
  return open_since_ && std::chrono::steady_clock::now() - *open_since_ >= std::chrono::seconds(1);
}

void Store::note(const std::string& key, const std::string& value) {
  database_.prepare("INSERT INTO study VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value")
      .bind(key)
      .bind(value)
      .run();
}

void Store::save_settings(const Study& study) {
  note("tool", api::tool_name());
  note("limits",
       Json{{"time_s", study.limits.time_s}, {"factor", study.limits.factor}, {"memory", study.limits.memory}}.dump());
  note("settings", Json{{"methods", study.settings.methods},
                        {"alphabets", study.settings.alphabets},
                        {"learner", study.settings.learner}}
                       .dump());
  for (const auto& [key, value] : study.notes)
    if (key != "tool" && key != "limits" && key != "settings") note(key, value);
}

void Store::add(SystemRow& system) {
  database_.prepare("INSERT INTO system(name, parameter, repeated, definition) VALUES (?, ?, ?, ?)")
      .bind(system.definition.name)
      .bind(system.definition.parameter)
      .bind(system.definition.models.begin()->second.repeated)
      .bind(to_json(system.definition).dump())
      .run();
  system.id = database_.last_row();
}

void Store::save(const SystemRow& system) {
  database_.prepare("UPDATE system SET parameter = ?, repeated = ?, definition = ? WHERE id = ?")
      .bind(system.definition.parameter)
      .bind(system.definition.models.begin()->second.repeated)
      .bind(to_json(system.definition).dump())
      .bind(system.id)
      .run();
}

void Store::add(const Study& study, ModelRow& model) {
  database_
      .prepare(
          "INSERT INTO model(system, engine, file, sha256, size, tasks, repeated, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(study.systems[model.system].id)
      .bind(name_of(model.engine))
      .bind(model.file)
      .bind(model.sha256)
      .bind(model.size)
      .bind(Json(model.tasks).dump())
      .bind(Json(model.repeated).dump())
      .bind(model.why)
      .run();
  model.id = database_.last_row();
}

void Store::add(const Study& study, Instance& instance) {
  database_.prepare("INSERT INTO instance(model, property, singled_out, classes, constraints) VALUES (?, ?, ?, ?, ?)")
      .bind(study.models[instance.model].id)
      .bind(instance.property)
      .bind(Json(instance.singled_out).dump())
      .bind(Json(instance.classes).dump())
      .bind(instance.constraints)
      .run();
  instance.id = database_.last_row();
}

void Store::add(const Study& study, Item& item) {
  auto insert = database_.prepare(
      "INSERT INTO item(instance, mask, method, alphabet, learner, reason, bound, supplied, expected, status, "
      "attempts, "
      "host, started, finished, task_order) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(study.instances[item.instance].id);
  if (item.mask)
    insert.bind_blob(item.mask->blob());
  else
    insert.bind_null();
  insert.bind(item.way.method).bind(item.way.alphabet).bind(item.way.learner).bind(item.reason).bind(item.bound);
  insert.bind(reference(item.supplied)).bind(item.expected).bind(name_of(item.status)).bind(item.attempts);
  insert.bind(item.host).bind(item.started).bind(item.finished).bind(Json(item.order).dump()).run();
  item.id = database_.last_row();
}

void Store::add(Assumption& assumption) {
  auto insert = database_.prepare("INSERT INTO assumption(states, transitions, letters, lts) VALUES (?, ?, ?, ?)");
  insert.bind(assumption.states).bind(assumption.transitions).bind(assumption.letters);
  if (assumption.packed.empty())
    insert.bind_null();
  else
    insert.bind_blob(assumption.packed);
  insert.run();
  assumption.id = database_.last_row();
}

void Store::save_lts(const Assumption& assumption) {
  database_.prepare("UPDATE assumption SET lts = ? WHERE id = ?")
      .bind_blob(assumption.packed)
      .bind(assumption.id)
      .run();
}

void Store::save_constraints(const Instance& instance) {
  database_.prepare("UPDATE instance SET constraints = ? WHERE id = ?")
      .bind(instance.constraints)
      .bind(instance.id)
      .run();
}

void Store::save_status(const Item& item) {
  database_
      .prepare(
          "UPDATE item SET reason = ?, status = ?, attempts = ?, bound = ?, expected = ?, host = ?, started = ?, "
          "finished = ? WHERE id = ?")
      .bind(item.reason)
      .bind(name_of(item.status))
      .bind(item.attempts)
      .bind(item.bound)
      .bind(item.expected)
      .bind(item.host)
      .bind(item.started)
      .bind(item.finished)
      .bind(item.id)
      .run();
}

void Store::save_result(const Item& item) {
  save_status(item);
  database_.prepare("DELETE FROM result WHERE item = ?").bind(item.id).run();
  if (!item.result) return;
  const RunResult& r = *item.result;
  auto insert = database_.prepare(
      "INSERT INTO result(item, verdict, max_states, max_transitions, states, transitions, query_states, premise1, "
      "premise2, queries, conjectures, largest_assumption, assumption, time_s, learn_s, peak_bytes, certified, why, "
      "constraints) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(item.id).bind(r.verdict);
  for (const std::uint64_t count : {r.max_states, r.max_transitions, r.states, r.transitions, r.query_states,
                                    r.premise1, r.premise2, r.queries, r.conjectures, r.largest_assumption})
    insert.bind(count);
  insert.bind(reference(r.assumption)).bind(r.time_s).bind(r.learn_s).bind(r.peak_bytes);
  insert.bind(r.certified ? std::optional<int>(*r.certified ? 1 : 0) : std::nullopt);
  insert.bind(r.why).bind(r.constraints).run();
}

void Store::remove(const Item& item) {
  database_.prepare("DELETE FROM result WHERE item = ?").bind(item.id).run();
  database_.prepare("DELETE FROM item WHERE id = ?").bind(item.id).run();
}

void Store::remove_instances(const ModelRow& model) {
  for (const char* const sql : {"DELETE FROM result WHERE item IN (SELECT item.id FROM item JOIN instance ON "
                                "item.instance = instance.id WHERE instance.model = ?)",
                                "DELETE FROM item WHERE instance IN (SELECT id FROM instance WHERE model = ?)",
                                "DELETE FROM instance WHERE model = ?"})
    database_.prepare(sql).bind(model.id).run();
}

void Store::remove_model(const ModelRow& model) {
  remove_instances(model);
  database_.prepare("DELETE FROM model WHERE id = ?").bind(model.id).run();
}

// --- the lock ----------------------------------------------------------------------

api::Outcome<WriterLock> WriterLock::take(const std::string& file) {
  if (is_on_network(file)) return WriterLock(-1);
  const int handle = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) return api::bad_input({file_error(file, "it cannot be opened")});
  if (::flock(handle, LOCK_EX | LOCK_NB) == 0) return WriterLock(handle);
  ::close(handle);
  return api::bad_input(
      {file_error(file, "another process is running this study", "surety study status tells how far it is")});
}

WriterLock::WriterLock(WriterLock&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
WriterLock::~WriterLock() {
  if (handle_ >= 0) ::close(handle_);
}

}  // namespace surety::study
