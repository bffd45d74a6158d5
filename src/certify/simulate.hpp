// Is an LTS an abstraction of others? Yes if it simulates them: it can follow every
// step of theirs, whatever its own nondeterminism, and so has all their traces.
//
// Trace inclusion would accept more, but an abstraction always simulates what it was
// made of, and to decide simulation takes at most (states of the product) x (states of
// the abstraction) pairs, where subsets of the abstraction's states may be
// exponentially many.
#pragma once

#include "certify/search.hpp"

namespace surety::certify {

// accepted: A simulates the product of the components. A does not move with tau and with actions that it does not
// have; its own tau steps are not used. An action of A that no component has can happen at any time.
Judgement simulates(const Lts& a, const std::vector<const Lts*>& components, Budget& budget);

}  // namespace surety::certify
