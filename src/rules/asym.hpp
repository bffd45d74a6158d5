// Rule ASYM with a learned assumption (Cobleigh, Giannakopoulou, Pasareanu 2003):
//
//        <A> M1 <P>        <true> M2 <A>
//        -------------------------------
//             <true> M1 || M2 <P>
//
// A is learned over the whole interface (aM1 u aP) n aM2; the language that L*
// is after is the weakest assumption of M1, but most proofs need less.
#pragma once

#include <vector>

#include "model/certificate.hpp"
#include "rules/cost.hpp"

namespace surety {

// Components have no error states (without_error): whether one side goes wrong by itself is another question.
struct AsymProblem {
  std::vector<const Lts*> m1;
  std::vector<const Lts*> m2;
  const Lts* property = nullptr;
};

// The verdict's certificate has the assumption; the caller knows the names for its split.
Verdict prove_asym(const AsymProblem& problem, Budget& budget, unsigned threads, Cost& cost);

Alphabet interface_alphabet(const AsymProblem& problem);

}  // namespace surety
