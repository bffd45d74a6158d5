// The symmetric rules (Barringer, Giannakopoulou, Pasareanu 2003): an assumption a
// component, none discharged by the other component itself. For n components:
//
//   1  <Ai> Mi <P>               for every i
//   3  no word is rejected by all Ai                           sym     (rule 1)
//      ... that P rejects too                                  sym-a   (rule 1a)
//      ... that some Mi can do                                 sym-b   (rule 1b)
//   -------------------------------------
//      M1 || ... || Mn satisfies P
//
// A violating trace of the whole would be rejected by every Ai. Rule 2 has a
// property for each component:
//
//   1  <Ai> Mi <Pi>              for every i
//   3  <Aj> Mj <Ai>              for every i and j
//   5  one of the three above, with P1 || ... || Pn for P      sym-2, sym-2a, sym-2b
//   -------------------------------------
//      M1 || ... || Mn satisfies P1 || ... || Pn
//
// If a shortest bad trace t violates Pi then Ai rejects it; by 5 some Aj does not;
// Mj does t, so by 3 Ai has it after all.
//
// All Ai have one alphabet: actions of two components or more, and those of the
// properties; or the properties' alone, and growing. Each has a learner. In rules
// 1, 1a and 1b it is after the weakest assumption of its Mi. In rule 2 that would
// not be complete for three components or more (a word that M1 and M2 can do may
// be one that only M3 refuses); there the i-th learner rejects t iff Mi can do a
// prefix of t that leads some Mk to violate Pk. If the system is safe these
// languages satisfy 1, 3 and 5 in all forms; and each can be asked of one
// component at a time.
#pragma once

#include "rules/proof_goal.hpp"

namespace surety {

struct SymRule {
  enum class Closing { nothing, property, component };  // what all Ai reject: no word, no word that ...
  Method method = Method::sym;
  Closing closing = Closing::nothing;
  bool crossed = false;  // rule 2
};

Verdict prove_sym(const SymRule& rule, const ProofGoal& goal, const Context& context);

}  // namespace surety
