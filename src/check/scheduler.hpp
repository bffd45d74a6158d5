// The time of a run, divided among its checks, so that a hard check does not use up the time of the others.
//
// In the first round every check has a short try. All tries together take at most an eighth of the time: most checks
// are easy and are answered here. A check that was stopped begins again in the next round. Each check of that round
// has an equal part of the time that is left, as long as this is at least twice what the check had before. Time that a
// check does not use is left for the checks after it; the only check without an answer has all that is left.
//
// A proof is checked again in the turn in which it was found. No answer should be lost for want of time for that: the
// re-check may take as long as one more check could, if that is longer than what is left of the turn.
//
// Without a limit of time there is one round, in which no check is stopped by time. What stops one check alone, as the
// memory that it takes and gives back, stops no other. States, queries and patience are those of all checks together.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "load/load.hpp"
#include "model/observer.hpp"

namespace surety::api {

// Who is next, and with how much time. It has no clock of its own.
class CheckScheduler {
 public:
  using Time = std::chrono::nanoseconds;
  explicit CheckScheduler(std::size_t jobs);

  struct Turn {
    std::size_t job = 0;
    Time time{};
    std::size_t others = 0;  // that have no answer yet and come after it
  };
  std::optional<Turn> next(Time left);  // nothing: all are done, or too little is left
  void stopped();                       // the one whose turn it was has no answer: its time was up

 private:
  std::vector<Time> had_;           // by job
  std::vector<std::size_t> round_;  // jobs of this round, in order
  std::vector<std::size_t> again_;  // of the next one
  std::size_t at_ = 0;              // in the round
  bool first_ = true;               // round
  std::optional<Time> look_;        // for each in the first round
};

// What a job has in its turn.
struct Share {
  Budget& budget;
  const Budget& whole;
  std::size_t others = 0;  // that are still to come
  Teller tell = {};        // of the check

  std::optional<std::chrono::nanoseconds> for_recheck() const;  // nothing: no limit
};

// What one search answers: one check, or several.
struct Job {
  CheckKind kind = CheckKind::safety;
  std::string property;  // of the check, or of the first one
  std::function<Outcome<Checks>(const Share&)> run;
  Teller tell = {};
};

// All answers, in the order of the jobs. `answered` is told of each as soon as it will not change any more.
Outcome<Checks> run_in_turns(const std::vector<Job>& jobs, Budget& budget, const Answered& answered);
// The same without shares of time: one after the other.
Outcome<Checks> run_all(const std::vector<Job>& jobs, Budget& budget, const Answered& answered);

}  // namespace surety::api
