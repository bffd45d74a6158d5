// How the actions of an LTS look in a text, worked out once an action and not once a step.
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

}  // namespace surety
