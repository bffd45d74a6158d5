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

#include "learn/access_learner.hpp"
#include "learn/rows.hpp"

namespace surety {

class LStar : public AccessLearner {
 public:
  explicit LStar(Teacher& teacher) : AccessLearner(teacher) {}

 private:
  void close() override;
  void split(Word w, bool truth) override;
  void fill(Row& row, Word word, Word letter);  // asks for the columns that the row of word.letter does not have yet

  std::vector<Trace> suffixes_;  // E without the empty word
  RowTree tree_;
  std::vector<Row> rows_;                // of S, by state
  std::vector<Row> next_rows_;           // of S.Sigma, by state and letter
  std::vector<std::uint32_t> state_of_;  // by node of the tree: the state with this row
};

}  // namespace surety
