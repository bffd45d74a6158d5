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

std::optional<Contents> Buffer::after(const std::vector<Access>& accesses, Contents contents) {
  for (const Access& access : accesses) {
    auto next = after(access, contents);
    if (!next) return std::nullopt;
    contents = std::move(*next);
  }
  return contents;
}

std::optional<Contents> Buffer::after(const Access& access, const Contents& contents) {
  std::ranges::copy(contents, memory_.made_channel(kOnly));
  if (!agrees(access)) return std::nullopt;
  const std::uint8_t* frame = memory_.made_channel(kOnly);
  return Contents(frame, frame + contents.size());
}

// Is the buffer as the access says? A send or a receive also changes it.
bool Buffer::agrees(const Access& access) {
  const auto about = [&](Instruction::Op question) { return about_channel(memory_, question, kOnly); };
  switch (access.kind) {
    case Access::Kind::length: return about(Instruction::Op::length) == access.value;
    case Access::Kind::full: return about(Instruction::Op::full) == access.value;
    case Access::Kind::empty: return about(Instruction::Op::empty) == access.value;
    case Access::Kind::poll: return find(access).has_value() == (access.value != 0);
    case Access::Kind::send: {
      if (about(Instruction::Op::full) != 0) return false;
      Message message = access.message;
      for (std::size_t i = 0; i < access.mask.size(); ++i) message[i] = *access.mask[i];
      put_message(memory_, kOnly, message, access.special);
      return true;
    }
    case Access::Kind::receive:
    case Access::Kind::peek: {
      const auto slot = find(access);
      if (!slot) return false;
      Message found;
      read_message(memory_, kOnly, *slot, found);
      if (found != access.message) return false;
      if (access.kind == Access::Kind::receive) remove_message(memory_, kOnly, *slot);
      return true;
    }
    default: return false;
  }
}

std::optional<std::uint32_t> Buffer::find(const Access& access) {
  return find_message(memory_, kOnly, patterns_of(access.mask), access.special, 0, memory_.stack.data());
}

}  // namespace surety::promela::net
