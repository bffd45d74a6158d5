// The reachable product as an explicit LTS, for all that wants more of it than a search on the fly can tell.
//
// States are numbered breadth first, so a smaller number is never farther away. A tuple with a part in its error state
// is the error state, one state without steps. Whoever explores can look at the steps of each state before their
// targets get numbers: hide or drop some of them (a priority, an error automaton), so that what is behind a dropped
// step is never met.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/big_array.hpp"
#include "base/budget.hpp"
#include "model/lts.hpp"
#include "model/priority.hpp"
#include "product/product.hpp"

namespace surety {

// The steps of one state by their actions, those to ordinary states and those to the error state.
struct FoundSteps {
  static constexpr Action kDropped{UINT32_MAX};
  std::span<Action> ordinary;     // each may be changed, to kDropped as well
  std::vector<Action>& to_error;  // may be changed in any way
};

struct ExploreOptions {
  std::function<void(FoundSteps)> edit;              // called once for each state that is expanded
  std::function<bool(const std::uint64_t*)> is_end;  // of a packed state; all such states are one, END
  std::function<bool(std::uint64_t states, std::uint64_t steps)> too_large;  // asked now and then; true: give up
};

struct Explored {
  Lts lts;
  BigArray<std::uint64_t> states;  // packed, by state of the LTS, product.words() each; of the error state only zeros
};

// Nothing: the budget ended, or it was too large. `charge` grows by what is built. The alphabet is that of the result.
std::optional<Explored> explore(const Product& product, const Alphabet& alphabet, const ExploreOptions& options,
                                Budget& budget, Charge& charge);

// For ExploreOptions::edit: while a high step is possible, low ones are dropped.
void give_way(const Priority& priority, FoundSteps steps);

}  // namespace surety
