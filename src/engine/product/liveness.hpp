// Does a system satisfy an assertion of linear temporal logic?
//
// The assertion's negation becomes an automaton (buchi.hpp). A vertex of what is
// searched is a pair (s, q): the system's state, with the values of the fluents, and a
// state that the automaton can be in. Fluents are small parts of the product that never
// block; an action that only the assertion knows belongs to them alone, and so is free.
// A violation is
//
//   a bad beginning   from q on everything is accepted; or
//   a bad end         s is a dead end and the automaton may end in q; or
//   a bad cycle       for ever in a strong component of pairs that is good in the sense below.
//
// Without fair choice a component is good if it has arcs of all acceptance sets.
//
// By fair choice only runs count in which every finite continuation that is possible
// again and again is taken again and again: what tossing a coin at every choice does,
// almost surely. It is the notion under which LTSA's fair check is sound, and it asks
// more of a run than that no step be neglected: by it (a->P | b->P) satisfies []<>(a &&
// X a), though a b a b ... does every step again and again. A fair run ends up in a
// terminal set K of the system. A component C of pairs over K is good if it has arcs of
// all acceptance sets and is *complete*: every finite path of K from s can be followed
// inside C from one of the q with (s,q) in C. It does not matter which s; sets of q are
// followed along all paths, until one is empty or there are no new ones.
//
//   If C is good, some fair run is accepted. Not every q can be killed, or all could
//   be, one after the other. So there are (s, q) in C and a path after which the states
//   that q has led to survive whatever comes. Put before it a tour from (s, q) through
//   all acceptance sets and back: a path w from s. A fair run that has come to (s, q)
//   and done w keeps some automaton state alive in C for ever; C is strongly connected,
//   so it can always come to (s, q) again and do w; being fair, it does.
//
//   If a fair run is accepted, its pairs stay for ever in some C with arcs of all
//   acceptance sets. Were C not complete, a path from some s would kill all q inside C;
//   the run comes to s again and again and, being fair, would take that path.
//
// This is the argument of Courcoubetis and Yannakakis (1995), with the completeness of
// Couvreur, Saheb and Sutre (2003) in place of a determinised automaton. It needs no
// probabilities. LTSA asks for more than completeness (that nothing leaves C), so it
// misses violations when the automaton has to guess again and again (doc/semantics.md#fair-choice).
//
// A run into the error state is no run of a correct system, and only a bad beginning is
// held against it; that the error state can be reached is an answer of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "model/ltl.hpp"
#include "model/priority.hpp"
#include "product/product.hpp"

namespace surety {

struct LivenessResult {
  enum class Outcome { holds, violated, stopped };
  enum class Kind { beginning, end, cycle };
  Outcome outcome = Outcome::stopped;  // by the budget, or, if that can go on, because the automaton is too large
  Kind kind = Kind::cycle;
  Trace trace;                 // violated: the way in, tau included. Nothing shorter leads to a violation of its kind
  Trace cycle;                 // of kind cycle: not empty, and itself a violation if repeated for ever
  std::optional<Trace> error;  // a shortest way into the error state, if the whole system was built
  std::uint64_t states = 0;    // of the system with its fluents
  std::uint64_t transitions = 0;
  std::uint64_t pairs = 0;
  std::uint32_t automaton = 0;  // states
};

// What holds along a trace: fluents_along(assertion.fluents, trace) in model/ltl.hpp.
LivenessResult check_assertion(const std::vector<Part>& parts, const Assertion& assertion, Fairness fairness,
                               const Priority* priority, Budget& budget);

}  // namespace surety
