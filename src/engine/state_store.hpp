// All states of a machine that have been seen, each once, numbered in the order of coming.
//
// The bytes lie one after another in one array; a table of slots finds them. A slot is
// the number of a state plus one, and the upper half of its hash, so that two states are
// compared only if they are very likely equal.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "base/big_array.hpp"
#include "base/budget.hpp"
#include "base/hash.hpp"
#include "model/machine.hpp"

namespace surety {

class StateStore {
 public:
  explicit StateStore(Budget& budget) : charge_(budget), slots_(1U << 12) { first_.push_back(0); }

  std::uint64_t size() const { return first_.size() - 1; }
  MachineState operator[](std::uint64_t i) const { return {bytes_.data() + first_[i], first_[i + 1] - first_[i]}; }

  // The number of the state, and whether it is new. Nothing: the memory of the budget is used up.
  struct Place {
    std::uint64_t number = 0;
    bool is_new = false;
  };
  std::optional<Place> insert(MachineState state) {
    if (2 * (size() + 1) > slots_.size() && !grow()) return {};
    const std::uint64_t h = hash(state), mask = slots_.size() - 1;
    for (std::uint64_t at = h & mask;; at = (at + 1) & mask) {
      const std::uint64_t slot = slots_[at];
      if (slot == 0) {
        slots_[at] = (h >> 32 << 32) | (size() + 1);
        bytes_.append(state.data(), state.size());
        first_.push_back(bytes_.size());
        return Place{size() - 1, true};
      }
      if (slot >> 32 != h >> 32) continue;
      const std::uint64_t number = (slot & 0xffffffffU) - 1;
      const MachineState other = (*this)[number];
      if (other.size() == state.size() && std::memcmp(other.data(), state.data(), state.size()) == 0)
        return Place{number, false};
    }
  }

  std::uint64_t bytes() const { return bytes_.size() + 8 * (first_.size() + slots_.size()); }

 private:
  static std::uint64_t hash(MachineState state) {
    std::uint64_t h = state.size();
    std::size_t i = 0;
    for (; i + 8 <= state.size(); i += 8) {
      std::uint64_t word;
      std::memcpy(&word, state.data() + i, 8);
      h = mix64(h * 31 + word);
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, state.data() + i, state.size() - i);
    return mix64(h * 31 + rest + 0x9e37U);
  }

  bool grow() {
    if (size() >= 0xfffffff0U) return false;
    // Room for as many states as the table will hold, as long as those so far are on average.
    const std::uint64_t per_state = size() == 0 ? 64 : bytes_.size() / size() + 16;
    if (!charge_.grow_to(2 * slots_.size() * (8 + per_state / 2 + 4))) return false;
    BigArray<std::uint64_t> larger(2 * slots_.size());
    const std::uint64_t mask = larger.size() - 1;
    for (std::uint64_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i] == 0) continue;
      std::uint64_t at = hash((*this)[(slots_[i] & 0xffffffffU) - 1]) & mask;
      while (larger[at] != 0) at = (at + 1) & mask;
      larger[at] = slots_[i];
    }
    slots_.swap(larger);
    return true;
  }

  Charge charge_;
  BigArray<std::uint64_t> slots_;
  BigArray<std::uint64_t> first_;  // where the bytes of a state begin; one more at the end
  BigArray<std::uint8_t> bytes_;
};

}  // namespace surety
