// The smallest LTS that behaves the same, for three meanings of "the same".
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety {

// All three look at the reachable part only, and keep the alphabet, the error state as a class of
// its own, and END (told apart from a mere stop as if it had a private self-loop, doc/semantics.md#minimising). The
// result is good for nothing if the budget ended meanwhile.

// Strong bisimulation, O(m log n).
Lts minimise_strong(const Lts& lts, Budget* budget = nullptr);

// Weak (observational) bisimulation. tau self-loops are dropped: divergence is not preserved.
Lts minimise_weak(const Lts& lts, Budget* budget = nullptr);

// Traces: determinise, then the unique smallest deterministic LTS.
Lts minimise_trace(const Lts& lts, Budget* budget = nullptr);

// The classes the first two are made of: blocks[s] is the class of state s, for every state.
std::vector<std::uint32_t> strong_classes(const Lts& lts, Budget* budget = nullptr);
std::vector<std::uint32_t> weak_classes(const Lts& lts, Budget* budget = nullptr);

}  // namespace surety
