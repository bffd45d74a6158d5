// Runs of a machine that a claim, or the negation of a formula, describes.
//
// The product of machine and automaton is searched for a cycle that is accepted: strong
// components are found depth first (Couvreur 1999) and judged as they close, with one mark
// per acceptance set on the edges, so no automaton has to be changed for it. An automaton
// that can be sure after finitely many steps is first asked breadth first whether it
// ever is, so that what is violated in a moment has a shortest trace.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "engine/machine/search.hpp"
#include "model/ltl.hpp"
#include "model/machine.hpp"

namespace surety {

// A run: the steps before the cycle, and the cycle. An empty cycle: the run stands still at its end.
struct MachineRun {
  MachinePath path;       // of prefix and cycle together
  std::size_t again = 0;  // the state (in path.states) that the last one is equal to
};

struct MachineLiveness {
  std::optional<MachineRun> run;
  bool complete = false;
  std::uint64_t states = 0;  // of the product
  std::uint64_t transitions = 0;
};

MachineLiveness find_claimed_run(Machine& machine, const MachineClaim& claim, Budget& budget);

// A run on which the formula is false. Its fluent number i is the proposition propositions[i] of the machine. Nothing
// and not complete: the budget ended, or the formula is too large.
MachineLiveness find_counterexample(Machine& machine, const Formula& formula,
                                    const std::vector<std::uint32_t>& propositions, Budget& budget);

}  // namespace surety
