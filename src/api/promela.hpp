// What the commands do with a Promela program: on the machine with SPIN's semantics, as a whole.
#pragma once

#include <string>
#include <vector>

#include "api/commands.hpp"
#include "api/declared.hpp"
#include "api/turns.hpp"
#include "certify/certify.hpp"

namespace surety::api {

// The checks that the names mean; all that the program declares if there are none. ERROR and deadlock are one job.
// Request and model must outlive the jobs.
Outcome<std::vector<Job>> promela_jobs(const Request& request, const Model& model,
                                       const std::vector<std::string>& names);

// Everything that can be asked of the program, or what the names mean.
Outcome<std::vector<Declared>> promela_checks(const Model& model, const std::vector<std::string>& names);

// Has the program a property of each name?
Outcome<void> check_names(const Model& model, const std::vector<std::string>& names);

// Puts jobs of other methods into the same order: trace assertions, ERROR, deadlock, then claims and formulas, as they
// are written or named.
void sort_as_written(const Model& model, const std::vector<std::string>& names, std::vector<Job>& jobs);

// A proof of a certificate again: all states are searched once more.
certify::Judgement judge_promela(const Model& model, const std::string& kind, const std::string& property,
                                 Budget& budget);

Outcome<Simulation> simulate_promela(const SimulateRequest& request, Model model);

// All states and steps as one LTS; nothing if the budget ended.
Outcome<std::optional<Lts>> compose_promela(const Model& model, Budget& budget);

}  // namespace surety::api
