// A simulation, found by choices. A pair is a state of what is simulated and one of A that should follow it. For every
// step of the former a pair chooses a step of A, and so another pair. A pair without a choice is bad, and those that
// chose it choose again. What is not bad in the end, and was reached from the initial pair, is a simulation.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "certify/certify.hpp"

namespace surety::certify {

class Pairs {
 public:
  using Number = std::uint32_t;
  struct Pair {
    Number state;  // of what is simulated
    State by;      // of A
    bool bad = false;
    Number users = kNone;  // those that chose it: a list in uses_
  };

  std::size_t size() const { return pairs_.size(); }
  std::uint64_t bytes() const {
    return pairs_.capacity() * sizeof(Pair) + uses_.capacity() * sizeof(Use) +
           (table_.capacity() + todo_.capacity()) * sizeof(Number);
  }
  const Pair& operator[](Number p) const { return pairs_[p]; }

  // The number of a pair, which is looked at some time if it is new. The initial one comes first.
  Number number(Number state, State by) {
    if (2 * (pairs_.size() + 1) > table_.size()) grow();
    Number& slot = slot_of(state, by);
    if (slot == kNone) {
      slot = static_cast<Number>(pairs_.size());
      pairs_.push_back({state, by});
      todo_.push_back(slot);
    }
    return slot;
  }

  void choose(Number choice, Number user) {
    Number& users = pairs_[choice].users;
    if (users != kNone && uses_[users].user == user) return;
    uses_.push_back({user, users});
    users = static_cast<Number>(uses_.size() - 1);
  }

  // `has_choices(p)` makes the choices of a pair; false: for some step there is nothing to choose. accepted: the
  // initial pair is not bad.
  template <class HasChoices>
  Judgement settle(HasChoices has_choices, const Budget& budget, const std::string& refusal) {
    using Kind = Judgement::Kind;
    while (!todo_.empty()) {
      const Number p = todo_.back();
      todo_.pop_back();
      const bool chosen = pairs_[p].bad || has_choices(p);
      if (budget.why() != Stop::none) return {Kind::unfinished, describe(budget.why()), {}, pairs_.size()};
      if (chosen) continue;
      pairs_[p].bad = true;
      if (p == 0) return {Kind::refused, refusal, {}, pairs_.size()};
      for (Number use = std::exchange(pairs_[p].users, kNone); use != kNone; use = uses_[use].next)
        todo_.push_back(uses_[use].user);
    }
    return {Kind::accepted, {}, {}, pairs_.size()};
  }

 private:
  static constexpr Number kNone = UINT32_MAX;
  struct Use {
    Number user, next;
  };

  // Where the number of a pair is, or would be.
  Number& slot_of(Number state, State by) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = ((std::uint64_t{state} << 32 | by.value) * 0x9e3779b97f4a7c15ULL >> 32) & mask;
    while (table_[at] != kNone && (pairs_[table_[at]].state != state || pairs_[table_[at]].by != by))
      at = (at + 1) & mask;
    return table_[at];
  }
  void grow() {
    table_.assign(std::max<std::size_t>(16, 2 * table_.size()), kNone);
    for (Number p = 0; p < pairs_.size(); ++p) slot_of(pairs_[p].state, pairs_[p].by) = p;
  }

  std::vector<Number> table_;  // of pairs, by a hash; half of it is kNone
  std::vector<Pair> pairs_;
  std::vector<Use> uses_;
  std::vector<Number> todo_;
};

}  // namespace surety::certify
