#include "learn/ttt.hpp"

#include "base/check.hpp"

namespace surety {

std::uint32_t Ttt::target(std::uint32_t s, std::uint32_t letter) {
  steps_.resize(next_.size());
  auto& step = steps_[place(s, letter)];
  if (step.tree_state != kNone) return tree_.leaf(step.tree_state);
  return step.node = tree_.sift(ask_, step.node, access_[s], action(letter),
                                [](const DiscriminationTree::Node& node) { return !node.temporary; });
}

std::uint32_t Ttt::next(std::uint32_t s, std::uint32_t letter) {
  std::uint32_t node = target(s, letter);
  auto& step = steps_[place(s, letter)];
  if (step.tree_state == kNone) {
    if (step.deeper != kNone && step.splits == splits_) node = step.deeper;
    node = step.deeper = tree_.sift(ask_, node, access_[s], action(letter));
    step.splits = splits_;
  }
  return tree_[node].state;
}

void Ttt::close() {
  for (std::uint32_t s = 0; s < access_.size() && !teacher_.stopped(); ++s)
    for (std::uint32_t letter = 0; letter < letters_; ++letter) next_[place(s, letter)] = next(s, letter);
}

void Ttt::split(Word w, bool truth) {
  split_after(0, w, truth);
  while (!blocks_.empty() && !teacher_.stopped()) {
    if (const auto splitter = find_splitter())
      finalise(*splitter);
    else
      contradict(blocks_.back());
  }
  close();
}

void Ttt::split_after(std::uint32_t from, Word w, bool truth) {
  std::vector<std::uint32_t> path{from};
  for (const Action a : w) path.push_back(path.back() == kSink ? kSink : next(path.back(), letter_of(a)));
  const auto wrong = wrong_step(path, w, truth);
  if (teacher_.stopped()) return;
  const auto letter = letter_of(wrong.letter);
  const bool side = ask_(access_[wrong.from], action(letter), wrong.rest);
  if (teacher_.stopped()) return;
  const auto state = add_state(concat(access_[wrong.from], action(letter)));
  steps_[place(wrong.from, letter)].tree_state = state;
  const auto leaf = tree_.leaf(wrong.to);
  tree_.split_leaf(leaf, Trace(wrong.rest.begin(), wrong.rest.end()), state, side);
  tree_[leaf].temporary = true;
  if (!tree_[tree_[leaf].parent].temporary) blocks_.push_back(leaf);
}

void Ttt::contradict(std::uint32_t block) {
  const Trace suffix = tree_[block].discriminator;
  for (const bool truth : {false, true}) {
    std::uint32_t node = tree_[block].child[truth];
    while (!tree_.is_leaf(node)) node = tree_[node].child[0];
    std::uint32_t s = tree_[node].state;
    for (std::size_t i = 0; i < suffix.size() && s != kSink; ++i) s = next(s, letter_of(suffix[i]));
    if (teacher_.stopped()) return;
    if ((s != kSink) != truth) return split_after(tree_[node].state, suffix, truth);
  }
  check(false, "a temporary discriminator neither splits its block nor contradicts the hypothesis");
}

void Ttt::states_below(std::uint32_t node, std::vector<std::uint32_t>& out) const {
  if (tree_.is_leaf(node)) return out.push_back(tree_[node].state);
  for (const auto child : tree_[node].child) states_below(child, out);
}

// The lowest node above what this letter leads to.
std::uint32_t Ttt::separator(const std::vector<std::uint32_t>& states, std::uint32_t letter) {
  std::uint32_t node = target(states[0], letter);
  for (std::size_t i = 1; i < states.size() && node != DiscriminationTree::kRoot; ++i)
    node = tree_.common_ancestor(node, target(states[i], letter));
  return node;
}

// The one with the shortest discriminator.
std::optional<Ttt::Splitter> Ttt::find_splitter() {
  std::optional<Splitter> best;
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    std::vector<std::uint32_t> states;
    states_below(blocks_[block], states);
    for (std::uint32_t letter = 0; letter < letters_; ++letter) {
      const auto node = separator(states, letter);
      if (tree_.is_leaf(node) || tree_[node].temporary) continue;
      if (!best || tree_[node].discriminator.size() < tree_[best->node].discriminator.size())
        best = Splitter{block, letter, node};
    }
  }
  return teacher_.stopped() ? std::nullopt : best;
}

// What is left of a block on one side of its new discriminator; kNone: nothing.
std::uint32_t Ttt::half(std::uint32_t node, bool side, const std::vector<bool>& side_of) {
  if (tree_.is_leaf(node)) return side_of[tree_[node].state] == side ? node : kNone;
  const auto children = tree_[node].child;
  const auto no = half(children[0], side, side_of), yes = half(children[1], side, side_of);
  if (no == kNone) return yes;
  if (yes == kNone) return no;
  const auto both = tree_.add_inner(Trace(tree_[node].discriminator), no, yes);
  tree_[both].temporary = true;
  return both;
}

// The root of the block stays where it is, now final: the steps that lead to it are sifted on from there.
void Ttt::finalise(const Splitter& splitter) {
  const auto root = blocks_[splitter.block];
  ++splits_;
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(splitter.block));
  std::vector<std::uint32_t> states;
  states_below(root, states);
  std::vector<bool> side_of(access_.size());
  for (const auto s : states) side_of[s] = tree_.side(splitter.node, target(s, splitter.letter));

  const auto no = half(root, false, side_of), yes = half(root, true, side_of);
  tree_.set_children(root, no, yes);
  tree_[root].discriminator = concat(action(splitter.letter), tree_[splitter.node].discriminator);
  tree_[root].temporary = false;
  for (const auto child : {no, yes})
    if (!tree_.is_leaf(child)) blocks_.push_back(child);
}

}  // namespace surety
