#include "check/opaque.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "load/ada.hpp"

namespace surety::api {
namespace {

Lts blocking(const std::vector<Action>& choices) {
  LtsBuilder builder;
  builder.set_state_count(1);
  builder.add_to_alphabet(Alphabet(choices));
  return builder.build();
}

// Each choice leads to one more state, where the component stays and is never stuck.
Lts going_on(const Lts& lts, const std::map<Action, std::string>& choices) {
  LtsBuilder builder;
  const State away{lts.state_count()};
  builder.set_state_count(lts.state_count() + 1);
  builder.add_to_alphabet(lts.alphabet());
  if (lts.end()) builder.set_end(*lts.end());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      builder.add_step(State{s}, step.action, choices.contains(step.action) ? away : step.target);
  builder.add_step(away, kTau, away);
  return builder.build();
}

}  // namespace

bool passes_choice(const Model& model, const Trace& trace) {
  if (!model.ada_network) return false;
  return std::ranges::any_of(trace, [&](Action a) { return model.ada_network->choices.contains(a); });
}

Network without_choices(const Model& model, bool and_goes_on) {
  const auto& choices = model.ada_network->choices;
  Network out = model.network;
  if (and_goes_on) {
    for (Component& c : out.components)
      if (std::ranges::any_of(choices, [&](const auto& choice) { return c.lts.alphabet().contains(choice.first); }))
        c.lts = going_on(c.lts, choices);
    return out;
  }
  std::vector<Action> actions;
  for (const auto& [action, where] : choices) actions.push_back(action);
  out.components.push_back({"what is not modelled", blocking(actions)});
  return out;
}

std::string why_doubtful(const Model& model, const Trace& trace) {
  for (const Action a : trace)
    if (const auto found = model.ada_network->choices.find(a); found != model.ada_network->choices.end())
      return fmt::format("may fail: depends on {}, which is not modelled", found->second);
  return {};
}

std::string why_unchecked(const Model& model) {
  if (!model.ada_network || model.ada_network->unchecked.empty()) return {};
  return fmt::format("depends on {}, which is not modelled", model.ada_network->unchecked[0]);
}

}  // namespace surety::api
