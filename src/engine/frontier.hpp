// The states of one layer of a breadth-first search, in blocks of fixed size.
//
// Blocks are charged to the budget, and a block that has been read is used again
// for the next layer, so that two layers never cost more than their states.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/budget.hpp"

namespace surety {

struct Block {
  static constexpr std::uint32_t kWords = 4096;
  std::uint32_t used = 0;  // words
  std::vector<std::uint64_t> words;
};
using Layer = std::vector<std::unique_ptr<Block>>;

class BlockPool {
 public:
  explicit BlockPool(Budget& budget) : charge_(budget) {}

  // Nothing: no memory left. A block holds at least one state, however wide.
  std::unique_ptr<Block> take(std::uint32_t words_per_state) {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      auto block = std::move(free_.back());
      free_.pop_back();
      block->used = 0;
      return block;
    }
    const std::uint64_t size = std::max(Block::kWords, words_per_state);
    if (!charge_.grow_to(charge_.bytes() + size * 8)) return nullptr;
    auto block = std::make_unique<Block>();
    block->words.resize(size);
    return block;
  }
  void give_back(std::unique_ptr<Block> block) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(block));
  }
  std::uint64_t bytes() const { return charge_.bytes(); }

 private:
  std::mutex mutex_;
  Layer free_;
  Charge charge_;
};

}  // namespace surety
