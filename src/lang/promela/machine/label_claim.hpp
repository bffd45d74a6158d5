// The labels accept... and progress... of processes as claims: for accept..., a claim that allows every run and leaves
// acceptance to the labels; for progress..., <>[] np_.
#pragma once

#include <string_view>

#include "lang/promela/machine/machine.hpp"

namespace surety {

// The claim, which describes the runs that must not exist. `check`: one of label_checks() (labels.hpp).
MachineClaim label_claim(std::string_view check, PromelaMachine& machine);

}  // namespace surety
