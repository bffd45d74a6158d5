// SQLite as values: a database that closes itself, statements that finish themselves, errors as exceptions that the
// store turns into messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace surety::study {

// What SQLite says is wrong. `full`: the disk is; `locked`: another process has the database.
struct SqlError : std::runtime_error {
  SqlError(const std::string& what, bool is_full, bool is_locked, bool is_foreign)
      : std::runtime_error(what), full(is_full), locked(is_locked), foreign(is_foreign) {}
  bool full, locked;
  bool foreign;  // the file is no database, or is damaged
};

class Statement;

class Database {
 public:
  enum class Mode { read, write, create };
  Database(const std::string& file, Mode mode);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  void execute(const char* sql);
  Statement prepare(const char* sql);
  std::int64_t last_row() const;
  int changes() const;
  std::int64_t number(const char* sql);  // that a query answers

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

class Statement {
 public:
  // The next parameter. Texts are copied.
  Statement& bind(std::int64_t value);
  Statement& bind(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }
  Statement& bind(int value) { return bind(static_cast<std::int64_t>(value)); }
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind(const char* text) { return bind(std::string_view(text)); }
  Statement& bind_blob(std::string_view bytes);
  Statement& bind_null();
  template <class T>
  Statement& bind(const std::optional<T>& value) {
    return value ? bind(*value) : bind_null();
  }

  bool step();  // false: no further row
  void run();   // to its end; then it can be bound anew

  // Columns of the row, from 0.
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  std::uint64_t count(int column) const { return static_cast<std::uint64_t>(integer(column)); }
  double real(int column) const;
  std::string text(int column) const;  // of blobs too

 private:
  friend class Database;
  struct Finish {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(sqlite3_stmt* handle) : handle_(handle) {}
  void done(int code);
  std::unique_ptr<sqlite3_stmt, Finish> handle_;
  int next_ = 1;
};

}  // namespace surety::study
