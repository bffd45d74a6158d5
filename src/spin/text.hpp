// Triples <A> M <P> as Promela, in two ways.
//
// One file per query, as in the paper: M as it was written, A as a process that plays the
// environment's side of its actions, a universal environment for the other open
// actions, P as a trace assertion on receives.
//
// Compiled once: A and P are tables that the verifier reads when it starts, so only
// M is compiled. One process plays the environment. A gate, an array of the channel itself
// and a second channel without any receiver, blocks an operation until A allows it. The
// receiver of a message makes the step of A and P, in the same atomic step; if P has no
// step, an assertion fails. In a replay the receiver also prints the number of the action.
//
// An open action is offered both as a send and as a receive: only the one that M does not do
// itself finds a partner. Deadlocks of such open systems mean nothing (pan -E).
#pragma once

#include <string>
#include <vector>

#include "spin/system.hpp"

namespace surety::spin {

using SideNumbers = std::vector<std::uint32_t>;  // of instances

std::string query_text(const System& system, const SideNumbers& side, const Lts* assumption, const Lts& property);

std::string open_text(const System& system, const SideNumbers& side);
// The numbers of actions and states, then one row per state of A and of P: the target of each action, -1 for none. In
// binary, because it is written and read for every question: a text would cost more than most searches.
std::string table_bytes(const System& system, const SideNumbers& side, const Lts* assumption, const Lts& property);

inline constexpr const char* kTableFile = "table";
inline constexpr const char* kViolation = "assertion violated (surety_p>=0)";  // as pan reports it
inline constexpr const char* kStepMark = "surety@";                            // before the number of an action

}  // namespace surety::spin
