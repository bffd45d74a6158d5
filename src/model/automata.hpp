// Finite automata made from LTSs: determinise, complete, complement.
#pragma once

#include <vector>

#include "model/lts.hpp"

namespace surety {

// The subset construction after tau closure: a deterministic LTS with the same traces. A subset with
// the error state in it is the error state (what may go wrong, goes wrong).
Lts determinise(const Lts& lts);

// P_err: every missing step of a deterministic LTS leads to the error state.
Lts complete(const Lts& property);

// An LTS with accepting states (FSM of SPEC 1).
struct Automaton {
  Lts lts;
  std::vector<bool> accepting;  // by state
};

// coM: determinise, complete over the alphabet, swap acceptance. Accepts exactly the words over the
// alphabet that are no traces of lts. The added sink is the only accepting state, unless lts has an
// error state: a word that can reach error is no trace of a correct run, and is accepted too.
Automaton complement(const Lts& lts);

}  // namespace surety
