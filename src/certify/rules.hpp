// Every proof rule in the checker's own words.
#pragma once

#include "certify/search.hpp"

namespace surety::certify {

struct Claim {
  std::vector<std::vector<const Lts*>> sides;  // M1, M2, ...
  std::vector<const Lts*> properties;
  const std::vector<Lts>& assumptions;
};

Judgement check_rule(const std::string& rule, const Claim& claim, Budget& budget);
Judgement check_circular(const Claim& claim, Budget& budget);  // circular.cpp

}  // namespace surety::certify
