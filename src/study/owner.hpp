// The owner of a study while it runs: what is to do, who does it, what comes back.
//
// Items, results and what follows from them are in memory; the owner alone writes them to the database.
#pragma once

#include <chrono>
#include <compare>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "study/run.hpp"

namespace surety::study {

std::string now();  // as results and runs are dated

// A task for a worker: an item to run or to check again, or a model to describe.
struct Task {
  Job::Kind kind = Job::Kind::run;
  std::size_t item = 0;  // of a run
  Track track = {};      // of a description; the property is not used
  int size = 0;
};

// When an item is run: the smallest is first. Monolithic runs, for limits depend on them; then those that nothing
// bounds, the longest first, so that the last one costs at most one limit; then those that a bound cuts off, the
// cheapest first, so that the bound is a good one early. These go size by size, for the smaller ones tell which are the
// cheapest, and model by model, for models are kept.
struct Turn {
  enum class When : std::uint8_t { monolithic, unbounded, bounded } when = When::unbounded;
  int size = 0;           // of bounded ones
  std::size_t model = 0;  // of bounded ones
  double within = 0;      // minus the seconds that it may take, or of bounded ones the states
  std::size_t item = 0;
  friend auto operator<=>(const Turn&, const Turn&) = default;
};

class Owner {
 public:
  Owner(Store& store, Crew& crew, const RunOptions& options)
      : store_(store), crew_(crew), options_(options), study_(store.read()), busy_(crew.size()) {}

  api::Outcome<RunEnd> run();

 private:
  using Clock = std::chrono::steady_clock;

  // --- what is to do (owner_queue.cpp)
  void reopen();
  void plan_all();
  void plan_track(const Track& track);
  void add_item(Item item);
  void enqueue(std::size_t item);
  void enqueue_now(std::size_t item);
  void dequeue(std::size_t item);
  void enqueue_ready(std::size_t instance);
  void enqueue_above(std::size_t instance);
  bool is_wanted(const Item& item) const;
  bool is_gated(std::size_t instance) const;
  bool is_bounded(const Item& item) const;
  Turn turn_of(const Item& item) const;
  double expected_now(const Item& item) const;
  Track track_of(const Item& item) const;

  // --- handing out (owner_hand_out.cpp)
  void hand_out();
  std::vector<Task> next_tasks();
  Job job_of(const Task& task, std::int64_t id);
  std::string sha256_at(const Track& track, int size) const;
  std::optional<std::uint64_t> bound_of(const Item& item) const;
  std::string constraints_for(const Item& item, bool again) const;

  // --- what comes back (owner_take.cpp)
  void hear(const Crew::News& news);
  void lost(std::size_t worker, const std::string& why);
  void take(const Task& task, Answer answer);
  void take_run(std::size_t item, Answer answer);
  void take_recheck(std::size_t item, Answer answer);
  void take_description(const Task& task, const Answer& answer);
  void give_up(const Task& task);
  void crashed(std::size_t item, const std::string& why);
  void after(std::size_t item);
  Row keep(Assumption assumption);

  // --- the loop (run.cpp)
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
  std::vector<Task> first_;  // descriptions and rechecks
  std::set<Turn> queue_;
  std::map<std::size_t, Turn> turns_;                          // by item: its place in the queue
  std::set<std::size_t> rechecking_;                           // items
  std::set<std::tuple<std::size_t, Engine, int>> describing_;  // models
  std::vector<std::map<Way, std::uint64_t>> best_;             // by instance: the best cost known
  std::vector<Spent> spent_;                                   // by instance
  std::vector<std::size_t> left_;                              // by instance: runs of (b) to do
  Clock::time_point start_ = Clock::now(), told_ = start_;
  std::size_t done_at_start_ = 0, done_now_ = 0;
  std::string contradiction_;
  std::string changed_;  // a model that is no longer as it was
  RunEnd::Why why_ = RunEnd::Why::done;
};

}  // namespace surety::study
