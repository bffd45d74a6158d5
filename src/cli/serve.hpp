// `surety serve` becomes the program surety-serve, which has HTTP in it: linked into this one, it would make every
// start of it twice as long.
#pragma once

#include "cli/options.hpp"

namespace surety::cli {

// Comes back only if there is no such program: the exit status.
int serve_command(const Options& options);

}  // namespace surety::cli
