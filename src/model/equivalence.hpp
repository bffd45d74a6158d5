// Do two LTSs behave the same, and if not, what tells them apart?
#pragma once

#include <optional>

#include "model/lts.hpp"

namespace surety {

enum class Equivalence { trace, weak, strong };

// What only one of the two can do. For traces, `trace` is a shortest word that only one side has. For
// bisimulation it is a play of the game that tells them apart: after these actions, the side named
// can do the last one and the other cannot match it, whatever it answered on the way. tau may occur
// in the play for strong bisimulation; for weak bisimulation an action means "tau* action tau*".
struct Difference {
  Trace trace;
  bool first_has_it = true;  // the side that can do the last action of the trace
  // True if `trace` is a trace of exactly one side. False: both have it, they differ in branching only.
  bool by_trace = true;
};

// Nothing: they are equivalent. Alphabets are not compared, only behaviour. Error states match only
// each other, and so do END states.
std::optional<Difference> difference(const Lts& a, const Lts& b, Equivalence equivalence);

}  // namespace surety
