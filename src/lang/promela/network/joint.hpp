// What happens in one step of the whole: an action, the moves that make it up, and what it does to each object.
#pragma once

#include "lang/promela/network/process.hpp"
#include "model/action.hpp"

namespace surety::promela::net {

struct Joint {
  Action action;
  std::vector<std::size_t> processes;  // whose moves it is made of; of a rendezvous the sender and the receiver
  Uses uses;
  std::vector<Event> events;  // in order; of a rendezvous its send and its receive
  std::uint32_t fails = 0;
  bool breaks = false;
};

}  // namespace surety::promela::net
