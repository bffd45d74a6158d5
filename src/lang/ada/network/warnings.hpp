// What a program may do otherwise when it runs: warnings about the program as a whole.
#pragma once

#include "lang/ada/flow/program.hpp"
#include "lang/ada/network/explore.hpp"

namespace surety::ada {

// - Variables that two tasks use, perhaps at the same time, and that are not atomic (ARM 9.10).
// - Variables that protected operations use, and others too.
// - Conditional calls that may meet an accept with an else part: GNAT does not let them.
// - Operands that read different shared variables: their order is open (ARM 4.5).
Diagnostics warnings_of(const AdaProgram& program, const std::vector<TaskGraph>& graphs);

// It stands where a call is made at once or not at all.
bool is_conditional_call(const flow::Node& node);
// It stands where a call is accepted at once or not at all.
bool is_conditional_accept(const flow::Node& node);

}  // namespace surety::ada
