// Every proof rule in the checker's own words.
#pragma once

#include "certify/search.hpp"

namespace surety::certify {

// What a rule is applied to: the premises speak of these.
struct RuleInstance {
  std::vector<std::vector<const Lts*>> sides;  // M1, M2, ...
  std::vector<const Lts*> properties;
  const std::vector<Lts>& assumptions;
  const Diagram& diagram;
  const std::vector<Conjunct>& parts;
  Teller tell = {};
};

Judgement check_cegar(const RuleInstance& instance, Budget& budget);
Judgement check_rule(Method rule, const RuleInstance& instance, Budget& budget);
Judgement check_circular(const RuleInstance& instance, Budget& budget);  // circular.cpp
Judgement check_minimise(const RuleInstance& instance, Budget& budget);  // minimise.cpp

// Does W cover the product of these, of which the first has an error state (minimise.cpp)? The signal is an action that
// none of them has.
Judgement covers(const Lts& w, const std::vector<const Lts*>& together, Action signal, Budget& budget);

// Rule symbolic: the diagram holds the initial state, no step leads out of it, and nothing in it violates the property
// (which may be missing) or, if asked, is a deadlock.
Judgement check_invariant(const std::vector<const Lts*>& components, const Lts* property, bool deadlock,
                          const Diagram& diagram, Budget& budget, const Teller& tell);

}  // namespace surety::certify
