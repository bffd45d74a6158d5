// A quantified regular expression as the smallest automaton of the executions that it allows.
//
// The expression becomes a nondeterministic automaton with silent steps, built along its tree (Thompson 1968), then a
// deterministic one; `no executions` swaps what is accepted. Then the states from which nothing is accepted are taken
// out, and equivalent states are joined. In between, the automata are LTSs in which accepting states have a step of a
// letter of its own, so that the functions of `model` keep track of acceptance by themselves.
#pragma once

#include <optional>

#include "base/budget.hpp"
#include "lang/qre/tree.hpp"
#include "model/automata.hpp"

namespace surety::qre {

inline constexpr std::uint64_t kMostStates = 20'000;              // of the deterministic automaton; messages say it
inline constexpr std::uint64_t kMostComplementSteps = 2'000'000;  // of its complement

// The letter of the event at this place of the list.
inline Action letter(std::uint32_t event) { return Action{event + 1}; }

// Deterministic and minimal; every state can reach an accepting one; without states if no word is accepted. Nothing:
// the automaton is too large, or the budget ended.
std::optional<Automaton> automaton_of(const Property& property, Budget& budget);

}  // namespace surety::qre
