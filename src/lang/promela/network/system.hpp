// The processes and channels of a program once all are there.
//
// Processes that run from the start, and those that init starts before it does anything
// else, are the parts of the network. That init starts them one after the other is
// left out: a process that has not been started yet is one that has not moved yet.
// This is true only if init does nothing in between that others could notice, or
// notice others; otherwise the program is refused. The machine itself starts them: all
// that is known of them afterwards is read off its state.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "lang/promela/machine/memory.hpp"
#include "lang/promela/machine/watch.hpp"
#include "lang/promela/promela.hpp"

namespace surety::promela::net {

using Values = std::vector<std::int32_t>;
using Bytes = std::vector<std::uint8_t>;

// What this translation cannot express, and where.
struct Refusal {
  std::string construct;
  Place place;
};

struct Channel {
  std::string name;  // grant, request.2
  const ChannelKind* kind = nullptr;
  std::uint32_t kind_number = 0;  // in Compiled::channels
};

struct Instance {
  std::string name;        // Server, Client(2)
  std::uint32_t type = 0;  // in Program::processes
  std::uint32_t pid = 0;
  Values arguments;  // of the run that started it
  Bytes frame;       // as it is in the memory of the machine, its place and its variables
  std::uint32_t place() const { return load_place(frame.data() + kPlace); }
};

// A label that a formula asks for, P@label.
struct Mark {
  std::uint32_t instance = 0;
  std::uint32_t place = 0;
  std::string label;
};

struct System {
  const Program* program = nullptr;
  const Compiled* code = nullptr;
  Compiler* compiler = nullptr;
  const Source* source = nullptr;
  const Watch* no_watch = nullptr;
  Bytes start;                         // the state of the machine when all are there
  Values initial;                      // of the globals, by slot (Compiled::globals) in that state
  std::vector<std::uint32_t> slot_at;  // by offset in the state: the slot that lies there
  std::vector<bool> set_by_init;       // by slot: those that init has assigned to
  std::vector<Channel> channels;       // number n is the value n + 1 of a chan variable
  std::vector<Instance> instances;     // by number
  std::vector<Mark> marks;

  // What processes find and leave: first the slots of the globals, then the channels, then the marks (whether the
  // process is there).
  std::uint32_t channel_object(std::size_t c) const { return static_cast<std::uint32_t>(code->globals.size() + c); }
  std::uint32_t mark_object(std::size_t m) const { return channel_object(channels.size() + m); }
};

// All that is given here must outlive the system.
tl::expected<System, Refusal> system_of(const PromelaFile& file, Compiler& compiler, const Watch& no_watch);

// By name if it is the value of an mtype (a number of Program::mtype_sets, -1: none).
std::string show(const Program& program, std::int32_t mtype, std::int32_t value);

}  // namespace surety::promela::net
