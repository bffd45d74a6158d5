// L* as Angluin wrote it (Information and Computation 75, 1987).
//
// The table of lstar.hpp, but all prefixes of a counterexample enter S. So two words
// of S may have the same row, and the table must be made consistent too: where equal
// rows have different rows one letter on, that letter and the suffix that tells them
// apart form a new suffix. S is then prefix-closed and E suffix-closed, so the
// conjecture agrees with the whole table, old counterexamples included. Needs no
// search in the counterexample, but more rows. Words outside the language stay out of S.
#pragma once

#include "learn/rows.hpp"

namespace surety {

class LStarAngluin : public Learner {
 public:
  explicit LStarAngluin(Teacher& teacher)
      : teacher_(teacher), ask_(teacher), letters_(static_cast<std::uint32_t>(teacher.alphabet().size())) {}

  const Lts& hypothesis() override;
  void refine(Word counterexample) override;

 private:
  struct Entry {  // a word of S, or of S.Sigma if it has no place in S
    Row row;
    std::uint32_t place = kNone;
  };

  void begin();
  void add(Trace word, Row row);  // to S
  void add_next(std::uint32_t s, std::uint32_t letter);
  void fill(Row& row, Word word, Word letter);
  void settle();           // fills the table until it is closed and consistent
  bool fill_and_close();   // adds one word to S and returns true, if the table is not closed
  bool make_consistent();  // adds one suffix and returns true, if the table is not consistent
  Word action(std::uint32_t letter) const { return {&*teacher_.alphabet().begin() + letter, 1}; }
  Entry& next(std::uint32_t s, std::uint32_t letter) { return next_[static_cast<std::size_t>(s) * letters_ + letter]; }

  Teacher& teacher_;
  Asker ask_;
  const std::uint32_t letters_;
  bool begun_ = false;
  std::vector<Trace> words_;     // S; the empty word first, and every word after its prefixes
  std::vector<Row> rows_;        // of S
  std::vector<Entry> next_;      // of S.Sigma, by place in S and letter
  std::vector<Trace> suffixes_;  // E without the empty word
  RowTree tree_;
  std::vector<std::uint32_t> first_;  // by node of the tree: the first word of S with this row
  Lts hypothesis_;
};

}  // namespace surety
