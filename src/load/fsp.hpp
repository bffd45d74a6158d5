// FSP files as models: the system that was asked for, its properties, and what is to be said of it.
#pragma once

#include "load/load.hpp"

namespace surety::api {

Outcome<void> load_fsp(Model& model, const Source& source, Budget& budget);

}  // namespace surety::api
