#include "model/lts.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace surety {

std::span<const Step> Lts::steps(State s, Action a) const {
  const auto all = steps(s);
  const auto begin = std::lower_bound(all.begin(), all.end(), Step{a, State{0}});
  auto end = begin;
  while (end != all.end() && end->action == a) ++end;
  return {begin, end};
}

Lts LtsBuilder::build() {
  Lts lts;
  lts.error_ = error_;
  lts.end_ = end_;

  // A counting sort by source, in place of a comparison sort of everything.
  lts.first_.assign(states_ + 1ULL, 0);
  for (const auto& raw : raw_) {
    check(raw.from.value < states_ && raw.step.target.value < states_, "a step leaves the states of its LTS");
    ++lts.first_[raw.from.value + 1ULL];
  }
  for (std::size_t s = 0; s < states_; ++s) lts.first_[s + 1] += lts.first_[s];
  lts.steps_.resize(raw_.size());
  auto place = lts.first_;
  for (const auto& raw : raw_) lts.steps_[place[raw.from.value]++] = raw.step;
  raw_ = {};
  place = {};

  // Then each state's few steps are sorted and repetitions dropped.
  std::uint64_t kept = 0;
  std::uint64_t begin = 0;
  for (std::size_t s = 0; s < states_; ++s) {
    const std::uint64_t end = lts.first_[s + 1];
    std::sort(lts.steps_.begin() + static_cast<std::ptrdiff_t>(begin),
              lts.steps_.begin() + static_cast<std::ptrdiff_t>(end));
    const std::uint64_t row = kept;
    for (std::uint64_t i = begin; i < end; ++i)
      if (kept == row || lts.steps_[kept - 1] != lts.steps_[i]) lts.steps_[kept++] = lts.steps_[i];
    lts.first_[s + 1] = kept;
    begin = end;
  }
  lts.steps_.resize(kept);

  // The alphabet: every action is looked at once per step, so mark instead of sorting.
  std::vector<bool> seen;
  auto note = [&](Action a) {
    if (seen.size() <= a.value) seen.resize(a.value + 1ULL, false);
    if (!seen[a.value]) seen[a.value] = true;
  };
  for (const Step& step : lts.steps_) note(step.action);
  for (const Action a : extra_) note(a);
  std::vector<Action> alphabet;
  for (std::uint32_t a = 1; a < seen.size(); ++a)
    if (seen[a]) alphabet.push_back(Action{a});
  lts.alphabet_ = Alphabet(std::move(alphabet));

  check(!error_ || error_ != end_, "a state is both error and end");
  for (const auto& special : {error_, end_})
    check(!special || (special->value < states_ && lts.steps(*special).empty()), "error and end states have no steps");
  *this = LtsBuilder();
  return lts;
}

bool is_deterministic(const Lts& lts) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    const auto steps = lts.steps(State{s});
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps[i].action == kTau || (i > 0 && steps[i].action == steps[i - 1].action)) return false;
  }
  return true;
}

}  // namespace surety
