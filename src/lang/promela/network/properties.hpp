// What a program asserts, as deterministic LTSs over the actions of its network.
#pragma once

#include "lang/promela/network/joint.hpp"
#include "model/lts.hpp"

namespace surety::promela::net {

// Nothing: the block has more in it than sends, receives and constants, or two of its steps fit one event.
// `block`: in Program::processes.
std::optional<Lts> trace_property(const System& system, std::uint32_t block, const std::vector<Joint>& joints);

// The labels that the formula asks for, where `safety_property` can do that: is there one?
bool mark_labels(System& system, const Expression& formula);

// A formula that can be watched (model/safety_formula.hpp) and speaks of global variables, buffers and marks.
// Otherwise, or if the budget has ended: why not, in words that can follow "because".
tl::expected<Lts, std::string> safety_property(const System& system, const Expression& formula,
                                               const std::vector<Joint>& joints, Budget& budget);

}  // namespace surety::promela::net
