#include "lang/promela/machine_message.hpp"

#include <algorithm>

#include "lang/promela/machine_expression.hpp"

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
std::uint32_t sorted_slot(const Memory& m, const std::uint8_t* c, const Message& message) {
  Message other;
  for (std::uint32_t slot = 0; slot < c[kLength]; ++slot) {
    read_message(m, c, slot, other);
    if (message < other) return slot;
  }
  return c[kLength];
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
  return true;
}

void take_message(Memory& m, const Patterns& patterns, const Message& message, std::uint32_t process) {
  for (std::size_t f = 0; f < patterns.size(); ++f) {
    if (patterns[f].match || patterns[f].drop) continue;
    const std::int32_t address = evaluate(m, patterns[f].code, process);
    if (m.why != Why::nothing) return;
    store(m.now + address, message[f], patterns[f].cell);
  }
}

// The fields are compared where they lie: most messages are only looked at.
std::optional<std::uint32_t> find_message(Memory& m, const std::uint8_t* c, const Patterns& patterns, bool random,
                                          std::uint32_t process, std::int32_t* top) {
  const ChannelKind& kind = m.kind(c);
  const std::size_t fields = std::min(patterns.size(), kind.fields.size());
  const std::uint32_t messages = random ? c[kLength] : std::min<std::uint32_t>(1, c[kLength]);
  for (std::uint32_t slot = 0; slot < messages && m.why == Why::nothing; ++slot) {
    const std::uint8_t* at = slot_at(kind, c, slot);
    std::size_t f = 0;
    while (f < fields && (!patterns[f].match || evaluate(m, patterns[f].code, process, top) == field(kind, at, f))) ++f;
    if (f == fields) return slot;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> find_message(Memory& m, const std::uint8_t* c, const Operation& receive,
                                          std::uint32_t process) {
  if (c[kLength] > 0 && receive.patterns.size() != m.kind(c).fields.size()) m.why = Why::wrong_fields;
  return find_message(m, c, receive.patterns, receive.random, process, m.stack.data());
}

void read_message(const Memory& m, const std::uint8_t* c, std::uint32_t slot, Message& out) {
  const ChannelKind& kind = m.kind(c);
  const std::uint8_t* at = slot_at(kind, c, slot);
  out.resize(kind.fields.size());
  for (std::size_t f = 0; f < out.size(); ++f) out[f] = field(kind, at, f);
}

void put_message(const Memory& m, std::uint8_t* c, const Message& message, bool sorted) {
  const ChannelKind& kind = m.kind(c);
  const std::uint32_t slot = sorted ? sorted_slot(m, c, message) : c[kLength];
  std::uint8_t* at = slot_at(kind, c, slot);
  std::memmove(at + kind.message_bytes, at, (c[kLength] - slot) * kind.message_bytes);
  for (std::size_t f = 0; f < message.size(); ++f) store(at + kind.offsets[f], message[f], kind.fields[f]);
  ++c[kLength];
}

// What is not in use is 0: equal states have equal bytes.
void remove_message(const Memory& m, std::uint8_t* c, std::uint32_t slot) {
  const ChannelKind& kind = m.kind(c);
  std::uint8_t* at = slot_at(kind, c, slot);
  --c[kLength];
  std::memmove(at, at + kind.message_bytes, (c[kLength] - slot) * kind.message_bytes);
  std::memset(slot_at(kind, c, c[kLength]), 0, kind.message_bytes);
}

}  // namespace surety::promela
