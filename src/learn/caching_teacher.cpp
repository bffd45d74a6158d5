#include "learn/caching_teacher.hpp"

#include "base/check.hpp"

namespace surety {

CachingTeacher::CachingTeacher(Teacher& teacher, Budget& budget) : teacher_(teacher), budget_(budget), nodes_(1) {}

std::uint32_t CachingTeacher::child(std::uint32_t node, Action a) {
  const auto letter = alphabet().index(a);
  check(letter.has_value(), "a query has a letter outside the alphabet");
  if (nodes_[node].children == 0) {
    nodes_[node].children = static_cast<std::uint32_t>(nodes_.size());
    nodes_.resize(nodes_.size() + alphabet().size());
  }
  return nodes_[node].children + *letter;
}

bool CachingTeacher::member(Word word) {
  std::vector<std::uint32_t> path{0};
  for (const Action a : word) {
    if (nodes_[path.back()].known == Known::no) return false;
    path.push_back(child(path.back(), a));
  }
  Node& last = nodes_[path.back()];
  if (last.known != Known::unknown) return last.known == Known::yes;
  if (!budget_.go_on() || !budget_.add_query()) return false;
  ++queries_;
  const bool yes = teacher_.member(word);
  if (budget_.why() != Stop::none) return false;
  if (!yes)
    last.known = Known::no;
  else
    for (const auto node : path) nodes_[node].known = Known::yes;
  return yes;
}

}  // namespace surety
