#include "learn/tree.hpp"

namespace surety {

DiscriminationTree::DiscriminationTree(std::uint32_t initial) : nodes_(1) {
  const auto sink = add_leaf(kSink);
  const auto first = add_leaf(initial);
  set_children(kRoot, sink, first);
}

std::uint32_t DiscriminationTree::add_leaf(std::uint32_t state) {
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back().state = state;
  if (state == kSink) return node;
  if (leaf_.size() <= state) leaf_.resize(state + 1, kNone);
  return leaf_[state] = node;
}

std::uint32_t DiscriminationTree::add_inner(Trace discriminator, std::uint32_t no, std::uint32_t yes) {
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back().discriminator = std::move(discriminator);
  set_children(node, no, yes);
  return node;
}

void DiscriminationTree::set_children(std::uint32_t node, std::uint32_t no, std::uint32_t yes) {
  nodes_[node].child = {no, yes};
  nodes_[no].parent = nodes_[yes].parent = node;
}

void DiscriminationTree::split_leaf(std::uint32_t leaf, Trace discriminator, std::uint32_t new_state, bool new_side) {
  const auto old_leaf = add_leaf(nodes_[leaf].state);
  const auto new_leaf = add_leaf(new_state);
  nodes_[leaf].state = kNone;
  nodes_[leaf].discriminator = std::move(discriminator);
  set_children(leaf, new_side ? old_leaf : new_leaf, new_side ? new_leaf : old_leaf);
}

std::uint32_t DiscriminationTree::depth(std::uint32_t node) const {
  std::uint32_t d = 0;
  while ((node = nodes_[node].parent) != kNone) ++d;
  return d;
}

std::uint32_t DiscriminationTree::common_ancestor(std::uint32_t a, std::uint32_t b) const {
  auto da = depth(a), db = depth(b);
  for (; da > db; --da) a = nodes_[a].parent;
  for (; db > da; --db) b = nodes_[b].parent;
  for (; a != b; a = nodes_[a].parent) b = nodes_[b].parent;
  return a;
}

bool DiscriminationTree::side(std::uint32_t ancestor, std::uint32_t node) const {
  while (nodes_[node].parent != ancestor) node = nodes_[node].parent;
  return nodes_[ancestor].child[1] == node;
}

}  // namespace surety
