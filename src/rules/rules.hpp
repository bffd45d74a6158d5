// All ways to prove a safety property, by the names that --method gives them.
#pragma once

#include <string_view>
#include <vector>

#include "rules/proof_goal.hpp"

namespace surety {

struct Rule {
  enum class Sides { one, two, two_or_more };
  Method method;
  Sides sides;
  Verdict (*prove)(const ProofGoal&, const Context&);
  bool learns = true;              // --learner means something to it
  bool chain = false;              // without a split: all components in a row, not two sides
  bool property_per_side = false;  // takes as many properties as sides
  bool refines = true;             // --alphabet means something to it
  bool by_conjuncts = false;       // the property is taken apart first, if it comes apart
  bool triples = false;            // asks nothing but triples, so that another checker can answer

  std::string_view name() const { return name_of(method); }
};

const std::vector<Rule>& all_rules();
const Rule* find_rule(Method method);  // null: there is none

}  // namespace surety
