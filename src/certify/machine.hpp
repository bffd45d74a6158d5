// Systems that are given by their steps (model/machine.hpp): paths walked again, searches repeated plainly.
//
// The checker is given a machine of its own. It cannot know whether that machine is the
// program that the user wrote; it knows that an answer is true of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certify/certify.hpp"
#include "model/machine.hpp"

namespace surety::certify {

using MachineStates = std::vector<std::vector<std::uint8_t>>;

// Does the machine walk through these states with these actions, and does what is asked about happen at the end: as the
// last step, because there is none, or because the formula is false whatever comes? Nothing: yes; else why not.
std::optional<std::string> replay_machine(Machine& machine, const MachineStates& states, Word actions,
                                          MachineGoal question, const MachineFormula* formula = nullptr);

// Does it walk through these states, and from the last one on as from number `again`, or stand still there if nothing
// can happen? Then: is the formula false of that run; does the claim describe it?
std::optional<std::string> replay_run(Machine& machine, const MachineStates& states, Word actions, std::size_t again,
                                      const MachineFormula& formula);
std::optional<std::string> replay_run(Machine& machine, const MachineStates& states, Word actions, std::size_t again,
                                      const MachineClaim& claim);

// Goes through all states: accepted if nothing of the kind happens. A formula that cannot be watched is refused.
Judgement check_machine(Machine& machine, MachineGoal question, Budget& budget,
                        const MachineFormula* formula = nullptr);

}  // namespace surety::certify
