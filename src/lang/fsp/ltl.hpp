// Assertions, fluents, progress and menus, with their names and ranges worked out.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lang/fsp/elaborator.hpp"

namespace surety::fsp {

// Is shown each set of labels of what is elaborated.
using SeesLabels = std::function<void(const Label& set, const Scope& scope, const Evaluator& evaluator,
                                      MissingLabels::Use use, std::string_view owner)>;

std::optional<FspAssertion> elaborate_assertion(const AssertDefinition& definition, const std::vector<Value>& values,
                                                Place call, Elaborator& elaborator, Report& report,
                                                const SeesLabels& see = {});
std::vector<FspFluent> elaborate_fluents(const FluentDefinition& definition, Elaborator& elaborator,
                                         Evaluator& evaluator);
std::vector<FspProgress> elaborate_progress(const ProgressDefinition& definition, Elaborator& elaborator,
                                            Evaluator& evaluator);

// The labels of the sets with these names: "P", "P.1".
void see_progress(const ProgressDefinition& definition, const std::set<std::string>& names, Evaluator& evaluator,
                  const SeesLabels& see);

// The LTS of the runs that do not violate a safety formula; its alphabet is that of the formula, and the
// labels * and @NAME that LTSA adds. Nothing if it has too many states, or is no safety formula.
std::optional<Lts> constraint_lts(const FspAssertion& constraint, ActionTable& actions);

}  // namespace surety::fsp
