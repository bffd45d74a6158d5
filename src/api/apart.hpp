// A Promela program as components, for the methods that prove by parts.
#pragma once

#include "api/load.hpp"

namespace surety::api {

// Fills in the network and the properties of the model. Otherwise the reason: what cannot be taken apart, and where.
std::optional<Diagnostic> take_apart(Model& model, Budget& budget);

// "safety", or "ltl" if that is how the property was written.
std::string kind_of(const Model& model, const Property& property);

}  // namespace surety::api
