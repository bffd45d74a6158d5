// Automata of failing words.
//
// W is an LTS with an error state. A word over its alphabet fails if a part of it, from
// its start, can lead W to the error state; nothing else about W matters to safety.
// So W may be replaced by any other LTS with the same failing words:
//
//   - a state that reaches the error state silently is the error state,
//   - a state that cannot reach it is dropped, and with it every step there,
//   - a step beside one into the error state with the same action is dropped,
//   - silent steps go: a state does what those do that it reaches silently,
//   - bisimilar states are one, and the subset construction is as good as W itself.
//
// An LTS without states has no failing words; one whose initial state is the error state
// fails whatever happens.
//
// Whatever these functions make simulates what it was made of, as far as that can fail:
// that is what the checker of rule minimise relies on (certify/minimise.cpp).
#pragma once

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety {

// W || M, with the actions outside `visible` as tau: what can fail of it, as far as that is easily seen while it is
// built. Nothing: it has more than `most` states or 32 times as many steps, or the budget ended. M's own error state is
// an ordinary state. `built` says how much was built, in any case.
struct Built {
  std::uint64_t states = 0;
  std::uint64_t steps = 0;
};
std::optional<Lts> compose_failing(const Lts& w, const Lts& m, const Alphabet& visible, std::uint64_t most,
                                   Budget& budget, Built& built);

// The same failing words, by the first three means of those above.
Lts prune(const Lts& w);

// And by the fourth; `w` must be pruned. Nothing: it would have more than `most` steps, or the budget ended.
std::optional<Lts> without_tau(const Lts& w, std::uint64_t most, Budget& budget);

// By all of them. The result is deterministic unless that would make it more than twice as large.
// When the budget ends, less is done.
Lts reduce(const Lts& w, Budget& budget);

inline bool never_fails(const Lts& w) { return w.state_count() == 0; }
inline bool always_fails(const Lts& w) { return w.error() == w.initial(); }

}  // namespace surety
