// The circular rule in the checker's own words, with a search of its own: M1 || ...
// || Mn satisfies P if the guarantees together satisfy P, and every Mi, in a run in
// which all guarantees have been kept so far, keeps its own with the next step.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "certify/rules.hpp"

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;

// Where the components of Mi and all guarantees are, in all runs that have kept every guarantee so far.
class KeptSoFar {
 public:
  KeptSoFar(const std::vector<const Lts*>& side, const std::vector<Lts>& guarantees, std::size_t mine, Budget& budget)
      : side_(side),
        guarantees_(guarantees),
        mine_(mine),
        budget_(budget),
        charge_(budget),
        participants_(side),
        actions_(participants_.alphabet()) {
    for (const Lts& g : guarantees) actions_ = unite(actions_, g.alphabet());
  }

  // A trace whose last step breaks this guarantee; accepted if there is none.
  Judgement run() {
    if (std::any_of(side_.begin(), side_.end(), [](const Lts* lts) { return lts->state_count() == 0; }))
      return {Kind::accepted, {}, {}, 0};  // Mi has no trace at all
    if (guarantees_[mine_].state_count() == 0) return {Kind::refused, "the empty trace breaks the guarantee", {}, 0};
    if (std::any_of(guarantees_.begin(), guarantees_.end(), [](const Lts& g) { return g.state_count() == 0; }))
      return {Kind::accepted, {}, {}, 0};  // another guarantee is never kept, for others to answer for
    meet(Tuple(side_.size() + guarantees_.size(), State{0}), 0, kTau);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (i % 256 == 0) may_go_on();
      if (budget_.why() != Stop::none) return {Kind::unfinished, describe(budget_.why()), {}, queue_.size()};
      const Tuple now = queue_[i]->first;
      for (std::size_t c = 0; c < side_.size(); ++c)
        for (const Step& step : side_[c]->steps(now[c], kTau)) {
          Tuple next = now;
          next[c] = step.target;
          meet(std::move(next), i, kTau);
        }
      for (const Action a : actions_) {
        if (budget_.why() != Stop::none) break;
        if (breaks(i, now, a)) return {Kind::refused, "the guarantee is broken", trace_to(i, a), queue_.size()};
      }
    }
    if (budget_.why() != Stop::none) return {Kind::unfinished, describe(budget_.why()), {}, queue_.size()};
    return {Kind::accepted, {}, {}, queue_.size()};
  }

 private:
  struct Origin {
    std::size_t from;
    Action by;
  };

  // Takes every step by this action, unless Mi cannot. True: it breaks this guarantee, whatever it does to others.
  bool breaks(std::size_t index, const Tuple& now, Action a) {
    auto nexts = joint_steps(side_, participants_.of(a), now, a, [&](std::uint64_t more) { return may_go_on(more); });
    if (nexts.empty()) return false;
    const auto lacks = [&](std::size_t j) {
      const Lts& g = guarantees_[j];
      return g.alphabet().contains(a) && g.steps(now[side_.size() + j], a).empty();
    };
    if (lacks(mine_)) return true;
    looked_ += guarantees_.size();
    if (looked_ >= 4096) {
      looked_ = 0;
      if (!may_go_on()) return false;
    }
    for (std::size_t j = 0; j < guarantees_.size(); ++j) {
      if (lacks(j)) return false;  // the run ends here: what follows need not be kept
      if (!guarantees_[j].alphabet().contains(a)) continue;
      const State target = guarantees_[j].steps(now[side_.size() + j], a).front().target;
      for (Tuple& next : nexts) next[side_.size() + j] = target;
    }
    for (Tuple& next : nexts) meet(std::move(next), index, a);
    return false;
  }

  void meet(Tuple tuple, std::size_t from, Action by) {
    const auto [it, fresh] = met_.emplace(std::move(tuple), Origin{from, by});
    if (fresh) queue_.push_back(it);
  }

  bool may_go_on(std::uint64_t more = 0) {
    const std::uint64_t each = 128 + 8ULL * (side_.size() + guarantees_.size());
    if (!charge_.grow_to((queue_.size() + 2 * more) * each)) budget_.stop(Stop::memory);
    return budget_.go_on();
  }

  Trace trace_to(std::size_t index, Action last) const {
    Trace trace{last};
    for (; index != 0; index = queue_[index]->second.from) trace.push_back(queue_[index]->second.by);
    std::reverse(trace.begin(), trace.end());
    return trace;
  }

  const std::vector<const Lts*>& side_;
  const std::vector<Lts>& guarantees_;
  std::size_t mine_;
  Budget& budget_;
  Charge charge_;
  Participants participants_;
  Alphabet actions_;        // of Mi and of all guarantees
  std::size_t looked_ = 0;  // at guarantees, since the budget was asked
  std::map<Tuple, Origin> met_;
  std::vector<std::map<Tuple, Origin>::const_iterator> queue_;
};

}  // namespace

Judgement check_circular(const RuleInstance& instance, Budget& budget) {
  const std::size_t n = instance.sides.size();
  if (n < 2) return refuse("rule circular needs two sides or more");
  if (instance.assumptions.size() != n) return refuse("rule circular needs a guarantee per side");
  std::uint64_t states = 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto judgement = KeptSoFar(instance.sides[i], instance.assumptions, i, budget).run();
    const std::string name = fmt::format("premise {0}, about M{0},", i + 1);
    tell_premise(instance.tell, name, judgement);
    states += judgement.states;
    if (judgement.kind == Kind::accepted) continue;
    if (judgement.kind == Kind::refused) judgement.reason = fmt::format("{} does not hold: {}", name, judgement.reason);
    judgement.states = states;
    return judgement;
  }
  Question together{.property = instance.properties[0]};
  for (const Lts& g : instance.assumptions) together.components.push_back(&g);
  return premise("the closing premise, g1 || ... || gn <P>,", together, budget, states, instance.tell);
}

}  // namespace surety::certify
