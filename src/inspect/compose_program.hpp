// A Promela program as one LTS, by the machine with SPIN's semantics.
#pragma once

#include <optional>

#include "base/budget.hpp"
#include "load/load.hpp"

namespace surety::api {

// The whole state space as an LTS: actions are messages, tau the rest. A failed assertion leads to the error state;
// where a process may stand still for ever, END. Nothing if the budget ended.
Outcome<std::optional<Lts>> compose_promela(const Model& model, Budget& budget);

}  // namespace surety::api
