// Trace equivalence by a walk through pairs; bisimulation by refinement, then a game.
//
// For traces, both sides are made deterministic and walked through together,
// breadth first: the first pair of states that differ ends a shortest word. For
// bisimulation, both are minimised and put side by side; the classes of the whole
// say whether their initial states are equivalent, and if they are not, the game of
// `bisimulation_game` says why.
#include "model/equivalence.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "model/automata.hpp"
#include "model/bisimulation_game.hpp"
#include "model/minimise.hpp"
#include "model/sequence_table.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

constexpr Action kNoAction{UINT32_MAX};

// Walks through two deterministic LTSs at the same time.
class PairWalk {
 public:
  PairWalk(const Lts& a, const Lts& b, Budget* budget) : a_(a), b_(b), budget_(budget) {}

  std::optional<Difference> run() {
    meet(a_.initial(), b_.initial(), 0, kNoAction);
    for (std::uint32_t pair = 0; pair < pairs_.size() && !difference_ && go_on(budget_); ++pair) {
      const auto states = pairs_[pair];
      compare_steps(pair, a_.steps(State{states[0]}), b_.steps(State{states[1]}));
    }
    return std::move(difference_);
  }

 private:
  struct Origin {
    std::uint32_t pair;
    Action action;
  };

  // Goes through two sorted lists; stops at the first action that only one has.
  void compare_steps(std::uint32_t pair, std::span<const Step> left, std::span<const Step> right) {
    for (std::size_t i = 0; i < std::max(left.size(), right.size()) && !difference_; ++i) {
      const Action l = i < left.size() ? left[i].action : kNoAction;
      const Action r = i < right.size() ? right[i].action : kNoAction;
      if (l != r)
        report(pair, std::min(l, r), l < r, true);
      else
        meet(left[i].target, right[i].target, pair, l);
    }
  }

  void meet(State p, State q, std::uint32_t from, Action a) {
    const bool error = (p == a_.error()) != (q == b_.error());
    const bool end = (p == a_.end()) != (q == b_.end());
    if (error || end) return report(from, a, p == a_.error() || p == a_.end(), false);
    if (pairs_.intern(std::array{p.value, q.value}) == origin_.size()) origin_.push_back({from, a});
  }

  void report(std::uint32_t pair, Action last, bool first_has_it, bool by_trace) {
    Trace word;
    for (; last != kNoAction; last = origin_[pair].action, pair = origin_[pair].pair) word.push_back(last);
    std::reverse(word.begin(), word.end());
    difference_ = Difference{std::move(word), first_has_it, by_trace};
  }

  const Lts &a_, &b_;
  Budget* budget_;
  SequenceTable pairs_;
  std::vector<Origin> origin_;  // by pair; the first has no action
  std::optional<Difference> difference_;
};

struct SideBySide {
  Lts lts;
  State second;  // the initial state of b
};

// The states of a, then those of b. Error and END have no steps and are equal to their like: they are shared.
SideBySide side_by_side(const Lts& a, const Lts& b) {
  std::vector<State> place(b.state_count());
  std::uint32_t n = a.state_count();
  for (std::uint32_t s = 0; s < b.state_count(); ++s) {
    if (State{s} == b.error() && a.error())
      place[s] = *a.error();
    else if (State{s} == b.end() && a.end())
      place[s] = *a.end();
    else
      place[s] = State{n++};
  }
  LtsBuilder builder;
  builder.set_state_count(n);
  for (std::uint32_t s = 0; s < a.state_count(); ++s)
    for (const Step& step : a.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
  for (std::uint32_t s = 0; s < b.state_count(); ++s)
    for (const Step& step : b.steps(State{s})) builder.add_step(place[s], step.action, place[step.target.value]);
  const auto both = [&](std::optional<State> of_a, std::optional<State> of_b) {
    return of_a || !of_b ? of_a : place[of_b->value];
  };
  if (const auto error = both(a.error(), b.error())) builder.set_error(*error);
  if (const auto end = both(a.end(), b.end())) builder.set_end(*end);
  return {builder.build(), place[b.initial().value]};
}

// Follows the word through all the states it may lead to.
bool has_trace(const Lts& lts, Word word) {
  std::vector<State> now{lts.initial()};
  std::vector<bool> seen(lts.state_count(), false);
  const auto add = [&](std::vector<State>& set, State s) {
    if (seen[s.value]) return;
    seen[s.value] = true;
    set.push_back(s);
  };
  seen[lts.initial().value] = true;
  for (std::size_t i = 0;; ++i) {
    for (std::size_t k = 0; k < now.size(); ++k)
      for (const Step& step : lts.steps(now[k], kTau)) add(now, step.target);
    for (const State s : now) seen[s.value] = false;
    if (i == word.size() || now.empty()) return !now.empty();
    std::vector<State> next;
    for (const State s : now)
      for (const Step& step : lts.steps(s, word[i])) add(next, step.target);
    now = std::move(next);
  }
}

std::optional<Difference> by_bisimulation(const Lts& a, const Lts& b, Equivalence equivalence, Budget* budget) {
  const bool weak = equivalence == Equivalence::weak;
  const auto minimise = weak ? minimise_weak : minimise_strong;
  const Lts left = minimise(a, budget), right = minimise(b, budget);
  const auto [both, second] = side_by_side(left, right);
  const auto classes = weak ? weak_classes(both, budget) : strong_classes(both, budget);
  if (!go_on(budget)) return std::nullopt;
  if (classes[both.initial().value] == classes[second.value]) return std::nullopt;

  Play play = winning_play(both, both.initial(), second, equivalence);
  // The side that moved last has done the whole play. Can the other, if it may choose its answers again?
  Trace word = play.moves;
  std::erase(word, kTau);
  const bool by_trace = !has_trace(play.first ? right : left, word);
  return Difference{std::move(play.moves), play.first, by_trace};
}

}  // namespace

std::optional<Difference> difference(const Lts& a, const Lts& b, Equivalence equivalence, Budget* budget) {
  if (a.state_count() == 0 && b.state_count() == 0) return std::nullopt;
  if (a.state_count() == 0 || b.state_count() == 0) return Difference{{}, a.state_count() > 0, true};
  if (equivalence != Equivalence::trace) return by_bisimulation(a, b, equivalence, budget);
  const Lts left = determinise(a, budget), right = determinise(b, budget);
  return PairWalk(left, right, budget).run();
}

}  // namespace surety
