// One process as several small ones that run in parallel and together behave like it: ideally one cell per index.
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

// The parallel composition of the cells is strongly bisimilar to the process. Each cell has at most `most_states`
// states. There are as many cells as possible; with `joined`, a cell whose state another cell determines is joined to
// that one. There are none if the budget ends.
Cells cells_of(const TupleProcess& process, const ActionTable& actions, std::uint32_t most_states, bool joined,
               Budget& budget);

}  // namespace surety::fsp
