// Scalable systems for measurements, each as a network of LTSs and as Promela.
//
// The two descriptions have the same reachable states: a step of ours is one step
// of SPIN (d_step makes a guard and its effect one step), and what a shared
// process remembers here is a global variable or a rendezvous there. They are
// written as their users would write them, not to please either tool.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/product/search.hpp"
#include "model/network.hpp"

namespace surety::bench {

struct System {
  std::string name;
  std::vector<Component> components;
  std::optional<Property> property;  // mutual exclusion, where there is something to exclude
  std::string promela;
  // How deep SPIN's search goes, as a share of the states: its stack takes memory for that, used or not.
  // (If it is too little, SPIN runs again with more.)
  double spin_depth_share = 1;
};

// Eight steps per round: sit, take a fork, pause, take the other, eat, put back, pause, put back. A fork
// remembers who has it. Without deadlock the last philosopher takes the forks in the other order:
// 6^n states.
System philosophers(ActionTable& actions, unsigned n, bool deadlock);

// Milner's scheduler (Communication and Concurrency, 1989): a ring of n cyclers starts n tasks in
// turn; each ends when it likes, and is not started again before.
System milner(ActionTable& actions, unsigned n);

// n stations and one token, which a station keeps while it is in its critical section.
System token_ring(ActionTable& actions, unsigned n);

// n clients ask a server for one resource, which it grants to one at a time and denies meanwhile.
System client_server(ActionTable& actions, unsigned n);

// `system` with parts that have 16 states of their own and never get to take a step: the same
// reachable states in more words. No Promela.
System widened(ActionTable& actions, System system, unsigned parts);

// The components, and the property as a watcher.
std::vector<Part> parts_of(const System& system);

}  // namespace surety::bench
