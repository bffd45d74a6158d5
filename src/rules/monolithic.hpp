// No rule at all: search the whole product.
//
// With a priority the product cannot be searched part by part: whether an action
// may happen depends on all others. It is then composed first, and nothing is left out.
#pragma once

#include <vector>

#include "model/priority.hpp"
#include "rules/proof_goal.hpp"

namespace surety {

// Components have no error states here (without_error). `priority` may be null.
Verdict check_property(const std::vector<const Lts*>& components, const Lts& property, const Priority* priority,
                       const Context& context);

// Does a component reach its own error state?
Verdict check_error(const std::vector<const Lts*>& components, const Priority* priority, const Context& context);

// `last`: where each component is in the deadlock found (nothing with a priority).
Verdict check_deadlock(const std::vector<const Lts*>& components, const Priority* priority, const Context& context,
                       std::vector<State>& last);

}  // namespace surety
