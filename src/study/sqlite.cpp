#include "study/sqlite.hpp"

#include <sqlite3.h>

#include "base/check.hpp"

namespace surety::study {
namespace {

SqlError error_of(sqlite3* database, int code) {
  // A limit of the file size says "disk I/O error" where a full disk says "full".
  const int extended = database != nullptr ? sqlite3_extended_errcode(database) : code;
  const bool full = (code & 0xff) == SQLITE_FULL || extended == SQLITE_IOERR_WRITE || extended == SQLITE_IOERR_SHMSIZE;
  const bool locked = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
  const bool foreign = (code & 0xff) == SQLITE_NOTADB || (code & 0xff) == SQLITE_CORRUPT;
  return {database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code), full, locked, foreign};
}

[[noreturn]] void fail(sqlite3* database, int code) { throw error_of(database, code); }

}  // namespace

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Database::Database(const std::string& file, Mode mode) {
  sqlite3* opened = nullptr;
  const int flags = mode == Mode::read    ? SQLITE_OPEN_READONLY
                    : mode == Mode::write ? SQLITE_OPEN_READWRITE
                                          : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(file.c_str(), &opened, flags | SQLITE_OPEN_URI, nullptr);
  handle_.reset(opened);
  if (code != SQLITE_OK) fail(opened, code);
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, 10'000);
}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

void Database::execute(const char* sql) {
  const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(handle_.get(), code);
}

Statement Database::prepare(const char* sql) {
  sqlite3_stmt* made = nullptr;
  const int code = sqlite3_prepare_v2(handle_.get(), sql, -1, &made, nullptr);
  if (code != SQLITE_OK) fail(handle_.get(), code);
  return Statement(made);
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }
int Database::changes() const { return sqlite3_changes(handle_.get()); }

std::int64_t Database::number(const char* sql) {
  auto query = prepare(sql);
  return query.step() ? query.integer(0) : 0;
}

void Statement::Finish::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::done(int code) {
  if (code != SQLITE_OK) fail(sqlite3_db_handle(handle_.get()), code);
  ++next_;
}
Statement& Statement::bind(std::int64_t value) {
  done(sqlite3_bind_int64(handle_.get(), next_, value));
  return *this;
}
Statement& Statement::bind(double value) {
  done(sqlite3_bind_double(handle_.get(), next_, value));
  return *this;
}
Statement& Statement::bind(std::string_view text) {
  done(sqlite3_bind_text(handle_.get(), next_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
  return *this;
}
Statement& Statement::bind_blob(std::string_view bytes) {
  done(sqlite3_bind_blob(handle_.get(), next_, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT));
  return *this;
}
Statement& Statement::bind_null() {
  done(sqlite3_bind_null(handle_.get(), next_));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  next_ = 1;
  if (code == SQLITE_DONE) {
    sqlite3_reset(handle_.get());
    return false;
  }
  const SqlError error = error_of(sqlite3_db_handle(handle_.get()), code);
  sqlite3_reset(handle_.get());
  throw error;
}
void Statement::run() {
  while (step()) {
  }
}

bool Statement::is_null(int column) const { return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }
std::string Statement::text(int column) const {
  const void* const bytes = sqlite3_column_blob(handle_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column));
  return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

}  // namespace surety::study
