// A study as a SQLite file. One writer at a time; others may read meanwhile.
//
// Names of models are kept relative to the folder of the database, so that both can be moved together. What is written
// is gathered into transactions of at most a second: a result and the status of its item are in one, so that whatever
// ends the process, the file has both or none.
#pragma once

#include <chrono>
#include <string>

#include "load/load.hpp"
#include "study/sqlite.hpp"
#include "study/study.hpp"

namespace surety::study {

inline constexpr int kSchema = 2;  // user_version of the file. 1 had no orders of components

class Store {
 public:
  // An existing file that is no study of this version or an older one is refused.
  static api::Outcome<Store> open(const std::string& file, Database::Mode mode);

  const std::string& file() const { return file_; }
  bool is_new() const { return new_; }  // it was created by open
  Study read();

  // These write at once or, between begin() and commit(), together.
  void begin();
  void commit();
  void rollback();
  bool is_due() const;  // the transaction has been open for a second

  void note(const std::string& key, const std::string& value);
  void save_settings(const Study& study);
  void add(SystemRow& system);  // gets its row's number
  void save(const SystemRow& system);
  void add(const Study& study, ModelRow& model);
  void add(const Study& study, Instance& instance);
  void add(const Study& study, Item& item);
  void add(Assumption& assumption);
  void save_status(const Item& item);
  void save_result(const Item& item);  // and the status
  void remove(const Item& item);
  void remove_instances(const ModelRow& model);  // with their items
  void remove_model(const ModelRow& model);
  void save_constraints(const Instance& instance);
  void save_lts(const Assumption& assumption);

  // The name of a model for the database, and for this process.
  std::string stored_name(const std::string& file) const;
  std::string usable_name(const std::string& stored) const;

 private:
  Store(std::string file, Database database, bool is_new)
      : file_(std::move(file)), database_(std::move(database)), new_(is_new) {}
  static void prepare_schema(Database& database);
  static void renew_schema(Database& database);  // of an older version

  std::string file_;
  Database database_;
  bool new_;
  std::optional<std::chrono::steady_clock::time_point> open_since_;
};

// Runs what may throw SqlError, and says what is wrong with the file then.
template <class Work>
auto guarded(const std::string& file, Work work) -> decltype(work());
api::Failure failure_of(const std::string& file, const SqlError& error);

template <class Work>
auto guarded(const std::string& file, Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const SqlError& error) {
    return tl::unexpected(failure_of(file, error));
  }
}

// So that no two processes write to one study: held until it dies. Nothing to hold on a network file system.
class WriterLock {
 public:
  static api::Outcome<WriterLock> take(const std::string& file);
  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&&) = delete;
  ~WriterLock();

 private:
  explicit WriterLock(int handle) : handle_(handle) {}
  int handle_;
};
bool is_on_network(const std::string& file);

}  // namespace surety::study
