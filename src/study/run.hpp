// Runs a study: hands out items to a crew of workers, in their turns (owner.hpp), and writes what comes back.
//
// The owner alone writes. Whatever ends it, the next run goes on where the database stands: items that were running are
// open again. A run that crashes is tried once more; the second time that is its result.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "study/crew.hpp"
#include "study/plan.hpp"
#include "study/store.hpp"

namespace surety::study {

enum class Bound : std::uint8_t {
  usual,  // best for sizes above 2, none at size 2
  none,
  mono,  // a search that meets more states than the monolithic run ends a run
  best,  // the same with the best that is known
};

struct RunProgress {
  std::size_t done = 0, all = 0, over_limit = 0, crashed = 0, worse = 0;
  double done_s = 0, left_s = 0;  // by expected time
  double seconds = 0;             // since the start
  std::size_t since_start = 0;    // items done
  struct Running {
    std::string key;
    double seconds = 0;
  };
  std::vector<Running> running;  // longest first
  std::size_t workers = 1;
};

struct RunOptions {
  Bound bound = Bound::usual;
  std::optional<bool> orbits;  // nothing: as before
  std::optional<double> budget_s;
  std::string only_system, only_property;  // empty: all
  bool first_phases_only = false;          // of a shard
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const RunProgress&)> progress;  // twice a second
};

struct RunEnd {
  enum class Why : std::uint8_t { done, budget, interrupted } why = Why::done;
  RunProgress progress;
};

// What is said of it.
Diagnostic changed_model(const std::string& file);

// What is missing for a study that can be run, if something is: a file has changed, an engine is not there.
api::Outcome<void> can_run(const Store& store, const Study& study);

api::Outcome<RunEnd> run_study(Store& store, Crew& crew, const RunOptions& options);

}  // namespace surety::study
