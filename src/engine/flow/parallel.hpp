// May happen in parallel: which points two tasks can be at together.
//
// The least relation on pairs of points of different tasks, symmetric, with
//
//   (1)  all tasks at their start;
//   (2)  a node of one task: where it leads to is together with what was together with a point before it;
//   (3)  a node of several tasks, at points before it that are pairwise together: the points after it are together,
//        and each of them with what was together with all the points before.
//
// Every pair of points of a reachable state is in it, by induction over the steps. It is what Naumovich and Avrunin
// (FSE 1998) compute by data flow, and Kovalyov's concurrency relation on Petri nets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/big_array.hpp"
#include "base/budget.hpp"
#include "engine/flow/flow_nodes.hpp"

namespace surety {

// A relation on points as a matrix of bits.
class PointRelation {
 public:
  using Word = std::uint64_t;
  explicit PointRelation(Point points)
      : points_(points), words_((points + 63) / 64), bits_(std::uint64_t{points} * words_) {}

  Point points() const { return points_; }
  std::size_t words() const { return words_; }
  bool operator()(Point a, Point b) const { return (row(a)[b / 64] >> (b % 64) & 1) != 0; }
  void set(Point a, Point b) { row(a)[b / 64] |= Word{1} << (b % 64); }
  Word* row(Point a) { return bits_.data() + a * words_; }
  const Word* row(Point a) const { return bits_.data() + a * words_; }
  std::uint64_t count() const;  // of pairs, each once

 private:
  Point points_;
  std::uint64_t words_;
  BigArray<Word> bits_;
};

// Nothing: the budget ended.
std::optional<PointRelation> parallel_points(const FlowNodes& nodes, Budget& budget);

// Whether one point can be chosen of each set so that all are together. Of more than four sets it is enough that each
// point of one has a partner in every other: then the answer may be yes where there is no choice, never the other way
// round.
using Choice = std::vector<std::span<const Point>>;
bool can_choose(const PointRelation& together, const Choice& sets);

}  // namespace surety
