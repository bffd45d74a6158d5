// A Promela program as a network of LTSs, so that everything that proves networks proves Promela.
//
// There is one component per process instance (process.hpp: all it can do in any
// environment), one per scalar global variable, array element or structure field (its
// states are its values), and one per buffered channel (its states are its contents). A
// step of a process that reads or writes variables, or uses buffers, is one action that it
// shares with just those components; a rendezvous is one action of sender and receiver. Nothing is
// approximated: what the network can do is what the program can do. Where it makes
// the network smaller, a variable and its users are one component (lang/net/group.hpp),
// called P+Q after the processes in it.
//
// Names of actions
//   grant.2           rendezvous on grant with message 2; mtype values by name; grant.1.2 on element 1 of an array
//   grant.2.from.p.to.q   the same where several processes can send, or receive, this message
//   q.in.2, q.out.2   a message enters and leaves a buffer; ...by.p where several processes do it
//   p.x.is.0, p.x.to.1, p.x.is.0.to.1   P finds 0 in the global x, writes 1, does both in one step
//   p.assert.12       the assertion in line 12 of P fails, or an index is out of bounds there
//   tau               a step that no other component notices
// The processes Server and Client(2) are server and client.2 there.
//
// Where a formula asks for P@label, the step of P to the label has .label.come in its name, and the step away from it
// .label.gone; with .p before it if the step is a rendezvous.
//
// trace and notrace blocks are properties over these actions (trace.cpp), and so are
// formulas that say what must not happen (safety.cpp).
//
// A program outside this subset is refused with the construct and its place.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "base/budget.hpp"
#include "lang/net/group.hpp"
#include "lang/promela/promela.hpp"
#include "model/action_name.hpp"
#include "model/network.hpp"

namespace surety {

namespace promela::net {
struct Replay;
}

using PromelaGlobal = net::SharedVariable;  // a global variable, array element or structure field

// An action that is a rendezvous and nothing else.
struct Rendezvous {
  ActionName operation;          // grant.2, without its partners: channel, index if it is one of an array, message
  std::string sender, receiver;  // processes: Server, Client(2)
};

// A process of the program once all are there.
struct PromelaInstance {
  std::string name;                     // Server, Client(2)
  std::uint32_t type = 0;               // in Program::processes
  std::vector<std::int32_t> arguments;  // of the run that started it
};

struct PromelaNetwork {
  Network network;
  std::vector<PromelaInstance> instances;
  std::vector<std::string> set_by_init;  // globals that init has assigned to while it started processes
  std::vector<Property> traces;          // one per trace or notrace block
  std::vector<Property> formulas;        // one per ltl block that can be watched
  std::vector<std::string> left_out;     // names of claims, labels, and trace and ltl blocks that are neither
  std::map<std::string, std::string> why_left_out;  // of ltl blocks
  std::optional<Property> assertions;    // none of the actions p.assert.n happens; nothing: there is no assert
  std::vector<std::vector<bool>> ended;  // by component and state: a valid end state; empty: always one
  std::vector<PromelaGlobal> globals;    // in the order of the text
  std::map<Action, Rendezvous> rendezvous;
  std::shared_ptr<const promela::net::Replay> replay;  // for replay.hpp
  std::vector<std::string> about_labels;               // formulas because of which actions tell of labels
};

struct PromelaNetworkOptions {
  bool group = true;  // otherwise each variable is a component of its own, for comparison
  std::optional<std::vector<std::string>> formulas = {};  // names of those that are wanted; nothing: all
};

// What is refused is a diagnostic; the budget can end it too, which its why() tells.
tl::expected<PromelaNetwork, Diagnostic> promela_network(const PromelaFile& file, ActionTable& actions, Budget& budget,
                                                         const PromelaNetworkOptions& options = {});

// For the deadlock check: all components share one more action, which each can do, for ever, in its valid end states.
// So a state of the product without steps is an invalid end state. The action has no other use.
Network with_ends(const PromelaNetwork& promela, ActionTable& actions);

}  // namespace surety
