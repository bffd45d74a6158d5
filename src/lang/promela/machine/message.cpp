#include "lang/promela/machine/message.hpp"

#include <algorithm>
#include <utility>

#include "lang/promela/machine/expression.hpp"

namespace surety::promela {
namespace {

// Where the fields lie.
template <class Byte>
Byte* slot_at(const ChannelKind& kind, Byte* c, std::uint32_t slot) {
  return c + kChannelHeader + slot * kind.message_bytes;
}

std::int32_t field(const ChannelKind& kind, const std::uint8_t* at, std::size_t f) {
  return load(at + kind.offsets[f], kind.fields[f]);
}

// The message goes before the first that is larger.
std::uint32_t sorted_slot(const Memory& m, std::int32_t channel, const Message& message) {
  const std::uint32_t length = m.made_channel(channel)[kLength];
  Message other;
  for (std::uint32_t slot = 0; slot < length; ++slot) {
    read_message(m, channel, slot, other);
    if (message < other) return slot;
  }
  return length;
}

// For a process that is executed alone: the values that the patterns ask for, up to the first pattern that cannot be
// evaluated. Returns the fault of that one.
Why ask_patterns(Memory& m, const Patterns& patterns, std::size_t fields, std::uint32_t process, std::int32_t* top,
                 Mask& out) {
  for (std::size_t f = 0; f < fields && m.why == Why::nothing; ++f)
    out.push_back(patterns[f].match ? std::optional(evaluate(m, patterns[f].code, process, top)) : std::nullopt);
  if (m.why != Why::nothing && !out.empty()) out.back().reset();
  return std::exchange(m.why, Why::nothing);
}

// Fields are compared one after the other, so the fault of a pattern happens only if a message fits all patterns before
// it.
bool is_there_outside(Memory& m, std::int32_t channel, const Patterns& patterns, std::size_t fields, bool random,
                      std::uint32_t process, std::int32_t* top) {
  Mask mask;
  const Why fault = ask_patterns(m, patterns, fields, process, top, mask);
  const bool found = fault != Why::never && m.outside->has_message(channel, mask, random);
  if (m.why == Why::nothing && (found || fault == Why::never)) m.why = fault;
  return found;
}

}  // namespace

void evaluate_message(Memory& m, const Operation& send, const ChannelKind& kind, std::uint32_t process, Message& out) {
  out.resize(kind.fields.size());
  if (send.arguments.size() != out.size()) m.why = Why::wrong_fields;
  for (std::size_t f = 0; f < out.size() && m.why == Why::nothing; ++f)
    out[f] = evaluate(m, send.arguments[f], process);
}

void narrow(Message& message, const ChannelKind& kind) {
  for (std::size_t f = 0; f < message.size(); ++f) message[f] = truncated(message[f], kind.fields[f]);
}

bool matches(Memory& m, const Patterns& patterns, const Message& message, std::uint32_t process) {
  for (std::size_t f = 0; f < std::min(patterns.size(), message.size()); ++f)
    if (patterns[f].match && evaluate(m, patterns[f].code, process) != message[f]) return false;
  return m.why == Why::nothing;
}

void take_message(Memory& m, const Patterns& patterns, const Message& message, std::uint32_t process) {
  for (std::size_t f = 0; f < patterns.size(); ++f) {
    if (patterns[f].match || patterns[f].drop) continue;
    const std::int32_t address = evaluate(m, patterns[f].code, process);
    if (m.why != Why::nothing) return;
    m.store(address, message[f], patterns[f].encoding);
  }
}

std::int32_t about_channel(const Memory& m, Instruction::Op question, std::int32_t channel) {
  const std::uint8_t* c = m.made_channel(channel);
  const ChannelKind& kind = m.kind(c);
  if (m.outside != nullptr && !kind.rendezvous()) return m.outside->about(channel, question);
  const std::int32_t length = c[kLength];
  const bool full = c[kLength] == kind.slots();
  switch (question) {
    case Instruction::Op::length: return length;
    case Instruction::Op::full: return full;
    case Instruction::Op::not_full: return !full;
    case Instruction::Op::empty: return length == 0;
    default: return length > 0;
  }
}

// The fields are compared where they lie: most messages are only looked at.
std::optional<std::uint32_t> find_message(Memory& m, std::int32_t channel, const Patterns& patterns, bool random,
                                          std::uint32_t process, std::int32_t* top) {
  const std::uint8_t* c = m.made_channel(channel);
  const ChannelKind& kind = m.kind(c);
  const std::size_t fields = std::min(patterns.size(), kind.fields.size());
  if (m.outside != nullptr)
    return is_there_outside(m, channel, patterns, fields, random, process, top) ? std::optional(0U) : std::nullopt;
  const std::uint32_t messages = random ? c[kLength] : std::min<std::uint32_t>(1, c[kLength]);
  for (std::uint32_t slot = 0; slot < messages && m.why == Why::nothing; ++slot) {
    const std::uint8_t* at = slot_at(kind, c, slot);
    std::size_t f = 0;
    while (f < fields && (!patterns[f].match || evaluate(m, patterns[f].code, process, top) == field(kind, at, f))) ++f;
    if (f == fields) return slot;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> find_message(Memory& m, std::int32_t channel, const Operation& receive,
                                          std::uint32_t process) {
  if (receive.patterns.size() != m.kind(channel).fields.size() &&
      about_channel(m, Instruction::Op::not_empty, channel) != 0) {
    m.why = Why::wrong_fields;
    return std::nullopt;
  }
  return find_message(m, channel, receive.patterns, receive.random, process, m.stack.data());
}

std::optional<std::uint32_t> read_message(Memory& m, std::int32_t channel, const Operation& receive,
                                          std::uint32_t process, Message& out) {
  if (m.outside != nullptr) {
    Mask mask;
    ask_patterns(m, receive.patterns, receive.patterns.size(), process, m.stack.data(), mask);
    m.outside->receive(channel, mask, receive.random, receive.peek, out);
    return m.why == Why::nothing ? std::optional(0U) : std::nullopt;
  }
  const auto slot = find_message(m, channel, receive, process);
  if (slot) read_message(m, channel, *slot, out);
  return slot;
}

void read_message(const Memory& m, std::int32_t channel, std::uint32_t slot, Message& out) {
  const std::uint8_t* c = m.made_channel(channel);
  const ChannelKind& kind = m.kind(c);
  const std::uint8_t* at = slot_at(kind, c, slot);
  out.resize(kind.fields.size());
  for (std::size_t f = 0; f < out.size(); ++f) out[f] = field(kind, at, f);
}

void put_message(const Memory& m, std::int32_t channel, const Message& message, bool sorted) {
  if (m.outside != nullptr) return m.outside->send(channel, message, sorted);
  std::uint8_t* c = m.made_channel(channel);
  const ChannelKind& kind = m.kind(c);
  const std::uint32_t slot = sorted ? sorted_slot(m, channel, message) : c[kLength];
  std::uint8_t* at = slot_at(kind, c, slot);
  std::memmove(at + kind.message_bytes, at, std::size_t{c[kLength] - slot} * kind.message_bytes);
  for (std::size_t f = 0; f < message.size(); ++f) store(at + kind.offsets[f], message[f], kind.fields[f]);
  ++c[kLength];
}

// What is not in use is 0: equal states have equal bytes.
void remove_message(const Memory& m, std::int32_t channel, std::uint32_t slot) {
  if (m.outside != nullptr) return;  // it has been told already
  std::uint8_t* c = m.made_channel(channel);
  const ChannelKind& kind = m.kind(c);
  std::uint8_t* at = slot_at(kind, c, slot);
  --c[kLength];
  std::memmove(at, at + kind.message_bytes, std::size_t{c[kLength] - slot} * kind.message_bytes);
  std::memset(slot_at(kind, c, c[kLength]), 0, kind.message_bytes);
}

}  // namespace surety::promela
