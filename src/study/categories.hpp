// How far two ways to verify reach: sizes to try, and the paper's five categories (Cobleigh, Avrunin, Clarke
// 2006, 3.3).
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "study/definition.hpp"

namespace surety::study {

// Which size to try next, upwards until one fails: each size up to 10, then twice as large, then between the last
// success and the failure. Nothing: the largest is known.
std::optional<int> next_size(const std::map<int, bool>& tried, const Range& range);

struct Reach {
  int largest = 0;                // verified; 0: none
  std::optional<int> stopped_at;  // the smallest size at which a limit ended it
};
Reach reach_of(const std::map<int, bool>& tried);

enum class Category : std::uint8_t {
  scales_farther = 1,
  appears_better,
  cannot_scale,
  appears_worse,
  monolithic_scales,
};
std::string_view describe(Category category);
inline constexpr int kScalesWell = 45;  // a monolithic verification that gets this far needs no help

// `ratio`: of the costs at the largest size that both have verified, if there is one.
Category category_of(const Reach& monolithic, const Reach& generalised, std::optional<double> ratio);

}  // namespace surety::study
