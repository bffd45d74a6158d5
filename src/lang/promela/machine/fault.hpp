// The faults of a step of a program, and their texts for the user.
#pragma once

#include <cstdint>

namespace surety::promela {

enum class Why : std::uint8_t {
  nothing,
  assertion,
  division,
  index,
  no_channel,
  poll_rendezvous,
  blocked_d_step,
  endless_d_step,
  rendezvous_d_step,
  too_many_processes,
  too_many_channels,
  wrong_fields,
  no_event,
  all_events,
  two_events,
  no_process,
  never,  // no fault: this cannot happen (outside.hpp)
};

inline const char* text(Why why) {
  switch (why) {
    case Why::nothing: return "";
    case Why::assertion: return "the assertion fails";
    case Why::division: return "division by zero";
    case Why::index: return "array index out of range";
    case Why::no_channel: return "this channel has not been made";
    case Why::poll_rendezvous: return "a rendezvous channel has no messages to look at";
    case Why::blocked_d_step: return "a statement inside a d_step cannot be executed";
    case Why::endless_d_step: return "this d_step does not come to an end";
    case Why::rendezvous_d_step: return "a rendezvous inside a d_step";
    case Why::too_many_processes: return "there are more than 255 processes";
    case Why::too_many_channels: return "there are more than 255 channels";
    case Why::wrong_fields: return "the message has another number of fields than the channel";
    case Why::no_event: return "the trace assertion does not allow this";
    case Why::all_events: return "this is what the notrace assertion forbids";
    case Why::two_events: return "the trace assertion can go on in two ways";
    case Why::no_process: return "there is no such process";
    case Why::never: break;
  }
  return "";
}

}  // namespace surety::promela
