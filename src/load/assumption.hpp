// Assumptions given as files: FILE.aut, FILE.json (as --assumption-out writes it),
// FILE.lts or FILE.lts:NAME (a process; the last one if no name is given).
#pragma once

#include <string>

#include "load/load.hpp"

namespace surety::api {

// Deterministic, over actions that the model has.
Outcome<Lts> read_assumption(const std::string& where, const Model& model);

}  // namespace surety::api
