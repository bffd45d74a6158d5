// The method auto: which strategies are tried for a check, in which order, and with how much.
//
// 1. Plain search, up to kFirstStates states, unless the components together are large. Most systems that people write
//    while they think are answered here, with a shortest trace, before anything else has begun.
// 2. The strategies that reach further, in parallel (race.hpp): refinement (cegar, with the property taken apart),
//    backward minimisation, the decision diagram (symbolic), and plain search to the end of the memory. None of them is
//    best everywhere, and no cheap look at a system tells which one will be (bench/README.md). Three of them on two
//    cores cost the best one half of its time more; minimise, the fourth, gives up early by itself when its products
//    grow. A strategy that ends leaves its memory and its processor to the others.
// 3. With one thread the strategies take turns, with more states each time, in the order of the list: the one that ends
//    soonest on systems with many components comes first.
// 4. A strategy that was stopped for lack of memory is tried again when plain search, which held it, has failed.
//
// For deadlock there are plain search and the decision diagram.
#pragma once

#include <vector>

#include "rules/rules.hpp"

namespace surety {

// `first_states`: how many states plain search gets in step 1. The first turn of step 3 has a larger limit.
Verdict prove_auto(const ProofGoal& goal, const Context& context, std::uint64_t first_states);

extern const Rule kAuto;  // the certificate has the winning method; in the cost it is the last attempt

// `last` as for check_deadlock of rules/monolithic.hpp.
Verdict check_deadlock_auto(const std::vector<const Lts*>& components, const Context& context,
                            std::vector<State>& last);

// auto, and the others.
const Rule* find_method(Method method);  // null: there is none

}  // namespace surety
