// Strong bisimulation in O(m log n): Paige and Tarjan (1987), with labels and
// refinable partitions as in Valmari (2009).
//
// States are in classes; the steps are in *bundles* (same action, targets in the
// same class), and bundles form *groups* (same action). The invariant: if one state
// of a class has a step in a group, all of its states have. When all groups have
// but one bundle, this says that the classes are a bisimulation.
//
// While some group has two bundles or more, a bundle with at most half of its steps
// leaves and becomes a group of its own. To restore the invariant, each class is
// split in three: states without a step in the new group, states with steps in
// both, states with steps in the new group only. The last two are told apart by
// counting: for each state and group there is one counter of the steps it has
// there. A class that splits takes its bundles along: those into the smaller half
// become new ones. A step moves only when its group or its target's class at least
// halves, hence m log n.
//
// Before that, a few plain rounds: states stay together if they had the same class and
// have the same steps into the same classes. A round looks at every step of the states
// that are not yet alone. Most LTSs are done after a few, and this is much cheaper than
// moving their bundles one by one; a long line is not, so the rounds have a limit.
//
// On a deterministic LTS this is Hopcroft's algorithm: a state has at most one step
// an action, so none has steps in both groups and the counting split never fires.
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.hpp"
#include "model/minimise.hpp"
#include "model/partition.hpp"
#include "model/quotient.hpp"
#include "model/sequence_table.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

// All steps of an LTS, numbered by target: those into state s are first_into[s] .. first_into[s+1].
struct Steps {
  explicit Steps(const Lts& lts);

  struct Step {
    std::uint32_t source;
    std::uint32_t counter;  // steps with the same source and in the same group share one
  };
  std::vector<std::uint32_t> first_into;
  std::vector<Step> steps;
  std::vector<std::uint32_t> count;  // by counter: how many share it
  std::vector<std::uint32_t> label;  // by step: its action; the actions that occur are numbered from 0
  std::uint32_t labels = 0;
};

Steps::Steps(const Lts& lts)
    : first_into(lts.state_count() + 1ULL, 0), steps(lts.transition_count()), label(lts.transition_count()) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const auto& step : lts.steps(State{s})) ++first_into[step.target.value + 1ULL];
  std::partial_sum(first_into.begin(), first_into.end(), first_into.begin());

  const auto& alphabet = lts.alphabet();
  std::vector<std::uint32_t> label_of(alphabet.empty() ? 1 : alphabet[alphabet.size() - 1].value + 1ULL, kNone);
  auto place = first_into;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    Action before{kNone};
    for (const auto& [action, target] : lts.steps(State{s})) {
      if (label_of[action.value] == kNone) label_of[action.value] = labels++;
      if (action != before) count.push_back(0);
      before = action;
      const std::uint32_t t = place[target.value]++;
      steps[t] = {s, static_cast<std::uint32_t>(count.size() - 1)};
      label[t] = label_of[action.value];
      ++count.back();
    }
  }
}

// Classes of states, refined by rounds (Kanellakis and Smolka 1983).
class Rounds {
 public:
  explicit Rounds(const Lts& lts);

  // True if the classes are stable; false if the work was more than it is worth. Then at least the states of
  // a class have steps with the same actions.
  bool run(Budget* budget);
  const std::vector<std::uint32_t>& classes() const { return class_; }
  std::uint32_t class_count() const { return static_cast<std::uint32_t>(size_.size()); }

 private:
  bool round();
  const std::vector<std::uint32_t>& signature(std::uint32_t s);

  const Lts& lts_;
  std::vector<std::uint32_t> class_;      // by state
  std::vector<std::uint32_t> size_;       // by class
  std::vector<std::uint32_t> undecided_;  // the states that are not alone in their class
  std::uint64_t work_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> moves_;
  std::vector<std::uint32_t> signature_;
};

// Error and END have classes of their own.
Rounds::Rounds(const Lts& lts) : lts_(lts), class_(lts.state_count(), 0), undecided_(lts.state_count()) {
  std::iota(undecided_.begin(), undecided_.end(), 0);
  const std::uint32_t special = lts.error().has_value() + lts.end().has_value();
  if (lts.state_count() > special) size_.push_back(lts.state_count() - special);
  for (const auto& s : {lts.error(), lts.end()}) {
    if (!s) continue;
    class_[s->value] = class_count();
    size_.push_back(1);
  }
}

bool Rounds::run(Budget* budget) {
  const std::uint64_t worth = 4 * (lts_.transition_count() + lts_.state_count());
  while (go_on(budget) && round())
    if (work_ > worth) return false;
  return true;
}

// Splits all classes at once; returns whether any was split.
bool Rounds::round() {
  std::erase_if(undecided_, [&](std::uint32_t s) { return size_[class_[s]] == 1; });
  SequenceTable groups;
  std::vector<std::uint32_t> group_of, new_class;  // by undecided state, by group
  std::vector<bool> met(size_.size(), false);      // by old class: its first group keeps the number
  const std::uint32_t before = class_count();
  for (const std::uint32_t s : undecided_) {
    const std::uint32_t group = groups.intern(signature(s));
    group_of.push_back(group);
    if (group < new_class.size()) continue;
    new_class.push_back(met[class_[s]] ? class_count() : class_[s]);
    if (met[class_[s]]) size_.push_back(0);
    met[class_[s]] = true;
  }
  for (std::size_t i = 0; i < undecided_.size(); ++i) {
    std::uint32_t& c = class_[undecided_[i]];
    --size_[c];
    c = new_class[group_of[i]];
    ++size_[c];
  }
  return class_count() > before;
}

// The class of s, and its actions with the classes they lead to.
const std::vector<std::uint32_t>& Rounds::signature(std::uint32_t s) {
  moves_.clear();
  for (const Step& step : lts_.steps(State{s})) moves_.emplace_back(step.action.value, class_[step.target.value]);
  work_ += moves_.size() + 1;
  std::sort(moves_.begin(), moves_.end());
  moves_.erase(std::unique(moves_.begin(), moves_.end()), moves_.end());
  signature_ = {class_[s]};
  for (const auto& [action, to] : moves_) signature_.insert(signature_.end(), {action, to});
  return signature_;
}

class StrongRefinement {
 public:
  // The states of a class have steps with the same actions. Error and END are alone.
  StrongRefinement(const Lts& lts, Partition first);
  std::vector<std::uint32_t> run(Budget* budget);

 private:
  void move_out(std::uint32_t bundle);
  void split_states();
  void mark_steps_into(std::uint32_t state_class);
  void split_bundles();
  std::uint32_t new_counter();

  Steps steps_;
  Partition states_;
  Partition bundles_;                  // of steps
  Groups groups_;                      // of bundles
  std::vector<std::uint32_t> unused_;  // counters that are 0

  struct Source {
    std::uint32_t state;
    std::uint32_t rest;  // the counter of its steps that stay in the old group
  };
  std::vector<Source> sources_;         // of the bundle that moves out
  std::vector<std::uint32_t> counter_;  // by state: its counter for the new group, or kNone
};

StrongRefinement::StrongRefinement(const Lts& lts, Partition first)
    : steps_(lts),
      states_(std::move(first)),
      bundles_(steps_.label, steps_.labels),  // one bundle per label: right for one class only
      groups_(steps_.labels),
      counter_(lts.state_count(), kNone) {
  steps_.label = {};
  for (std::uint32_t c = 1; c < states_.class_count(); ++c) {
    mark_steps_into(c);
    split_bundles();
  }
}

std::vector<std::uint32_t> StrongRefinement::run(Budget* budget) {
  // Until all groups are single, or no two states are equal.
  for (std::uint32_t i = 1; !groups_.all_single() && states_.class_count() < counter_.size(); ++i) {
    if (i % 256 == 0 && !go_on(budget)) break;
    move_out(groups_.take_smaller(bundles_).of_class);
  }
  return states_.classes();
}

// The bundle has become a group of its own; splits the classes of states accordingly.
void StrongRefinement::move_out(std::uint32_t bundle) {
  sources_.clear();
  for (const std::uint32_t t : bundles_.elements(bundle)) {
    auto& [s, counter] = steps_.steps[t];
    if (counter_[s] == kNone) {
      counter_[s] = new_counter();
      sources_.push_back({s, counter});
    }
    --steps_.count[counter];
    counter = counter_[s];
    ++steps_.count[counter];
  }

  for (const Source& source : sources_) states_.mark(source.state);
  split_states();
  // The counting split: of the states with steps in the new group, those with none left in the old.
  for (const Source& source : sources_) {
    counter_[source.state] = kNone;
    if (steps_.count[source.rest] > 0) continue;
    states_.mark(source.state);
    unused_.push_back(source.rest);
  }
  split_states();
}

void StrongRefinement::split_states() {
  // Different classes have different bundles, so those of all new classes can be split in one go.
  states_.split_marked([&](std::uint32_t, std::uint32_t fresh) { mark_steps_into(fresh); });
  split_bundles();
}

void StrongRefinement::mark_steps_into(std::uint32_t state_class) {
  for (const std::uint32_t s : states_.elements(state_class))
    for (std::uint32_t t = steps_.first_into[s]; t < steps_.first_into[s + 1ULL]; ++t) bundles_.mark(t);
}

void StrongRefinement::split_bundles() {
  bundles_.split_marked([&](std::uint32_t old, std::uint32_t fresh) { groups_.add(old, fresh); });
}

std::uint32_t StrongRefinement::new_counter() {
  if (unused_.empty()) {
    steps_.count.push_back(0);
    return static_cast<std::uint32_t>(steps_.count.size() - 1);
  }
  const std::uint32_t counter = unused_.back();
  unused_.pop_back();
  return counter;
}

}  // namespace

std::vector<std::uint32_t> strong_classes(const Lts& lts, Budget* budget) {
  check(lts.transition_count() < kNone, "too many steps for 32-bit numbers");
  Rounds rounds(lts);
  if (rounds.run(budget)) return in_order(rounds.classes());
  return in_order(StrongRefinement(lts, Partition(rounds.classes(), rounds.class_count())).run(budget));
}

Lts minimise_strong(const Lts& lts, Budget* budget) { return reachable(merge_equal(lts, strong_classes(lts, budget))); }

}  // namespace surety
