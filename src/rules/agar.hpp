// Assumptions by abstraction refinement (Gheorghiu Bobaru, Pasareanu,
// Giannakopoulou 2008):
//
//        <A> M1 <P>        A is an abstraction of M2
//        -------------------------------------------
//                  <true> M1 || M2 <P>
//
// Nothing is guessed: A starts as one state that does whatever M2 ever does, and only
// premise 1 is checked. A counterexample that M2 has is a violation; one that it does
// not have is taken away from A by splitting states (abstraction.hpp). A may be
// nondeterministic, and so much smaller than a learned assumption.
//
// For more sides, as rule asym-n, one abstraction per link:
//
//    <A1> M1 <P>    Ai is an abstraction of M(i+1) || A(i+1)    A(n-1) is one of Mn
//
// A word that Ai and M(i+1) || A(i+1) have is tried on A(i+1). If it has to go there,
// it goes from Ai, ..., A1 as well, before M1 is searched again.
//
// Two sides whose second one has several components come in two forms. If the product
// of these is small it is built, and A is an abstraction of it, as in the paper. If
// not, each component has an abstraction of its own, and A is their product: it is
// never built either, memory is that of the components. Such an A needs the actions
// among the components of M2 in its alphabet where the components' traces disagree.
//
// The alphabet is the whole interface, or starts from the property's part of it. Then a
// word that M2 has may still not fit M1's trace on the other actions. Those that the
// traces disagree on are added (merge.hpp), and the abstraction starts anew.
#pragma once

#include "rules/proof_goal.hpp"

namespace surety {

// The largest product of M2 that is built. Measured (bench/README.md): beyond a thousand states one abstraction per
// component is never much slower, and often by orders of magnitude faster.
inline constexpr std::uint64_t kMostBuiltStates = 1'000;

Verdict prove_agar_with(std::uint64_t most_built_states, const ProofGoal& goal, const Context& context);
Verdict prove_agar(const ProofGoal& goal, const Context& context);  // with kMostBuiltStates

}  // namespace surety
