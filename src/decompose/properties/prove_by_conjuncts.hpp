// A proof of a property by proofs of its conjuncts (conjuncts.hpp), by any rule.
//
// Apart is not always better: the conjuncts of an order around a ring each need the whole
// ring, and all together need no more. Both ways are tried in turn, each with more states
// than the time before, until one gives an answer.
//
// A conjunct that is another one with components exchanged (symmetry.hpp) is not proved
// again: the other one's certificate is renamed. This need not be trusted: the checker
// checks the certificate of every conjunct.
#pragma once

#include "rules/rules.hpp"

namespace surety {

// The proof goal has one property. One that does not come apart is proved as it is.
Verdict prove_by_conjuncts(const Rule& rule, const ProofGoal& goal, const Context& context);

}  // namespace surety
