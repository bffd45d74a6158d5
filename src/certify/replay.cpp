// Traces, one component at a time: a network has a word iff each component has its
// share of it, silent steps anywhere.

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "certify/replay.hpp"
#include "certify/search.hpp"

namespace surety::certify {
namespace {

using States = std::set<State>;

// What silent steps add.
States close(const Lts& lts, States states) {
  std::vector<State> todo(states.begin(), states.end());
  while (!todo.empty()) {
    const State s = todo.back();
    todo.pop_back();
    for (const Step& step : lts.steps(s, kTau))
      if (states.insert(step.target).second) todo.push_back(step.target);
  }
  return states;
}

// Can one component do this again and again? A place is a state and how many actions of the cycle are done; each step
// from place to place is one action, silent ones before it. It can go on for ever iff a way of such steps comes back to
// a place that it has passed. Depth first, so each place is looked at once.
class RoundAndRound {
 public:
  RoundAndRound(const Lts& lts, Trace cycle) : lts_(lts), cycle_(std::move(cycle)) {}

  bool from(const States& start) {
    return cycle_.empty() ||
           std::any_of(start.begin(), start.end(), [&](State s) { return comes_back(s.value * cycle_.size()); });
  }

 private:
  enum class Colour : std::uint8_t { fresh, on_the_way, dead };
  struct Visit {
    std::size_t place;
    std::vector<std::size_t> next;  // places that are not tried yet
  };

  bool comes_back(std::size_t first) {
    if (colour_[first] != Colour::fresh) return false;
    enter(first);
    while (!way_.empty()) {
      if (way_.back().next.empty()) {
        colour_[way_.back().place] = Colour::dead;
        way_.pop_back();
        continue;
      }
      const std::size_t place = way_.back().next.back();
      way_.back().next.pop_back();
      if (colour_[place] == Colour::on_the_way) return true;
      if (colour_[place] == Colour::fresh) enter(place);
    }
    return false;
  }

  void enter(std::size_t place) {
    colour_[place] = Colour::on_the_way;
    way_.push_back({place, {}});
    const std::size_t done = place % cycle_.size();
    for (const State s : close(lts_, {State{static_cast<std::uint32_t>(place / cycle_.size())}}))
      for (const Step& step : lts_.steps(s, cycle_[done]))
        way_.back().next.push_back(step.target.value * cycle_.size() + (done + 1) % cycle_.size());
  }

  const Lts& lts_;
  const Trace cycle_;
  std::unordered_map<std::size_t, Colour> colour_;  // by place
  std::vector<Visit> way_;
};

}  // namespace

std::set<State> states_after(const Lts& lts, Word trace) {
  States now = close(lts, {lts.initial()});
  for (const Action a : trace) {
    if (!lts.alphabet().contains(a)) continue;
    States next;
    for (const State s : now)
      for (const Step& step : lts.steps(s, a)) next.insert(step.target);
    now = close(lts, std::move(next));
  }
  return now;
}

std::optional<std::string> replay_violation(const Network& network, const Property& property, Word trace) {
  const Alphabet known = unite(alphabet_of(network), property.lts.alphabet());
  for (const Action a : trace)
    if (a != kTau && !known.contains(a)) return "it has an action that no component has";
  for (const auto& component : network.components)
    if (states_after(component.lts, trace).empty())
      return fmt::format("component '{}' cannot do its part", component.name);
  if (!states_after(property.lts, trace).empty()) return "the property allows it";
  return std::nullopt;
}

std::optional<std::string> replay_error(const Network& network, Word trace) {
  bool reached = false;
  for (const auto& component : network.components) {
    const auto states = states_after(component.lts, trace);
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
      if (states_after(component.lts, trace).empty())
        return fmt::format("component '{}' cannot do its part", component.name);
      continue;
    }
    if (c >= last.size() || !states_after(component.lts, trace).contains(last[c]))
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
    const States start = states_after(component.lts, trace);
    if (start.empty() || !RoundAndRound(component.lts, project(cycle, component.lts.alphabet())).from(start))
      return fmt::format("component '{}' cannot do its part", component.name);
  }
  return std::nullopt;
}

}  // namespace surety::certify
