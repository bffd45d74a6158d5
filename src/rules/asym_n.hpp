// Rule ASYM for n components in a row (Pasareanu, Giannakopoulou, SPIN 2006):
//
//    <A1> M1 <P>    <A2> M2 <A1>    ...    <true> Mn <A(n-1)>
//    --------------------------------------------------------
//                  <true> M1 || ... || Mn <P>
//
// The environment of M1 is the chain M2 ... Mn. Whether it keeps A1 is the same
// question again, with A1 as the property: the product of the rest is never built.
#pragma once

#include "rules/proof_goal.hpp"

namespace surety {

Verdict prove_asym_n(const ProofGoal& goal, const Context& context);

}  // namespace surety
