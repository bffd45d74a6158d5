// One trace of the whole from a trace of each part.
//
// Parts agree on an action if all that have it do it together. Whatever order the
// parts are asked in, the outcome is the same: an action that all are ready for
// never gets in the way of another. Used twice over: traces that fit together are
// a counterexample of the whole system; traces that do not show which actions an
// assumption's alphabet lacks (doc/rules.md#asym).
#pragma once

#include <vector>

#include "model/network.hpp"

namespace surety {

struct Share {
  Trace trace;        // tau included; actions outside the alphabet are somebody else's and passed over
  Alphabet alphabet;  // what this part has a say in
};

struct Merged {
  Trace trace;     // of the whole, until the first share is done; of the others only as much as that needs
  Alphabet stuck;  // not empty: the parts disagree, and these are the actions that wait for each other
};

Merged merge(std::vector<Share> shares);

}  // namespace surety
