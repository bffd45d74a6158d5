// Numbers sequences of small values: equal ones get equal numbers, new ones the next.
//
// Product states (one number per component), sets of states (sorted) and names are such
// sequences. They lie one after the other in a pool; an open-addressed table of
// their numbers finds them again. Nothing is ever taken out. All of it grows without a
// second copy, so that bytes() is what it takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/big_array.hpp"
#include "base/check.hpp"
#include "base/hash.hpp"

namespace surety {

template <class T, class View>
class SequenceTableOf {
 public:
  using Sequence = View;

  SequenceTableOf() : slots_(4) { first_.push_back(0); }

  // `sequence` must not point into this table.
  std::uint32_t intern(Sequence sequence);
  std::optional<std::uint32_t> find(Sequence sequence) const;

  // Valid until the next intern().
  Sequence operator[](std::uint32_t id) const { return {pool_.data() + first_[id], pool_.data() + first_[id + 1ULL]}; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::uint64_t bytes() const {
    return pool_.size() * sizeof(pool_[0]) + first_.size() * sizeof(first_[0]) + slots_.size() * sizeof(slots_[0]);
  }

 private:
  std::uint64_t slot_of(Sequence sequence) const;  // where it is, or the free one where it belongs
  void grow();

  BigArray<T> pool_;
  BigArray<std::uint64_t> first_;  // sequence id is pool_[first_[id] .. first_[id+1])
  BigArray<std::uint32_t> slots_;  // id + 1, or 0: free. A power of two, at most half full
};

using SequenceTable = SequenceTableOf<std::uint32_t, std::span<const std::uint32_t>>;
using NameTable = SequenceTableOf<char, std::string_view>;

template <class T, class View>
std::uint64_t SequenceTableOf<T, View>::slot_of(Sequence sequence) const {
  const std::uint64_t mask = slots_.size() - 1;
  std::uint64_t slot = hash_range(sequence) & mask;
  while (slots_[slot] != 0 && !std::ranges::equal((*this)[slots_[slot] - 1], sequence)) slot = (slot + 1) & mask;
  return slot;
}

template <class T, class View>
std::optional<std::uint32_t> SequenceTableOf<T, View>::find(Sequence sequence) const {
  const std::uint32_t number = slots_[slot_of(sequence)];
  return number == 0 ? std::nullopt : std::optional(number - 1);
}

template <class T, class View>
std::uint32_t SequenceTableOf<T, View>::intern(Sequence sequence) {
  const std::uint64_t slot = slot_of(sequence);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  const std::uint32_t id = size();
  check(id < UINT32_MAX - 1, "too many sequences for 32-bit numbers");
  pool_.append(sequence.data(), sequence.size());
  first_.push_back(pool_.size());
  slots_[slot] = id + 1;
  if (first_.size() * 2 > slots_.size()) grow();
  return id;
}

template <class T, class View>
void SequenceTableOf<T, View>::grow() {
  const std::uint64_t twice = slots_.size() * 2;
  slots_ = {};  // they are all put in again
  slots_ = BigArray<std::uint32_t>(twice);
  const std::uint64_t mask = slots_.size() - 1;
  for (std::uint32_t id = 0; id < size(); ++id) {
    std::uint64_t slot = hash_range((*this)[id]) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = id + 1;
  }
}

}  // namespace surety
