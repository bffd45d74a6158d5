// Own variables apart: the same flow program, with variables that only one task uses kept outside of that task.
//
// A task remembers the values of its own variables, so the states of its component are the places in its text times
// these values: a table with room for twenty things has a million. Here every use of such a variable becomes a step of
// its own, like the use of a shared one: what code needs of it is read into temporary slots before, and what it gets is
// written afterwards. The variable then is a component of the network, and the task is its control and a few
// short-lived values. What the program does is the same but for these steps (`table.count.is.2`, `table.count.to.3`).
//
// It stays in its task
// - if its name means nothing: temporary slots, parameters, loop variables;
// - if its subtype has more than 64 values, for it would be a large component, or its values are not modelled;
// - if its task can begin again: a component does not begin with it;
// - if it belongs to a protected object, or is kept with one;
// - if it never changes once the task has begun, or is never read.
//
// What a task does before its first visible step is done beforehand, as ever: it only makes the initial values.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.hpp"
#include "model/flow_graph.hpp"

namespace surety::ada {

// With the variables of these tasks (by number) apart. Those that are have Slot::apart, a name that no other has, and
// Slot::task.
flow::Program own_variables_apart(const flow::Program& program, const std::vector<bool>& tasks);

// The tasks that have more than so many states with their variables, or too many values, each among others whose
// variables are apart if they have.
std::vector<bool> large_tasks(const flow::Program& program, std::uint32_t states, Budget& budget);

}  // namespace surety::ada
