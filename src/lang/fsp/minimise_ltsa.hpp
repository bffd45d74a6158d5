// The two ways in which minimise_ltsa works.
#pragma once

#include <optional>

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety::fsp {

// Takes the silent states out, one by one, and then minimises. Nothing if that would make too many steps:
// where one state has many silent paths, taking it out multiplies them.
std::optional<Lts> minimise_by_elimination(const Lts& lts, std::uint64_t most_work, Budget* budget = nullptr);

// The same without making a single step: silent states stay as places that a move passes through, and no move
// ends in one of them.
Lts minimise_by_signatures(const Lts& lts, Budget* budget = nullptr);

}  // namespace surety::fsp
