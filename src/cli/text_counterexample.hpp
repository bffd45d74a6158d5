// Counterexamples as a person reads them: the steps, what goes on for ever, and where each process is at the end.
#pragma once

#include <string>

#include "cli/text.hpp"

namespace surety::cli {

void show_counterexample(std::string& out, const api::Check& check, const Violated& violated,
                         const ActionTable& actions, const Style& style);

// One line per step; from number `prefix` on they repeat for ever.
void show_steps(std::string& out, const api::Check& check, std::size_t prefix, const Style& style);

}  // namespace surety::cli
