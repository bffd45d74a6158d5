// A property as a conjunction of properties about fewer actions.
//
// A view of P is the actions of P that one component has, or those with the same
// participants. P projected on some views forbids only words that P forbids; so if
// projections together forbid all that P forbids, the system satisfies P iff it satisfies
// each of them, and each may need other components and fewer states. Mutual exclusion of
// many comes apart into pairs.
//
// The family is found step by step: walk through all words that the family allows so far.
// For each one that P forbids, add a projection of P that forbids it too, on a view with
// the last letter of the word, alone or together with one other view. Views of the same or
// of neighbouring components are tried first: to prove such a conjunct takes fewest other
// components. If no projection forbids the word, P does not come apart. At the end of the
// walk the family implies P, and every conjunct in it was needed for some word.
#pragma once

#include <vector>

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety {

// Deterministic and minimal, over smaller alphabets than P's. Empty: P does not come apart, or finding out costs too
// much.
std::vector<Lts> conjuncts_of(const Lts& property, const std::vector<const Lts*>& components, Budget& budget);

}  // namespace surety
