// Seeded random numbers that are the same on every machine and library (std distributions are not).
#pragma once

#include <cstdint>

#include "base/hash.hpp"

namespace surety {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15U); }
  // Uniform in 0 .. n-1, n > 0.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace surety
