// A split in two when none is given.
//
// M1 is what shares actions with the property, M2 the rest: the assumption then
// speaks of what reaches the property's side from outside. If that leaves a side
// empty, the first component stands against the others.
#pragma once

#include "model/verdict.hpp"

namespace surety {

Split default_split(const Network& network, const Property& property);  // needs two components at least

}  // namespace surety
