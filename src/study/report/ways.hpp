// What the runs of each way to prove say, side by side: other rules, other alphabets (Q6, Q7).
#pragma once

#include <optional>
#include <vector>

#include "study/report/facts.hpp"

namespace surety::study {

// One way to prove, over all tracks of an engine; circular reasoning for two sides and for each component are two.
struct WayFacts {
  Way way;
  bool in_two = false;  // with a split in two
  Engine engine = Engine::exact;
  std::size_t properties = 0, better = 0;                 // than monolithic, with the best split
  std::size_t runs = 0, better_runs = 0, over_limit = 0;  // over all splits
  std::size_t ended = 0;      // by a bound: whether these are better than monolithic is not known
  bool counts_states = true;  // a symbolic search meets none that could be compared
  double median_time = 0, slowest = 0;
  std::uint64_t largest_assumption = 0;
  std::optional<double> best_against_first;  // geometric mean of the best cost against the study's way
  // Properties where the best cost is at most that of the best, or of the median split in the study's way.
  std::size_t as_best = 0, as_median = 0;

  // Upwards, of systems that are to be scaled; with a split in two, the best of size 2, generalised.
  struct OfProperty {
    const TrackFacts* track = nullptr;
    std::optional<std::uint64_t> cost;  // at size 2
    Reach reach;
  };
  std::vector<OfProperty> upwards;
};
std::string way_name(const WayFacts& way);
std::vector<WayFacts> way_facts(const Study& study, const std::vector<TrackFacts>& facts);

// How many sizes were verified, against those of monolithic verification.
struct ReachFacts {
  std::size_t larger = 0, same = 0, smaller = 0;
  int least = 0, median = 0, most = 0;  // the largest size verified, over all properties
  std::size_t to_the_end = 0;           // nothing has stopped them
};
ReachFacts reach_facts(const WayFacts& way);

// A rule with a split in two against the study's way, split by split, by how many tasks the smaller side has.
struct SideFacts {
  Way way;
  Engine engine = Engine::exact;
  std::size_t tasks = 0, splits = 0, cheaper = 0, dearer = 0;
  double ratio = 1;  // of the costs, geometric mean
};
std::vector<SideFacts> side_facts(const Study& study, const std::vector<TrackFacts>& facts);

// The costs of all orders of the components of one instance at size 2.
struct OrderFacts {
  const TrackFacts* track = nullptr;
  Way way;
  std::size_t orders = 0, failed = 0;
  std::uint64_t ours = 0, best = 0, median = 0, worst = 0;  // failed ones left out
};
std::vector<OrderFacts> order_facts(const Study& study, const std::vector<TrackFacts>& facts);

// Runs of the study's method with both alphabets, split by split.
struct AlphabetFacts {
  std::size_t splits = 0, cheaper = 0, dearer = 0;                // the refined one
  std::size_t properties = 0, best_cheaper = 0, best_dearer = 0;  // of those where each has a best split
  double letters_full = 0, letters_refine = 0;                    // of an assumption, on average
};
AlphabetFacts compare_alphabets(const Study& study, Engine engine);

}  // namespace surety::study
