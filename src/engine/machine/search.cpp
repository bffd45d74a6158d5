#include "engine/machine/search.hpp"

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "engine/machine/state_store.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kRoot = UINT32_MAX;

class Search {
 public:
  Search(Machine& machine, unsigned goals, Budget& budget, MachineWatch* formula)
      : machine_(machine), open_goals_(goals), budget_(budget), formula_(formula), store_(budget) {}

  MachineSearch run() {
    const auto start = machine_.initial();
    if (!add(start, formula_ != nullptr ? formula_->initial() : 0, kRoot)) return std::move(out_);
    std::uint64_t next = 0;
    for (; next < store_.size() && (open_goals_ & ~kFirstOnly) != 0; ++next) {
      if (!budget_.go_on() || !expand(static_cast<std::uint32_t>(next))) return finished(false);
    }
    return finished(next == store_.size());
  }

 private:
  MachineSearch finished(bool complete) {
    out_.complete = complete;
    out_.stored = store_.size();
    return std::move(out_);
  }

  bool add(MachineState state, std::uint32_t watched, std::uint32_t parent) {
    if (formula_ != nullptr) {
      with_watch_.assign(state.begin(), state.end());
      with_watch_.resize(state.size() + sizeof watched);
      std::memcpy(&with_watch_[state.size()], &watched, sizeof watched);
    }
    const auto place = store_.insert(formula_ != nullptr ? MachineState(with_watch_) : state);
    if (!place) {
      budget_.stop(Stop::memory);
      return false;
    }
    if (!place->is_new) return true;
    parents_.push_back(parent);
    if (!machine_.between(state)) ++out_.states;
    return budget_.add_states(1);
  }

  std::vector<std::uint8_t> state_of(std::uint32_t number) const {
    std::vector<std::uint8_t> out = store_[number];
    if (formula_ != nullptr) out.resize(out.size() - sizeof(std::uint32_t));
    return out;
  }

  // What the watch knows when it has looked at the state.
  std::uint32_t look(std::uint32_t number, MachineState state) {
    if (formula_ == nullptr) return 0;
    std::uint32_t watched = 0;
    std::memcpy(&watched, &store_[number][state.size()], sizeof watched);
    if (watched == MachineWatch::kFalse || machine_.between(state)) return watched;
    watched = formula_->after(watched, machine_, state);
    out_.too_large |= watched == MachineWatch::kTooLarge;
    if (watched == MachineWatch::kFalse && wanted(MachineGoal::formula))
      found(MachineGoal::formula, number, MachineStep::Fault::none);
    return watched;
  }

  // False: the budget ended.
  bool expand(std::uint32_t number) {
    const std::vector<std::uint8_t> state = state_of(number);
    const std::uint32_t watched = look(number, state);
    if (out_.too_large) return false;
    machine_.successors(state, steps_);
    stale_ = false;
    out_.transitions += steps_.steps.size();
    if (steps_.steps.empty() && wanted(MachineGoal::invalid_end) && !machine_.valid_end(state))
      found(MachineGoal::invalid_end, number, MachineStep::Fault::none);
    for (const MachineStep& step : steps_.steps) {
      if (step.fault == MachineStep::Fault::watch && wanted(MachineGoal::watch))
        found(MachineGoal::watch, number, step.fault);
      if ((step.fault == MachineStep::Fault::assertion || step.fault == MachineStep::Fault::error) &&
          wanted(MachineGoal::fault))
        found(MachineGoal::fault, number, step.fault);
    }
    // found() works out steps of its own, so they are asked for again if it was called.
    if (stale_) {
      machine_.successors(state, steps_);
      stale_ = false;
    }
    for (const MachineStep& step : steps_.steps)
      if (step.size != 0 && !add(steps_.next(step), watched, number)) return false;
    return true;
  }

  bool wanted(MachineGoal goal) const { return (open_goals_ & bit(goal)) != 0; }

  void found(MachineGoal goal, std::uint32_t last, MachineStep::Fault fault) {
    open_goals_ = (open_goals_ & kFirstOnly) != 0 ? 0 : open_goals_ & ~bit(goal);
    out_.found[static_cast<std::size_t>(goal)] = path_to(last, fault);
    stale_ = true;
  }

  // Back through the parents, then forward again for the steps.
  MachinePath path_to(std::uint32_t last, MachineStep::Fault fault) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t n = last; n != kRoot; n = parents_[n]) numbers.push_back(n);
    std::ranges::reverse(numbers);
    MachinePath path;
    for (const auto n : numbers) path.states.push_back(state_of(n));
    MachineSteps steps;
    steps.with_actions = true;
    for (std::size_t i = 0; i < path.states.size(); ++i) {
      machine_.successors(path.states[i], steps);
      const bool at_end = i + 1 == path.states.size();
      if (at_end && fault == MachineStep::Fault::none) break;
      const auto step = std::ranges::find_if(steps.steps, [&](const MachineStep& s) {
        if (at_end) return s.fault == fault;
        return s.size != 0 && std::ranges::equal(steps.next(s), path.states[i + 1]);
      });
      check(step != steps.steps.end(), "a step of the search can be done again");
      path.steps.push_back(*step);
      if (at_end && step->size != 0) {
        const MachineState next = steps.next(*step);
        path.states.emplace_back(next.begin(), next.end());
        break;
      }
    }
    return path;
  }

  Machine& machine_;
  unsigned open_goals_;
  Budget& budget_;
  MachineWatch* formula_;  // null: none is asked for
  std::vector<std::uint8_t> with_watch_;
  StateStore store_;
  BigArray<std::uint32_t> parents_;
  MachineSteps steps_;
  bool stale_ = false;
  MachineSearch out_;
};

}  // namespace

MachineSearch search_machine(Machine& machine, unsigned goals, Budget& budget, MachineWatch* formula) {
  return Search(machine, goals, budget, formula).run();
}

}  // namespace surety
