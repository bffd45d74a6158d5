// What the owner of a study asks a worker to do, and what the worker answers. Both are one line of JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "study/describe.hpp"
#include "study/study.hpp"

namespace surety::study {

struct Job {
  enum class Kind : std::uint8_t { run, recheck, describe };
  Kind kind = Kind::run;
  std::int64_t id = 0;  // the owner's; answers have it
  ModelSpec model;
  bool orbits = false;  // of describe
  // Of a run:
  std::string property, split;
  Way way;
  double time_s = 60;
  std::uint64_t memory = std::uint64_t{1} << 30;
  std::optional<std::uint64_t> bound;
  bool certify = false, keep_assumption = false;
  bool seeded = false;     // the assumption is a first guess, not supplied
  std::string assumption;  // packed; empty: none
  std::string constraints;  // of an engine that takes some, in its words; "auto…": it may find out that more are needed
  double expected = 0;      // seconds
};
Json to_json(const Job& job);
Job job_from_json(const Json& json);

struct Answer {
  std::int64_t id = 0;
  enum class End : std::uint8_t { answered, crashed, refused, changed } end = End::answered;
  std::string why;  // crashed: the signal or the exception; refused: what is wrong with the input; changed: nothing
  Status status = Status::done;
  RunResult result;
  Assumption assumption;  // states 0 and nothing packed: none, or the empty language
  bool has_assumption = false;
  std::optional<Described> described;
  std::string host;
};
Json to_json(const Answer& answer);
Answer answer_from_json(const Json& json);

}  // namespace surety::study
