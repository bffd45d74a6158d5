// All checks of one model.
#pragma once

#include "check/all_sizes.hpp"
#include "check/session.hpp"
#include "check/subject.hpp"

namespace surety::api {

Outcome<Checks> check_network(const CheckOptions& options, const Model& model, const Subjects& subjects,
                              Budget& budget);

// A program: quickly as a whole, by parts, or as a whole after all. The model becomes a network if it comes apart.
// `spin`: what SPIN did, if it was asked.
Outcome<Checks> check_program(const CheckOptions& options, Model& model, const Subjects& subjects,
                              const std::vector<std::string>& names, Budget& budget,
                              std::optional<spin::Statistics>& spin);

// For every size from the first on. `model`: at the first size.
Outcome<Checks> check_all_sizes(const CheckOptions& options, const SizesRange& range, const Sizes& sizes,
                                const Model& model, const Subjects& subjects, Budget& budget);

}  // namespace surety::api
