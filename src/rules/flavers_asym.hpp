// Rule ASYM with FLAVERS as the verifier (Cobleigh, Avrunin, Clarke, "Breaking up is hard to do", appendix B):
//
//        TFG(S1, E1) || K1 || A  satisfies  P        TFG(S2, E2) || K2  satisfies  A
//        ---------------------------------------------------------------------------
//                               <true> S1 || S2 <P>
//
// S1 and S2 are sets of tasks. E1 stands for S2: it can do at any time what both sides do together, what P says of S2,
// and what a constraint of S1 says of S2. All of P's events of S2 must be there, even if S1 has none of P's: without
// them <A> S1 <P> would say nothing about them, and a false proof would come out. E2 can do at any time what both do
// together. K1 has the constraints with an event of S1, K2 those with events of S2 only.
//
// So this is rule ASYM, with its learners, caches and counterexamples, and searches of trace flow graphs answer what it
// asks. An action belongs to S1, to S2 or to both by the components that have it, so no event needs a
// name of its own on each side. A run of both is a path of each: what comes out as a violation may be none, and is
// looked for in the whole system. If it is none, constraints are added that one of the sides cannot obey and do its
// share of the path, and the proof begins again.
#pragma once

#include "rules/flavers.hpp"

namespace surety {

struct FlowSplit {
  std::vector<std::size_t> s1, s2;  // tasks, in FlowSystem::components
};

// What is analysed of each side: its tasks, its constraints, its environment.
struct FlowSideScopes {
  FlowScope s1, s2;
  Alphabet interface;  // what A can be about
};
FlowSideScopes scopes_of(const FlowSystem& system, const FlowSplit& split, const Lts& property,
                         const ConstraintSet& constraints);

Verdict prove_flavers_asym(const FlowSystem& system, const FlowSplit& split, const Lts& property,
                           const ConstraintChoice& choice, const Context& context, FlowAnswer& answer);

}  // namespace surety
