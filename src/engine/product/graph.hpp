// The reachable product as an explicit graph, for questions that a search on the fly
// cannot answer: what runs can do for ever, and what happens under a priority.
//
// It is the explicit product (product/explore.hpp) with the way back: states are numbered breadth first, so the first
// state with some quality is a nearest one, and the way there leads through the states' parents. With a priority, the
// low steps of a state are left out if a high one is possible (doc/semantics.md#priorities): that is decided in the
// whole product and on the actions' own names, before anything is hidden.
//
// Shortest walks work on anything with size() and next(), so on this graph and on its
// product with an automaton (liveness.cpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/big_array.hpp"
#include "base/budget.hpp"
#include "engine/components.hpp"
#include "product/explore.hpp"

namespace surety {

class Graph {
 public:
  // Nothing if the budget ended. Every part has states; parts and budget outlive the graph.
  static std::optional<Graph> build(const std::vector<Part>& parts, const Priority* priority, Budget& budget);

  std::uint32_t size() const { return lts_.state_count(); }  // the error state included
  std::uint64_t transition_count() const { return lts_.transition_count(); }
  std::span<const Step> steps(State s) const { return lts_.steps(s); }
  std::optional<State> error() const { return lts_.error(); }
  const Alphabet& alphabet() const { return lts_.alphabet(); }  // of all parts

  // Where a part is; not for the error state. Code 0 is the part's initial state (product.hpp).
  std::uint32_t code(State s, std::size_t part) const { return product_.field(part).code(packed(s)); }
  std::vector<State> unpack(State s) const { return product_.unpack(packed(s)); }

  bool is_dead_end(State s) const { return steps(s).empty() && s != error(); }

  // Shortest ways from the initial state.
  Trace way_to(State s) const;
  std::optional<Trace> way_to_error() const;

  // The arcs of a state, one per call. The cursor starts at 0. False: there are no more.
  bool next(std::uint32_t s, std::uint64_t& cursor, Arc& arc) const {
    const auto all = steps(State{s});
    if (cursor >= all.size()) return false;
    const Step& step = all[cursor++];
    arc = {step.target.value, step.action, 0};
    return true;
  }

 private:
  Graph(Product product, Explored found, BigArray<std::uint32_t> parents, std::unique_ptr<Charge> charge);
  const std::uint64_t* packed(State s) const { return states_.data() + std::uint64_t{s.value} * product_.words(); }

  Product product_;
  Lts lts_;
  BigArray<std::uint64_t> states_;   // packed, product_.words() words each
  BigArray<std::uint32_t> parents_;  // the initial state is its own
  std::unique_ptr<Charge> charge_;
};

// The components that nothing leaves; the error state is none. Each is a list of its states in ascending order, so its
// first is a nearest one; the lists are ordered by that.
class TerminalSets {
 public:
  // Nothing if the budget ended.
  static std::optional<TerminalSets> of(const Graph& graph, Budget& budget);
  std::uint32_t count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::span<const State> operator[](std::uint32_t i) const {
    return {states_.data() + first_[i], states_.data() + first_[i + 1ULL]};
  }

 private:
  std::vector<State> states_;
  std::vector<std::uint32_t> first_;
};

// Finds shortest walks in one graph, again and again.
template <class Net>
class Walker {
 public:
  Walker(const Net& net, Budget& budget) : net_(net), budget_(budget), charge_(budget) {}

  // Appends to `walk` the actions of a shortest walk from `from` along arcs with allowed(arc); it has one arc at least
  // and its last is the first with goal(arc). That arc, or nothing: there is none, or the budget ended.
  template <class Allowed, class Reached>
  std::optional<Arc> walk(std::uint32_t from, Allowed allowed, Reached goal, Trace& walk);

 private:
  struct Visit {
    std::uint32_t round = 0, parent = 0;
    Action action;
  };
  bool prepare();

  const Net& net_;
  Budget& budget_;
  Charge charge_;
  std::vector<Visit> visits_;  // by vertex
  std::vector<std::uint32_t> queue_;
  std::uint32_t round_ = 0;
};

// --- Templates.

template <class Net>
bool Walker<Net>::prepare() {
  ++round_;
  queue_.clear();
  if (!visits_.empty()) return true;
  if (!charge_.grow_to(net_.size() * (sizeof(Visit) + 4ULL))) budget_.stop(Stop::memory);
  if (!budget_.go_on()) return false;
  visits_.resize(net_.size());
  return true;
}

template <class Net>
template <class Allowed, class Reached>
std::optional<Arc> Walker<Net>::walk(std::uint32_t from, Allowed allowed, Reached goal, Trace& walk) {
  if (!prepare()) return std::nullopt;
  queue_.push_back(from);
  visits_[from] = {round_, from, kTau};
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    if (i % kPollGraphEvery == kPollGraphEvery - 1 && !budget_.go_on()) return std::nullopt;
    const std::uint32_t v = queue_[i];
    std::uint64_t cursor = 0;
    Arc arc;
    while (net_.next(v, cursor, arc)) {
      if (!allowed(arc)) continue;
      if (goal(arc)) {
        const auto begin = static_cast<std::ptrdiff_t>(walk.size());
        walk.push_back(arc.action);
        for (std::uint32_t at = v; at != from; at = visits_[at].parent) walk.push_back(visits_[at].action);
        std::reverse(walk.begin() + begin, walk.end());
        return arc;
      }
      if (visits_[arc.target].round == round_) continue;
      visits_[arc.target] = {round_, v, arc.action};
      queue_.push_back(arc.target);
    }
  }
  return std::nullopt;
}

}  // namespace surety
