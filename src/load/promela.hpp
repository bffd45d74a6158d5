// Promela programs as models: the program alone; what it is in parts is found out later (load/apart).
#pragma once

#include "load/load.hpp"

namespace surety::api {

Outcome<void> load_promela(Model& model, const Source& source, Budget& budget);

}  // namespace surety::api
