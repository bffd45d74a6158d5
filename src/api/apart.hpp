// A Promela program as components, for the methods that prove by parts.
#pragma once

#include "api/load.hpp"

namespace surety::api {

// Fills in the network and the properties of the model. Otherwise the reason: what cannot be taken apart, and where.
// `labels`: formulas may ask for P@label, which shows in the names of actions.
std::optional<Diagnostic> take_apart(Model& model, Budget& budget, bool labels);

// Is one of the names that of an ltl block? No names are all names.
bool names_formula(const Model& model, const std::vector<std::string>& names);

// "safety", or "ltl" if that is how the property was written.
std::string kind_of(const Model& model, const Property& property);

}  // namespace surety::api
