// Finite automata made from LTSs: determinise, complete, complement.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety {

// The subset construction after tau closure: a deterministic LTS with the same traces. A subset with
// the error state in it is the error state (what may go wrong, goes wrong), so words go no further there.
// A subset with END in it and without steps is END. Without states if the budget ended.
Lts determinise(const Lts& lts, Budget* budget = nullptr);
// Nothing: there are more subsets than `most`, or they and their steps would take much more room than that says, or
// the budget ended.
std::optional<Lts> determinise(const Lts& lts, std::uint64_t most, Budget* budget);

// P_err: every missing step of a deterministic LTS leads to the error state. END is forgotten
// (doc/semantics.md#properties). An LTS without states allows nothing, not even the empty trace: its completion is the
// error state alone.
Lts complete(const Lts& property);

// An LTS with accepting states.
struct Automaton {
  Lts lts;
  std::vector<bool> accepting;  // by state
};

// coM: determinise, complete over the alphabet, swap acceptance. Accepts exactly the words over the
// alphabet that are no traces of lts. A word that can reach error is no trace of a correct run: it and all
// that follows it are accepted too. At most one state accepts, a sink; if there is none, nothing is accepted.
Automaton complement(const Lts& lts);

}  // namespace surety
