// Does a composite really do what a trace says? By definition, on tuples of states, and so without the engine.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "model/lts.hpp"
#include "product/compose.hpp"

namespace surety {

class Replay {
 public:
  Replay(std::vector<const Lts*> parts, const Priority* priority) : parts_(std::move(parts)), priority_(priority) {
    std::vector<State> start;
    for (const Lts* part : parts_) {
      start.push_back(part->initial());
      alphabet_ = unite(alphabet_, part->alphabet());
    }
    now_ = {start};
  }

  // False: the trace cannot be done from here. A trace that goes on after the error state cannot be done either.
  bool run(Word trace) {
    return std::ranges::all_of(trace, [&](Action a) { return step(a); });
  }
  bool in_error() const { return in_error_; }  // the last step can have led there
  bool in_deadlock() const { return ends(false); }
  bool in_dead_end() const { return ends(false) || ends(true); }

 private:
  using Tuple = std::vector<State>;

  bool step(Action a) {
    std::set<Tuple> next;
    in_error_ = false;
    for (const Tuple& tuple : now_) {
      if (is_cut(tuple, a)) continue;
      if (a == kTau)
        for (std::size_t p = 0; p < parts_.size(); ++p) move(tuple, a, p, p + 1, next);
      else if (can(tuple, a))
        move(tuple, a, 0, parts_.size(), next);
    }
    now_ = std::move(next);
    return !now_.empty() || in_error_;
  }

  // Those of the parts first .. last that have the action do it, in all ways.
  void move(Tuple tuple, Action a, std::size_t first, std::size_t last, std::set<Tuple>& next) {
    while (first < last && a != kTau && !parts_[first]->alphabet().contains(a)) ++first;
    if (first == last) {
      const auto failed = [&](std::size_t p) { return tuple[p] == parts_[p]->error(); };
      bool error = false;
      for (std::size_t p = 0; p < parts_.size(); ++p) error = error || failed(p);
      if (error)
        in_error_ = true;
      else
        next.insert(tuple);
      return;
    }
    for (const Step& step : parts_[first]->steps(tuple[first], a)) {
      Tuple moved = tuple;
      moved[first] = step.target;
      move(moved, a, first + 1, last, next);
    }
  }

  bool can(const Tuple& tuple, Action a) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const bool steps = !parts_[p]->steps(tuple[p], a).empty();
      if (a == kTau && steps) return true;
      if (a != kTau && !steps && parts_[p]->alphabet().contains(a)) return false;
    }
    return a != kTau;
  }

  bool is_cut(const Tuple& tuple, Action a) const {
    if (priority_ == nullptr || priority_->is_high(a)) return false;
    const auto overrules = [&](Action b) { return priority_->is_high(b) && can(tuple, b); };
    return overrules(kTau) || std::ranges::any_of(alphabet_, overrules);
  }

  bool ends(bool well) const {
    return std::ranges::any_of(now_, [&](const Tuple& tuple) {
      if (can(tuple, kTau) || std::ranges::any_of(alphabet_, [&](Action a) { return can(tuple, a); })) return false;
      bool ended = may_terminate(parts_);
      for (std::size_t p = 0; p < parts_.size(); ++p)
        if (parts_[p]->end() && tuple[p] != *parts_[p]->end()) ended = false;
      return ended == well;
    });
  }

  std::vector<const Lts*> parts_;
  const Priority* priority_;
  Alphabet alphabet_;
  std::set<Tuple> now_;
  bool in_error_ = false;
};

}  // namespace surety
