// The state that is worked on: its bytes (machine.hpp), and where the frames lie in them.
//
// A state is opened once and all its steps are made from it, each in a copy. Whatever
// evaluates or executes something works on `now` and need not know which of the two
// that is. It does not unwind when something is wrong: it leaves the reason in `why`,
// which is looked at where that matters.
#pragma once

#include <cstring>
#include <vector>

#include "lang/promela/machine/compile.hpp"
#include "lang/promela/machine/fault.hpp"
#include "lang/promela/machine/outside.hpp"
#include "model/machine.hpp"

namespace surety::promela {

// The header of a state. The watch has two bytes.
inline constexpr std::size_t kProcesses = 0, kChannels = 1, kFloor = 2, kWatch = 3;

// Frames start with their kind and type. A process goes on with its place (two bytes), a channel with its length.
inline constexpr std::uint8_t kProcessFrame = 0, kChannelFrame = 1;
inline constexpr std::size_t kType = 1, kPlace = 2, kLength = 2;

inline std::uint32_t load_place(const std::uint8_t* at) {
  std::uint16_t place;
  std::memcpy(&place, at, 2);
  return place;
}

inline void store_place(std::uint8_t* at, std::uint32_t place) {
  const auto p = static_cast<std::uint16_t>(place);
  std::memcpy(at, &p, 2);
}

struct Memory {
  explicit Memory(const Compiled& c) : code(c) { fit_stack(); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  const Compiled& code;
  std::vector<std::uint8_t> current, next;  // the state that was opened, and the one that is being made of it
  std::uint8_t* now = nullptr;              // the bytes of one of them
  std::uint32_t process_at[256] = {}, channel_at[256] = {};
  std::vector<std::int32_t> stack;  // of expressions
  Why why = Why::nothing;
  bool failed_assertion = false;       // this alone does not end a step
  std::uint32_t failed_statement = 0;  // the assertion
  bool timeout = false;                // the value of `timeout`
  Outside* outside = nullptr;          // null: globals and channels are in the memory

  void open(MachineState state);
  void clear();  // makes a state with nothing but globals, all 0
  void copy();   // makes a state that is as yet the one that was opened
  void back() { now = current.data(); }
  void fit_stack();  // after more has been compiled

  std::uint32_t processes() const { return now[kProcesses]; }
  std::uint32_t channels() const { return now[kChannels]; }
  std::uint8_t* frame(std::uint32_t process) const { return now + process_at[process]; }
  std::uint8_t type(std::uint32_t process) const { return frame(process)[kType]; }
  const CompiledProcess& compiled(std::uint32_t process) const { return code.processes[type(process)]; }
  std::uint32_t place(std::uint32_t process) const { return load_place(frame(process) + kPlace); }
  void set_place(std::uint32_t process, std::uint32_t place) const { store_place(frame(process) + kPlace, place); }

  // A variable by its offset.
  std::int32_t load(std::int32_t address, Encoding encoding) const {
    if (outside != nullptr && is_global(address)) return outside->load(static_cast<std::uint32_t>(address));
    return promela::load(now + address, encoding);
  }
  void store(std::int32_t address, std::int32_t value, Encoding encoding) const {
    if (outside != nullptr && is_global(address))
      outside->store(static_cast<std::uint32_t>(address), truncated(value, encoding));
    else
      promela::store(now + address, value, encoding);
  }

  // A fault is of no interest; that something cannot happen is.
  void forget_fault() {
    if (why != Why::never) why = Why::nothing;
  }

  // The frame of a channel by the value of a variable; none: a fault.
  std::uint8_t* channel(std::int32_t id) {
    if (id >= 1 && static_cast<std::uint32_t>(id) <= channels()) return made_channel(id);
    why = Why::no_channel;
    return nullptr;
  }
  std::uint8_t* made_channel(std::int32_t id) const { return now + channel_at[id - 1]; }  // there is one
  const ChannelKind& kind(const std::uint8_t* channel_frame) const { return code.channels[channel_frame[kType]]; }
  const ChannelKind& kind(std::int32_t id) const { return kind(made_channel(id)); }

  // At the end of the state that is being made; false: there are too many. The frames are 0 but for their headers.
  bool add_channel(std::uint32_t kind);
  bool add_process(std::uint32_t type);
  void remove_process(std::uint32_t process);  // the youngest; the channels that were made after it go with it

 private:
  bool is_global(std::int32_t address) const { return static_cast<std::uint32_t>(address) < code.globals_bytes; }
  std::uint32_t add_frame(std::uint8_t kind, std::uint32_t type, std::uint32_t bytes);  // where it is
};

}  // namespace surety::promela
