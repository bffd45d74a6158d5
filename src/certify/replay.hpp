// What a trace does to one component.
#pragma once

#include <set>

#include "model/lts.hpp"

namespace surety::certify {

// Where the component can be after its share of the trace. Silent steps may fall anywhere.
std::set<State> states_after(const Lts& lts, Word trace);

}  // namespace surety::certify
