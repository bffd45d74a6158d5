// Ada programs as models: the network of the program; properties from FSP, Aldebaran or `.qre` files.
#pragma once

#include "lang/ada/network/network.hpp"
#include "load/load.hpp"
#include "model/machine.hpp"

namespace surety::api {

Outcome<void> load_ada(Model& model, const Source& source, Budget& budget);

// What a label of a property or constraint stands for: the action of that name and those that say who does it; if there
// is none, all actions that begin with it. Empty: it never happens.
std::vector<Action> ada_meaning(const Model& model, const std::string& label);

// What each task does in the steps of a trace: line and statement.
std::vector<std::vector<ShownStep>> ada_steps(const Model& model, const Trace& trace);

// What is to be said of a trace: that GNAT would not do it. Empty: nothing.
std::string ada_note(const Model& model, const Trace& trace);

// Where a task stands in a state of its component, as its text says it.
std::optional<FspStateName> ada_state_name(const Model& model, std::size_t component, State state);

// A task dies of an exception in this action.
bool ada_is_failure(const Model& model, Action action);

}  // namespace surety::api
