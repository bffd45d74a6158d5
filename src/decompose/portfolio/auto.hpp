// The method auto: which methods are tried for a check, in which order, and with how much.
//
// 1. Plain search, up to kFirstStates states, unless a component alone is large. Most systems that people write while
// they
//    think are answered here, with a shortest trace, before anything else has begun.
// 2. What reaches further, all at once: refinement (cegar, with the property taken apart),
//    backward minimisation, the decision diagram (symbolic), and plain search to the end
//    of the memory. None of them is best everywhere, and no cheap look at a system tells
//    which one will be (bench/README.md), so they race: three that run on two cores cost
//    the best one half of its time more, and minimise, the fourth, gives up by itself when
//    what it builds grows. Those that end leave their part of the machine to the others.
// 3. With one thread there is no race but turns, with more states each time, in the order
//    of the list: what ends soonest on systems with many components comes first.
// 4. What was stopped for lack of memory, because plain search held it, is tried again when
//    plain search has failed.
//
// For deadlock there are plain search and the decision diagram.
#pragma once

#include <vector>

#include "rules/rules.hpp"

namespace surety {

// With so many states for plain search at first; a turn has at least as many.
Verdict prove_auto(const ProofGoal& goal, const Context& context, std::uint64_t first_states);

extern const Rule kAuto;  // the certificate says which method has won; in the cost it is the last attempt

// `last` as for check_deadlock of rules/monolithic.hpp.
Verdict check_deadlock_auto(const std::vector<const Lts*>& components, const Context& context,
                            std::vector<State>& last);

// auto, and the others.
const Rule* find_method(Method method);  // null: there is none

}  // namespace surety
