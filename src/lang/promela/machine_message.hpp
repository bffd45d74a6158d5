// Messages: evaluated by a sender, kept in a buffer, compared and taken by a receiver.
#pragma once

#include <optional>

#include "lang/promela/machine_memory.hpp"

namespace surety::promela {

using Message = std::vector<std::int32_t>;
using Patterns = std::vector<CompiledPattern>;

// What is in the hands of a sender: not yet as narrow as the fields of the channel.
void evaluate_message(Memory& m, const Operation& send, const ChannelKind& kind, std::uint32_t process, Message& out);
void narrow(Message& message, const ChannelKind& kind);

bool matches(Memory& m, const Patterns& patterns, const Message& message, std::uint32_t process);
// Puts the fields where the patterns say.
void take_message(Memory& m, const Patterns& patterns, const Message& message, std::uint32_t process);

// The buffer of a channel, by its frame. The first message that the patterns match; not `random`: only the very first.
std::optional<std::uint32_t> find_message(Memory& m, const std::uint8_t* c, const Patterns& patterns, bool random,
                                          std::uint32_t process, std::int32_t* top);
std::optional<std::uint32_t> find_message(Memory& m, const std::uint8_t* c, const Operation& receive,
                                          std::uint32_t process);
void read_message(const Memory& m, const std::uint8_t* c, std::uint32_t slot, Message& out);
void put_message(const Memory& m, std::uint8_t* c, const Message& message, bool sorted);
void remove_message(const Memory& m, std::uint8_t* c, std::uint32_t slot);

}  // namespace surety::promela
