// The formula of an ltl block, ready to be checked: the largest parts without temporal operators are its propositions.
#pragma once

#include <string>
#include <vector>

#include "lang/promela/machine/machine.hpp"
#include "model/ltl.hpp"

namespace surety {

struct PropositionalFormula {
  Formula formula;                                // its fluent i is
  std::vector<promela::Expression> propositions;  // propositions[i]
  std::vector<std::string> texts;                 // as they are written
};

PropositionalFormula propositional(const promela::Expression& formula);

Result<MachineFormula> lower_formula(const promela::Expression& formula, PromelaMachine& machine);

}  // namespace surety
