// TTT (Isberner, Howar, Steffen: The TTT Algorithm, RV 2014): a learner whose memory does not grow with the
// length of counterexamples.
//
// Three trees. The spanning tree: every access word is another state's access word
// and a letter. The discrimination tree (tree.hpp). And, in it, the discriminators:
// each is a letter followed by another discriminator, so they are a suffix-closed set.
//
// Rivest and Schapire's analysis gives a step that is wrong and a suffix of the
// counterexample that says so. The step becomes a tree step to a new state, and the
// suffix its discriminator, marked temporary, since it may be very long. A maximal
// subtree of temporary nodes is a block. If some letter takes two states of a block to
// places that a final discriminator d tells apart, the letter and d split the block
// for good, without any query about its states, and the temporary nodes are sorted
// into the two halves. If no letter does this for any block, the states of a block take
// the same ways through blocks and must have the same future, as far as the hypothesis
// knows: it contradicts the temporary discriminator, which is then a counterexample of
// its own. So in the end no block is left.
//
// Steps are sifted down to a leaf or a block, not into it: queries with the long
// suffixes are few.
#pragma once

#include <optional>

#include "learn/access_learner.hpp"
#include "learn/tree.hpp"

namespace surety {

class Ttt : public AccessLearner {
 public:
  explicit Ttt(Teacher& teacher) : AccessLearner(teacher), tree_(0) {}

 private:
  struct Step {
    std::uint32_t node = DiscriminationTree::kRoot;  // how far down it has been sifted: final nodes only
    std::uint32_t tree_state = kNone;                // a step of the spanning tree: the state it was made for
    std::uint32_t deeper = kNone;                    // how far down into the block, if no block has been split since
    std::uint32_t splits = 0;                        // how many had been then
  };
  struct Splitter {
    std::size_t block;  // in blocks_
    std::uint32_t letter;
    std::uint32_t node;  // tells the successors by this letter apart
  };

  void close() override;
  void split(Word w, bool truth) override;

  std::uint32_t target(std::uint32_t s, std::uint32_t letter);  // a leaf, or the root of a block
  std::uint32_t next(std::uint32_t s, std::uint32_t letter);    // the state, through blocks
  void split_after(std::uint32_t from, Word w, bool truth);     // w from this state is wrong
  void contradict(std::uint32_t block);                         // no letter splits any block

  std::optional<Splitter> find_splitter();
  std::uint32_t separator(const std::vector<std::uint32_t>& states, std::uint32_t letter);
  void finalise(const Splitter& splitter);
  std::uint32_t half(std::uint32_t node, bool side, const std::vector<bool>& side_of);
  void states_below(std::uint32_t node, std::vector<std::uint32_t>& out) const;

  DiscriminationTree tree_;
  std::vector<Step> steps_;            // by state and letter
  std::vector<std::uint32_t> blocks_;  // their roots
  std::uint32_t splits_ = 0;           // of blocks, so far
};

}  // namespace surety
