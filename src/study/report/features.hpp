// What can be told of a decomposition with little searching: numbers that may say whether it is a good one.
#pragma once

#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "load/load.hpp"
#include "study/mask.hpp"

namespace surety::study {

inline constexpr std::array<std::string_view, 14> kFeatures = {
    "size of M1",  // sum of the logarithms of its components' states
    "size of M2",        "size of M1 - M2",
    "interface",         // actions of M1 or P that M2 has
    "share of P in M1",  // of the actions of P
    "tasks of M1",
    "hub in M1",   // the task with most partners
    "cut edges",   // pairs of tasks on different sides that share actions
    "cut weight",  // how many actions they share
    "repeated together",
    "states of M1",  // reachable, cut off; logarithm
    "states of M2",      "states of M1 || P",
    "woken in M1",  // share of the components that refinement without a split takes into its search
};
using Features = std::array<double, kFeatures.size()>;

// Of all masks of one instance.
class FeatureFinder {
 public:
  static constexpr std::uint64_t kMostStates = 5000;        // of a search
  static constexpr std::uint64_t kMostRefined = 1'000'000;  // of all searches of the refinement: about a second
  FeatureFinder(const api::Model& model, const std::vector<std::string>& tasks,
                const std::vector<std::size_t>& repeated, const Property& property);

  Features of(const Mask& mask);
  Mask default_mask() const;   // what a check without --split does
  Mask property_mask() const;  // M1: what shares actions with the property
  Mask woken_mask() const;     // M1: what refinement wakes

 private:
  struct Side {
    std::vector<const Lts*> components;
    Alphabet alphabet;
    double logs = 0;
  };
  Side side(const Mask& mask, bool first) const;
  double reachable(const Mask& mask, bool first, bool with_property);
  std::vector<bool> find_woken() const;

  const api::Model& model_;
  std::vector<std::string> tasks_;
  std::vector<std::size_t> repeated_;
  const Property& property_;
  Network network_;
  std::vector<const Component*> components_;      // by task
  std::vector<std::vector<std::size_t>> shared_;  // actions that two tasks share
  std::size_t hub_ = 0;
  std::vector<bool> woken_;  // by task
  std::map<std::pair<Mask, int>, double> known_;
};

}  // namespace surety::study
