// The states of one layer of a breadth-first search, in blocks of fixed size.
//
// Blocks are charged to the budget, and a block that has been read is used again
// for the next layer, so that two layers never cost more than their states.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/budget.hpp"

namespace surety {

struct Block {
  static constexpr std::uint64_t kWords = 4096, kFirstWords = 128;  // of states, if they are not very wide
  std::uint32_t used = 0;                                           // states
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> last;  // the joint action that led to each state

  bool full() const { return used == last.size(); }
  void append(const std::uint64_t* state, std::uint32_t words_per_state, std::uint32_t joint) {
    std::copy_n(state, words_per_state, words.data() + static_cast<std::size_t>(used) * words_per_state);
    last[used++] = joint;
  }
};
using Layer = std::vector<std::unique_ptr<Block>>;

class BlockPool {
 public:
  BlockPool(std::uint32_t words_per_state, Budget& budget) : words_(words_per_state), charge_(budget) {}

  // Nothing: no memory left.
  std::unique_ptr<Block> take() {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      auto block = std::move(free_.back());
      free_.pop_back();
      block->used = 0;
      return block;
    }
    // The first ones are small: many searches need no more.
    const std::uint64_t states =
        std::max<std::uint64_t>(1, (made_++ < 4 ? Block::kFirstWords : Block::kWords) / words_);
    if (!charge_.grow_to(charge_.bytes() + states * (words_ * 8 + 4))) return nullptr;
    auto block = std::make_unique<Block>();
    block->words.resize(states * words_);
    block->last.resize(states);
    return block;
  }
  void give_back(std::unique_ptr<Block> block) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(block));
  }
  std::uint64_t bytes() const { return charge_.bytes(); }

 private:
  const std::uint64_t words_;  // per state
  std::uint64_t made_ = 0;
  std::mutex mutex_;
  Layer free_;
  Charge charge_;
};

}  // namespace surety
