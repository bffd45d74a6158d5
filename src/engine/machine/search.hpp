// Breadth-first search of a machine (model/machine.hpp): what can go wrong, and the shortest way there.
//
// One search answers several questions: a failed assertion or another fault, a watched
// assertion that is violated, a state where all stop and one should not, a formula that has
// become false for good (model/safety_formula.hpp). It goes on until each has its answer
// or all states are known. Every state is kept once (state_store.hpp), with what the watch
// of the formula knew before it looked at it, and with it the state it was reached
// from, so a shortest way back is read off and its steps are worked out again at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "model/machine.hpp"
#include "model/safety_formula.hpp"

namespace surety {

struct MachineSearch {
  std::optional<MachinePath> found[kMachineGoals];
  bool complete = false;     // all states were seen
  bool too_large = false;    // the formula is: it cannot be watched
  std::uint64_t states = 0;  // those in the middle of an atomic sequence not counted
  std::uint64_t stored = 0;  // those counted too
  std::uint64_t transitions = 0;
};

inline constexpr unsigned kFirstOnly = 1U << 7;  // among the goals: one answer is enough
inline constexpr unsigned kToTheEnd = 1U << 6;   // among the goals: all states, whatever was found

constexpr unsigned bit(MachineGoal goal) { return 1U << static_cast<unsigned>(goal); }

// `goals`: one bit for each MachineGoal that is asked for; `formula` is there if it is one of them. If the budget ends,
// what was found so far.
MachineSearch search_machine(Machine& machine, unsigned goals, Budget& budget, MachineWatch* formula = nullptr);

}  // namespace surety
