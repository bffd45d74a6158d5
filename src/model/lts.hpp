// Labelled transition systems.
//
// The steps of all states lie in one array, those of state s at positions
// first[s] .. first[s+1], sorted by action and then by target (so tau comes
// first); no step occurs twice. An Lts never changes once it is built, so copies share
// the arrays: a copy costs nothing.
//
// The alphabet is explicit: an action in it without a step is refused, and blocks
// every partner that has it too. `error` is the state pi and has no steps; `end`
// is successful termination and has none either. An Lts with no states at all
// stands for the empty language, which no other LTS has (doc/semantics.md#labelled-transition-systems).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/big_array.hpp"
#include "model/alphabet.hpp"

namespace surety {

struct Step {
  Action action;
  State target;
  friend auto operator<=>(const Step&, const Step&) = default;
};

class Lts {
 public:
  Lts() : Lts(Rows{}) {}  // no states

  State initial() const { return State{0}; }
  const Alphabet& alphabet() const { return rows_->alphabet; }
  std::uint32_t state_count() const { return states_; }
  std::uint64_t transition_count() const { return rows_->steps.size(); }
  std::optional<State> error() const { return rows_->error; }
  std::optional<State> end() const { return rows_->end; }

  std::span<const Step> steps(State s) const { return {steps_ + first_[s.value], steps_ + first_[s.value + 1]}; }
  std::span<const Step> steps(State s, Action a) const;  // only those with action a

 private:
  friend class LtsBuilder;
  friend class LtsWriter;
  struct Rows {
    Alphabet alphabet;
    BigArray<std::uint64_t> first;
    BigArray<Step> steps;
    std::optional<State> error, end;
  };
  explicit Lts(Rows rows)
      : rows_(std::make_shared<const Rows>(std::move(rows))),
        first_(rows_->first.data()),
        steps_(rows_->steps.data()),
        states_(rows_->first.empty() ? 0 : static_cast<std::uint32_t>(rows_->first.size() - 1)) {}

  std::shared_ptr<const Rows> rows_;
  const std::uint64_t* first_;
  const Step* steps_;
  std::uint32_t states_;
};

// Takes steps in any order. States are numbered by the caller from 0, the initial state.
class LtsBuilder {
 public:
  void add_step(State from, Action a, State to) { raw_.push_back({from, {a, to}}); }
  void add_to_alphabet(const Alphabet& more) { extra_.insert(extra_.end(), more.begin(), more.end()); }
  void set_state_count(std::uint32_t n) { states_ = n; }  // at least one more than the largest number used
  void set_error(State s) { error_ = s; }
  void set_end(State s) { end_ = s; }
  void reserve(std::size_t steps) { raw_.reserve(steps); }

  // What build() takes besides what is here.
  std::uint64_t bytes_to_build() const { return raw_.size() * sizeof(Step) + 16ULL * states_; }
  // The alphabet is that of the steps plus what was added. Leaves the builder empty.
  Lts build();

 private:
  struct RawStep {
    State from;
    Step step;
  };
  BigArray<RawStep> raw_;
  std::vector<Action> extra_;
  std::uint32_t states_ = 1;
  std::optional<State> error_;
  std::optional<State> end_;
};

// Takes the states in order, each with all its steps: what it holds is the Lts, and nothing is copied.
class LtsWriter {
 public:
  void reserve(std::uint64_t states, std::uint64_t steps);
  void add_step(Action a, State to) { rows_.steps.push_back({a, to}); }  // of the next state
  void end_state();                                                      // which had its last step
  std::uint64_t bytes() const;

  // The alphabet has all actions of the steps, and no step leads to a state that was not ended. Leaves the
  // writer empty.
  Lts build(const Alphabet& alphabet, std::optional<State> error, std::optional<State> end);

 private:
  Lts::Rows rows_;
};

bool is_deterministic(const Lts& lts);  // no tau, no two steps of a state with one action

}  // namespace surety
