// Partitions that are refined, with "process the smaller half" built in.
//
// Partition (Valmari and Lehtinen 2008): the elements of a class lie side by side in
// one array, the marked ones first, so that marking is a swap and a split costs no
// more than the marked elements. The smaller half of a split gets the new class
// number: an algorithm that works through new classes only looks at each element at
// most log n times.
//
// Groups (Paige and Tarjan 1987): a coarser partition, of the classes. A refinement
// whose classes are stable with respect to every group is done when every group is a
// single class; until then it takes a class out of a group of several, one that has
// at most half of the group's elements, and makes it a group of its own.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace surety {

// Of the numbers 0 .. n-1.
class Partition {
 public:
  explicit Partition(std::uint32_t n) : Partition(std::vector<std::uint32_t>(n, 0), n > 0 ? 1 : 0) {}

  // Starts with the classes given: class_of[e] < classes, and no class is empty.
  Partition(const std::vector<std::uint32_t>& class_of, std::uint32_t classes);

  std::uint32_t class_count() const { return static_cast<std::uint32_t>(ranges_.size()); }
  std::uint32_t class_of(std::uint32_t e) const { return where_[e].of_class; }
  std::vector<std::uint32_t> classes() const;  // by element
  std::uint32_t size(std::uint32_t c) const { return ranges_[c].end - ranges_[c].begin; }

  // Valid until the next mark or split.
  std::span<const std::uint32_t> elements(std::uint32_t c) const {
    return {elements_.data() + ranges_[c].begin, elements_.data() + ranges_[c].end};
  }

  // Twice is as good as once.
  void mark(std::uint32_t e) {
    Where& where = where_[e];
    Range& range = ranges_[where.of_class];
    if (where.place < range.marked) return;
    if (range.marked == range.begin) touched_.push_back(where.of_class);
    const std::uint32_t other = elements_[range.marked];
    elements_[where.place] = other;
    elements_[range.marked] = e;
    where_[other].place = where.place;
    where.place = range.marked++;
  }

  // Splits every class that is marked in part, and calls split(old_class, new_class) after each.
  // No element is marked afterwards.
  template <class F>
  void split_marked(F split) {
    for (const std::uint32_t c : touched_)
      if (const std::uint32_t fresh = split_class(c); fresh != c) split(c, fresh);
    touched_.clear();
  }

 private:
  struct Where {
    std::uint32_t place;  // in elements_
    std::uint32_t of_class;
  };
  struct Range {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t marked = 0;  // the marked elements are begin .. marked
  };

  std::uint32_t split_class(std::uint32_t c);  // the new class, or c if there is none

  std::vector<std::uint32_t> elements_;
  std::vector<Where> where_;            // by element
  std::vector<Range> ranges_;           // by class
  std::vector<std::uint32_t> touched_;  // the classes with a marked element
};

class Groups {
 public:
  explicit Groups(std::uint32_t classes);  // each a group of its own

  std::uint32_t group_of(std::uint32_t c) const { return group_[c]; }

  // The class `fresh`, which must be the next number, was split off `old` and stays in its group.
  void add(std::uint32_t old, std::uint32_t fresh);

  bool all_single() const { return several_.empty(); }

  struct Taken {
    std::uint32_t of_class;
    std::uint32_t from;  // the group it was in
  };
  Taken take_smaller(const Partition& partition);

 private:
  std::vector<std::uint32_t> group_;    // by class
  std::vector<std::uint32_t> next_;     // by class: the next one of its group
  std::vector<std::uint32_t> head_;     // by group: its first class
  std::vector<std::uint32_t> several_;  // the groups with two classes or more
};

}  // namespace surety
