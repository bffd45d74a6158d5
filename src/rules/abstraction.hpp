// An existential abstraction of an LTS, refined word by word (Gheorghiu Bobaru,
// Pasareanu, Giannakopoulou 2008, algorithm 1).
//
// Blocks are sets of concrete states, and block X does a into block Y iff some x in X
// and y in Y have x =a=> y. So every trace of the concrete LTS is one of the
// abstraction. A word that the abstraction has and the concrete LTS has not is taken
// away by splitting blocks: follow the concrete states along all abstract paths of the
// word; where the last of them get stuck, their block also has states that can go on.
//
// Three things differ from the paper, none of them what a split is:
//
//   x =a=> y means silent* a. The paper has silent* a silent*. What is silent after a is
//   silent before the next action, so no trace is lost, and there are fewer abstract
//   steps. Only the initial state and targets of visible steps have to be in blocks.
//
//   A word is followed along all its abstract paths at once, since the one that a
//   search happened to take is no better than others. A word that the concrete LTS has
//   is seen at once, and no split is wasted on it.
//
//   No closure is ever stored. After a split one search forwards and one backwards,
//   each linear, find the steps of the two halves; all others stay as they are.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <vector>

#include "model/lts.hpp"

namespace surety {

class Abstraction {
 public:
  using Block = std::uint32_t;
  static constexpr Block kNone = UINT32_MAX;  // of a state that is neither initial nor the target of a visible step

  explicit Abstraction(Lts concrete);  // all in one block; tau is what is silent

  const Lts& concrete() const { return forward_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(members_.size()); }
  Block block_of(State s) const { return block_[s.value]; }
  Lts lts() const;  // blocks are its states, the initial state's block is its initial state

  struct Replayed {
    enum class Kind {
      absent,     // the abstraction has no such word
      performed,  // the concrete LTS has it
      split,      // neither; a block was split, and the word may still be there
    };
    Kind kind = Kind::absent;
    Block block = kNone;  // that was split
  };
  Replayed replay(Word word);

  // Another concrete LTS with the blocks given, by state; those that have become empty go. The new LTS is the old one
  // with states split in several, or it would not be the same abstraction.
  void rebase(Lts concrete, const std::vector<Block>& blocks);

  // The number that a block, or what it was split off, had when settle() was called last.
  Block origin(Block b) const { return origin_[b]; }
  void settle();

 private:
  struct Edge {
    Action action;
    Block block;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  using States = std::vector<State>;

  void read(Lts concrete);
  void connect(Block from, Action a, Block to) {
    out_[from].insert({a, to});
    in_[to].insert({a, from});
  }
  void connect_forwards(Block block);
  void connect_backwards(Block block);
  void disconnect(Block block);
  bool see(State s) { return seen_[s.value] != round_ && (seen_[s.value] = round_, true); }
  void close(const Lts& lts, States& states);
  std::vector<std::vector<bool>> on_paths(Word word) const;
  Replayed split(Block block, Action a, const std::vector<bool>& into);

  Lts forward_, backward_;       // the concrete LTS and its reverse
  std::vector<Block> block_;     // by state
  std::vector<States> members_;  // by block
  std::vector<std::set<Edge>> out_, in_;
  std::vector<Block> origin_;

  std::vector<std::uint32_t> seen_;  // by state: the last round that saw it
  std::uint32_t round_ = 0;
  std::vector<std::uint64_t> mask_;  // by state: all zero but in connect_backwards
};

}  // namespace surety
