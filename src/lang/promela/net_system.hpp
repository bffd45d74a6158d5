// The processes and channels of a program once all are there.
//
// Processes that run from the start, and those that init starts before it does anything
// else, are the parts of the network. That init starts them one after the other is
// left out: a process that has not been started yet is one that has not moved yet.
// This is true only if init does nothing in between that others could notice, or
// notice others; otherwise the program is refused.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "lang/promela/net_flow.hpp"
#include "lang/promela/net_layout.hpp"

namespace surety::promela::net {

using Values = std::vector<std::int32_t>;

struct Channel {
  std::string name;  // grant, request.2
  std::uint32_t capacity = 0;
  std::vector<Type> fields;
};

struct Instance {
  std::string name;        // Server, Client(2)
  std::uint32_t type = 0;  // in Program::processes
  std::int32_t pid = 0;
  Values locals;           // when it starts
  std::uint32_t node = 0;  // where it starts
};

// A label that a formula asks for, P@label.
struct Mark {
  std::uint32_t instance = 0;
  std::uint32_t node = 0;
  std::string label;
};

struct System {
  const Program* program = nullptr;
  Layout globals;
  Values initial;                 // of the globals
  std::vector<bool> set_by_init;  // those that are not what the text says
  std::vector<Layout> locals;     // by process type
  std::vector<Flow> flows;        // by process type
  std::vector<Channel> channels;  // number n is the value n + 1 of a chan variable
  std::vector<Instance> instances;
  std::vector<Mark> marks;

  // What processes find and leave: first the slots of the globals, then the channels, then the marks (whether the
  // process is there).
  std::uint32_t channel_object(std::size_t c) const { return static_cast<std::uint32_t>(globals.slots().size() + c); }
  std::uint32_t mark_object(std::size_t m) const { return channel_object(channels.size() + m); }
};

tl::expected<System, Refusal> system_of(const Program& program);

// The value of an expression over numbers and what `get` knows of references.
struct Context {
  std::function<std::int32_t(const Reference&)> get;
  std::function<std::int32_t(const Expression&)> other;  // about channels, processes, time
  bool* divided_by_zero = nullptr;
};
std::int32_t evaluate(const Expression& e, const Context& context);

std::string show(const Program& program, const Type& type, std::int32_t value);

}  // namespace surety::promela::net
