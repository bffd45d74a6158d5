// Properties of an Ada program: FSP, Aldebaran or `.qre` files, whose labels stand for actions of the program.
#pragma once

#include "load/load.hpp"

namespace surety::api {

// Those of the property files; if there are none, those that the program names.
Outcome<void> load_ada_properties(Model& model, const Source& source, Budget& budget);

}  // namespace surety::api
