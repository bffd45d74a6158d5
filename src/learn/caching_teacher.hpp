// Remembers every answer of a teacher, so that no word is asked twice.
//
// Answers lie in a prefix tree. The language is prefix-closed: an extension of a
// rejected word is rejected, and a prefix of an accepted word accepted, without
// asking. Counts what did have to be asked.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "learn/teacher.hpp"

namespace surety {

class CachingTeacher : public Teacher {
 public:
  CachingTeacher(Teacher& teacher, Budget& budget);

  const Alphabet& alphabet() const override { return teacher_.alphabet(); }
  bool member(Word word) override;
  Answer conjecture(const Lts& hypothesis) override { return teacher_.conjecture(hypothesis); }
  bool stopped() const override { return budget_.why() != Stop::none; }

  std::uint64_t queries() const { return queries_; }  // that reached the teacher

 private:
  enum class Known : std::uint8_t { unknown, yes, no };
  struct Node {
    Known known = Known::unknown;
    std::uint32_t children = 0;  // where its block of children begins; 0: none
  };

  std::uint32_t child(std::uint32_t node, Action a);

  Teacher& teacher_;
  Budget& budget_;
  std::vector<Node> nodes_;
  std::uint64_t queries_ = 0;
};

}  // namespace surety
