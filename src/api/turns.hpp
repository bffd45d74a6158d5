// Checks take turns, so that a hard one does not use up the time of the others.
//
// First each has a short try, all together an eighth of the time: most checks are easy and are answered here. Those
// that were stopped begin again, each with an equal part of what is left, as long as that is twice what it had before.
// What one does not use is there for those after it, and the only one without an answer has all that is left.
//
// A proof is checked again in the same turn. No answer should be lost for want of time for that, so the checker has as
// much as one more check would have, if that is more than is left of the turn.
//
// Without a limit of time nobody is stopped by it, and there is one round. What stops one check alone, as the memory
// that it takes and gives back, stops no other. States, queries and patience are those of all together.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/verify.hpp"

namespace surety::api {

// Who is next, and with how much time. It has no clock of its own.
class Turns {
 public:
  using Time = std::chrono::nanoseconds;
  explicit Turns(std::size_t jobs);

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

  std::optional<std::chrono::nanoseconds> for_recheck() const;  // nothing: no limit
};

// What one search answers: one check, or several.
struct Job {
  std::string kind, property;  // of the check, or of the first one
  std::function<Outcome<std::vector<Check>>(const Share&)> run;
};

// All answers, in the order of the jobs.
Outcome<std::vector<Check>> take_turns(const std::vector<Job>& jobs, Budget& budget);
// The same without shares of time: one after the other.
Outcome<std::vector<Check>> run_all(const std::vector<Job>& jobs, Budget& budget);

}  // namespace surety::api
