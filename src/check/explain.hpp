// Why a counterexample ends where it ends: who takes part in its steps, where each process stands, and what it waits
// for.
#pragma once

#include "check/check.hpp"
#include "load/load.hpp"

namespace surety::api {

// Of a violation in a network, whose first components are processes and the others properties. Programs have steps of
// their own. With `model`, whose components the processes are, states have the names of its text.
void explain(Check& check, const Network& network, std::size_t processes, const ActionTable& actions,
             const Model* model = nullptr);

// Of an Ada program: the tasks that take part, with their statements.
void explain_ada(Check& check, const Model& model);

// Where the components are, each with what it could do if the others let it.
std::vector<Stand> stands_at(const Model& model, const std::vector<State>& states);

}  // namespace surety::api
