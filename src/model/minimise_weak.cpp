// Weak bisimulation (Milner 1980) without the saturated relation.
//
// Weakly, s can move by a to every state at the end of a path tau* a tau*. The
// textbook way stores all these moves and runs a strong algorithm on them, which
// takes quadratic memory. Here they are never stored, but found again by searches.
//
// The frame is that of Paige and Tarjan (1987): classes of states in groups, such that
// the states of a class agree on which groups they can move into. A class C with at
// most half of its group leaves it; then states must agree on C and on the rest of the
// group. Where Paige and Tarjan count, we search, twice:
//
//   backwards from C, along tau* a tau*, for the states that can move into C;
//   forwards from these, for those that can move into the rest as well.
//
// A state that cannot move into C needs no second search: whether it can move into
// the rest is whether it could move into the group.
//
// Two things make this fast where silent steps reach far. Tau cycles are merged
// first, so silent steps form no cycle, and one pass in their order closes a set. And
// 64 classes leave their groups at once: a search carries a mask of the classes (or
// of the groups) that can be moved into, and classes are split until their states
// have equal masks. Strong bisimulation, run before, is cheap and often leaves little
// to do. Memory is O(m); time is O(nm) at worst, but a search only sees what can move
// into its classes.
//
// END counts as a visible action of its own: states are split by whether they can end after tau steps.
// Error is told apart as a state, so a silent step to error is not error.
#include <algorithm>
#include <numeric>
#include <utility>

#include "model/minimise.hpp"
#include "model/partition.hpp"
#include "model/quotient.hpp"
#include "model/tau_components.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

// The same LTS with its states numbered such that tau steps lead to smaller numbers. It has no tau cycle.
Lts in_silent_order(const Lts& lts, const std::vector<std::uint32_t>& number) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  builder.reserve(lts.transition_count());
  builder.add_to_alphabet(lts.alphabet());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      builder.add_step(State{number[s]}, step.action, State{number[step.target.value]});
  if (lts.error()) builder.set_error(State{number[lts.error()->value]});
  if (lts.end()) builder.set_end(State{number[lts.end()->value]});
  return builder.build();
}

class WeakRefinement {
 public:
  explicit WeakRefinement(const Lts& lts);  // without tau cycles
  std::vector<std::uint32_t> run(Budget* budget);

 private:
  using Mask = std::uint64_t;
  static constexpr std::uint32_t kMostInMask = 64;
  using Set = std::vector<std::uint32_t>;
  struct Edge {
    std::uint32_t source;
    Action action;
  };
  struct Source {
    std::uint32_t state;
    Mask mask;
  };
  struct Pair {
    std::uint32_t source, target;
  };
  struct Poll {  // of the states of a class
    std::uint32_t voters = 0;
    std::pair<Mask, Mask> vote;  // of the first
    bool divided = false;        // not all have voted the same
  };

  void build_edges();
  void build_pairs();
  void first_classes();
  void take_classes();
  void split_by_silent_moves();
  void split_by_visible_moves();

  // Backwards.
  void add(std::uint32_t s, Mask mask, Set& set);
  void add_silent_predecessors(Set& set);
  void note_sources(const Set& targets);
  std::span<const Edge> into(std::uint32_t s) const {
    return {edges_.data() + first_[s], edges_.data() + first_[s + 1ULL]};
  }

  // Forwards.
  template <class Met>
  void add_silent_successors(Set& set, Met met);
  void find_rest(Set set);
  void find_rest_by(Action a, Set set);
  std::span<const Step> from(std::uint32_t s) const { return lts_.steps(State{s}); }
  std::span<const Pair> steps_by(Action a) const {
    return {pairs_.data() + first_pair_[a.value], pairs_.data() + first_pair_[a.value + 1ULL]};
  }

  Set undecided(const Set& set) const;
  Set divided(const Set& set, const std::vector<Mask>& rest);
  void split_by(const Set& set, const std::vector<Mask>& rest);
  void clear(Set& set);

  const std::vector<std::uint32_t> number_;  // by state as the caller numbers them
  const Lts lts_;
  std::vector<std::uint64_t> first_;  // the steps into state s are edges_[first_[s] .. first_[s+1]), tau first
  std::vector<Edge> edges_;
  std::vector<std::uint64_t> first_pair_;  // the steps by action a are pairs_[first_pair_[a] .. first_pair_[a+1])
  std::vector<Pair> pairs_;
  Partition states_;
  Groups groups_;

  // The classes that have left their groups, one bit each, and those groups, one bit each.
  Set taken_;
  Set shrunk_;
  std::vector<Mask> bit_;  // by group: its bit, or 0

  std::vector<Mask> mask_;                 // by state: the classes of taken_ it can move into; 0 between searches
  std::vector<Mask> rest_;                 // by state: the groups of shrunk_ it can silently move into
  std::vector<Mask> via_;                  // by state: those it can move into by an action
  std::vector<std::uint64_t> rest_known_;  // by state: the batch in which rest_ was found
  std::uint64_t batch_ = 0;
  std::vector<std::uint64_t> seen_;  // by state: the last forward search that met it
  std::uint64_t search_ = 0;

  // A search that has met so many states is called off: to go through all states in order is then cheaper.
  const std::size_t large_;

  std::vector<std::vector<Source>> sources_;  // by action: of its steps into the states of a backward search
  std::vector<Action> actions_;               // those with sources
  std::vector<Poll> polls_;                   // by class: what its states say; of no voters between splits
};

WeakRefinement::WeakRefinement(const Lts& lts)
    : number_(tau_components(lts)),
      lts_(in_silent_order(lts, number_)),
      states_(lts.state_count()),
      groups_(states_.class_count()),
      mask_(lts.state_count(), 0),
      rest_(lts.state_count(), 0),
      via_(lts.state_count(), 0),
      rest_known_(lts.state_count(), 0),
      seen_(lts.state_count(), 0),
      large_(std::max<std::size_t>(8, lts.state_count() / 16)),
      sources_(lts.alphabet().empty() ? 1 : lts.alphabet()[lts.alphabet().size() - 1].value + 1ULL) {
  build_edges();
  build_pairs();
  first_classes();
}

std::vector<std::uint32_t> WeakRefinement::run(Budget* budget) {
  // Until all groups are single, or no two states are equal.
  while (!groups_.all_single() && states_.class_count() < mask_.size() && go_on(budget)) {
    take_classes();
    split_by_silent_moves();
    split_by_visible_moves();
  }
  auto classes = number_;
  for (std::uint32_t& c : classes) c = states_.class_of(c);
  return classes;
}

void WeakRefinement::build_edges() {
  first_.assign(lts_.state_count() + 1ULL, 0);
  edges_.resize(lts_.transition_count());
  for (std::uint32_t s = 0; s < lts_.state_count(); ++s)
    for (const Step& step : from(s)) ++first_[step.target.value + 1ULL];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  auto place = first_;
  for (const bool silent : {true, false})
    for (std::uint32_t s = 0; s < lts_.state_count(); ++s)
      for (const Step& step : from(s))
        if ((step.action == kTau) == silent) edges_[place[step.target.value]++] = {s, step.action};
}

void WeakRefinement::build_pairs() {
  first_pair_.assign(sources_.size() + 1, 0);
  pairs_.resize(lts_.transition_count());
  for (std::uint32_t s = 0; s < lts_.state_count(); ++s)
    for (const Step& step : from(s)) ++first_pair_[step.action.value + 1ULL];
  std::partial_sum(first_pair_.begin(), first_pair_.end(), first_pair_.begin());
  auto place = first_pair_;
  for (std::uint32_t s = 0; s < lts_.state_count(); ++s)
    for (const Step& step : from(s)) pairs_[place[step.action.value]++] = {s, step.target.value};
}

// Error is a class, and states agree on whether they can silently end, and on their visible actions.
// So they agree on the moves into the first group, which is all states.
void WeakRefinement::first_classes() {
  Set set;
  if (lts_.error()) {
    add(lts_.error()->value, 1, set);
    split_by(set, rest_);
    clear(set);
  }
  if (lts_.end()) {
    add(lts_.end()->value, 1, set);
    add_silent_predecessors(set);
    split_by(set, rest_);
    clear(set);
  }
  for (std::uint32_t s = 0; s < lts_.state_count(); ++s) add(s, 1, set);
  note_sources(set);
  clear(set);
  split_by_visible_moves();
}

void WeakRefinement::take_classes() {
  for (const std::uint32_t group : shrunk_) bit_[group] = 0;
  taken_.clear();
  shrunk_.clear();
  ++batch_;
  while (!groups_.all_single() && taken_.size() < kMostInMask) {
    const auto [c, group] = groups_.take_smaller(states_);
    taken_.push_back(c);
    bit_.resize(std::max<std::size_t>(bit_.size(), groups_.group_of(c) + 1ULL), 0);
    if (bit_[group] != 0) continue;
    bit_[group] = Mask{1} << shrunk_.size();
    shrunk_.push_back(group);
  }
}

void WeakRefinement::split_by_silent_moves() {
  Set set;
  for (std::size_t i = 0; i < taken_.size(); ++i)
    for (const std::uint32_t s : states_.elements(taken_[i])) add(s, Mask{1} << i, set);
  add_silent_predecessors(set);
  note_sources(set);
  find_rest(undecided(set));
  split_by(set, rest_);
  clear(set);
}

void WeakRefinement::split_by_visible_moves() {
  Set set;
  for (const Action a : actions_) {
    for (const auto& [s, mask] : sources_[a.value]) add(s, mask, set);
    sources_[a.value].clear();
    add_silent_predecessors(set);
    find_rest_by(a, undecided(set));
    split_by(set, via_);
    clear(set);
  }
  actions_.clear();
}

void WeakRefinement::add(std::uint32_t s, Mask mask, Set& set) {
  if (mask_[s] == 0) set.push_back(s);
  mask_[s] |= mask;
}

// Passes the masks on to all states with a tau path into the set, and adds those to it.
void WeakRefinement::add_silent_predecessors(Set& set) {
  for (std::size_t i = 0; i < set.size() && set.size() < large_; ++i)
    for (const Edge& edge : into(set[i])) {
      if (edge.action != kTau) break;
      add(edge.source, mask_[set[i]], set);
    }
  // A mask may have grown after it was passed on. So once more, in the order in which successors come first.
  const auto pass_on = [&](std::uint32_t s) {
    for (const Edge& edge : into(s)) {
      if (edge.action != kTau) break;
      mask_[edge.source] |= mask_[s];
    }
  };
  if (set.size() < large_) {
    std::sort(set.begin(), set.end());
    for (const std::uint32_t s : set) pass_on(s);
    return;
  }
  set.clear();
  for (std::uint32_t s = 0; s < mask_.size(); ++s) {
    if (mask_[s] == 0) continue;
    set.push_back(s);
    pass_on(s);
  }
}

void WeakRefinement::note_sources(const Set& targets) {
  for (const std::uint32_t t : targets)
    for (const Edge& edge : into(t)) {
      if (edge.action == kTau) continue;
      auto& sources = sources_[edge.action.value];
      if (sources.empty()) actions_.push_back(edge.action);
      sources.push_back({edge.source, mask_[t]});
    }
}

// Adds what silent steps reach that met() has not met yet. Successors come first in the result. It is all
// states if it is large.
template <class Met>
void WeakRefinement::add_silent_successors(Set& set, Met met) {
  std::erase_if(set, met);
  for (std::size_t i = 0; i < set.size() && set.size() < large_; ++i)
    for (const Step& step : from(set[i])) {
      if (step.action != kTau) break;
      if (!met(step.target.value)) set.push_back(step.target.value);
    }
  if (set.size() < large_) return std::sort(set.begin(), set.end());
  set.resize(lts_.state_count());
  std::iota(set.begin(), set.end(), 0);
  for (const std::uint32_t s : set) met(s);
}

// Sets rest_ for all states of the set, and all that lie silently behind them.
void WeakRefinement::find_rest(Set set) {
  add_silent_successors(set, [&](std::uint32_t s) { return std::exchange(rest_known_[s], batch_) == batch_; });
  for (const std::uint32_t s : set) {
    rest_[s] = bit_[groups_.group_of(states_.class_of(s))];
    for (const Step& step : from(s)) {
      if (step.action != kTau) break;
      rest_[s] |= rest_[step.target.value];
    }
  }
}

// Sets via_ for all states of the set, and all that lie silently behind them.
void WeakRefinement::find_rest_by(Action a, Set set) {
  if (shrunk_.empty()) return;
  ++search_;
  add_silent_successors(set, [&](std::uint32_t s) { return std::exchange(seen_[s], search_) == search_; });
  for (const std::uint32_t s : set) via_[s] = 0;
  if (set.size() < lts_.state_count()) {
    Set targets;
    for (const std::uint32_t s : set)
      for (const Step& step : lts_.steps(State{s}, a)) targets.push_back(step.target.value);
    find_rest(std::move(targets));
    for (const std::uint32_t s : set)
      for (const Step& step : lts_.steps(State{s}, a)) via_[s] |= rest_[step.target.value];
  } else {
    find_rest(set);
    for (const auto& [s, t] : steps_by(a)) via_[s] |= rest_[t];
  }
  for (const std::uint32_t s : set)
    for (const Step& step : from(s)) {
      if (step.action != kTau) break;
      via_[s] |= via_[step.target.value];
    }
}

// Without the states that are alone in their class and cannot be split off anything.
WeakRefinement::Set WeakRefinement::undecided(const Set& set) const {
  Set out;
  for (const std::uint32_t s : set)
    if (states_.size(states_.class_of(s)) > 1) out.push_back(s);
  return out;
}

// Splits the classes until their states have the same masks. States outside the set have none.
void WeakRefinement::split_by(const Set& set, const std::vector<Mask>& rest) {
  Set states = divided(set, rest);
  const auto masks = [&](std::uint32_t s) { return std::pair(mask_[s], rest[s]); };
  std::ranges::sort(states, {}, masks);
  for (std::size_t i = 0; i < states.size();) {
    const auto these = masks(states[i]);
    for (; i < states.size() && masks(states[i]) == these; ++i) states_.mark(states[i]);
    states_.split_marked([&](std::uint32_t old, std::uint32_t fresh) { groups_.add(old, fresh); });
  }
}

// The states of the set whose class does not have the same masks throughout. Mostly there are few.
WeakRefinement::Set WeakRefinement::divided(const Set& set, const std::vector<Mask>& rest) {
  polls_.resize(states_.class_count());
  Set states = undecided(set);
  for (const std::uint32_t s : states) {
    Poll& poll = polls_[states_.class_of(s)];
    const std::pair vote(mask_[s], rest[s]);
    if (poll.voters++ == 0) poll.vote = vote;
    poll.divided = poll.divided || poll.vote != vote;
  }
  Set out;
  for (const std::uint32_t s : states) {
    const std::uint32_t c = states_.class_of(s);
    if (polls_[c].divided || polls_[c].voters < states_.size(c)) out.push_back(s);
  }
  for (const std::uint32_t s : states) polls_[states_.class_of(s)] = {};
  return out;
}

void WeakRefinement::clear(Set& set) {
  for (const std::uint32_t s : set) mask_[s] = 0;
  set.clear();
}

// The class of each state when `outer` are the classes of the classes `inner`.
std::vector<std::uint32_t> follow(std::vector<std::uint32_t> inner, const std::vector<std::uint32_t>& outer) {
  for (std::uint32_t& c : inner) c = outer[c];
  return inner;
}

}  // namespace

std::vector<std::uint32_t> weak_classes(const Lts& lts, Budget* budget) {
  auto classes = in_order(tau_components(lts));
  Lts smaller = merge_silent(lts, classes);
  const auto strong = strong_classes(smaller, budget);
  classes = follow(std::move(classes), strong);
  smaller = merge_equal(smaller, strong);
  return in_order(follow(std::move(classes), WeakRefinement(smaller).run(budget)));
}

Lts minimise_weak(const Lts& lts, Budget* budget) {
  // Here the unreachable states must go first: a class does what any of its members does.
  const Lts live = reachable(lts);
  return reachable(merge_silent(live, weak_classes(live, budget)));
}

}  // namespace surety
