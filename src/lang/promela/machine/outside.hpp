// The environment of a process that is executed alone.
//
// On the machine all of a state is in the memory, and there is nothing outside. Of a process
// that is executed alone (network/process.hpp) only its own frame is there: it reads shared
// variables and channels by asking this interface, and changes them by calling it. All else,
// above all the meaning of statements, is the same code.
//
// A question that has no answer sets Why::never, which ends the execution as a fault does.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lang/promela/machine/code.hpp"

namespace surety::promela {

using Message = std::vector<std::int32_t>;
using Mask = std::vector<std::optional<std::int32_t>>;  // what a receive asks for; nothing: anything

class Outside {
 public:
  virtual ~Outside() = default;

  // A shared variable by its offset in the state. What is stored has been cut to fit.
  virtual std::int32_t load(std::uint32_t offset) = 0;
  virtual void store(std::uint32_t offset, std::int32_t value) = 0;

  // A channel with a buffer, by the value of a variable. `question`: length, full, empty and so on.
  virtual std::int32_t about(std::int32_t channel, Instruction::Op question) = 0;
  virtual bool has_message(std::int32_t channel, const Mask& mask, bool random) = 0;
  virtual void send(std::int32_t channel, const Message& wide, bool sorted) = 0;  // not yet as narrow as its fields
  virtual void receive(std::int32_t channel, const Mask& mask, bool random, bool peek, Message& out) = 0;

  // Is another process ready for this send by rendezvous?
  virtual bool has_receiver(std::int32_t channel) = 0;

  // A message has been sent, or received.
  virtual void see(bool send, std::int32_t channel, const Message& message) = 0;
};

}  // namespace surety::promela
