// Random flow programs, made without Ada text in between: two to four tasks beside the environment task, with what the
// expander makes of Ada (rendezvous with and without bodies, selects, protected objects, exceptions, nested masters).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lang/ada/flow/program.hpp"

namespace surety {

AdaProgram random_flow_program(std::uint64_t seed);
// The same source for any flow program: one line for each place.
AdaProgram with_source(flow::Program program);

// For people.
std::string shown(const flow::Program& program);
// What is in it: "timed call", "terminate".
std::set<std::string> features(const flow::Program& program);
// Programs with a little less in them, each well-formed.
std::vector<flow::Program> simpler(const flow::Program& program);

}  // namespace surety
