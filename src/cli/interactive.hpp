// A walk through a system by hand: choices are shown, a number is read. It can begin at the end of a trace.
#pragma once

#include <iosfwd>

#include "api/commands.hpp"

namespace surety::cli {

// Shows the way to where the walk begins, then reads commands until `q` or the end of the input. `echo`: what is read
// is shown, because nobody types it. The exit status: 1 if the walk is where something is wrong or has been violated.
int walk_by_hand(const api::OpenWalk& walk, std::uint64_t seed, std::istream& in, std::ostream& out, bool echo);

}  // namespace surety::cli
