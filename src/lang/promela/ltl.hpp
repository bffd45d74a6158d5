// The formula of an ltl block, ready to be checked: the largest parts without temporal operators become propositions of
// the machine.
#pragma once

#include <optional>
#include <vector>

#include "lang/promela/machine.hpp"
#include "model/ltl.hpp"

namespace surety {

struct PromelaFormula {
  Formula formula;                          // its fluent i is
  std::vector<std::uint32_t> propositions;  // propositions[i]
  std::vector<std::string> texts;           // as they are written
};

// Of a formula [] p without temporal operators in p: the proposition.
std::optional<std::uint32_t> always_of(const PromelaFormula& formula);

Result<PromelaFormula> lower_formula(const promela::Expression& formula, PromelaMachine& machine);

}  // namespace surety
