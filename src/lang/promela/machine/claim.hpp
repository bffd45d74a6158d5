// A never claim as an automaton over propositions about states (model/machine.hpp).
#pragma once

#include <functional>

#include "lang/promela/machine/flow.hpp"
#include "model/machine.hpp"

namespace surety::promela {

// `proposition` gives a number to a condition. Reports what cannot stand in a claim.
MachineClaim claim_of(const Process& never, const Flow& flow,
                      const std::function<std::uint32_t(const Expression&)>& proposition, Report& report);

}  // namespace surety::promela
