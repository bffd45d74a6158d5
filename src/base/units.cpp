#include "base/units.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace surety {
namespace {

// A number and the unit behind it. Nothing: no number, or a negative one.
std::optional<std::pair<double, std::string>> split_unit(const std::string& text) {
  if (text.empty() || (text[0] != '.' && (text[0] < '0' || text[0] > '9'))) return std::nullopt;
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  if (!std::isfinite(value)) return std::nullopt;
  return std::pair(value, text.substr(used));
}

}  // namespace

std::optional<std::chrono::nanoseconds> parse_time(const std::string& text) {
  const auto parsed = split_unit(text);
  if (!parsed) return std::nullopt;
  const auto& [value, unit] = *parsed;
  const double seconds = unit == "ms"                  ? value / 1000
                         : unit == "s" || unit.empty() ? value
                         : unit == "m"                 ? value * 60
                         : unit == "h"                 ? value * 3600
                                                       : -1;
  if (seconds < 0 || seconds > 1e9) return std::nullopt;
  return std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

std::optional<std::uint64_t> parse_size(const std::string& text) {
  const auto parsed = split_unit(text);
  if (!parsed) return std::nullopt;
  auto [value, unit] = *parsed;
  if (!unit.empty() && (unit.back() == 'B' || unit.back() == 'b')) unit.pop_back();
  if (!unit.empty() && unit.back() == 'i') unit.pop_back();
  const double factor = unit.empty()                 ? 1
                        : unit == "K" || unit == "k" ? 1024.0
                        : unit == "M" || unit == "m" ? 1024.0 * 1024
                        : unit == "G" || unit == "g" ? 1024.0 * 1024 * 1024
                                                     : -1;
  const double bytes = value * factor;
  if (factor < 0 || bytes > 1e18) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace surety
