// Assertions, fluents, progress and menus, with their names and ranges worked out.
#pragma once

#include <optional>
#include <vector>

#include "lang/fsp/elaborator.hpp"

namespace surety::fsp {

std::optional<FspAssertion> elaborate_assertion(const AssertDefinition& definition, const std::vector<Value>& values,
                                                Place call, Elaborator& elaborator, Report& report);
std::vector<FspFluent> elaborate_fluents(const FluentDefinition& definition, Elaborator& elaborator,
                                         Evaluator& evaluator);
std::vector<FspProgress> elaborate_progress(const ProgressDefinition& definition, Elaborator& elaborator,
                                            Evaluator& evaluator);

// The LTS of the runs that do not violate a safety formula; its alphabet is that of the formula, and the
// labels * and @NAME that LTSA adds. Nothing if it has too many states, or is no safety formula.
std::optional<Lts> constraint_lts(const FspAssertion& constraint, ActionTable& actions);

}  // namespace surety::fsp
