// One process as several small ones that run in parallel and do the same: a cell for each index.
#pragma once

#include <string>
#include <vector>

#include "base/budget.hpp"
#include "lang/fsp/cells/tuple_rules.hpp"
#include "lang/fsp/front/types.hpp"

namespace surety::fsp {

struct Cells {
  std::vector<FspMachine> machines;  // fewer than two: it stays whole
  std::string note;                  // what the cells are, or why there are none
};

// The parallel composition of the cells is strongly bisimilar to the process. A cell may have at most so many states.
// The cells are as many as can be, or, if they are joined, without those that say no more than another. There are none
// if the budget ends.
Cells cells_of(const TupleProcess& process, const ActionTable& actions, std::uint32_t most_states, bool joined,
               Budget& budget);

}  // namespace surety::fsp
