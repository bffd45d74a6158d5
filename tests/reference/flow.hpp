// Flow analysis by brute force: what flow graphs reach together, and what some constraints prove.
#pragma once

#include <cstdint>
#include <optional>

#include "rules/flow_system.hpp"

namespace surety::reference {

struct Pairs {
  std::uint64_t real = 0, found = 0;  // of points that the tasks reach together, and of those in the relation
  bool complete = true;               // every real one is in the relation
};

// Of the system's tasks, where everything is seen. Nothing: they reach more than `most` tuples of points.
std::optional<Pairs> pairs_of(const FlowSystem& system, std::size_t most = 1'000'000);

// Whether no path that these constraints allow violates the property. Nothing: the search has more than `most` states.
std::optional<bool> proves(const FlowSystem& system, const Lts& property, const ConstraintSet& constraints,
                           bool refined, std::uint64_t most = 1'000'000);

// These and the order of nodes of every task.
ConstraintSet with_all_tasks(const FlowSystem& system, ConstraintSet constraints);

}  // namespace surety::reference
