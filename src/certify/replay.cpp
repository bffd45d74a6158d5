// Traces, one component at a time: a network has a word iff each component has its
// share of it, silent steps anywhere.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "certify/search.hpp"

namespace surety::certify {
namespace {

// One component alone: can it do its share of the trace, silent steps anywhere? The states it may be in.
std::set<State> after(const Lts& lts, Word trace) {
  auto close = [&](std::set<State> states) {
    std::vector<State> todo(states.begin(), states.end());
    while (!todo.empty()) {
      const State s = todo.back();
      todo.pop_back();
      for (const Step& step : lts.steps(s, kTau))
        if (states.insert(step.target).second) todo.push_back(step.target);
    }
    return states;
  };
  std::set<State> now = close({lts.initial()});
  for (const Action a : trace) {
    if (!lts.alphabet().contains(a)) continue;
    std::set<State> next;
    for (const State s : now)
      for (const Step& step : lts.steps(s, a)) next.insert(step.target);
    now = close(std::move(next));
  }
  return now;
}

}  // namespace

std::optional<std::string> replay_violation(const Network& network, const Property& property, Word trace) {
  const Alphabet known = unite(alphabet_of(network), property.lts.alphabet());
  for (const Action a : trace)
    if (a != kTau && !known.contains(a)) return "it has an action that nobody has";
  for (const auto& component : network.components)
    if (after(component.lts, trace).empty()) return fmt::format("component '{}' cannot do its part", component.name);
  if (!after(property.lts, trace).empty()) return "the property allows it";
  return std::nullopt;
}

std::optional<std::string> replay_error(const Network& network, Word trace) {
  bool reached = false;
  for (const auto& component : network.components) {
    const auto states = after(component.lts, trace);
    if (states.empty()) return fmt::format("component '{}' cannot do its part", component.name);
    reached |= component.lts.error() && states.contains(*component.lts.error());
  }
  if (!reached) return "no component is in its error state then";
  return std::nullopt;
}

std::optional<std::string> replay_deadlock(const Network& network, Word trace, const std::vector<State>& last) {
  std::vector<const Lts*> components;
  for (std::size_t c = 0; c < network.components.size(); ++c) {
    const auto& component = network.components[c];
    if (last.empty()) {
      if (after(component.lts, trace).empty()) return fmt::format("component '{}' cannot do its part", component.name);
      continue;
    }
    if (c >= last.size() || !after(component.lts, trace).contains(last[c]))
      return fmt::format("component '{}' cannot be where the trace should lead it", component.name);
    if (!component.lts.steps(last[c], kTau).empty())
      return fmt::format("component '{}' can still take a silent step", component.name);
    components.push_back(&component.lts);
  }
  if (last.empty()) return std::nullopt;
  if (terminated(components, last)) return "the system has terminated there";
  for (const Action a : alphabet_of(network))
    if (std::all_of(network.components.begin(), network.components.end(), [&](const Component& component) {
          const auto c = static_cast<std::size_t>(&component - network.components.data());
          return !component.lts.alphabet().contains(a) || !component.lts.steps(last[c], a).empty();
        }))
      return "an action can still happen there";
  return std::nullopt;
}

std::optional<std::string> replay_cycle(const Network& network, Word trace, Word cycle) {
  for (const auto& component : network.components) {
    Trace run(trace.begin(), trace.end());
    // More rounds than the component has states: then it can go round for ever.
    for (std::uint32_t i = 0; i <= component.lts.state_count() && !cycle.empty(); ++i)
      run.insert(run.end(), cycle.begin(), cycle.end());
    if (after(component.lts, run).empty()) return fmt::format("component '{}' cannot do its part", component.name);
  }
  return std::nullopt;
}

}  // namespace surety::certify
