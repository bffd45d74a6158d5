// One trace of the whole system from a trace of each part.
//
// An action happens when all parts that have it in their alphabets are ready for it. The
// outcome does not depend on the order in which the parts are asked: an action that is
// possible stays possible until it happens. If the traces fit together, they are a
// counterexample of the whole system; if they do not, the actions that they disagree on
// are missing in the alphabet of an assumption (doc/rules.md#asym).
#pragma once

#include <span>
#include <vector>

#include "model/network.hpp"

namespace surety {

struct LocalTrace {
  Trace trace;        // tau included; actions outside the alphabet are those of other parts and skipped
  Alphabet alphabet;  // the actions that cannot happen without this part
};

struct Merged {
  Trace trace;     // of the whole, until the first local trace is done; of the others only as much as that needs
  Alphabet stuck;  // not empty: the parts disagree, and these are the actions that wait for each other
};

Merged merge(std::vector<LocalTrace> locals);

// The first of these traces whose part has one of the actions; empty: there is none.
Word who_has(std::span<const LocalTrace> locals, const Alphabet& actions);

}  // namespace surety
