// A Promela program as components, for the methods that prove by parts.
#pragma once

#include "load/load.hpp"
#include "model/check_kind.hpp"

namespace surety::api {

// Fills in the network and the properties of the model. Otherwise the reason: what cannot be taken apart, and where.
// `formulas`: those that are wanted as properties, by name; nothing: all. P@label in one shows in the names of actions.
// `group`: a variable may be one component with those that use it.
std::optional<Diagnostic> take_apart(Model& model, Budget& budget,
                                     const std::optional<std::vector<std::string>>& formulas, bool group = true);
// All formulas if nothing is named, otherwise what is; none for SPIN, which knows neither variables nor labels.
std::optional<std::vector<std::string>> formulas_for(const std::vector<std::string>& names, bool spin);

// Safety, or LTL if the property, one of the model's own, is a formula. Names say nothing: a trace assertion may
// have the name of a formula.
CheckKind kind_of(const Model& model, const Property& property);

}  // namespace surety::api
