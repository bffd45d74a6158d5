// How a value lies in the bytes of a state.
#pragma once

#include <cstdint>
#include <cstring>

#include "lang/promela/tree.hpp"

namespace surety::promela {

// Bits: how many of them count (pan's bit fields); 0: all.
struct Cell {
  std::uint8_t bytes = 1;
  std::uint8_t bits = 0;
  bool is_signed = false;
};

Cell cell_of(const Type& type, bool in_array);

inline std::int32_t load(const std::uint8_t* at, Cell cell) {
  switch (cell.bytes) {
    case 1: return *at;
    case 2: {
      std::uint16_t v;
      std::memcpy(&v, at, 2);
      return cell.is_signed ? static_cast<std::int16_t>(v) : v;
    }
    default: {
      std::int32_t v;
      std::memcpy(&v, at, 4);
      return v;
    }
  }
}

// What is left of a value in the cell.
inline std::int32_t truncated(std::int32_t value, Cell cell) {
  if (cell.bits != 0 && cell.bits < 32)
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) & ((1U << cell.bits) - 1));
  if (cell.bytes == 1) return static_cast<std::uint8_t>(value);
  if (cell.bytes == 2) return cell.is_signed ? static_cast<std::int16_t>(value) : static_cast<std::uint16_t>(value);
  return value;
}

inline void store(std::uint8_t* at, std::int32_t value, Cell cell) {
  value = truncated(value, cell);
  if (cell.bytes == 1) {
    *at = static_cast<std::uint8_t>(value);
  } else if (cell.bytes == 2) {
    const auto v = static_cast<std::uint16_t>(value);
    std::memcpy(at, &v, 2);
  } else {
    std::memcpy(at, &value, 4);
  }
}

}  // namespace surety::promela
