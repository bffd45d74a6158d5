// Stubborn sets: which steps of a state a search may leave out (Valmari, "Stubborn sets for reduced state space
// generation", 1989; guided by what is looked for as in his "Stop it, and be stubborn!", 2015).
//
// In every state s the search follows only the joint actions of a set T that is chosen for s. Two things make that
// right, where a *way* is a sequence of steps that do not lead to error, but for the last one of a way to a violation:
//
//   (1) If a in T can happen after a way b1 ... bn with no action of T, it can happen in s, and b1 ... bn after it, and
//       the end is the same; if a then violates, it violates in s.
//   (2) Every way from s to what is looked for, a violation or a deadlock, has an action of T.
//
// Take a shortest way from s. By (2) it has an action of T; by (1) the first one of them can be moved to the front. So
// the search follows it, and what remains is a way one step shorter. By induction over the length the goal is found, no
// later than without reduction: in a breadth-first search traces are still shortest. Nothing can be put off for ever,
// as the way gets shorter with each step, so there is no cycle proviso. What is not kept is everything else: how many
// states there are, where cycles are.
//
// (1) is made sure of part by part, because a joint action can happen iff each participant can do it, and moves each by
// itself. A part in code c that takes part in an a of T is asked for one list of actions:
//
//   - a cannot happen in s. Then some participant is not able, in its code c, to do it. Every path in that part's graph
//     from c to a state that is able crosses every *cut* between them. With the actions of one cut of one such part in
//     T, a cannot happen before an action of T has, and (1) says nothing. Any cut will do: those kept are the steps
//     that leave c and can still get there; those that enter the able states; and the smallest of those that lead from
//     distance k + 1 to k. An empty cut: never. Which part and which cut is a choice that decides how much is left out:
//     we take the one that adds fewest enabled actions, and then fewest. A watcher is always able.
//   - a can happen in s. Then T gets, from every participant, the actions b that are *in the way*: let R be the states
//     reached from c by actions that are neither a nor in the way. For all r in R, and all b from r to r' that are not,
//     each step of a from r' to n has its twin, r -a-> m -b-> n; into error: a can lead there from r already, or if
//     this error does not count, a can do something in r. Then a moves in front of b1 ... bn one by one, in each
//     participant by itself. (Where R gets too big: all that c can do but a. Then R = {c}.)
//
// tau is an action with one participant. Several steps of one action are in T together or not at all. A step into an
// error that does not count (of another part, of a watcher that only restricts) is the end of all ways and needs no
// care but the one above. Free actions have no participants but watchers, and can always happen.
//
// (2) for violations: a part whose error counts gets there over any cut between its code and error; T has one for each
// such part. No cut, no violation ahead: the state is not followed at all. For deadlock: an action that can happen in s
// is in T, and so is all that could take it away, which is then in the way too: each r' must be able to do a. As long
// as no action of T happens it still can, so that no deadlock is reached. We ask that of every enabled action of T, not
// only of one: the weaker sets left no fewer states on the examples, and needed a second table. Every state without
// steps is then found, END or not, and the search tells them apart.
//
// Not here: priorities. With them, whether an action can happen depends on all parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "product/product.hpp"

namespace surety {

// What actions have to do with each other, in every state of every part. Read only, shared by all threads.
class Stubborn {
 public:
  enum class Aim { violation, deadlock };

  // Good for nothing if the budget ended meanwhile.
  Stubborn(const Product& product, const std::vector<Part>& parts, Aim aim, Budget& budget);

  std::uint64_t bytes() const;

 private:
  friend class StubbornSet;
  friend class PartTables;

  struct List {  // of joint actions: items_[begin .. end)
    std::uint32_t begin = 0, end = 0;
  };
  // Of a part, an action and a state. If the part can do the action there: one way, the actions that must be in the
  // set with it. If not: several ways, each a set of actions without which it will never be able to.
  struct Cell {
    std::uint32_t first = 0;  // of ways_
    std::uint16_t ways = 0;
    bool able = false;
  };
  struct Table {
    Product::Field field{};
    bool watch = false;
    bool sparse = false;      // too big for cells: see rows_
    bool aim = false;         // its error is what is looked for
    std::uint32_t width = 0;  // cells of a state: its actions, tau, error
    std::size_t base = 0;     // where its cells begin, or its rows
  };
  struct Participant {
    std::uint32_t part = 0, local = 0;
  };

  std::span<const std::uint32_t> items(List list) const {
    return {items_.data() + list.begin, items_.data() + list.end};
  }
  std::span<const Participant> participants(std::uint32_t joint) const {
    return {participants_.data() + first_participant_[joint], participants_.data() + first_participant_[joint + 1ULL]};
  }

  Aim aim_;
  std::vector<Table> tables_;                     // by part
  std::vector<std::uint32_t> first_participant_;  // by joint action
  std::vector<Participant> participants_;
  std::vector<std::uint32_t> keys_;  // joint actions in the order in which they are tried: local ones first
  std::vector<Cell> cells_;          // of a part: by code * width + local
  std::vector<List> rows_;           // of a sparse part: what it can do, by code
  std::vector<List> ways_;
  std::vector<std::uint32_t> items_;  // sorted in each list
};

// Chooses a set for one state after the other. Every thread has one.
class StubbornSet {
 public:
  explicit StubbornSet(const Stubborn& tables);

  void choose(const std::uint64_t* state);
  bool contains(std::uint32_t joint) const { return mark_[joint] == now_; }

 private:
  enum class Able : std::uint8_t { unknown, yes, no };

  void choose_for_violation();
  void choose_for_deadlock();
  void begin();
  bool close();
  void add(std::uint32_t joint);
  void add_all(std::span<const std::uint32_t> joints);
  void add_cheapest(std::uint32_t joint, std::span<const Stubborn::Participant> participants);
  std::uint32_t cost(std::span<const std::uint32_t> joints, std::uint32_t below);
  bool enabled(std::uint32_t joint);
  bool able(std::uint32_t joint, const Stubborn::Participant& participant) const;
  const Stubborn::Cell& cell(const Stubborn::Participant& participant) const {
    const auto& table = tables_.tables_[participant.part];
    return tables_
        .cells_[table.base + static_cast<std::size_t>(code_[participant.part]) * table.width + participant.local];
  }
  template <class F>
  void for_each_way(const Stubborn::Participant& participant, F f) const;

  const Stubborn& tables_;
  std::vector<std::uint32_t> code_;           // of each part, in this state
  std::vector<Able> enabled_;                 // by joint action, in this state
  std::vector<std::uint32_t> looked_up_;      // the joint actions that enabled_ knows of
  std::vector<std::uint64_t> mark_;           // by joint action: the last set that has it
  std::uint64_t now_ = 0;                     // the set that is made
  std::vector<std::uint32_t> members_;        // its enabled actions
  std::vector<std::uint32_t> able_, unable_;  // those in it that are still to be looked at
  std::vector<std::uint32_t> keys_;           // enabled actions to begin a set with
  std::vector<std::uint32_t> best_;           // the members of the smallest set so far
  std::size_t best_size_ = 0;
};

}  // namespace surety
