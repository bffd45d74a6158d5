// The cycles of tau steps.
#pragma once

#include <cstdint>
#include <vector>

#include "model/lts.hpp"

namespace surety {

// By state: the number of its strongly connected component with respect to tau steps. A tau step
// never leads to a component with a larger number, so in this order successors come first.
std::vector<std::uint32_t> tau_components(const Lts& lts);

}  // namespace surety
