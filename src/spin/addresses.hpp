// Messages that name their sender and their receiver.
//
// Where several processes can send, or receive, the same message, it does not tell which
// action is meant. Then all messages of its channel get two more fields: a sender names
// itself and one receiver (so it has the choice between them), and a receiver takes
// only what is meant for it. After that every message is between two processes again,
// and nothing else in this folder needs to know of it.
//
// A process knows its own number by SPIN's _pid, which depends on what else runs: the
// macro surety_me stands for it, and each model defines it (declarations.cpp).
#pragma once

#include <map>
#include <set>
#include <string>

#include "lang/promela/network/network.hpp"

namespace surety::spin {

class Addresses {
 public:
  Addresses(const promela::Program& program, const std::map<Action, Rendezvous>& rendezvous);

  bool needed() const { return !receivers_.empty(); }
  std::uint32_t number(const std::string& process) const;  // from 1 on; 0: it takes part in no rendezvous
  // What a message on this channel has after its own fields: ",2,3" or nothing.
  std::string fields(std::uint32_t channel, const Rendezvous& between) const;
  promela::Program addressed(promela::Program program) const;

 private:
  void address(promela::Sequence& body) const;

  std::map<std::string, std::uint32_t> numbers_;                // by process
  std::map<std::uint32_t, std::set<std::uint32_t>> receivers_;  // by global: of channels with addresses
};

inline constexpr const char* kMe = "surety_me";

}  // namespace surety::spin
