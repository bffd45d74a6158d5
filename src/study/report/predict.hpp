// Can good splits be predicted?
//
// Each way to predict ranks the masks of an instance by their features. It has seen the other systems only: one system
// is left out at a time. Measures: regret, the cost of the first mask against the best; whether one of the first five
// is within 1.2 of the best; whether the first one beats monolithic verification where some mask does.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "study/report/regress.hpp"
#include "study/store.hpp"

namespace surety::study {

// One instance: all masks with their costs and features.
struct Race {
  std::string system, name;
  std::uint64_t best = 0, monolithic = 0;
  struct Entry {
    Mask mask;
    Features features{};
    std::uint64_t cost = 0;
    bool at_least = false;  // a limit or a bound has ended it
  };
  std::vector<Entry> entries;
  Mask usual, of_property, woken;  // splits that need no learning from data
};

struct Score {
  std::string name;
  std::size_t races = 0;
  double median_regret = 0, worst_regret = 0;
  std::size_t top5 = 0;
  std::size_t beatable = 0, beats = 0;
  bool is_worth_it() const;  // by the threshold: median regret and hits
};
// The way to rank, and all baselines.
std::vector<Score> scores_of(const std::vector<Race>& races);

struct Prediction {
  std::string text;
  Json json;
};
api::Outcome<Prediction> predict(const Store& store, const Study& study);

}  // namespace surety::study
