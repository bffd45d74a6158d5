// Formulas that are false only because of something that has happened: after some beginning of the run nothing can mend
// it. Such formulas can be watched.
//
// Those without <> and U, once negations are pushed down, are of this kind (Sistla 1994).
// The negation of such a formula has no W, so it comes true after finitely many letters. A
// state of the watch says in which ways that can still be: sets of subformulas of the
// negation; all formulas of one of the sets must come true from the next letter on. A
// letter turns f U g into "g is true now", or "f is true now, and f U g later". A set with
// nothing left to ask for: the negation is true, whatever follows.
//
// Every run on which the formula is false is found out so (Kupferman, Vardi 2001). And without X it does not matter how
// often a letter comes in a row, so only changes need to be watched:
//
//   A run is as true as the one without repetitions (Lamport 1983). If that one goes on for ever, it has a beginning
//   that the watch finds false. If it ends in v v v ..., what is true there is true at the first v already, of every
//   subformula, and an until need not be put off: the watch finds out at the first v.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/machine.hpp"

namespace surety {

class SafetyWatch {
 public:
  using State = std::vector<std::vector<NormalForm::Number>>;  // none is in another; both levels ascending

  // Nothing: the formula has X, an event, or something that must come true in the end.
  static std::optional<SafetyWatch> of(const Formula& formula);

  State initial() const { return {{form_.root}}; }
  // Of a state that is not false. `letter`: the truth of the propositions (Op::fluent). Nothing: too many sets.
  std::optional<State> after(const State& state, const std::vector<bool>& letter) const;
  // It stays true, whatever comes.
  static bool is_true(const State& state) { return state.empty(); }
  static bool is_false(const State& state) { return !state.empty() && state.front().empty(); }

 private:
  explicit SafetyWatch(NormalForm form) : form_(std::move(form)) {}

  NormalForm form_;
};

// Along a run of a machine, states as numbers. The first one looks at the initial state. What is false stays false.
class MachineWatch {
 public:
  static constexpr std::uint32_t kFalse = UINT32_MAX, kTooLarge = UINT32_MAX - 1;  // the formula is

  static std::optional<MachineWatch> of(const MachineFormula& formula);  // as SafetyWatch

  MachineWatch(MachineWatch&&) = default;
  MachineWatch& operator=(MachineWatch&&) = default;

  std::uint32_t initial() const { return 0; }
  std::uint32_t after(std::uint32_t state, Machine& machine, MachineState now);
  std::uint32_t after(std::uint32_t state, const std::vector<bool>& letter);  // the truth of the propositions
  bool is_true(std::uint32_t state) const { return state < kTooLarge && SafetyWatch::is_true(*states_[state]); }

 private:
  MachineWatch(SafetyWatch watch, std::vector<std::uint32_t> propositions);
  std::uint32_t number(const SafetyWatch::State& state);

  SafetyWatch watch_;
  std::vector<std::uint32_t> propositions_;
  std::vector<bool> letter_;
  std::map<SafetyWatch::State, std::uint32_t> numbers_;
  std::vector<const SafetyWatch::State*> states_;
  std::map<std::pair<std::uint32_t, std::vector<bool>>, std::uint32_t> known_;  // what after() has answered
};

}  // namespace surety
