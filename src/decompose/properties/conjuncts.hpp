// A property as a conjunction of properties about fewer actions.
//
// A view of P is the actions of P that one component has, or those with the same
// participants. P projected on some views forbids only words that P forbids; so if
// projections together forbid all that P forbids, the system satisfies P iff it satisfies
// each of them, and each may need other components and fewer states. Mutual exclusion of
// many comes apart into pairs.
//
// The family is found by need: go through all words that the family so far allows; one
// that P forbids asks for a projection that forbids it, on a view that has its last
// letter, alone or with one other view. Views of the same or of neighbouring components
// are tried first: what they say together takes fewest others to prove. If no projection
// will do, P does not come apart. That the family implies P is thus checked, and what
// nothing asked for is not in it.
#pragma once

#include <vector>

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety {

// Deterministic and minimal, over smaller alphabets than P's. Empty: P does not come apart, or finding out costs too
// much.
std::vector<Lts> conjuncts_of(const Lts& property, const std::vector<const Lts*>& components, Budget& budget);

}  // namespace surety
