// In which order a task calls the operations of one protected object.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lang/ada/network/explore.hpp"

namespace surety::ada {

// The calls that a task makes of one object, in their order: a deterministic automaton, in which everything else that
// the task does is left out.
struct CallOrder {
  struct Call {
    std::uint32_t operation;  // kNone: the object is made anew
    Values values;
    Outcome outcome;
    friend auto operator<=>(const Call&, const Call&) = default;
  };
  std::vector<std::map<Call, std::uint32_t>> steps;               // by state
  std::vector<std::set<std::pair<std::uint32_t, Values>>> asked;  // by state: what it can call
};

// Nothing: it would be too large.
std::optional<CallOrder> call_order(const flow::Program& program, std::uint32_t object, std::uint32_t task,
                                    const TaskGraph& graph);

// The same calls, and more: states in which the same can be called next are one. A loop that is left after a number of
// rounds becomes one that may go on for ever.
CallOrder merged(const CallOrder& from);

}  // namespace surety::ada
