// All states that a product reaches, as a decision diagram, and what goes wrong in them.
//
// One level per part, in FORCE order. Saturation (Ciardo, Luettgen, Siminiceanu 2001;
// Ciardo, Marmorstein, Siminiceanu 2003): a node is saturated when no event whose
// highest level is the node's adds anything to it, and only then used by the level above. So
// an event is fired where its effect is, on sets that are already closed below, and
// the diagrams on the way stay near the size of the last one.
//
// A property is a level like any other, but never blocks: its missing steps are kept
// apart as the bad ones. A part's error state is never entered.
#pragma once

#include <optional>
#include <string>

#include "engine/diagram/mdd.hpp"
#include "engine/diagram/relation.hpp"
#include "product/product.hpp"

namespace surety {

struct SymbolicOptions {
  std::uint64_t collect_at = 1 << 22;  // as in Mdd
};

class SymbolicProduct {
 public:
  // Parts have states, do not start in their error state, and at most the last one is a watcher.
  SymbolicProduct(const std::vector<Part>& parts, Budget& budget, const SymbolicOptions& options = {});

  bool reach();  // false: the budget ended
  const Mdd& mdd() const { return mdd_; }
  Mdd::Node reachable() const { return reachable_; }
  std::string count() { return mdd_.count(reachable_); }  // of reachable states, in decimal; empty: no memory for it

  // States of the reachable set: the watcher lacks a step; nothing can happen, and it is no termination.
  Mdd::Node bad_states();
  Mdd::Node dead_states();

  struct Path {
    Trace trace;              // every step, tau included
    std::vector<State> last;  // by part
  };
  // To one of these states: a shortest one, if the layers of a breadth-first search can be had in half of the time.
  std::optional<Path> path_to(Mdd::Node goal);
  // An action that the watcher lacks in this state, and that all others can do.
  Action bad_action(const std::vector<State>& states) const;

  const std::vector<std::uint32_t>& order() const { return order_; }  // parts, top level first

 private:
  struct Participant {
    std::uint32_t part;
    Action action;
  };
  using Tuple = std::vector<std::uint32_t>;  // local states, top level first
  struct Joint {                             // a way to step: an action of all that have it, or the tau of one
    Action action;
    std::vector<std::uint32_t> parts;
  };

  struct ActionStep {
    Action action;
    std::uint32_t source, target;
  };
  void sort_steps(std::uint32_t part);
  Event event(const Joint& joint) const;
  Event filter(const Joint& joint) const;
  bool watches(std::uint32_t part) const { return parts_[part].role == Role::watch; }
  template <bool saturating>
  Mdd::Node image(Mdd::Node set, Relation relation);
  void saturate(std::uint32_t level);
  void add(Mdd::Draft& draft, std::uint32_t value, Mdd::Node more);
  bool layers(Mdd::Node goal, std::vector<Mdd::Node>& sets);
  bool one_back(Tuple& tuple, Mdd::Node within, Action& by) const;
  std::vector<State> by_part(const Tuple& tuple) const;

  std::vector<Part> parts_;
  Budget& budget_;
  std::vector<Joint> joints_;
  std::vector<std::uint32_t> order_, level_of_;
  std::vector<std::vector<ActionStep>> sorted_;  // by part
  Relations relations_;
  std::vector<Relation> at_level_;  // the events whose highest level it is; kNothing: none
  Relation all_ = kNothing;
  Mdd mdd_;
  MddCache saturated_, images_;
  struct Work {  // of saturating a node, by level
    std::vector<std::uint32_t> queue;
    std::vector<bool> queued;
  };
  std::vector<Work> work_;
  Mdd::Node reachable_ = Mdd::kEmpty;
  double seconds_ = 0;  // that saturation took
};

}  // namespace surety
