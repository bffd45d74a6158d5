// What cannot be taken apart, decided on the operations of a process and named in the words of the program.
#pragma once

#include <optional>

#include "lang/promela/network/system.hpp"

namespace surety::promela::net {

// By place: can control come there from `start`? Inside of a d_step as well.
std::vector<bool> reachable_places(const CompiledProcess& process, std::uint32_t start);

// Is there one among the operations at the places?
template <class Test>
bool any_operation(const CompiledProcess& process, const std::vector<bool>& places, Test test) {
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const Operation& op : process.places[i])
      if (places[i] && test(op)) return true;
  return false;
}

bool is_run(const Operation& op);
// What it asks that a process cannot know alone; of a run, also what the initial values of the process ask.
const char* unknown_alone(const Compiled& code, const Operation& op);

bool can_end(const CompiledProcess& process);
// Does the process look at its own number?
bool uses_pid(const Compiled& code, const CompiledProcess& process);

// Of each global variable: is there an operation, of any process, that changes it?
std::vector<bool> written_globals(const Compiled& code);
// Reads or writes a variable that is written at all, or asks about a channel; of a run, the process that it starts too.
bool is_about_globals(const Compiled& code, const std::vector<bool>& written, const Operation& op);

bool makes_channels(const CompiledProcess& process);
// A channel of its own that others may have come to know: it is gone when the process has ended.
bool lends_channels(const CompiledProcess& process);

// The first thing that a process, alone, could not know of the others.
std::optional<Refusal> refuse(const Program& program, const Compiled& code, const Instance& instance);

}  // namespace surety::promela::net
