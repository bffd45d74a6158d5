// Numbers sequences of small numbers: equal ones get equal numbers, new ones the next.
//
// Product states (one number per component) and sets of states (sorted) are both such
// sequences. They lie one after the other in a pool; an open-addressed table of
// their numbers finds them again. Nothing is ever taken out. All of it grows without a
// second copy, so that bytes() is what it takes.
#pragma once

#include <cstdint>
#include <span>

#include "base/big_array.hpp"

namespace surety {

class SequenceTable {
 public:
  using Sequence = std::span<const std::uint32_t>;

  SequenceTable() : slots_(4) { first_.push_back(0); }

  // `sequence` must not point into this table.
  std::uint32_t intern(Sequence sequence);

  // Valid until the next intern().
  Sequence operator[](std::uint32_t id) const { return {pool_.data() + first_[id], pool_.data() + first_[id + 1ULL]}; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::uint64_t bytes() const {
    return pool_.size() * sizeof(pool_[0]) + first_.size() * sizeof(first_[0]) + slots_.size() * sizeof(slots_[0]);
  }

 private:
  void grow();

  BigArray<std::uint32_t> pool_;
  BigArray<std::uint64_t> first_;  // sequence id is pool_[first_[id] .. first_[id+1])
  BigArray<std::uint32_t> slots_;  // id + 1, or 0: free. A power of two, at most half full
};

}  // namespace surety
