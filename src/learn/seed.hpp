// Starts learning from an automaton that may be wrong (after Groce, Peled, Yannakakis: Adaptive Model Checking,
// TACAS 2002), in one way that serves every learner.
//
// The automaton is a cheap first oracle: where the learner's hypothesis and the automaton
// differ, the teacher is asked one word, and if the hypothesis was wrong the learner is
// refined. If the automaton has the target's language, the hypothesis equals it in the end,
// at the price of one query per refinement. If not, the answers are true anyway, and nothing
// is lost but the queries.
#pragma once

#include "base/budget.hpp"
#include "learn/teacher.hpp"

namespace surety {

// The automaton is deterministic; without states it is the empty language. Letters that only it or only the teacher
// has are left out. Makes no conjecture. `teacher` must be the one the learner asks, and should remember its answers.
void seed(Learner& learner, Teacher& teacher, const Lts& automaton, Budget& budget);

}  // namespace surety
