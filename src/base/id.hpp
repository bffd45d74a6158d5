// Small numbers that know what they index.
//
// States and actions are 32-bit indices of different types, so that the compiler
// refuses to mix them up.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace surety {

template <class Tag>
struct Id {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace surety

template <class Tag>
struct std::hash<surety::Id<Tag>> {
  std::size_t operator()(surety::Id<Tag> id) const noexcept { return id.value; }
};
