// How a product steps, as relations between tuples of local states.
//
// An event is what happens at some levels at once: at each of them a relation between
// local states, at all others nothing. An action of n participants is an event at n
// levels, the tau of a component is an event at one level.
//
// A relation is a union of events, as a diagram of its own: a node at level k has,
// for local state i, moves (j, how the levels below go on), and a way to skip the level.
// Events that begin alike below some level share that part, and all events behind one
// move i -> j are followed together, which is what makes a star of n clients
// cost one walk and not n. 0 is the identity; it never hides inside another
// relation, so that "stay as you are" is seen at once.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/budget.hpp"

namespace surety {

using Relation = std::uint32_t;
inline constexpr Relation kIdentity = 0;
inline constexpr Relation kNothing = UINT32_MAX;  // relates no tuples

// Pairs (from, to), sorted.
using LocalSteps = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct EventPart {
  std::uint32_t level;  // from 1, the bottom
  LocalSteps steps;
};
using Event = std::vector<EventPart>;  // highest level first

class Relations {
 public:
  struct Move {
    std::uint32_t target;
    Relation rest;
    friend auto operator<=>(const Move&, const Move&) = default;
  };

  explicit Relations(Budget& budget) : budget_(budget), charge_(budget) {}

  Relation unite(const std::vector<Event>& events);  // kNothing of none. Good for nothing once the budget has ended

  std::uint32_t level(Relation r) const { return nodes_[r].level; }
  Relation skip(Relation r) const { return nodes_[r].skip; }  // what is done below without touching this level
  std::span<const Move> moves(Relation r, std::uint32_t from) const;

 private:
  // One event from one level on. 0: nothing more happens.
  using Suffix = std::uint32_t;
  struct SuffixNode {
    std::uint32_t level;
    std::uint32_t steps;  // a number in steps_
    Suffix rest;
  };
  struct Row {
    std::uint32_t from, begin, end;
  };
  struct Node {
    std::uint32_t level;
    Relation skip;
    std::uint32_t first_row, rows;
  };

  Suffix intern(const Event& event);
  Relation relation(std::vector<Suffix> suffixes);  // sorted, none of them 0
  void add_moves(std::uint32_t level, Relation skip, const std::vector<Suffix>& touching);

  Budget& budget_;
  Charge charge_;
  std::map<LocalSteps, std::uint32_t> step_numbers_;
  std::vector<const LocalSteps*> steps_;
  std::map<std::vector<std::uint32_t>, Suffix> suffix_numbers_;
  std::vector<SuffixNode> suffixes_{{0, 0, 0}};
  std::map<std::vector<Suffix>, Relation> known_;
  std::vector<Node> nodes_{{0, kNothing, 0, 0}};
  std::vector<Row> rows_;
  std::vector<Move> moves_;
};

}  // namespace surety
