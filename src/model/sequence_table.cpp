#include "model/sequence_table.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/hash.hpp"

namespace surety {

std::uint32_t SequenceTable::intern(Sequence sequence) {
  const std::uint64_t mask = slots_.size() - 1;
  std::uint64_t slot = hash_range(sequence) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask)
    if (std::ranges::equal((*this)[slots_[slot] - 1], sequence)) return slots_[slot] - 1;

  const std::uint32_t id = size();
  check(id < UINT32_MAX - 1, "too many sequences for 32-bit numbers");
  pool_.append(sequence.data(), sequence.size());
  first_.push_back(pool_.size());
  slots_[slot] = id + 1;
  if (first_.size() * 2 > slots_.size()) grow();
  return id;
}

void SequenceTable::grow() {
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
