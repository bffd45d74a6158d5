// What can be asked of a system.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace surety {

enum class CheckKind : std::uint8_t {
  safety,    // a property, or a trace assertion of a program
  error,     // no component reaches its own ERROR, no assert of a program fails
  deadlock,  // of a program: invalid end states
  progress,
  ltl,  // an assertion, or a formula or claim of a program
};

inline constexpr std::array<std::string_view, 5> kCheckKindNames = {"safety", "error", "deadlock", "progress", "ltl"};

constexpr std::string_view name_of(CheckKind kind) { return kCheckKindNames[static_cast<std::size_t>(kind)]; }

constexpr std::optional<CheckKind> check_kind_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kCheckKindNames.size(); ++i)
    if (kCheckKindNames[i] == name) return static_cast<CheckKind>(i);
  return std::nullopt;
}

// Errors and deadlocks have no names: there is one such check of a system.
constexpr bool has_name(CheckKind kind) { return kind != CheckKind::error && kind != CheckKind::deadlock; }

}  // namespace surety
