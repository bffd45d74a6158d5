// A decomposition in two as a bit mask: bit i is set if task i, in order of declaration, is in S1.
//
// Of n tasks there are 2^n - 2: both sides have a task, and S1 | S2 and S2 | S1 are two. Systems of size 64
// have more tasks than a word has bits, so a mask is a row of bits.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace surety::study {

class Mask {
 public:
  Mask() = default;
  explicit Mask(std::size_t tasks) : bits_(tasks, false) {}
  Mask(std::size_t tasks, std::uint64_t number);
  // Big-endian bits, as the database has them; what is beyond the tasks is not looked at.
  static Mask from_blob(std::size_t tasks, std::string_view blob);

  std::size_t tasks() const { return bits_.size(); }
  bool first(std::size_t task) const { return bits_[task]; }  // in S1
  void put(std::size_t task, bool first) { bits_[task] = first; }
  bool splits() const;  // no side is empty
  std::size_t tasks_of_smaller_side() const;

  std::string blob() const;
  std::string text() const;  // "0x2a"
  // "a,b | c", which --split takes.
  std::string split(const std::vector<std::string>& names) const;

  friend bool operator==(const Mask&, const Mask&) = default;
  friend std::strong_ordering operator<=>(const Mask& a, const Mask& b);  // as numbers

 private:
  std::vector<bool> bits_;
};

// All of them, as numbers from 1 to 2^n - 2. For at most 30 tasks.
std::vector<Mask> all_masks(std::size_t tasks);

// The smallest mask that exchanging tasks of one class makes of this one.
Mask smallest_of_orbit(const Mask& mask, const std::vector<std::vector<std::size_t>>& classes);

}  // namespace surety::study
