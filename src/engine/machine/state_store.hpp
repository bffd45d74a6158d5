// All states of a machine that have been seen, each once, numbered in the order of coming.
//
// Most of a state is as it was before: a step changes one process and a variable. So a
// state is cut into pieces of 16 bytes, every piece is kept once and numbered, and a
// state is the numbers of its pieces, four bytes each. (SPIN's collapse compression cuts
// at processes; we know nothing of those here, and the pieces of a process that has not
// moved are found again all the same.) Two states are equal iff their numbers are. A table
// of slots finds them; a slot is the number of a state plus one, and the upper half of its
// hash, so that two are compared only if they are very likely equal.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "base/big_array.hpp"
#include "base/budget.hpp"
#include "base/hash.hpp"
#include "model/machine.hpp"

namespace surety {

class StateStore {
 public:
  explicit StateStore(Budget& budget) : charge_(budget), slots_(1U << 12), piece_slots_(1U << 12) {
    first_.push_back(0);
  }

  std::uint64_t size() const { return first_.size() - 1; }

  std::vector<std::uint8_t> operator[](std::uint64_t i) const {
    const std::span<const std::uint32_t> words = words_of(i);
    std::vector<std::uint8_t> out(16 * (words.size() - 1));
    for (std::size_t w = 1; w < words.size(); ++w) std::memcpy(&out[16 * (w - 1)], &pieces_[words[w]], 16);
    out.resize(words[0]);
    return out;
  }

  // The number of the state, and whether it is new. Nothing: the memory of the budget is used up.
  struct Place {
    std::uint64_t number = 0;
    bool is_new = false;
  };
  std::optional<Place> insert(MachineState state) {
    if (2 * (size() + 1) > slots_.size() && !grow()) return {};
    if (!cut(state)) return {};
    const std::uint64_t h = hash(cut_), mask = slots_.size() - 1;
    for (std::uint64_t at = h & mask;; at = (at + 1) & mask) {
      const std::uint64_t slot = slots_[at];
      if (slot == 0) {
        slots_[at] = (h >> 32 << 32) | (size() + 1);
        words_.append(cut_.data(), cut_.size());
        first_.push_back(words_.size());
        return Place{size() - 1, true};
      }
      if (slot >> 32 != h >> 32) continue;
      const std::uint64_t number = (slot & 0xffffffffU) - 1;
      const auto other = words_of(number);
      if (other.size() == cut_.size() && std::memcmp(other.data(), cut_.data(), 4 * cut_.size()) == 0)
        return Place{number, false};
    }
  }

  std::uint64_t bytes() const {
    return 4 * words_.size() + 8 * (first_.size() + slots_.size()) + 16 * pieces_.size() + 4 * piece_slots_.size();
  }

 private:
  using Piece = std::array<std::uint64_t, 2>;

  std::span<const std::uint32_t> words_of(std::uint64_t i) const {
    return {words_.data() + first_[i], first_[i + 1] - first_[i]};
  }

  // The length of the state and the numbers of its pieces, in cut_.
  bool cut(MachineState state) {
    cut_.assign(1, static_cast<std::uint32_t>(state.size()));
    for (std::size_t at = 0; at < state.size(); at += 16) {
      Piece piece = {};
      std::memcpy(piece.data(), state.data() + at, std::min<std::size_t>(16, state.size() - at));
      const auto number = number_of(piece);
      if (!number) return false;
      cut_.push_back(*number);
    }
    return true;
  }

  std::optional<std::uint32_t> number_of(const Piece& piece) {
    if (2 * (pieces_.size() + 1) > piece_slots_.size() && !grow_pieces()) return {};
    const std::uint64_t mask = piece_slots_.size() - 1;
    for (std::uint64_t at = hash(piece) & mask;; at = (at + 1) & mask) {
      const std::uint32_t slot = piece_slots_[at];
      if (slot == 0) {
        pieces_.push_back(piece);
        piece_slots_[at] = static_cast<std::uint32_t>(pieces_.size());
        return piece_slots_[at] - 1;
      }
      if (pieces_[slot - 1] == piece) return slot - 1;
    }
  }

  static std::uint64_t hash(const Piece& piece) { return mix64(mix64(piece[0]) * 31 + piece[1]); }
  static std::uint64_t hash(std::span<const std::uint32_t> words) {
    std::uint64_t h = 0;
    for (const auto w : words) h = (h ^ w) * 0x9e3779b97f4a7c15U + (h >> 29);
    return mix64(h);
  }

  // Asks for what there will be when the larger table is full, if states go on as they were.
  bool grow() {
    if (size() >= 0xfffffff0U) return false;
    const std::uint64_t now = 4 * words_.size() + 8 * first_.size();
    if (!charge_.grow_to(2 * now + 16 * slots_.size() + 16 * pieces_.size() + 4 * piece_slots_.size())) return false;
    BigArray<std::uint64_t> larger(2 * slots_.size());
    const std::uint64_t mask = larger.size() - 1;
    for (std::uint64_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i] == 0) continue;
      std::uint64_t at = hash(words_of((slots_[i] & 0xffffffffU) - 1)) & mask;
      while (larger[at] != 0) at = (at + 1) & mask;
      larger[at] = slots_[i];
    }
    slots_.swap(larger);
    return true;
  }

  bool grow_pieces() {
    if (pieces_.size() >= 0x7fffffffU || !charge_.grow_to(charge_.bytes() + 24 * pieces_.size())) return false;
    BigArray<std::uint32_t> larger(2 * piece_slots_.size());
    const std::uint64_t mask = larger.size() - 1;
    for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
      std::uint64_t at = hash(pieces_[i]) & mask;
      while (larger[at] != 0) at = (at + 1) & mask;
      larger[at] = i + 1;
    }
    piece_slots_.swap(larger);
    return true;
  }

  Charge charge_;
  BigArray<std::uint64_t> slots_;
  BigArray<std::uint64_t> first_;  // where the words of a state begin; one more at the end
  BigArray<std::uint32_t> words_;
  BigArray<Piece> pieces_;
  BigArray<std::uint32_t> piece_slots_;  // numbers of pieces, plus one
  std::vector<std::uint32_t> cut_;
};

}  // namespace surety
