#include "lang/promela/network/buffer.hpp"

#include <algorithm>

#include "lang/promela/machine/message.hpp"

namespace surety::promela::net {
namespace {

constexpr std::int32_t kOnly = 1;  // the value of a variable that holds the only channel there is

Patterns patterns_of(const Mask& mask) {
  Patterns out;
  for (const auto& value : mask) {
    CompiledPattern pattern;
    pattern.match = value.has_value();
    pattern.drop = !pattern.match;
    if (value) pattern.code = {{Instruction::Op::push, {}, 0, *value}};
    out.push_back(std::move(pattern));
  }
  return out;
}

}  // namespace

Buffer::Buffer(const System& system, std::uint32_t channel) : memory_(*system.code) {
  memory_.open(system.start);
  const std::uint8_t* frame = memory_.made_channel(static_cast<std::int32_t>(channel) + 1);
  initial_.assign(frame, frame + system.channels[channel].kind->frame_bytes);
  memory_.current.resize(system.code->globals_bytes + initial_.size());
  memory_.back();
  memory_.channel_at[0] = system.code->globals_bytes;
}

std::optional<Contents> Buffer::after(const std::vector<Touch>& touches, Contents contents) {
  for (const Touch& touch : touches) {
    auto next = after(touch, contents);
    if (!next) return std::nullopt;
    contents = std::move(*next);
  }
  return contents;
}

std::optional<Contents> Buffer::after(const Touch& touch, const Contents& contents) {
  std::ranges::copy(contents, memory_.made_channel(kOnly));
  if (!agrees(touch)) return std::nullopt;
  const std::uint8_t* frame = memory_.made_channel(kOnly);
  return Contents(frame, frame + contents.size());
}

// Changes the buffer, if that is what the touch does.
bool Buffer::agrees(const Touch& touch) {
  const auto about = [&](Instruction::Op question) { return about_channel(memory_, question, kOnly); };
  switch (touch.kind) {
    case Touch::Kind::length: return about(Instruction::Op::length) == touch.value;
    case Touch::Kind::full: return about(Instruction::Op::full) == touch.value;
    case Touch::Kind::empty: return about(Instruction::Op::empty) == touch.value;
    case Touch::Kind::poll: return find(touch).has_value() == (touch.value != 0);
    case Touch::Kind::send: {
      if (about(Instruction::Op::full) != 0) return false;
      Message message = touch.message;
      for (std::size_t i = 0; i < touch.mask.size(); ++i) message[i] = *touch.mask[i];
      put_message(memory_, kOnly, message, touch.special);
      return true;
    }
    case Touch::Kind::receive:
    case Touch::Kind::peek: {
      const auto slot = find(touch);
      if (!slot) return false;
      Message found;
      read_message(memory_, kOnly, *slot, found);
      if (found != touch.message) return false;
      if (touch.kind == Touch::Kind::receive) remove_message(memory_, kOnly, *slot);
      return true;
    }
    default: return false;
  }
}

std::optional<std::uint32_t> Buffer::find(const Touch& touch) {
  return find_message(memory_, kOnly, patterns_of(touch.mask), touch.special, 0, memory_.stack.data());
}

}  // namespace surety::promela::net
