// Kearns and Vazirani's learner with a classification tree (An Introduction to Computational Learning Theory, 1994).
//
// A word's state is found by sifting it down a tree of suffixes, so a step costs as
// many queries as the tree is deep, where a table asks for all suffixes. Along a
// counterexample the sifted states agree with the hypothesis at first and do not at
// the end. Between two neighbours where that changes, the prefix and the access word
// of its state take the same letter to states that the tree tells apart: the prefix is
// a new state's access word, and the letter and that discriminator tell the two apart.
// The place is found by binary search instead of from the left.
#pragma once

#include "learn/access_learner.hpp"
#include "learn/tree.hpp"

namespace surety {

class KearnsVazirani : public AccessLearner {
 public:
  explicit KearnsVazirani(Teacher& teacher) : AccessLearner(teacher), tree_(0) {}

 private:
  void close() override;
  void split(Word w, bool truth) override;
  void divide(Word w, std::uint32_t sifted);  // w sifts to this state, and the hypothesis takes it to another
  std::uint32_t state_of(Word word) { return tree_[tree_.sift(ask_, DiscriminationTree::kRoot, word)].state; }

  DiscriminationTree tree_;
  std::vector<std::uint32_t> target_;  // by state and letter: how far down the step has been sifted
};

}  // namespace surety
