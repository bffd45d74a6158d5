// Counterexamples of programs with values that are not modelled.
//
// What depends on such a value is a free choice, and each choice is an action of its own. A proof is still a proof; a
// counterexample that passes a choice may be due to it. So one without a choice is looked for, in a network in which
// no choice can be made; if there is none, the answer is not known.
#pragma once

#include "check/check.hpp"
#include "load/load.hpp"

namespace surety::api {

bool passes_choice(const Model& model, const Trace& trace);

// No choice happens. For deadlocks (`and_goes_on`): a task that would have to choose goes on for ever instead, so that
// it does not count as stuck.
Network without_choices(const Model& model, bool and_goes_on);

// "depends on line 41 (if Clock > Deadline then), which is not modelled"
std::string why_doubtful(const Model& model, const Trace& trace);

// "depends on N, which is not modelled": why a proof that no task fails says too little. Empty: it does not.
std::string why_unchecked(const Model& model);

}  // namespace surety::api
