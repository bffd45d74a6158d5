// What a flow program does by the Ada Reference Manual: all tasks and all memory together, with a queue of calls for
// each entry, first come, first served.
//
// It is as strict as the manual: that a task arrives at a call or at an accept statement is a step of its own, which
// nobody sees, and from then on nothing is left open. A call that finds its acceptor waiting is accepted at once; an
// acceptor that finds calls takes one of them at once; queued calls of a protected object whose barriers are open are
// served before anybody else can use it.
#pragma once

#include <optional>

#include "ada/behaviour.hpp"

namespace surety {

// Whether a conditional call can be on the queue for a moment, so that an acceptor that does not wait can find it there
// (ARM 9.7.3), or only looks if somebody waits for it (GNAT).
enum class ConditionalCalls : std::uint8_t { queued, never_queued };

// Nothing: there are more states than that.
std::optional<Behaviour> reference_behaviour(const AdaProgram& program, ConditionalCalls reading, Labels& labels,
                                             std::size_t most);

}  // namespace surety
