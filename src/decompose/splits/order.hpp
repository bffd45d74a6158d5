// A row of single components when no split is given, for rules that take n sides.
//
// First the component that shares most actions with the property. Then again and
// again the one that shares most actions with those already placed and the
// property: each link of the chain then speaks about as few open actions as we can
// have cheaply. Ties go to the one that comes first in the model.
#pragma once

#include "model/verdict.hpp"

namespace surety {

Split default_order(const Network& network, const Property& property);

}  // namespace surety
