#include "learn/kearns_vazirani.hpp"

namespace surety {

// A leaf that was split is an inner node now, so only steps that led to it are sifted on.
void KearnsVazirani::close() {
  target_.resize(next_.size(), DiscriminationTree::kRoot);
  for (std::uint32_t s = 0; s < access_.size() && !teacher_.stopped(); ++s)
    for (std::uint32_t letter = 0; letter < letters_; ++letter) {
      auto& target = target_[place(s, letter)];
      target = tree_.sift(ask_, target, access_[s], action(letter));
      next_[place(s, letter)] = tree_[target].state;
    }
}

// What leads to a prefix's new state may still lead to the old one. Then the hypothesis is wrong about the access word
// itself, and might have states that nothing leads to: we go on until all access words lead where they belong.
void KearnsVazirani::split(Word w, bool truth) {
  divide(w, truth ? state_of(w) : kSink);
  for (std::uint32_t s = 0; s < access_.size() && !teacher_.stopped(); ++s)
    if (run(access_[s]).back() != s) {
      divide(Trace(access_[s]), s);
      s = 0;
    }
}

void KearnsVazirani::divide(Word w, std::uint32_t sifted) {
  const auto path = run(w);
  std::size_t low = 0, high = w.size();  // after low letters the sifted state is path[low], after high it is `sifted`
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    const auto state = state_of(w.first(middle));
    if (state == path[middle]) {
      low = middle;
    } else {
      high = middle;
      sifted = state;
    }
  }
  if (teacher_.stopped()) return;
  const auto ancestor = tree_.common_ancestor(tree_.leaf(path[high]), tree_.leaf(sifted));
  const bool side = tree_.side(ancestor, tree_.leaf(sifted));  // what the new state answers
  Trace discriminator = concat(w.subspan(low, 1), tree_[ancestor].discriminator);
  const auto state = add_state(Trace(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(low)));
  tree_.split_leaf(tree_.leaf(path[low]), std::move(discriminator), state, side);
  close();
}

}  // namespace surety
