// Messages: evaluated by a sender, kept in a buffer, compared and taken by a receiver.
#pragma once

#include <optional>

#include "lang/promela/machine/memory.hpp"

namespace surety::promela {

using Patterns = std::vector<CompiledPattern>;

// What is in the hands of a sender: not yet as narrow as the fields of the channel.
void evaluate_message(Memory& m, const Operation& send, const ChannelKind& kind, std::uint32_t process, Message& out);
void narrow(Message& message, const ChannelKind& kind);

bool matches(Memory& m, const Patterns& patterns, const Message& message, std::uint32_t process);
// Puts the fields where the patterns say.
void take_message(Memory& m, const Patterns& patterns, const Message& message, std::uint32_t process);

// The buffer of a channel that has been made, by the value of a variable. `question`: length, full, empty and so on.
std::int32_t about_channel(const Memory& m, Instruction::Op question, std::int32_t channel);

// The first message that the patterns match; not `random`: only the very first.
std::optional<std::uint32_t> find_message(Memory& m, std::int32_t channel, const Patterns& patterns, bool random,
                                          std::uint32_t process, std::int32_t* top);
std::optional<std::uint32_t> find_message(Memory& m, std::int32_t channel, const Operation& receive,
                                          std::uint32_t process);
// Of the one that `receive` finds.
std::optional<std::uint32_t> read_message(Memory& m, std::int32_t channel, const Operation& receive,
                                          std::uint32_t process, Message& out);
void read_message(const Memory& m, std::int32_t channel, std::uint32_t slot, Message& out);
void put_message(const Memory& m, std::int32_t channel, const Message& message, bool sorted);
void remove_message(const Memory& m, std::int32_t channel, std::uint32_t slot);

}  // namespace surety::promela
