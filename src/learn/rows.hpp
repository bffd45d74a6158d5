// The rows of an observation table, as nodes of a binary tree: level i branches by the answer in column i.
//
// Equal rows are one node, so they are compared and looked up by number, and a new
// column costs a row one step down. The column of the empty word is not stored: its
// answer is yes for every row in the tree, and words outside the language have no row.
#pragma once

#include <array>

#include "learn/hypothesis.hpp"

namespace surety {

struct Row {
  std::uint32_t node = kNone;  // kNone: nothing is known of the word; kSink: it is not in the language
  std::uint32_t columns = 0;   // how many are filled
};

class RowTree {
 public:
  void extend(Row& row, bool answer) {
    auto next = nodes_[row.node].child[answer];
    if (next == kNone) {
      next = nodes_[row.node].child[answer] = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({{kNone, kNone}, row.node});
    }
    row.node = next;
    ++row.columns;
  }
  // The first column in which two different rows of equal length differ.
  std::uint32_t difference(Row a, Row b) const {
    std::uint32_t column = a.columns;
    for (auto x = a.node, y = b.node; x != y; x = nodes_[x].parent, y = nodes_[y].parent) --column;
    return column;
  }
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    std::array<std::uint32_t, 2> child{kNone, kNone};
    std::uint32_t parent = kNone;
  };
  std::vector<Node> nodes_{Node{}};  // the first is the row without columns
};

}  // namespace surety
