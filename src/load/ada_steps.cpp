// The steps of a trace of an Ada program: which statement each task executes. Whatever is grouped with variables, a
// trace is one of the tasks, each a component of its own.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "load/ada.hpp"
#include "load/walk.hpp"

namespace surety::api {
namespace {

std::string statement_at(const Model& model, std::uint32_t place) {
  const auto& p = model.ada->flow.places[place];
  const std::string& text = model.ada->source->text;
  const auto end = std::min(text.find('\n', p.offset), text.size());
  std::string out = text.substr(p.offset, end - p.offset);
  while (!out.empty() && (out.back() == '\r' || out.back() == ' ')) out.pop_back();
  constexpr std::size_t kLongest = 60;
  if (out.size() > kLongest) out = out.substr(0, kLongest) + " ...";
  return out;
}

std::uint32_t line_at(const Model& model, std::uint32_t place) {
  const auto& p = model.ada->flow.places[place];
  return place == 0 ? 0 : model.ada->source->line_number({p.offset, p.length});
}

// The steps of one task along its share of a trace: breadth first over sets of states, then back.
std::vector<std::uint32_t> places_along(const AdaNetwork::Task& task, const Alphabet& alphabet, const Trace& trace) {
  struct Reached {
    std::uint32_t state, before, place;
    bool silent;
  };
  std::vector<std::vector<Reached>> layers(1);
  const auto edges_of = [&](std::uint32_t s) {
    return std::ranges::equal_range(task.edges, s, {}, &AdaNetwork::Edge::from);
  };
  const auto close = [&](std::vector<Reached>& layer) {
    std::set<std::uint32_t> seen;
    for (const Reached& r : layer) seen.insert(r.state);
    for (std::uint32_t i = 0; i < layer.size(); ++i)
      for (const auto& e : edges_of(layer[i].state))
        if (e.action == kTau && seen.insert(e.to).second) layer.push_back({e.to, i, 0, true});
  };
  layers[0].push_back({0, 0, 0, false});
  close(layers[0]);
  for (const Action a : trace) {
    if (!alphabet.contains(a)) continue;
    std::vector<Reached> next;
    std::set<std::uint32_t> seen;
    const auto& now = layers.back();
    for (std::uint32_t i = 0; i < now.size(); ++i)
      for (const auto& e : edges_of(now[i].state))
        if (e.action == a && seen.insert(e.to).second) next.push_back({e.to, i, e.place, false});
    if (next.empty()) {  // it only offers it, and stays where it is
      for (std::uint32_t i = 0; i < now.size(); ++i) next.push_back({now[i].state, i, 0, false});
    }
    close(next);
    layers.push_back(std::move(next));
  }
  std::vector<std::uint32_t> out(layers.size() - 1, 0);
  std::uint32_t at = 0;
  for (std::size_t l = layers.size(); l-- > 1;) {
    while (layers[l][at].silent) at = layers[l][at].before;
    out[l - 1] = layers[l][at].place;
    at = layers[l][at].before;
  }
  return out;
}

// What each task does in each step, silent ones included: nothing if the way is not known.
std::vector<std::vector<ShownStep>> steps_of_walk(const Model& model, const Trace& trace,
                                                  const std::vector<Standing>& standings) {
  std::vector<std::vector<ShownStep>> out(trace.size());
  for (const AdaNetwork::Task& task : model.ada_network->tasks)
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const std::uint32_t from = standings[i][task.component].value, to = standings[i + 1][task.component].value;
      const auto edges = std::ranges::equal_range(task.edges, from, {}, &AdaNetwork::Edge::from);
      const auto at = std::ranges::find_if(edges, [&](const auto& e) { return e.to == to && e.action == trace[i]; });
      const bool alone = trace[i] == kTau && standings[i] == standings[i + 1];
      if (at == edges.end() || at->place == 0 || (trace[i] == kTau && from == to && !alone)) continue;
      out[i].push_back({task.name, line_at(model, at->place), statement_at(model, at->place), {}});
    }
  return out;
}

}  // namespace

std::vector<std::vector<ShownStep>> ada_steps(const Model& model, const Trace& trace) {
  if (const auto standings = walk(model.ada_network->network, trace)) return steps_of_walk(model, trace, *standings);
  std::vector<std::vector<ShownStep>> out(trace.size());
  for (const AdaNetwork::Task& task : model.ada_network->tasks) {
    const Alphabet& alphabet = model.ada_network->network.components[task.component].lts.alphabet();
    const auto places = places_along(task, alphabet, trace);
    std::size_t next = 0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (!alphabet.contains(trace[i])) continue;
      const std::uint32_t place = places[next++];
      if (place != 0) out[i].push_back({task.name, line_at(model, place), statement_at(model, place), {}});
    }
  }
  return out;
}

std::string ada_note(const Model& model, const Trace& trace) {
  const auto standings = walk(model.ada_network->network, trace);
  if (!standings) return {};
  for (std::size_t i = 0; i < trace.size(); ++i) {
    bool called = false, accepted = false;
    for (const AdaNetwork::Task& task : model.ada_network->tasks) {
      if (!model.ada_network->network.components[task.component].lts.alphabet().contains(trace[i])) continue;
      const AdaNetwork::State& from = task.states[(*standings)[i][task.component].value];
      called = called || from.calls_at_once;
      accepted = accepted || from.accepts_at_once;
    }
    if (called && accepted)
      return fmt::format("in step {} a conditional call meets an accept with an else part, which GNAT never does",
                         i + 1);
  }
  return {};
}

bool ada_is_failure(const Model& model, Action action) {
  return model.ada_network != nullptr && model.ada_network->failures.lts.alphabet().contains(action);
}

std::optional<FspStateName> ada_state_name(const Model& model, std::size_t component, State state) {
  if (const auto values = model.ada_network->values.find(component); values != model.ada_network->values.end())
    return FspStateName{state.value < values->second.size() ? values->second[state.value] : "", 0};
  for (const AdaNetwork::Task& task : model.ada_network->tasks) {
    if (task.component != component || state.value >= task.states.size()) continue;
    const AdaNetwork::State& s = task.states[state.value];
    using Mode = AdaNetwork::State::Mode;
    if (s.mode == Mode::terminated) return FspStateName{"END", 0};
    if (s.mode == Mode::dormant) return FspStateName{"not active", 0};
    if (s.mode != Mode::runs && s.mode != Mode::fails) return FspStateName{"its end", 0};
    return FspStateName{statement_at(model, s.place), line_at(model, s.place)};
  }
  return std::nullopt;
}

}  // namespace surety::api
