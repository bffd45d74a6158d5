// From SPIN's trail of a program to a trace of ours.
#pragma once

#include "base/budget.hpp"
#include "spin/trail.hpp"
#include "walk/walker.hpp"

namespace surety::api {

// The steps that execute these lines; if no run executes all of them, those of one that gets furthest, and the first
// line that none executes is the last step.
SavedTrace trace_of(Walker& walker, const spin::Trail& trail, Budget& budget);

}  // namespace surety::api
