// Files of LTSs (`.aut`, `.json`) as components and properties, and files of regular expressions as properties.
#pragma once

#include "load/load.hpp"

namespace surety::api {

// The components of a system, in the order of its files, and its properties.
Outcome<void> load_aut(Model& model, const Source& source, Budget& budget);
// Properties of a system that has been read.
Outcome<void> load_property_files(Model& model, const Source& source, Budget& budget);

}  // namespace surety::api
