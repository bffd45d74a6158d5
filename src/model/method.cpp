#include "model/method.hpp"

#include <algorithm>
#include <array>

namespace surety {
namespace {

constexpr std::array<std::string_view, 19> kNames = {
    "auto",   "monolithic", "symbolic", "asym",     "asym-n", "cegar",    "sym",         "sym-a",   "sym-b",    "sym-2",
    "sym-2a", "sym-2b",     "weakest",  "circular", "agar",   "minimise", "conjunction", "flavers", "all-sizes"};

}  // namespace

std::string_view name_of(Method method) { return kNames[static_cast<std::size_t>(method)]; }

std::optional<Method> method_from_name(std::string_view name) {
  const auto* const at = std::ranges::find(kNames, name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<Method>(at - kNames.begin());
}

}  // namespace surety
