// Remembers every answer of a teacher, so that no word is asked twice.
//
// Answers lie in a prefix tree. The language is prefix-closed: an extension of a
// rejected word is rejected, and a prefix of an accepted word accepted, without
// asking. Counts what did have to be asked.
#pragma once

#include <cstdint>
#include <vector>

#include "base/big_array.hpp"
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
  // A node is a number: four times its block of children (0: none), and what is known of its word. The children of
  // block b are the nodes b * letters ... So a letter costs four bytes.
  enum Known : std::uint32_t { unknown, yes, no, known = 3 };

  std::size_t child(std::size_t node, Action a);  // kNoNode: there is no memory for it
  bool make_room();
  Known known_of(std::size_t node) const { return static_cast<Known>(nodes_[node] & known); }

  static constexpr std::size_t kNoNode = ~std::size_t{0};

  Teacher& teacher_;
  Budget& budget_;
  Charge charge_;
  const std::uint32_t letters_;           // how many
  std::vector<std::uint32_t> letter_of_;  // by action: its place in the alphabet
  BigArray<std::uint32_t> nodes_;         // block 0 has the root only; unknown is zero
  std::vector<std::size_t> path_;         // of the word that is being asked: the nodes of which nothing is known
  std::uint64_t queries_ = 0;
};

}  // namespace surety
