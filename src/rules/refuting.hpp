// Which constraints refute a path of a flow analysis: a path that they forbid, each alone or several together, is no
// run.
//
// What is refuted is asked of a function, because one analysis has one path, and two halves of a system have one each.
#pragma once

#include <functional>
#include <optional>

#include "base/budget.hpp"
#include "rules/flow_system.hpp"

namespace surety {

// Whether no path of this kind obeys these constraints. No, too, if that takes too much to find out.
using Refutes = std::function<bool(const ConstraintSet&)>;

bool contains(const ConstraintSet& set, std::size_t constraint);

// One of the candidates that refutes it beside the constraints: the first.
std::optional<std::size_t> refuting(const ConstraintSet& candidates, const ConstraintSet& constraints,
                                    const Refutes& refutes);

// Several that do so together, none of which can be left out. Empty: there are none.
ConstraintSet refuting_together(const ConstraintSet& candidates, const ConstraintSet& constraints,
                                const Refutes& refutes, Budget& budget);

// In the order in which they are tried: those first that speak of most of the property's events (of a variable: its
// task), then the smallest. Not those that the user gave.
ConstraintSet candidates_for(const FlowSystem& system, const Lts& property);

}  // namespace surety
