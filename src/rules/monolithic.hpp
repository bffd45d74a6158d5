// No rule at all: search the whole product.
#pragma once

#include <vector>

#include "model/certificate.hpp"
#include "rules/cost.hpp"

namespace surety {

Verdict check_property(const std::vector<const Lts*>& components, const Lts& property, Budget& budget, unsigned threads,
                       Cost& cost);

// `last`: where each component is in the deadlock found.
Verdict check_deadlock(const std::vector<const Lts*>& components, Budget& budget, unsigned threads, Cost& cost,
                       std::vector<State>& last);

}  // namespace surety
