// An abstraction of a component: a partition of its states, which is refined by words that the component does not have.
//
// Block B does a into block C iff some state of B does a into some state of C; tau is an
// action like others here. So the blocks have all the traces of the component. A word
// that they have and the component has not is excluded by splits:
//
//   Let S_i be the states that the component can be in after i letters, and C_i the blocks
//   that can still do the rest of the word up to the letter that is refused. Backwards
//   through the word, look for the first i at which a state of S_i lies in a block of C_i.
//   The states of that block that do the next letter into C_(i+1) are none of S_i, or
//   S_(i+1) would have met C_(i+1) before: they are split off. Silent steps within a layer
//   are met the same way, one at a time; there, the states that enter by any action that
//   those of S_i have not are split off at once. When there is no such i, the word is gone.
//
// The caller chooses which letters are visible. The others are treated as tau: the
// component may do them anywhere, and those of the word are skipped. A word that is refused
// even so is refused because of visible letters alone, and the splits depend on no others.
//
// Each step between blocks knows how many concrete steps it stands for. A split moves the
// smaller half state by state, so it costs no more than the steps of that half.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety {

// The place of the letter that the LTS cannot do after those before it. Nothing: it can do the word. Letters that
// are not visible are skipped.
std::optional<std::size_t> refused_at(const Lts& lts, Word word, const Alphabet& visible);

// A shortest path of the LTS for the word, tau included, letters that it does not have left out. It must have the word.
Trace path_of(const Lts& lts, Word word);

class Blocks {
 public:
  using Block = std::uint32_t;

  // All states in one block, those with the same behaviour merged; good for nothing if the budget ended meanwhile.
  Blocks(const Lts& component, Budget& budget);

  // Splits until the blocks do not have the word, which the component must not have. `visible` is a part of its
  // alphabet. False: the budget ended.
  bool exclude(Word word, const Alphabet& visible, Budget& budget);

  std::uint32_t size() const { return static_cast<std::uint32_t>(members_.size()); }
  Lts lts() const;  // one state per block, that of the initial state first

  const Lts& component() const { return forward_; }  // after merging
  Block block_of(State s) const { return place_[s.value].block; }

 private:
  struct Place {
    Block block = 0;
    std::uint32_t index = 0;  // among the members of the block
  };
  using Edge = std::pair<Action, Block>;
  using Layer = std::vector<std::uint32_t>;  // by block: how many silent steps before the rest of the word; or never

  Layer layer_before(Action a, const Layer& after, const Alphabet& visible) const;
  std::vector<bool> which_do(Block block, Action a, const Layer& into) const;  // by place among the members
  // The same for a step into these blocks by an action that those of `unlike` in the block do not have.
  std::vector<bool> which_enter(Block block, const Layer& into, std::uint32_t at_most,
                                const std::vector<State>& unlike) const;
  void split(Block block, const std::vector<bool>& off);  // by place among the members
  void move(State s, Block to);
  void add(Block from, Action a, Block to) { ++out_[from][{a, to}]; }
  void remove(Block from, Action a, Block to);

  Lts forward_, backward_;  // the component and its reverse
  std::vector<Place> place_;
  std::vector<std::vector<State>> members_;         // by block
  std::vector<std::map<Edge, std::uint64_t>> out_;  // by block: the number of concrete steps
};

}  // namespace surety
