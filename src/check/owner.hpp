// Whose an assumption is, so that reports can say a component's name instead of a number.
#pragma once

#include <string>
#include <vector>

#include "check/check.hpp"

namespace surety::api {

// The components that make this assumption (asym, sym), keep it (circular) or are abstracted by it (cegar, agar);
// `number` is from 1, as in Iteration. None: it is that of all together, or of what a rule has made on its way.
std::vector<std::string> owner_of(const Check& check, int number);

// The assumptions of a proof, or the last ones that were tried.
const std::vector<Lts>* assumptions_of(const Verdict& verdict);

}  // namespace surety::api
