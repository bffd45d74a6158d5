// Error automata: which words lead a system to an error.
//
// An error automaton W is an LTS with an error state. A word over its alphabet fails if some run of W on a prefix of
// the word ends in the error state. For safety, the failing words are all that matters about W, so W may be replaced by
// any LTS with the same failing words:
//
//   - a state that reaches the error state by tau steps alone is merged with the error state,
//   - a state that cannot reach the error state is dropped, and so is every step to it,
//   - if a state has a step with action a to the error state, its other steps with a are dropped,
//   - tau steps are removed: a state gets the visible steps of all states that it reaches by tau steps,
//   - bisimilar states are merged, and the subset construction may replace W.
//
// An LTS without states has no failing words. If the initial state is the error state, every word fails.
//
// The result of each function below simulates the part of its argument from which the error state can be reached. The
// checker of rule minimise relies on that (certify/minimise.cpp).
#pragma once

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety {

struct ProductSize {
  std::uint64_t states = 0;
  std::uint64_t steps = 0;
};

// The error automaton W || M, with the actions outside `visible` as tau. The error state of the product is that of W;
// an error state of M is an ordinary state. The first and the third reduction of those above are applied, as far as one
// state and its steps show that they can be. Nothing: the product has more than `most` states or 32 times as many
// steps, or the budget ended. `size` says how much was built, in any case.
std::optional<Lts> compose_error_automaton(const Lts& w, const Lts& m, const Alphabet& visible, std::uint64_t most,
                                           Budget& budget, ProductSize& size);

// Applies the first three reductions.
Lts prune(const Lts& w);

// Applies the fourth; `w` must be pruned. Nothing: the result would have more than `most` steps, or the budget ended.
std::optional<Lts> without_tau(const Lts& w, std::uint64_t most, Budget& budget);

// Applies all of them. The result is deterministic unless the subset construction makes it more than twice as large.
// When the budget ends, fewer reductions are applied.
Lts reduce(const Lts& w, Budget& budget);

inline bool never_fails(const Lts& w) { return w.state_count() == 0; }
inline bool always_fails(const Lts& w) { return w.error() == w.initial(); }

}  // namespace surety
