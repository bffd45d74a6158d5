// Angluin's L* with Rivest and Schapire's handling of counterexamples.
//
// The table has a row for every word of S and S.Sigma and a column for every
// suffix of E; T(s, e) says whether s.e is in the language. S starts as {empty},
// E too. The table is closed when every row of S.Sigma equals a row of S; then
// the rows of S are the states of the conjecture. A counterexample is analysed by
// binary search for one suffix that tells two merged rows apart; only that suffix
// enters E, so the rows of S stay pairwise different and the table is always
// consistent. At most n-1 wrong conjectures, O(k n^2 + n log m) queries.
#pragma once

#include <vector>

#include "learn/teacher.hpp"

namespace surety {

class LStar : public Learner {
 public:
  explicit LStar(Teacher& teacher);

  const Lts& hypothesis() override;
  void refine(Word counterexample) override;

 private:
  using Row = std::vector<bool>;  // one answer a suffix
  struct Access {
    Trace word;
    Row row;
    std::vector<Row> next;  // the rows of word.a, by letter
  };

  void fill(Row& row, const Trace& word);
  void fill(Access& state);
  void close();
  void add(Trace word);
  std::uint32_t run(Word word) const;                                        // the state of the conjecture after a word
  bool accepts(std::uint32_t state) const { return states_[state].row[0]; }  // suffix 0 is the empty word

  Teacher& teacher_;
  std::vector<Access> states_;   // S
  std::vector<Trace> suffixes_;  // E
  std::vector<std::vector<std::uint32_t>> delta_;
  Lts hypothesis_;
};

}  // namespace surety
