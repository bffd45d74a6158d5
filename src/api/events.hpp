// What a run does, as lines of JSON while it is done: for pages, editors and scripts (doc/manual.md#events).
//
// Each line is one object: a running number, the seconds since the beginning, the event, what it is about, and its
// fields. Actions are numbers; the event `model` has their names. Listening should not make a run slow, nor a
// long run make a file that is too large to be read: large LTSs are told by their sizes, a lane that makes thousands of
// conjectures tells some of them, and how far a search is comes a few times in a second, from a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "check/check.hpp"
#include "check/subject.hpp"
#include "model/observer.hpp"

namespace surety::api {

class EventWriter final : public Observer {
 public:
  static constexpr int kSchema = 1;
  static constexpr std::uint64_t kMostSteps = 2'000;  // of an LTS that is told with all its steps

  // `file` may be /dev/fd/N, which is open already. `stop` is set to true when a line cannot be written: the reader
  // is gone.
  static Outcome<std::unique_ptr<EventWriter>> open(const std::string& file, std::atomic<bool>* stop);
  ~EventWriter() override;
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  void start(const std::vector<std::string>& words);  // of the command line
  void watch(const Progress* progress);               // of the whole run; null: no longer
  void model(const Model& model);                     // it must stay where it is as long as something is told
  void plan(const Subjects& subjects);
  void tell(const Where& where, const told::Event& event) override;
  void verdict(const Check& check);
  // The last line. False: something could not be written.
  bool end(std::string_view verdict, int status);

 private:
  // What is known of a lane.
  struct Lane {
    std::uint64_t conjectures = 0;  // and refinements
    std::uint64_t skipped = 0;      // since the last that was told
    bool skipping = false;
    std::vector<std::string> last;  // the last one that was skipped, with what was found of it
    const Progress* progress = nullptr;
    std::string sampled;
  };
  using LaneId = std::pair<int, int>;  // check and lane

  EventWriter(int descriptor, std::atomic<bool>* stop);
  std::string body(const char* event, const Where* where, const Json& fields) const;
  void write(const std::string& body);
  void write(const char* event, const Where* where, const Json& fields) { write(body(event, where, fields)); }
  void write_model();
  void write_event(const Where& where, Lane& lane, const told::Turn& e);
  void write_event(const Where& where, Lane& lane, const told::Lane& e);
  void write_event(const Where& where, Lane& lane, const told::Sides& e);
  void write_event(const Where& where, Lane& lane, const told::Conjecture& e);
  void write_event(const Where& where, Lane& lane, const told::Asked& e);
  void write_event(const Where& where, Lane& lane, const told::Answered& e);
  void write_event(const Where& where, Lane& lane, const told::Widened& e);
  void write_event(const Where& where, Lane& lane, const told::Refined& e);
  void write_event(const Where& where, Lane& lane, const told::TakenIn& e);
  void write_event(const Where& where, Lane& lane, const told::Conjunct& e);
  void write_event(const Where& where, Lane& lane, const told::Size& e);
  void write_event(const Where& where, Lane& lane, const told::Premise& e);
  void name_actions();
  void put(Lane& lane, bool new_conjecture, const char* event, const Where& where, Json fields);
  void flush(Lane& lane);
  std::uint64_t queries_of(const Lane& lane) const;
  void sample(const std::stop_token& stop);
  void sample(const Where& where, Lane& lane, const Progress& progress);

  int descriptor_;
  std::atomic<bool>* stop_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::uint64_t lines_ = 0;
  bool broken_ = false;
  const Progress* progress_ = nullptr;
  const Model* model_ = nullptr;
  bool told_parts_ = false;           // of a program that came apart
  std::uint32_t told_actions_ = 0;    // so many names
  int turn_ = 0;                      // the check that was last begun
  std::uint64_t queries_before_ = 0;  // its turn
  std::vector<std::pair<CheckKind, std::string>> plan_;
  std::map<LaneId, Lane> lanes_;
  std::jthread sampler_;
};

}  // namespace surety::api
