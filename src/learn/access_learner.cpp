#include "learn/access_learner.hpp"

#include <utility>

#include "base/check.hpp"

namespace surety {

void AccessLearner::begin() {
  if (std::exchange(begun_, true) || !ask_({})) return;  // the empty language has no states
  add_state({});
  close();
}

const Lts& AccessLearner::hypothesis() {
  begin();
  hypothesis_ = to_lts(teacher_.alphabet(), next_, static_cast<std::uint32_t>(access_.size()));
  return hypothesis_;
}

std::uint32_t AccessLearner::add_state(Trace access) {
  access_.push_back(std::move(access));
  next_.resize(next_.size() + letters_, kNone);
  return static_cast<std::uint32_t>(access_.size() - 1);
}

std::vector<std::uint32_t> AccessLearner::run(Word w) const {
  std::vector<std::uint32_t> path{access_.empty() ? kSink : 0};
  path.reserve(w.size() + 1);
  for (const Action a : w) path.push_back(path.back() == kSink ? kSink : next_[place(path.back(), letter_of(a))]);
  return path;
}

bool AccessLearner::accepts(Word w) const {
  if (access_.empty()) return false;
  std::uint32_t s = 0;
  for (const Action a : w)
    if ((s = next_[place(s, letter_of(a))]) == kSink) return false;
  return true;
}

void AccessLearner::refine(Word w) {
  begin();
  counterexamples_.push_back({Trace(w.begin(), w.end()), ask_(w)});
  // From the newest to the oldest, and again from the newest after a split.
  for (std::size_t i = counterexamples_.size(); i > 0 && !teacher_.stopped();) {
    const auto& known = counterexamples_[--i];
    if (accepts(known.word) == known.truth) continue;
    const auto before = access_.size();
    split(known.word, known.truth);
    if (teacher_.stopped()) return;
    check(access_.size() > before, "a counterexample did not add a state");
    i = counterexamples_.size();
  }
}

AccessLearner::WrongStep AccessLearner::wrong_step(std::span<const std::uint32_t> path, Word w, bool truth) {
  auto answer = [&](std::size_t i) { return path[i] != kSink && ask_(access_[path[i]], w.subspan(i)); };
  std::size_t low = 0, high = w.size();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    if (answer(middle) == truth)
      low = middle;
    else
      high = middle;
  }
  return {path[low], path[high], w[low], w.subspan(high)};
}

}  // namespace surety
