// The ways to prove something, by name: those that --method names, and those that only proofs name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace surety {

enum class Method : std::uint8_t {
  automatic,
  monolithic,
  symbolic,
  asym,
  asym_n,
  cegar,
  sym,
  sym_a,
  sym_b,
  sym_2,
  sym_2a,
  sym_2b,
  weakest,
  circular,
  agar,
  minimise,
  conjunction,  // of several proofs
  flavers,      // by the engine of that name
  all_sizes,
};

std::string_view name_of(Method method);  // "asym-n"
std::optional<Method> method_from_name(std::string_view name);

// The whole state space is searched: there are no parts.
constexpr bool is_whole(Method method) { return method == Method::monolithic || method == Method::symbolic; }

}  // namespace surety
