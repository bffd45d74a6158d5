// What the commands do with a Promela program: on the machine with SPIN's semantics, as a whole.
#pragma once

#include <string>
#include <vector>

#include "api/commands.hpp"
#include "api/verify.hpp"

namespace surety::api {

// The checks that the names mean; all that the program declares if there are none.
Outcome<std::vector<Check>> verify_promela(const Request& request, const Model& model,
                                           const std::vector<std::string>& names, Budget& budget);

Outcome<Simulation> simulate_promela(const SimulateRequest& request, Model model);

// All states and steps as one LTS; nothing if the budget ended.
Outcome<std::optional<Lts>> compose_promela(const Model& model, Budget& budget);

}  // namespace surety::api
