// How the actions of an LTS look in a text, worked out once per action and not once per step; and which of them
// no step has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/lts.hpp"

namespace surety {

// By action; tau and the alphabet are filled in.
template <class Show>
std::vector<std::string> labels_by_action(const Lts& lts, const ActionTable& actions, Show show) {
  std::vector<std::string> labels(1, show(actions.name(kTau)));
  for (const Action a : lts.alphabet()) {
    labels.resize(a.value + 1ULL);
    labels.back() = show(actions.name(a));
  }
  return labels;
}

// The actions of the alphabet that are on no step.
inline Alphabet idle_actions(const Lts& lts) {
  std::vector<bool> seen;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) {
      if (seen.size() <= step.action.value) seen.resize(step.action.value + 1ULL, false);
      seen[step.action.value] = true;
    }
  std::vector<Action> idle;
  for (const Action a : lts.alphabet())
    if (a.value >= seen.size() || !seen[a.value]) idle.push_back(a);
  return Alphabet(std::move(idle));
}

}  // namespace surety
