// Progress sets and LTL assertions, on the explicit graph of the whole product.
#pragma once

#include <vector>

#include "model/ltl.hpp"
#include "model/priority.hpp"
#include "model/verdict.hpp"
#include "rules/cost.hpp"

namespace surety {

struct ProgressVerdict {
  std::string name;
  Verdict verdict;
  Alphabet starved = {};  // violated: what does not happen any more
};

// One verdict a set; without any set, one for the default: every action must go on happening. `priority` may be null.
std::vector<ProgressVerdict> check_progress_sets(const std::vector<const Lts*>& components,
                                                 const std::vector<ProgressSet>& sets, Fairness fairness,
                                                 const Priority* priority, Budget& budget, Cost& cost);

Verdict check_ltl(const std::vector<const Lts*>& components, const Assertion& assertion, Fairness fairness,
                  const Priority* priority, Budget& budget, Cost& cost);

}  // namespace surety
