// Checks of values that are not modelled.
#pragma once

#include "lang/ada/network/explore.hpp"

namespace surety::ada {

// Places where a check could fail, but its operand is opaque, so that it is not known whether it does. The intervals of
// subtypes are known, so N mod 3 + 1 is safe whatever N is; N + 1 is not.
std::vector<std::uint32_t> unchecked_places(const flow::Program& program, const Environment& environment);

}  // namespace surety::ada
