#include "model/partition.hpp"

namespace surety {

Partition::Partition(const std::vector<std::uint32_t>& class_of, std::uint32_t classes)
    : elements_(class_of.size()), where_(class_of.size()), ranges_(classes) {
  for (const std::uint32_t c : class_of) ++ranges_[c].end;
  std::uint32_t begin = 0;
  for (Range& range : ranges_) {
    const std::uint32_t size = range.end;
    range = {begin, begin, begin};  // `end` moves as the elements come in
    begin += size;
  }
  for (std::uint32_t e = 0; e < class_of.size(); ++e) {
    where_[e] = {ranges_[class_of[e]].end++, class_of[e]};
    elements_[where_[e].place] = e;
  }
}

std::vector<std::uint32_t> Partition::classes() const {
  std::vector<std::uint32_t> out;
  out.reserve(where_.size());
  for (const Where& where : where_) out.push_back(where.of_class);
  return out;
}

std::uint32_t Partition::split_class(std::uint32_t c) {
  Range& range = ranges_[c];
  const std::uint32_t middle = range.marked;
  range.marked = range.begin;
  if (middle == range.end) return c;

  Range smaller{range.begin, middle, range.begin};
  if (middle - range.begin <= range.end - middle) {
    range.begin = range.marked = middle;
  } else {
    smaller = {middle, range.end, middle};
    range.end = middle;
  }
  const std::uint32_t fresh = class_count();
  for (std::uint32_t i = smaller.begin; i < smaller.end; ++i) where_[elements_[i]].of_class = fresh;
  ranges_.push_back(smaller);
  return fresh;
}

}  // namespace surety
