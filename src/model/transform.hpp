// Small pure functions from one LTS to another.
#pragma once

#include <utility>
#include <vector>

#include "model/lts.hpp"

namespace surety {

// M|Sigma: the actions outside `visible` become tau. The alphabet is what is left of M's.
Lts project(const Lts& lts, const Alphabet& visible);

// The actions in `hidden` become tau.
Lts hide(const Lts& lts, const Alphabet& hidden);

// Renames old to new, all pairs at once. An action with several pairs gets one copy of its steps
// for each; an action without one stays. New names may be equal (steps merge); tau cannot be renamed.
Lts relabel(const Lts& lts, const std::vector<std::pair<Action, Action>>& pairs);

// Without the states that cannot be reached. The alphabet stays. States are numbered breadth first.
Lts reachable(const Lts& lts);

// Which state becomes state 0, 1, ... of reachable(lts).
std::vector<State> reachable_order(const Lts& lts);

// The same LTS with its error state as an ordinary state without steps.
Lts without_error(const Lts& lts);

// Going wrong as an action: in its error state it can do `wrong`, which is in its alphabet, and nothing else.
Lts with_error_action(const Lts& lts, Action wrong);

// The trace LTS of a word, with the given alphabet: a chain that does the word and then nothing.
Lts trace_lts(Word word, const Alphabet& alphabet);

// One state, where all of these actions can happen at any time.
Lts universal_lts(const Alphabet& actions);

}  // namespace surety
