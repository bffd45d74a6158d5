// Merging the states of a class into one. Shared by the ways to minimise.
#pragma once

#include <cstdint>
#include <vector>

#include "model/lts.hpp"

namespace surety {

// Renumbers classes in the order in which the states come, so that the class of the initial state is 0
// and the numbers do not depend on how the classes were found.
std::vector<std::uint32_t> in_order(std::vector<std::uint32_t> classes);

// The LTS whose states are classes, numbered as in_order() numbers them; unreachable ones stay. Error
// and END states must be in classes of which no member has a step to another class.

// A class does what its first member does. Right for strong bisimulation, where all do the same.
Lts merge_equal(const Lts& lts, const std::vector<std::uint32_t>& classes);

// A class does what any of its members does, except tau steps to itself.
Lts merge_silent(const Lts& lts, const std::vector<std::uint32_t>& classes);

}  // namespace surety
