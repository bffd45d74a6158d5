// What the smaller commands do with a Promela program: on the machine with SPIN's semantics, as a whole.
#pragma once

#include <optional>

#include "api/commands.hpp"

namespace surety::api {

// The whole state space as an LTS: actions are messages, tau the rest. A failed assertion leads to the error state;
// where a process may stand still for ever, END. Nothing if the budget ended.
Outcome<std::optional<Lts>> compose_promela(const Model& model, Budget& budget);

}  // namespace surety::api
