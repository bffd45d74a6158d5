// Why two states are not bisimilar: a play of the game between them.
#pragma once

#include "model/equivalence.hpp"

namespace surety {

struct Play {
  Trace moves;        // of the attacker, who may change sides after each
  bool first = true;  // the last was made on the side of the first state
};

// The attacker moves from one of two states, the defender answers from the other with the same action;
// the defender loses when he cannot, or when only one of the two states is error, or END. The play is one
// that the attacker wins in the fewest rounds that suffice against every defence; the defender holds out
// as long as he can. A play without moves: they differ as they stand, and the side named is the one that is
// error or (weakly: can silently get to) END.
//
// `equivalence` is weak or strong, and by it s and t are not equivalent. For weak there must be no tau cycle.
Play winning_play(const Lts& lts, State s, State t, Equivalence equivalence);

}  // namespace surety
