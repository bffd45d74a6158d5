#include "model/partition.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

}  // namespace

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

Groups::Groups(std::uint32_t classes) : group_(classes), next_(classes, kNone), head_(classes) {
  std::iota(group_.begin(), group_.end(), 0);
  std::iota(head_.begin(), head_.end(), 0);
}

void Groups::add(std::uint32_t old, std::uint32_t fresh) {
  const std::uint32_t group = group_[old], first = head_[group];
  if (next_[first] == kNone) several_.push_back(group);
  group_.push_back(group);
  next_.push_back(next_[first]);
  next_[first] = fresh;
}

// The smaller of the first two classes of a group has at most half of its elements.
Groups::Taken Groups::take_smaller(const Partition& partition) {
  const std::uint32_t group = several_.back();
  const std::uint32_t first = head_[group], second = next_[first];
  const bool take_first = partition.size(first) <= partition.size(second);
  const std::uint32_t taken = take_first ? first : second;
  if (take_first)
    head_[group] = second;
  else
    next_[first] = next_[second];
  if (next_[head_[group]] == kNone) several_.pop_back();

  group_[taken] = static_cast<std::uint32_t>(head_.size());
  head_.push_back(taken);
  next_[taken] = kNone;
  return {taken, group};
}

}  // namespace surety
