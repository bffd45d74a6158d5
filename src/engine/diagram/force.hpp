// An order of things that keeps together those that belong together.
//
// FORCE (Aloul, Markov, Sakallah 2003): every group pulls its members towards its
// centre of gravity, again and again, until the total span of the groups no longer
// shrinks. Cheap, and good on chains, rings and trees. We start from a few orders and
// keep the best.
#pragma once

#include <cstdint>
#include <vector>

namespace surety {

using Groups = std::vector<std::vector<std::uint32_t>>;  // of things 0 .. n-1, each at most once in a group

// The sum over all groups of the distance between first and last member.
std::uint64_t total_span(const std::vector<std::uint32_t>& order, const Groups& groups);

// All things once each. Depends on nothing but its arguments.
std::vector<std::uint32_t> force_order(std::uint32_t things, const Groups& groups);

// The same where two large things belong together with most of the others: such hubs, large or not, come last, next to
// each other. FORCE puts each into the middle of what it talks to, wherever that happens to lie: then all that lies
// between the two has to remember what one of them did. A group of more than half of all things says nothing of this.
std::vector<std::uint32_t> order_with_hubs(const std::vector<bool>& is_large, const Groups& groups);

}  // namespace surety
