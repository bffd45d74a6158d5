// The contents of a buffered channel, and what an access makes of them: the machine's buffer, alone in its memory.
#pragma once

#include "lang/promela/network/process.hpp"

namespace surety::promela::net {

using Contents = Bytes;  // the frame of the channel

class Buffer {
 public:
  Buffer(const System& system, std::uint32_t channel);

  const Contents& initial() const { return initial_; }
  // The contents afterwards; nothing: the buffer is not as the access says.
  std::optional<Contents> after(const Access& access, const Contents& contents);
  std::optional<Contents> after(const std::vector<Access>& accesses, Contents contents);

 private:
  bool agrees(const Access& access);
  std::optional<std::uint32_t> find(const Access& access);

  Memory memory_;
  Contents initial_;
};

}  // namespace surety::promela::net
