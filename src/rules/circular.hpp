// Circular assume-guarantee reasoning for n components (Abd Elkader, Grumberg,
// Pasareanu, Shoham, FM 2015 and CAV 2016): one guarantee per component, each
// proved under all the others.
//
//   i  Mi satisfies (all gj, j != i) |> gi      for every i
//   c  g1 || ... || gn satisfies P
//   ---------------------------------------
//      M1 || ... || Mn satisfies P
//
// M satisfies A |> g iff for every trace ta of M (actions that M lacks may happen
// at any time): if t satisfies A then ta satisfies g. The assumption is used up to
// the step before only: were ta the first trace of the whole that some gi lacks,
// then t satisfied all the others, and premise i would be broken. So no trace of the
// whole breaks a guarantee, and by c none breaks P. In a search that is: a step that
// gi lacks is an error *even if* some gj lacks it as well; and beyond a step that
// some gj lacks nothing counts. (To block such a step instead gives an unsound rule,
// doc/rules.md#an-unsound-rule.)
//
// How the guarantees are found. All of them at once: words that break premises are
// gathered, every word says something that holds of every proof, and the next tuple
// is a small one that agrees with all of it (rules/identify.hpp). A word says
//   - for every i and every prefix ta of it that Mi can do, ta ending with an action
//     of gi: some gj, j != i, lacks t, or gi has ta    (an instance of premise i);
//   - if P lacks it: some gi lacks it                  (an instance of c).
// A word that breaks a premise is asked of all components, not only of the one
// whose premise it breaks: the first guarantee to reject a word that P lacks then
// has to be that of a component that cannot do it.
//
// Why it ends. Guarantee i has the alphabet of Mi within a common set of actions C.
// Let Di be Mi seen through it, determinised. What a word says of premises holds of
// D1 ... Dn, because Di has all that Mi can do; and that some gi lacks a word is
// said only if some Mi cannot do it. So there is always a solution, none of the
// guarantees ever needs more states than the largest Di, and each round excludes a
// tuple. A word that P lacks and every Mi can do, each for itself, is a violation if
// the traces fit together (rules/merge.hpp), which they do if C has all actions of
// two components or more; if they do not fit, C grows by what they show. Words are
// kept as they were found, with all actions of two components, and the components
// asked again; a word that Mi cannot do it cannot do with more actions watched either.
// C begins as P's alphabet, or with everything (--alphabet full).
//
// The conclusion speaks of the whole, each premise only of one component and of the
// guarantees, which are small. Still, premise i multiplies Mi by all other guarantees;
// those that lack nothing are left out.
#pragma once

#include "rules/proof_goal.hpp"

namespace surety {

Verdict prove_circular(const ProofGoal& goal, const Context& context);

}  // namespace surety
