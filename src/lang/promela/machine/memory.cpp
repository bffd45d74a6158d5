#include "lang/promela/machine/memory.hpp"

#include <algorithm>

namespace surety::promela {

void Memory::open(MachineState state) {
  current.assign(state.begin(), state.end());
  back();
  std::uint32_t p = 0, c = 0;
  for (std::size_t at = code.globals_bytes; at < current.size();) {
    if (now[at] == kProcessFrame) {
      process_at[p++] = static_cast<std::uint32_t>(at);
      at += code.processes[now[at + kType]].frame_bytes;
    } else {
      channel_at[c++] = static_cast<std::uint32_t>(at);
      at += code.channels[now[at + kType]].frame_bytes;
    }
  }
}

void Memory::clear() {
  next.assign(code.globals_bytes, 0);
  now = next.data();
}

void Memory::copy() {
  next.assign(current.begin(), current.end());
  now = next.data();
}

// An instruction pushes at most one value. Patterns of a poll use the stack on top of the code that polls.
void Memory::fit_stack() { stack.resize(std::max(stack.size(), code.longest_code + code.poll_code)); }

std::uint32_t Memory::add_frame(std::uint8_t kind, std::uint32_t type, std::uint32_t bytes) {
  const auto at = static_cast<std::uint32_t>(next.size());
  next.resize(at + bytes);
  now = next.data();
  now[at] = kind;
  now[at + kType] = static_cast<std::uint8_t>(type);
  return at;
}

bool Memory::add_channel(std::uint32_t kind) {
  if (channels() == 255) {
    why = Why::too_many_channels;
    return false;
  }
  channel_at[channels()] = add_frame(kChannelFrame, kind, code.channels[kind].frame_bytes);
  ++now[kChannels];
  return true;
}

bool Memory::add_process(std::uint32_t type) {
  if (processes() == 255) {
    why = Why::too_many_processes;
    return false;
  }
  process_at[processes()] = add_frame(kProcessFrame, type, code.processes[type].frame_bytes);
  set_place(processes(), code.processes[type].flow.start);
  ++now[kProcesses];
  return true;
}

void Memory::remove_process(std::uint32_t process) {
  std::uint32_t left = channels();
  while (left > 0 && channel_at[left - 1] > process_at[process]) --left;
  next.resize(process_at[process]);
  now = next.data();
  now[kProcesses] = static_cast<std::uint8_t>(process);
  now[kChannels] = static_cast<std::uint8_t>(left);
}

}  // namespace surety::promela
