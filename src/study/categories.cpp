#include "study/categories.hpp"

#include <algorithm>

namespace surety::study {

std::optional<int> next_size(const std::map<int, bool>& tried, const Range& range) {
  constexpr int kOneByOne = 10;
  const Reach reach = reach_of(tried);
  if (!reach.stopped_at) {
    if (reach.largest == 0) return tried.contains(range.from) ? std::nullopt : std::optional(range.from);
    if (reach.largest >= range.to) return std::nullopt;
    return std::min(reach.largest < kOneByOne ? reach.largest + 1 : 2 * reach.largest, range.to);
  }
  if (*reach.stopped_at <= kOneByOne || *reach.stopped_at - reach.largest <= 1) return std::nullopt;
  return (reach.largest + *reach.stopped_at) / 2;
}

Reach reach_of(const std::map<int, bool>& tried) {
  Reach out;
  for (const auto& [size, verified] : tried) {
    if (!verified) {
      out.stopped_at = size;
      break;
    }
    out.largest = size;
  }
  return out;
}

std::string_view describe(Category category) {
  switch (category) {
    case Category::scales_farther: return "generalised can scale farther than monolithic";
    case Category::appears_better: return "don't know, but generalised appears better";
    case Category::cannot_scale: return "generalised cannot scale farther";
    case Category::appears_worse: return "don't know, but generalised appears worse";
    case Category::monolithic_scales: return "monolithic scales well, so generalised is unlikely to be of much use";
  }
  return "";
}

Category category_of(const Reach& monolithic, const Reach& generalised, std::optional<double> ratio) {
  const bool better = ratio && *ratio < 1;
  if (monolithic.largest >= kScalesWell && better) return Category::monolithic_scales;
  if (generalised.largest > monolithic.largest) return Category::scales_farther;
  if (generalised.stopped_at && *generalised.stopped_at <= monolithic.largest + 1) return Category::cannot_scale;
  return better ? Category::appears_better : Category::appears_worse;
}

}  // namespace surety::study
