// What happens in one step of the whole program: an action, the processes whose transitions it is made of, and what it
// does to each object.
#pragma once

#include "lang/promela/network/process.hpp"
#include "model/action.hpp"

namespace surety::promela::net {

struct JointTransition {
  Action action;
  std::vector<std::size_t> processes;  // one process, or the sender and the receiver of a rendezvous
  Footprint footprint;
  std::vector<Event> events;  // in order; a rendezvous has its send and its receive
  std::uint32_t fails = 0;
  bool breaks = false;
};

}  // namespace surety::promela::net
