// Triples <A> M <P> as Promela, in two ways.
//
// A file a query, as in the paper: M as it was written, A as a process that plays the
// environment's side of its actions, a universal environment for the other open
// actions, P as a trace assertion on receives.
//
// Compiled once: A and P are tables that the verifier reads when it starts, so only
// M is compiled. One process plays the environment; a gate, an array of the channel and one
// that nobody listens to, lets an operation wait for what A allows. Whoever receives a
// message moves A and P on, in the same atomic step; if P has no step, an assertion
// fails. Replayed, it also prints the number of the action.
//
// An open action is offered both as a send and as a receive: only the one that M does not do
// itself can be met. Deadlocks of such open systems mean nothing (pan -E).
#pragma once

#include <string>
#include <vector>

#include "spin/system.hpp"

namespace surety::spin {

using SideNumbers = std::vector<std::uint32_t>;  // of instances

std::string query_text(const System& system, const SideNumbers& side, const Lts* assumption, const Lts& property);

std::string open_text(const System& system, const SideNumbers& side);
// Numbers of actions and states, then a row a state of A and of P: where each action leads, -1 nowhere. As C has its
// ints in memory: written and read for every question, a text would cost more than most searches.
std::string table_bytes(const System& system, const SideNumbers& side, const Lts* assumption, const Lts& property);

inline constexpr const char* kTableFile = "table";
inline constexpr const char* kViolation = "assertion violated (surety_p>=0)";  // as pan reports it
inline constexpr const char* kStepMark = "surety@";                            // before the number of an action

}  // namespace surety::spin
