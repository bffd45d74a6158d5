// Starts learning from an automaton that may be wrong (after Groce, Peled, Yannakakis: Adaptive Model Checking,
// TACAS 2002), in one way that serves every learner.
//
// Asks the teacher for the words by which the W-method knows the automaton (cover.hpp),
// and gives the learner each on which its hypothesis is wrong, until it is right on
// all. If the automaton has the target's language, the hypothesis then equals it: the
// states of a hypothesis are told apart by the language itself, so it has no more
// than the target, and agrees with it on cover x set. If not, what was asked is true
// anyway, and nothing is lost but the queries.
#pragma once

#include "base/budget.hpp"
#include "learn/teacher.hpp"

namespace surety {

// The automaton is deterministic; without states it is the empty language. Letters that only it or only the teacher
// has are left out. Makes no conjecture. `teacher` must be the one the learner asks, and should remember its answers.
void seed(Learner& learner, Teacher& teacher, const Lts& automaton, Budget& budget);

}  // namespace surety
