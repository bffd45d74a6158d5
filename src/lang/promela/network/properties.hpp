// What a program asserts, as deterministic LTSs over the actions of its network.
#pragma once

#include "lang/promela/network/joint_transition.hpp"
#include "model/lts.hpp"

namespace surety::promela::net {

// A trace or notrace block. Nothing: the block has more in it than sends, receives and constants, or two of its steps
// fit one event. `block`: its index in Program::processes.
std::optional<Lts> trace_property(const System& system, std::uint32_t block,
                                  const std::vector<JointTransition>& joints);

// Adds a mark for each label that the formula asks for and that `safety_property` can handle. Is there one?
bool mark_labels(System& system, const Expression& formula);

// A formula that can be watched (model/safety_formula.hpp) and speaks of global variables, buffers and marks.
// Otherwise, or if the budget has ended: why not, in words that can follow "because".
tl::expected<Lts, std::string> safety_property(const System& system, const Expression& formula,
                                               const std::vector<JointTransition>& joints, Budget& budget);

}  // namespace surety::promela::net
