// The parallel composition, built as an explicit LTS.
//
// Components synchronise on the actions they share and interleave the rest and
// tau. A tuple with a component in its error state is the error state. For mere
// questions about a product use `engine`, which never builds it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "model/lts.hpp"
#include "model/priority.hpp"

namespace surety {

// The reachable part. Nothing if the budget ended. END states are one state (doc/semantics.md#end-and-deadlock).
// `tuples`: the states of the parts, by state of the result; of END one of several, of the error state none. `most`: a
// result that has more states and transitions than that, or a few thousand more, is given up: nothing.
std::optional<Lts> compose(const std::vector<const Lts*>& parts, Budget& budget, const Priority* priority = nullptr,
                           std::vector<std::vector<State>>* tuples = nullptr, std::uint64_t most = UINT64_MAX);

// A state without steps is successful termination, not deadlock, iff (doc/semantics.md#end-and-deadlock) every
// component that has an END is in it, and the components that have none have no action of their own. The second half,
// which does not depend on the state. As in LTSA, a component that is END from the start counts as one that has none
// here, and one at least must have one: END alone is a deadlock.
bool may_terminate(const std::vector<const Lts*>& parts);

}  // namespace surety
