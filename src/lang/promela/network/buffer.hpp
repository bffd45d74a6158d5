// What is in a buffered channel, and what a touch makes of it: the machine's buffer, alone in its memory.
#pragma once

#include "lang/promela/network/process.hpp"

namespace surety::promela::net {

using Contents = Bytes;  // the frame of the channel

class Buffer {
 public:
  Buffer(const System& system, std::uint32_t channel);

  const Contents& initial() const { return initial_; }
  // The contents afterwards; nothing: the buffer is not as the touch says.
  std::optional<Contents> after(const Touch& touch, const Contents& contents);
  std::optional<Contents> after(const std::vector<Touch>& touches, Contents contents);

 private:
  bool agrees(const Touch& touch);
  std::optional<std::uint32_t> find(const Touch& touch);

  Memory memory_;
  Contents initial_;
};

}  // namespace surety::promela::net
