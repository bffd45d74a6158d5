// What is to be run next, as results come in.
//
// (a) monolithic, each instance, and upwards; (b) all decompositions at the sizes that were asked for; (c) when all of
// size 2 are done, the best one generalised to larger sizes, upwards until it fails; (d) when all of a size above 2 are
// done and the best differs from the generalised one, that one generalised upwards (simplified to size 2 it is among
// the runs of size 2); (e) what learning costs, at the largest size that the generalised one verifies; (f) the other
// ways upwards: those that take a split with their own best one of size 2, generalised; those that do without, without.
// The plan depends on results and nothing else, so every order of runs comes to the same
// study.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "study/categories.hpp"
#include "study/generalise.hpp"
#include "study/study.hpp"

namespace surety::study {

// The ways of a definition: each method with each alphabet, if the method has a use for it. The study's own way is the
// first one.
std::vector<Way> ways_of(const Definition& settings);
bool takes_split(const Way& way);   // in two, and so a mask
bool goes_without(const Way& way);  // a mask. Circular reasoning does both: for two sides, for each component
bool takes_order(const Way& way);   // of components
inline constexpr std::size_t kMostOrdered = 5;  // components: all orders of them are tried
bool learns(const Way& way);

struct Wishes {
  std::set<int> sizes;             // models to be described
  std::vector<Item> items;         // to be added
  std::set<std::size_t> exactly;   // items that a bound has cut off, to be run without it
  std::set<std::size_t> recheck;   // items whose proof is to be checked, or whose assumption is to be kept
  std::set<std::size_t> excluded;  // instances whose property does not hold
};
Wishes plan(const Study& study, const Track& track);

// The items of phases (a) and (b) of an instance, and those of its size without a mask.
std::vector<Item> first_items(const Study& study, std::size_t instance, bool all_masks);

Shape shape_of(const Study& study, const Instance& instance);

// What became of a decomposition that was found at one size at the others. Of size 2: the generalised one.
struct Line {
  int from = 2;
  Mask mask;                               // at that size
  std::map<int, const Item*> items;        // by size; null: not made yet
  std::map<int, Generalised> generalised;  // how each came to be
  std::map<int, bool> tried;               // verified?
  bool is_missing = false;                 // at a size that can be built there is no generalisation
};
// Upwards from the best of size n of this way, if that is known.
std::optional<Line> line_from(const Study& study, const Track& track, int size, const Way& way);
// The runs without a mask, the monolithic ones for example, by size: verified?
std::map<int, bool> sizes_without_mask(const Study& study, const Track& track, const Way& way);

// What the finished runs of an instance took together.
struct Spent {
  double seconds = 0;
  std::size_t runs = 0;
  std::optional<double> mean() const;  // once there are some
};
// Seconds: of the same split at the next smaller size, times the growth of the monolithic run; else as the runs of its
// instance were on average; else by the states of the monolithic run.
double expected_time(const Study& study, const Item& item, const Spent& spent);
// Its states; of a run that has proved nothing, more than all that have.
double expected_cost_from_below(const Study& study, const Item& item);

}  // namespace surety::study
