// Where a study stands, and one run of it in full.
#pragma once

#include <string>
#include <vector>

#include "study/store.hpp"

namespace surety::study {

struct Standing {
  struct Row {
    std::string system, engine;
    std::size_t properties = 0, all = 0, done = 0, over_limit = 0, worse = 0, crashed = 0, excluded = 0, left = 0;
    double seconds = 0;
  };
  std::vector<Row> rows;  // per system and engine
  Row total;
  struct Slow {
    std::string key, status;
    double seconds = 0;
  };
  std::vector<Slow> slowest, running;
  double expected_s = 0;  // of what is left, on one worker, if it is like what was done of its system
  std::vector<std::string> crashes, not_built;
  std::map<std::string, std::string> notes;
  RunLimits limits;
};
Standing standing_of(const Study& study);
Json to_json(const Standing& standing);

struct Shown {
  std::string key, system, engine, property, status, reason, split, verdict, why;
  int size = 0;
  Item item;
  std::optional<std::uint64_t> monolithic;  // its cost
  std::string command;                      // that repeats the run
  std::optional<Assumption> assumption;
  std::string assumption_text;  // JSON as --assumption-out writes it; empty: not kept
};
// By the number of its row, or its key, or the end of its key if that is the end of one key only.
api::Outcome<Shown> show(const Store& store, const Study& study, const std::string& name);
Json to_json(const Shown& shown);

}  // namespace surety::study
