// Hash functions: a fast mixer for tables, SHA-256 for the identity of files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace surety {

// Every bit of x reaches every bit of the result (two multiply-xorshift rounds).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93U;
  x ^= x >> 29;
  x *= 0x9e3779b97f4a7c15U;
  return x ^ (x >> 32);
}

constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t x) { return mix64(seed * 31 + x + 0x51ed27U); }

template <class Range>
constexpr std::uint64_t hash_range(const Range& values) {
  std::uint64_t h = 0;
  for (const auto& v : values) h = hash_combine(h, v);
  return h;
}

std::string sha256_hex(std::string_view bytes);

}  // namespace surety
