// A walk through a system by hand: choices are shown, a number is read.
#pragma once

#include <iosfwd>

#include "api/walker.hpp"

namespace surety::cli {

// Reads commands until `q` or the end of the input. `echo`: what is read is shown, because nobody types it. The exit
// status: 1 if the walk is where something is wrong.
int walk_by_hand(api::Walker& walker, std::uint64_t seed, std::istream& in, std::ostream& out, bool echo);

}  // namespace surety::cli
