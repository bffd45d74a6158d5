// What the runs of each way to prove say, side by side, at size 2: other rules, other alphabets (Q6, Q7).
#pragma once

#include <optional>
#include <vector>

#include "study/report/facts.hpp"

namespace surety::study {

// One way to prove, over all tracks of an engine.
struct WayFacts {
  Way way;
  Engine engine = Engine::exact;
  std::size_t properties = 0, better = 0;                 // than monolithic, with the best split
  std::size_t runs = 0, better_runs = 0, over_limit = 0;  // over all splits
  std::size_t ended = 0;      // by a bound: whether these are better than monolithic is not known
  bool counts_states = true;  // a symbolic search meets none that could be compared
  double median_time = 0, slowest = 0;
  std::uint64_t largest_assumption = 0;
  std::optional<double> best_against_first;   // geometric mean of the best cost against the study's way
  int smallest_reach = 0, largest_reach = 0;  // of a way without a split: sizes verified
};
std::vector<WayFacts> way_facts(const Study& study, const std::vector<TrackFacts>& facts);

// Runs of the study's method with both alphabets, split by split.
struct AlphabetFacts {
  std::size_t splits = 0, cheaper = 0, dearer = 0;                // the refined one
  std::size_t properties = 0, best_cheaper = 0, best_dearer = 0;  // of those where each has a best split
  double letters_full = 0, letters_refine = 0;                    // of an assumption, on average
};
AlphabetFacts compare_alphabets(const Study& study, Engine engine);

}  // namespace surety::study
