// Weak bisimulation (Milner 1980) without the saturated relation.
//
// Weakly, s can move by a to every state at the end of a path tau* a tau*; the
// textbook way stores all these moves, which takes quadratic memory. Here they are
// never stored. The refinement asks, for a class C and an action a, which states
// can move into C by a. That is one search backwards:
//
//     silent(C) = the states with a path tau* into C
//     by a      = silent(the states with an a-step into silent(C))
//
// Each class of the partition is split by silent(C) and by these sets; the parts
// become such C in turn, until nothing splits any more.
//
// Two things make this fast where silent steps reach far. Tau cycles are merged
// first, so that the silent steps form no cycle and one pass in their order closes a
// set. And 64 classes C are searched from at once: a state carries a mask of the
// classes it can move into, a pass works on whole masks, and a class is split until
// its states have equal masks. Strong bisimulation, run before, is cheap and often
// leaves little to do. Memory is O(m); time is O(nm) at worst, but a search only
// sees what can move into its classes.
//
// END counts as a visible action of its own: states are split by silent({END}) once.
// Error is told apart as a state, so a silent step to error is not error.
#include <algorithm>
#include <deque>
#include <limits>

#include "model/minimise.hpp"
#include "model/partition.hpp"
#include "model/quotient.hpp"
#include "model/tau_components.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

class WeakRefinement {
 public:
  explicit WeakRefinement(const Lts& lts);  // without tau cycles
  std::vector<std::uint32_t> run();

 private:
  using Mask = std::uint64_t;  // of splitters
  struct Edge {
    std::uint32_t source;
    Action action;
  };
  struct Reached {
    std::uint32_t state;
    Mask splitters;
  };
  using Set = std::vector<std::uint32_t>;

  Set next_splitters();
  void split_by_moves_into(const Set& splitters);
  void add(std::uint32_t s, Mask splitters, Set& set);
  void spread(Set& set);
  void split_by(const Set& set);
  void clear(Set& set);
  std::span<const Edge> into(std::uint32_t s) const {
    return {edges_.data() + first_[s], edges_.data() + first_[s + 1ULL]};
  }

  // States are numbered such that tau steps lead to smaller numbers.
  std::vector<std::uint32_t> number_;
  std::vector<std::uint64_t> first_;  // the steps into state s are edges_[first_[s] .. first_[s+1]), tau first
  std::vector<Edge> edges_;
  Partition states_;
  std::deque<std::uint32_t> queue_;  // the classes that were not splitters since they last changed
  std::vector<bool> queued_;         // by class

  std::vector<Mask> mask_;                    // by state: the splitters it can move into; 0 between searches
  Set target_, sources_;                      // states with a mask
  std::vector<std::vector<Reached>> before_;  // by action: the sources of its steps into target_
  std::vector<Action> actions_;               // those with sources
  std::vector<Reached> divided_;
};

WeakRefinement::WeakRefinement(const Lts& lts)
    : number_(tau_components(lts)),
      first_(lts.state_count() + 1ULL, 0),
      edges_(lts.step_count()),
      states_(lts.state_count()),
      mask_(lts.state_count(), 0),
      before_(lts.alphabet().empty() ? 1 : lts.alphabet()[lts.alphabet().size() - 1].value + 1ULL) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) ++first_[number_[step.target.value] + 1ULL];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  auto place = first_;
  for (const bool silent : {true, false})
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)
      for (const Step& step : lts.steps(State{s}))
        if ((step.action == kTau) == silent) edges_[place[number_[step.target.value]]++] = {number_[s], step.action};

  queued_.assign(states_.class_count(), true);
  if (lts.state_count() > 0) queue_.push_back(0);
  if (lts.error()) {
    add(number_[lts.error()->value], 1, target_);
    split_by(target_);
    clear(target_);
  }
  if (lts.end()) {
    add(number_[lts.end()->value], 1, target_);
    spread(target_);
    split_by(target_);
    clear(target_);
  }
}

std::vector<std::uint32_t> WeakRefinement::run() {
  while (!queue_.empty() && states_.class_count() < mask_.size()) split_by_moves_into(next_splitters());
  auto classes = number_;
  for (std::uint32_t& c : classes) c = states_.class_of(c);
  return classes;
}

WeakRefinement::Set WeakRefinement::next_splitters() {
  Set splitters;
  for (; !queue_.empty() && splitters.size() < std::numeric_limits<Mask>::digits; queue_.pop_front()) {
    splitters.push_back(queue_.front());
    queued_[queue_.front()] = false;
  }
  return splitters;
}

// Splits all classes by which weak moves into the splitters their states have.
void WeakRefinement::split_by_moves_into(const Set& splitters) {
  for (std::size_t i = 0; i < splitters.size(); ++i)
    for (const std::uint32_t s : states_.elements(splitters[i])) add(s, Mask{1} << i, target_);
  spread(target_);
  for (const std::uint32_t t : target_)
    for (const Edge& edge : into(t)) {
      if (edge.action == kTau) continue;
      auto& sources = before_[edge.action.value];
      if (sources.empty()) actions_.push_back(edge.action);
      sources.push_back({edge.source, mask_[t]});
    }
  split_by(target_);
  clear(target_);
  for (const Action a : actions_) {
    for (const auto& [s, mask] : before_[a.value]) add(s, mask, sources_);
    spread(sources_);
    split_by(sources_);
    clear(sources_);
    before_[a.value].clear();
  }
  actions_.clear();
}

void WeakRefinement::add(std::uint32_t s, Mask splitters, Set& set) {
  if (mask_[s] == 0) set.push_back(s);
  mask_[s] |= splitters;
}

// Passes the masks on to all states with a tau path into the set, and adds those to it.
void WeakRefinement::spread(Set& set) {
  for (std::size_t i = 0; i < set.size(); ++i)
    for (const Edge& edge : into(set[i])) {
      if (edge.action != kTau) break;
      add(edge.source, mask_[set[i]], set);
    }
  // All of the set is found, but a mask may have grown after it was passed on. Once more, this time in
  // the order in which successors come first.
  if (set.size() < mask_.size() / 16) {
    std::sort(set.begin(), set.end());
  } else {
    set.clear();
    for (std::uint32_t s = 0; s < mask_.size(); ++s)
      if (mask_[s] != 0) set.push_back(s);
  }
  for (const std::uint32_t s : set)
    for (const Edge& edge : into(s)) {
      if (edge.action != kTau) break;
      mask_[edge.source] |= mask_[s];
    }
}

// Splits the classes until states of the same class have the same mask.
void WeakRefinement::split_by(const Set& set) {
  divided_.clear();
  for (const std::uint32_t s : set)
    if (states_.size(states_.class_of(s)) > 1) divided_.push_back({s, mask_[s]});
  std::ranges::sort(divided_, {}, &Reached::splitters);
  for (std::size_t i = 0; i < divided_.size();) {
    const Mask mask = divided_[i].splitters;
    for (; i < divided_.size() && divided_[i].splitters == mask; ++i) states_.mark(divided_[i].state);
    states_.split_marked([&](std::uint32_t old, std::uint32_t fresh) {
      queued_.resize(states_.class_count(), false);
      for (const std::uint32_t c : {old, fresh})
        if (!queued_[c]) queued_[c] = true, queue_.push_back(c);
    });
  }
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

std::vector<std::uint32_t> weak_classes(const Lts& lts) {
  auto classes = in_order(tau_components(lts));
  Lts smaller = merge_silent(lts, classes);
  const auto strong = strong_classes(smaller);
  classes = follow(std::move(classes), strong);
  smaller = merge_equal(smaller, strong);
  return in_order(follow(std::move(classes), WeakRefinement(smaller).run()));
}

Lts minimise_weak(const Lts& lts) {
  // Here the unreachable states must go first: a class does what any of its members does.
  const Lts live = reachable(lts);
  return reachable(merge_silent(live, weak_classes(live)));
}

}  // namespace surety
