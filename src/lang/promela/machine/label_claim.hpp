// The labels accept... and progress... of processes as claims: one that is always content and leaves the accepting to
// the labels, and <>[] np_.
#pragma once

#include <string_view>

#include "lang/promela/machine/machine.hpp"

namespace surety {

// What describes the runs that must not be there. `check`: one of label_checks() (labels.hpp).
MachineClaim label_claim(std::string_view check, PromelaMachine& machine);

}  // namespace surety
