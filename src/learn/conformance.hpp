// The W-method as an equivalence oracle: finds where a hypothesis is wrong by membership queries alone, given a bound
// on the size of the target.
//
// If target and hypothesis differ and the target has at most N states more than the
// hypothesis has, they differ on a word of cover x (at most N letters) x set
// (cover.hpp; Chow 1978): N letters are enough to reach all of the target's states from
// those that the cover reaches. Exponential in N, so N must be small; but what target
// and hypothesis both reject is not followed further, as the language is prefix-closed.
#pragma once

#include <optional>

#include "base/budget.hpp"
#include "learn/teacher.hpp"

namespace surety {

// A word on which teacher and hypothesis differ, with as few letters in the middle as possible. Nothing: they agree,
// if the minimal complete automaton of the target has at most `max_states` states, its sink counted; or the budget has
// ended. A bound below the hypothesis' own size is taken as that size. The hypothesis is deterministic, over the
// teacher's alphabet; without states it is the empty language. `teacher` should remember its answers.
std::optional<Trace> find_nonconformance(const Lts& hypothesis, Teacher& teacher, std::uint64_t max_states,
                                         Budget& budget);

}  // namespace surety
