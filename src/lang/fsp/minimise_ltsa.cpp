// Minimising as LTSA does it: a pre-pass, then weak bisimulation.
//
// The pre-pass takes out the states, other than the initial one, that have only
// silent steps: a step into such a state becomes a step into each of its successors. That
// moves a silent choice into the action before it, so a.(tau.b + tau.c) becomes
// a.b + a.c, and no bisimulation would do so. States are taken out until
// none is left, silent self-loops being dropped on the way.
//
// Where most is hidden, taking states out one by one makes far too many steps. Then we
// use that the weak moves between the states that are left are the same as before: a
// move tau* a tau* may pass through silent states, it just may not end in one. So the
// silent states stay, but get no class. The other states are told apart by
// their signatures, the classes they can move into, by each action (Blom and Orzan
// 2003), until nothing changes.
#include "lang/fsp/minimise_ltsa.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "lang/fsp/fsp.hpp"
#include "model/minimise.hpp"
#include "model/sequence_table.hpp"
#include "model/tau_components.hpp"
#include "model/transform.hpp"

namespace surety::fsp {
namespace {

class SilentStates {
 public:
  explicit SilentStates(const Lts& lts) : lts_(lts), out_(lts.state_count()), in_(lts.state_count()) {
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)
      for (const Step& step : lts.steps(State{s})) add(s, step);
  }

  std::optional<Lts> run(std::uint64_t most_work) {
    for (std::uint32_t s = 1; s < lts_.state_count(); ++s) {
      if (is_silent(s)) take_out(s);
      if (work_ > most_work) return std::nullopt;
    }
    LtsBuilder builder;
    builder.add_to_alphabet(lts_.alphabet());
    builder.set_state_count(lts_.state_count());
    if (lts_.error()) builder.set_error(*lts_.error());
    if (lts_.end()) builder.set_end(*lts_.end());
    for (std::uint32_t s = 0; s < lts_.state_count(); ++s)
      for (const Step& step : out_[s]) builder.add_step(State{s}, step.action, step.target);
    return reachable(builder.build());
  }

 private:
  void add(std::uint32_t from, const Step& step) {
    if (step.action == kTau && step.target == State{from}) return;
    auto& steps = out_[from];
    const auto at = std::ranges::lower_bound(steps, step);
    if (at != steps.end() && *at == step) return;
    steps.insert(at, step);
    in_[step.target.value].push_back(from);
  }

  bool is_silent(std::uint32_t s) const {
    return !out_[s].empty() && std::ranges::all_of(out_[s], [](const Step& step) { return step.action == kTau; });
  }

  void take_out(std::uint32_t s) {
    const auto sources = std::move(in_[s]);
    in_[s].clear();
    const auto targets = std::move(out_[s]);  // no step leads here any more
    out_[s].clear();
    for (const std::uint32_t from : sources) {
      std::vector<Step> redirected;
      std::erase_if(out_[from], [&](const Step& step) {
        if (step.target.value != s) return false;
        redirected.push_back(step);
        return true;
      });
      for (const Step& step : redirected)
        for (const Step& silent : targets) add(from, {step.action, silent.target});
      work_ += out_[from].size() * (1 + redirected.size() * targets.size());
    }
  }

  const Lts& lts_;
  std::vector<std::vector<Step>> out_;          // sorted
  std::vector<std::vector<std::uint32_t>> in_;  // by state: the states that have a step into it, or once had
  std::uint64_t work_ = 0;
};

// Numbered sets of numbers, made as unions of elements and of sets made before. The same union is made only once.
class Unions {
 public:
  void add_element(std::uint32_t e) { elements_.push_back(e); }
  void add_set(std::uint32_t id) { parts_.push_back(id); }

  std::uint32_t take() {
    tidy(elements_);
    tidy(parts_);
    if (elements_.empty() && parts_.size() == 1) return done(parts_[0]);
    auto key = parts_;
    key.push_back(UINT32_MAX);
    key.insert(key.end(), elements_.begin(), elements_.end());
    const auto known = keys_.intern(key);
    if (known < made_.size()) return done(made_[known]);
    for (const auto id : parts_) note(sets_[id]);
    note(elements_);
    elements_.clear();
    take_noted(elements_);
    made_.push_back(sets_.intern(elements_));
    return done(made_.back());
  }

  std::span<const std::uint32_t> operator[](std::uint32_t id) const { return sets_[id]; }
  std::uint32_t size() const { return sets_.size(); }

 private:
  static void tidy(std::vector<std::uint32_t>& set) {
    std::ranges::sort(set);
    const auto repeated = std::ranges::unique(set);
    set.erase(repeated.begin(), repeated.end());
  }
  // The sets of a union have most of their elements in common, so one bit per element is far cheaper than to sort them
  // all.
  void note(std::span<const std::uint32_t> set) {
    if (set.empty()) return;
    if (noted_.size() <= set.back() / 64) noted_.resize(set.back() / 64 + 1ULL, 0);
    for (const std::uint32_t e : set) noted_[e / 64] |= std::uint64_t{1} << e % 64;
    begin_ = std::min(begin_, set.front() / 64);
    end_ = std::max(end_, set.back() / 64 + 1);
  }
  void take_noted(std::vector<std::uint32_t>& out) {
    for (std::uint32_t i = begin_; i < end_; ++i)
      for (std::uint64_t bits = std::exchange(noted_[i], 0); bits != 0; bits &= bits - 1)
        out.push_back(i * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
    begin_ = UINT32_MAX;
    end_ = 0;
  }
  std::uint32_t done(std::uint32_t id) {
    elements_.clear();
    parts_.clear();
    return id;
  }

  SequenceTable sets_, keys_;
  std::vector<std::uint32_t> made_;  // by key: the set
  std::vector<std::uint32_t> elements_, parts_;
  std::vector<std::uint64_t> noted_;  // one bit per element; 0 outside [begin_, end_), and everywhere between unions
  std::uint32_t begin_ = UINT32_MAX, end_ = 0;
};

// The nodes are the components of tau steps, numbered such that tau leads to smaller numbers.
class Signatures {
 public:
  explicit Signatures(const Lts& lts);
  Lts run(Budget* budget);

 private:
  using Set = std::vector<std::uint32_t>;  // sorted
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t refine();
  std::vector<std::uint32_t> entered(Unions& sets) const;
  Lts quotient() const;

  const Lts& lts_;
  std::vector<std::uint32_t> node_of_;
  std::vector<std::vector<Step>> steps_;  // by node, between nodes
  std::vector<std::uint32_t> class_;      // by node; kNone: silent
};

Signatures::Signatures(const Lts& lts) : lts_(lts), node_of_(tau_components(lts)) {
  const auto nodes = *std::ranges::max_element(node_of_) + 1;
  steps_.resize(nodes);
  class_.assign(nodes, 0);
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) {
      const Step moved{step.action, State{node_of_[step.target.value]}};
      if (moved.action != kTau || moved.target.value != node_of_[s]) steps_[node_of_[s]].push_back(moved);
    }
  for (std::uint32_t n = 0; n < nodes; ++n) {
    std::ranges::sort(steps_[n]);
    const auto repeated = std::ranges::unique(steps_[n]);
    steps_[n].erase(repeated.begin(), repeated.end());
    // Silent: there are steps, and all of them are tau. A silent cycle without a way out is a stop.
    if (!steps_[n].empty() && steps_[n].back().action == kTau) class_[n] = kNone;
  }
  class_[node_of_[lts.initial().value]] = 0;
  if (lts.error()) class_[node_of_[lts.error()->value]] = 1;
}

Lts Signatures::run(Budget* budget) {
  for (std::uint32_t before = 0, now = 1; now != before && go_on(budget);) {
    before = now;
    now = refine();
  }
  return quotient();
}

// One round: the classes, told apart by their signatures. Returns how many there are now.
std::uint32_t Signatures::refine() {
  const auto nodes = static_cast<std::uint32_t>(steps_.size());
  Unions reached_sets;                        // of classes
  std::vector<std::uint32_t> reached(nodes);  // by node: where tau* leads to
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (class_[n] != kNone) reached_sets.add_element(class_[n]);
    for (const Step& step : steps_[n])
      if (step.action == kTau) reached_sets.add_set(reached[step.target.value]);
    reached[n] = reached_sets.take();
  }

  SequenceTable pairs, signatures;
  Unions move_sets;                         // of pairs (action, set of classes), as numbers
  std::vector<std::uint32_t> moves(nodes);  // by node: what tau* action tau* leads to
  auto next = class_;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (lts_.end() && node_of_[lts_.end()->value] == n) move_sets.add_element(pairs.intern(Set{kTau.value, kNone}));
    for (const Step& step : steps_[n]) {
      if (step.action == kTau)
        move_sets.add_set(moves[step.target.value]);
      else
        move_sets.add_element(pairs.intern(std::array{step.action.value, reached[step.target.value]}));
    }
    moves[n] = move_sets.take();
  }
  // Two sets of such pairs can mean the same: the classes by each action are what counts.
  Unions meanings;
  SequenceTable flat;
  std::vector<std::uint32_t> of_pair(pairs.size()), meaning(move_sets.size());
  for (std::uint32_t pair = 0; pair < pairs.size(); ++pair) {
    const std::array both{pairs[pair][0], pairs[pair][1]};
    if (both[1] == kNone)
      meanings.add_element(flat.intern(both));
    else
      for (const auto c : reached_sets[both[1]]) meanings.add_element(flat.intern(std::array{both[0], c}));
    of_pair[pair] = meanings.take();
  }
  for (std::uint32_t m = 0; m < move_sets.size(); ++m) {
    for (const auto pair : move_sets[m]) meanings.add_set(of_pair[pair]);
    meaning[m] = meanings.take();
  }
  for (std::uint32_t n = 0; n < nodes; ++n)
    if (class_[n] != kNone) next[n] = signatures.intern(std::array{class_[n], reached[n], meaning[moves[n]]});
  class_ = std::move(next);
  return signatures.size();
}

// By state: the classes that a step into the state leads to when the silent states have been taken out. From a silent
// state these are the classes of the first states on its paths that are not silent.
std::vector<std::uint32_t> Signatures::entered(Unions& sets) const {
  const auto is_silent = [&](State s) {
    const auto steps = lts_.steps(s);
    return s != lts_.initial() && std::ranges::any_of(steps, [&](const Step& step) { return step.target != s; }) &&
           std::ranges::all_of(steps, [](const Step& step) { return step.action == kTau; });
  };
  LtsBuilder builder;  // the silent states and their steps to each other
  builder.set_state_count(lts_.state_count());
  for (std::uint32_t s = 0; s < lts_.state_count(); ++s)
    if (is_silent(State{s}))
      for (const Step& step : lts_.steps(State{s}))
        if (is_silent(step.target)) builder.add_step(State{s}, kTau, step.target);
  const auto component = tau_components(builder.build());

  std::vector<Set> members(component.size());
  std::vector<std::uint32_t> behind(component.size()), out(component.size());
  for (std::uint32_t s = 0; s < component.size(); ++s) members[component[s]].push_back(s);
  for (std::uint32_t k = 0; k < members.size(); ++k) {
    bool way_out = false;
    for (const auto s : members[k]) {
      if (!is_silent(State{s})) continue;
      for (const Step& step : lts_.steps(State{s})) {
        const auto to = component[step.target.value];
        if (!is_silent(step.target))
          sets.add_element(class_[node_of_[step.target.value]]);
        else if (to != k)
          sets.add_set(behind[to]);
        way_out = way_out || to != k;
      }
    }
    // A silent cycle without a way out is a stop, with a class of its own.
    if (!way_out && !members[k].empty()) sets.add_element(class_[node_of_[members[k][0]]]);
    behind[k] = sets.take();
  }
  for (std::uint32_t s = 0; s < component.size(); ++s) {
    out[s] = behind[component[s]];
    if (is_silent(State{s})) continue;
    sets.add_element(class_[node_of_[s]]);
    out[s] = sets.take();
  }
  return out;
}

Lts Signatures::quotient() const {
  Unions sets;
  const auto targets = entered(sets);
  // The class of the initial state changes places with class 0.
  const auto first = class_[node_of_[lts_.initial().value]];
  const auto place = [&](std::uint32_t c) { return State{c == first ? 0 : c == 0 ? first : c}; };
  LtsBuilder builder;
  builder.add_to_alphabet(lts_.alphabet());
  builder.set_state_count(lts_.state_count());
  SequenceTable known;  // class, action and set of targets: most states of a class have the same
  for (std::uint32_t s = 0; s < lts_.state_count(); ++s) {
    const auto from = class_[node_of_[s]];
    if (from == kNone || !std::ranges::equal(sets[targets[s]], std::array{from})) continue;
    for (const Step& step : lts_.steps(State{s})) {
      const auto before = known.size();
      if (known.intern(std::array{from, step.action.value, targets[step.target.value]}) < before) continue;
      for (const auto c : sets[targets[step.target.value]])
        if (step.action != kTau || c != from) builder.add_step(place(from), step.action, place(c));
    }
  }
  if (lts_.error()) builder.set_error(place(class_[node_of_[lts_.error()->value]]));
  if (lts_.end()) builder.set_end(place(class_[node_of_[lts_.end()->value]]));
  return reachable(builder.build());
}

bool has_silent_step(const Lts& lts) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    if (!lts.steps(State{s}, kTau).empty()) return true;
  return false;
}

}  // namespace

std::optional<Lts> minimise_by_elimination(const Lts& lts, std::uint64_t most_work, Budget* budget) {
  const auto eliminated = SilentStates(lts).run(most_work);
  if (!eliminated) return std::nullopt;
  return minimise_weak(*eliminated, budget);
}

Lts minimise_by_signatures(const Lts& lts, Budget* budget) { return Signatures(lts).run(budget); }

}  // namespace surety::fsp

namespace surety {

Lts minimise_ltsa(const Lts& lts, Budget* budget) {
  const Lts live = reachable(lts);
  if (live.state_count() == 0 || !fsp::has_silent_step(live)) return minimise_weak(live, budget);
  if (auto done = fsp::minimise_by_elimination(live, 100'000 + 20 * live.transition_count(), budget))
    return std::move(*done);
  return fsp::minimise_by_signatures(live, budget);
}

}  // namespace surety
