// How a value is encoded in the bytes of a state.
#pragma once

#include <cstdint>
#include <cstring>

#include "lang/promela/tree.hpp"

namespace surety::promela {

// `bits`: how many of the bits count, as in the bit fields of pan; 0: all.
struct Encoding {
  std::uint8_t bytes = 1;
  std::uint8_t bits = 0;
  bool is_signed = false;
};

Encoding encoding_of(const Type& type, bool in_array);

inline std::int32_t load(const std::uint8_t* at, Encoding encoding) {
  switch (encoding.bytes) {
    case 1: return *at;
    case 2: {
      std::uint16_t v;
      std::memcpy(&v, at, 2);
      return encoding.is_signed ? static_cast<std::int16_t>(v) : v;
    }
    default: {
      std::int32_t v;
      std::memcpy(&v, at, 4);
      return v;
    }
  }
}

// What is left of a value when it is stored.
inline std::int32_t truncated(std::int32_t value, Encoding encoding) {
  if (encoding.bits != 0 && encoding.bits < 32)
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) & ((1U << encoding.bits) - 1));
  if (encoding.bytes == 1) return static_cast<std::uint8_t>(value);
  if (encoding.bytes == 2)
    return encoding.is_signed ? static_cast<std::int16_t>(value) : static_cast<std::uint16_t>(value);
  return value;
}

inline void store(std::uint8_t* at, std::int32_t value, Encoding encoding) {
  value = truncated(value, encoding);
  if (encoding.bytes == 1) {
    *at = static_cast<std::uint8_t>(value);
  } else if (encoding.bytes == 2) {
    const auto v = static_cast<std::uint16_t>(value);
    std::memcpy(at, &v, 2);
  } else {
    std::memcpy(at, &value, 4);
  }
}

}  // namespace surety::promela
