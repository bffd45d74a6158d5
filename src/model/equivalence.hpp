// Do two LTSs behave the same, and if not, what tells them apart?
#pragma once

#include <optional>

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety {

enum class Equivalence { trace, weak, strong };

// What tells two LTSs apart.
//
// For traces: a shortest word that only one side has, or that leads to error, or to END, on one side only
// (as `determinise` sees it: what may be in error is). In the latter case both sides have the word, so
// by_trace is false, and the side named is the one in error or END.
//
// For bisimulation: a play of the game. One side makes the moves, and which one may change from move to move;
// the other answers each with the same action, and holds out as long as it can. After the last move it has no
// answer, or only one of the two is then in error or END. The play is as short as it can be against the best
// answers; against others the game may need other moves. A tau is a move too: one tau step for strong
// bisimulation; for weak bisimulation it is tau*, and an action is "tau* action tau*". A play without moves:
// the initial states differ as they are, and the side named is the one in error or END.
//
// If only one side has states at all, it alone has the empty trace.
struct Difference {
  Trace trace;
  bool first_has_it = true;  // the side that makes the last move
  // True if `trace`, without tau, is a trace of exactly one side: the one named. False: both have it,
  // they differ in what may follow.
  bool by_trace = true;
};

// Nothing: they are equivalent. Alphabets are not compared, only behaviour. Error states match only
// each other, and so do END states. Good for nothing if the budget ended meanwhile.
std::optional<Difference> difference(const Lts& a, const Lts& b, Equivalence equivalence, Budget* budget = nullptr);

}  // namespace surety
