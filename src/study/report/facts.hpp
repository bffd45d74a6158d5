// What the results of a study say, per track: the numbers that tables and figures are made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/plan.hpp"

namespace surety::study {

struct TrackFacts {
  Track track;
  std::string system, property;
  Engine engine = Engine::exact;

  // At size 2.
  const Item* mono2 = nullptr;  // if it holds
  Best best2;
  std::size_t decompositions = 0;  // at size 2, of the study's way
  std::optional<double> ratio2;    // of the best and the monolithic cost
  std::string split2;              // of the best

  // Upwards.
  Reach mono_reach, generalised_reach;
  std::optional<Line> line;     // from size 2
  std::optional<int> common;    // the largest size that both have verified
  std::optional<double> ratio;  // there
  std::optional<Category> category;
  bool extended = false;     // generalised in a way that the paper does not have
  std::vector<Line> others;  // from larger sizes, where the best is another one

  // At the largest size of which all decompositions are done (3.4).
  std::optional<int> largest_all;
  std::optional<bool> generalised_is_best;
  std::optional<double> simplified_ratio;  // of the best there, simplified to size 2: the better of its variants
  std::optional<double> other_ratio;  // of the best there, generalised, and that of size 2: at the largest common size
  bool reaches_farther = false;       // generalised from a larger size it verifies more than both other ways

  // What learning costs (3.5).
  const Item *learned = nullptr, *supplied = nullptr, *seeded = nullptr;
  std::optional<std::uint64_t> assumption_states;
  std::optional<double> learning_share;  // of the time

  std::string name() const { return system + " " + property; }
  bool is_complete() const { return mono2 != nullptr && best2.complete; }
};

// Of the costs.
double ratio_of(const Item& a, const Item& b);

std::vector<TrackFacts> facts_of(const Study& study);

// How far runs came upwards from size 2: those without a mask, and those of a line.
Reach reach_without_mask(const Study& study, const Track& track, const Way& way);
Reach reach_of_line(const Study& study, const Track& track, const Line& line);

// The spread of cost within orbits at size 2: what running one mask per orbit loses.
struct OrbitSpread {
  std::size_t orbits = 0, equal = 0;  // of two masks or more that hold
  double largest = 1;                 // ratio of the costs within one
};
OrbitSpread orbit_spread(const Study& study);

}  // namespace surety::study
