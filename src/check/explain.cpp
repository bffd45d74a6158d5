#include "check/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "certify/replay.hpp"
#include "load/ada.hpp"

namespace surety::api {
namespace {

using States = std::set<State>;

// Of several states any will do: what the others do does not depend on it. One that has failed says most.
State any_of(const Lts& lts, const States& ends) {
  if (lts.error() && ends.contains(*lts.error())) return *lts.error();
  return ends.empty() ? lts.initial() : *ends.begin();
}

bool offers(const Lts& lts, State s, Action a) { return !lts.steps(s, a).empty(); }

Stand stand(const Network& network, const std::vector<State>& states, std::size_t c, const ActionTable& actions,
            const Model* model) {
  const Lts& lts = network.components[c].lts;
  const State s = states[c];
  Stand out{network.components[c].name, fmt::format("state {}", s.value)};
  if (const auto name = model == nullptr ? std::nullopt : state_name(*model, c, s)) {
    out.where = name->text;
    out.line = static_cast<int>(name->line);
  }
  if (lts.error() == s)
    out.as = Stand::As::failed;
  else if (lts.end() == s)
    out.as = Stand::As::ended;
  else if (lts.steps(s).empty())
    out.as = Stand::As::stopped;
  for (const Step& step : lts.steps(s)) {
    if (step.action == kTau) continue;
    const std::string name(actions.name(step.action));
    if (!out.wishes.empty() && out.wishes.back().action == name) continue;
    Stand::Wish wish{name, {}};
    for (std::size_t other = 0; other < states.size(); ++other) {
      const Lts& its = network.components[other].lts;
      if (its.alphabet().contains(step.action) && !offers(its, states[other], step.action))
        wish.refused_by.push_back(network.components[other].name);
    }
    out.wishes.push_back(std::move(wish));
  }
  return out;
}

bool is_dead_end(const Network& network, const std::vector<State>& states) {
  const auto can = [&](Action a) {
    for (std::size_t c = 0; c < states.size(); ++c)
      if (network.components[c].lts.alphabet().contains(a) && !offers(network.components[c].lts, states[c], a))
        return false;
    return true;
  };
  for (std::size_t c = 0; c < states.size(); ++c)
    for (const Step& step : network.components[c].lts.steps(states[c]))
      if (step.action == kTau || can(step.action)) return false;
  return true;
}

// Where a trace leaves the components if nothing can happen there; no states: that is not found among so many ends.
std::vector<State> dead_end(const Network& network, const std::vector<States>& ends) {
  constexpr std::size_t kMost = 65'536;
  std::vector<States::const_iterator> at;
  for (const States& each : ends) {
    if (each.empty()) return {};
    at.push_back(each.begin());
  }
  for (std::size_t tried = 0; tried < kMost; ++tried) {
    std::vector<State> states;
    for (const auto& it : at) states.push_back(*it);
    if (is_dead_end(network, states)) return states;
    std::size_t c = 0;
    while (c < at.size() && ++at[c] == ends[c].end()) {
      at[c] = ends[c].begin();
      ++c;
    }
    if (c == at.size()) return {};
  }
  return {};
}

std::vector<State> last_states(const Check& check, const Network& network, const Trace& trace) {
  if (check.last.size() == network.components.size()) return check.last;
  std::vector<States> ends;
  for (const Component& component : network.components) ends.push_back(certify::states_after(component.lts, trace));
  if (check.kind != CheckKind::safety && check.kind != CheckKind::error) return dead_end(network, ends);
  std::vector<State> out;
  for (std::size_t c = 0; c < ends.size(); ++c) out.push_back(any_of(network.components[c].lts, ends[c]));
  return out;
}

}  // namespace

void explain(Check& check, const Network& network, std::size_t processes, const ActionTable& actions,
             const Model* model) {
  const auto* violated = std::get_if<Violated>(&check.verdict);
  if (violated == nullptr) return;
  for (const Trace* trace : {&violated->trace, &violated->cycle})
    for (const Action a : *trace) {
      auto& names = check.takes_part.emplace_back();
      for (std::size_t c = 0; c < processes; ++c)
        if (a != kTau && network.components[c].lts.alphabet().contains(a)) names.push_back(network.components[c].name);
    }
  if (!violated->cycle.empty()) return;
  const std::vector<State> states = last_states(check, network, violated->trace);
  for (std::size_t c = 0; c < std::min(processes, states.size()); ++c)
    check.stands.push_back(stand(network, states, c, actions, model));
}

void explain_ada(Check& check, const Model& model) {
  const auto* violated = std::get_if<Violated>(&check.verdict);
  if (violated == nullptr) return;
  // People know the tasks, whatever they are grouped with.
  const AdaNetwork& ada = *model.ada_network;
  if (check.last.size() == model.network.components.size()) check.last = ada.states_apart(check.last);
  explain(check, ada.network, ada.network.components.size(), *model.actions, &model);
  Trace whole = violated->trace;
  whole.insert(whole.end(), violated->cycle.begin(), violated->cycle.end());
  auto parts = ada_steps(model, whole);
  for (std::size_t i = 0; i < whole.size(); ++i)
    check.steps.push_back({std::string(model.actions->name(whole[i])), std::move(parts[i])});
  if (std::string note = ada_note(model, whole); !note.empty()) check.note += (check.note.empty() ? "" : "; ") + note;
  // Variables and protected objects wait for nothing.
  const auto is_task = [&](const Stand& s) {
    return std::ranges::any_of(model.ada_network->tasks,
                               [&](const AdaNetwork::Task& t) { return t.name == s.process; });
  };
  std::erase_if(check.stands, [&](const Stand& s) { return !is_task(s); });
}

std::vector<Stand> stands_at(const Model& model, const std::vector<State>& states) {
  std::vector<Stand> out;
  for (std::size_t c = 0; c < states.size(); ++c)
    out.push_back(stand(model.network, states, c, *model.actions, &model));
  return out;
}

}  // namespace surety::api
