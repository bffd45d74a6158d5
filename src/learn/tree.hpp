// A tree that tells words apart by suffixes (discrimination tree, classification tree).
//
// An inner node has a suffix, its discriminator: a word w goes to child [1] if
// w.discriminator is in the language, else to child [0]. A leaf is a state. The root's
// discriminator is the empty word, and its child [0] the sink. To sift a word is to
// go down from the root; two states are told apart by the discriminator of their
// lowest common ancestor.
#pragma once

#include <array>

#include "learn/hypothesis.hpp"

namespace surety {

class DiscriminationTree {
 public:
  static constexpr std::uint32_t kRoot = 0;
  struct Node {
    std::uint32_t parent = kNone;
    std::array<std::uint32_t, 2> child{kNone, kNone};  // kNone: a leaf
    std::uint32_t state = kNone;                       // of a leaf
    bool temporary = false;                            // TTT: a better discriminator is to be found
    Trace discriminator;
  };

  explicit DiscriminationTree(std::uint32_t initial);  // the root, the sink and a leaf for the initial state

  const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
  Node& operator[](std::uint32_t node) { return nodes_[node]; }
  bool is_leaf(std::uint32_t node) const { return nodes_[node].child[0] == kNone; }
  std::uint32_t leaf(std::uint32_t state) const { return state == kSink ? kSinkLeaf : leaf_[state]; }

  std::uint32_t add_inner(Trace discriminator, std::uint32_t no, std::uint32_t yes);
  // Puts a node in the place of a leaf, in place: what pointed to the leaf now points to the node. The leaf's
  // state and a new one become its children; `new_side` is the new state's answer.
  void split_leaf(std::uint32_t leaf, Trace discriminator, std::uint32_t new_state, bool new_side);
  void set_children(std::uint32_t node, std::uint32_t no, std::uint32_t yes);

  // Goes down from a node as long as the node is no leaf and further(node) is true.
  template <class Further>
  std::uint32_t sift(Asker& ask, std::uint32_t node, Word word, Word letter, Further further) const {
    while (!is_leaf(node) && further(nodes_[node]))
      node = nodes_[node].child[ask(word, letter, nodes_[node].discriminator)];
    return node;
  }
  std::uint32_t sift(Asker& ask, std::uint32_t node, Word word, Word letter = {}) const {
    return sift(ask, node, word, letter, [](const Node&) { return true; });
  }

  std::uint32_t common_ancestor(std::uint32_t a, std::uint32_t b) const;
  bool side(std::uint32_t ancestor, std::uint32_t node) const;  // which child of the ancestor the node lies below

 private:
  static constexpr std::uint32_t kSinkLeaf = 1;
  std::uint32_t depth(std::uint32_t node) const;
  std::uint32_t add_leaf(std::uint32_t state);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> leaf_;  // by state
};

}  // namespace surety
