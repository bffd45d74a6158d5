// A Promela program as parts that meet only by rendezvous, the set-up of "Towards a compositional SPIN".
//
// Every visible action is an operation on a global rendezvous channel and has at most two
// partners among the processes; where the message alone does not tell them, it gets an
// address (addresses.hpp). With respect to some of the processes, the side, an action is
//
//   inner   both partners are there
//   open    one is there, and the environment plays the other
//   free    none is there; only an assumption or a property speaks of it
//
// What the reduction to triples could not say of a program is refused (restrictions.cpp).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/promela/network/network.hpp"
#include "rules/checker.hpp"

namespace surety::spin {

// One process of the system and its LTS.
struct Instance {
  std::string name;                     // Client(2)
  std::uint32_t process = 0;            // in Program::processes
  std::vector<std::int32_t> arguments;  // of its parameters
  const Lts* lts = nullptr;
  std::uint32_t address = 0;  // its number in messages that have addresses; filled in by make_system
};

struct Operation {
  std::uint32_t channel = promela::kNone;  // in Program::globals; kNone: on no channel of the program
  std::string where;                       // grant, request[2]
  std::string message;                     // u1,2; with its address, if the channel has them
};

enum class Kind { inner, open, free };

struct System {
  std::shared_ptr<const promela::Program> program;  // with addresses
  bool addresses = false;                           // some messages have them
  const ActionTable* table = nullptr;
  std::vector<Instance> instances;
  Alphabet actions;  // of all instances and properties; tables number them by their place here
  std::vector<Operation> operations;
  std::vector<std::vector<std::uint32_t>> partners;  // instances that have the action

  Kind kind(std::uint32_t action, const std::vector<std::uint32_t>& side) const;
};

// `rendezvous`: of the whole program. `more`: actions of properties and of an environment.
Result<System> make_system(const PromelaFile& file, std::vector<Instance> instances, const ActionTable& table,
                           const std::map<Action, Rendezvous>& rendezvous, const Alphabet& more);

// What a process must not contain; none: nothing. Places are of the user's own text.
Diagnostics refusals(const PromelaFile& file, const promela::Process& process);

}  // namespace surety::spin
