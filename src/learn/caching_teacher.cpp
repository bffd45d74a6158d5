#include "learn/caching_teacher.hpp"

#include <algorithm>
#include <limits>

#include "base/check.hpp"

namespace surety {

constexpr std::uint32_t kNoLetter = std::numeric_limits<std::uint32_t>::max();

CachingTeacher::CachingTeacher(Teacher& teacher, Budget& budget)
    : teacher_(teacher),
      budget_(budget),
      charge_(budget),
      letters_(static_cast<std::uint32_t>(teacher.alphabet().size())),
      nodes_(std::max(letters_, 1U)) {
  for (std::uint32_t i = 0; i < letters_; ++i) {
    const auto action = teacher.alphabet()[i].value;
    if (letter_of_.size() <= action) letter_of_.resize(action + 1ULL, kNoLetter);
    letter_of_[action] = i;
  }
}

std::size_t CachingTeacher::child(std::size_t node, Action a) {
  const auto letter = a.value < letter_of_.size() ? letter_of_[a.value] : kNoLetter;
  check(letter != kNoLetter, "a query has a letter outside the alphabet");
  std::size_t block = nodes_[node] >> 2;
  if (block == 0) {
    if (!make_room()) return kNoNode;
    block = nodes_.size() / letters_;
    check(block < 1ULL << 30, "too many words for the cache");
    nodes_[node] += static_cast<std::uint32_t>(block << 2);
    for (std::uint32_t i = 0; i < letters_; ++i) nodes_.push_back(unknown);
  }
  return block * letters_ + letter;
}

// For one more block of children.
bool CachingTeacher::make_room() {
  constexpr std::uint64_t kAtATime = 1 << 16;  // bytes, so that the budget is not asked for every node
  const std::uint64_t bytes = (nodes_.size() + letters_) * sizeof nodes_[0];
  if (bytes <= charge_.bytes() || charge_.grow_to(bytes + kAtATime)) return true;
  budget_.stop(Stop::memory);
  return false;
}

bool CachingTeacher::member(Word word) {
  std::size_t node = 0;
  path_.clear();
  for (const Action a : word) {
    const Known here = known_of(node);
    if (here == no) return false;
    if (here == unknown) path_.push_back(node);
    node = child(node, a);
    if (node == kNoNode) return false;
  }
  if (known_of(node) != unknown) return known_of(node) == yes;
  if (!budget_.go_on() || !budget_.add_query()) return false;
  ++queries_;
  const bool answer = teacher_.member(word);
  if (budget_.why() != Stop::none) return false;
  nodes_[node] += answer ? yes : no;
  if (answer)
    for (const auto before : path_) nodes_[before] += yes;
  return answer;
}

}  // namespace surety
