// The components of a network: one for each task, variable, protected object and queue that can be seen.

#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/network/network_builder.hpp"
#include "lang/ada/network/warnings.hpp"
#include "lang/net/values.hpp"

namespace surety::ada {
namespace {

using flow::kOpaque;
using flow::kUnset;
using Kind = Transition::Kind;
using Mode = TaskGraph::Mode;

bool is_of_its_own(const Transition& x) {
  switch (x.kind) {
    case Kind::silent:
    case Kind::begin:
    case Kind::activated:
    case Kind::abandoned:
    case Kind::end: return false;
    default: return true;
  }
}

}  // namespace

void NetworkBuilder::add_task(AdaNetwork& out, std::uint32_t t) {
  const TaskGraph& graph = graphs_[t];
  AdaNetwork::Task task;
  task.name = program_.tasks[t].name;
  task.component = out.network.components.size();
  task.is_busy = std::ranges::any_of(graph.transitions, is_of_its_own);
  LtsBuilder builder;
  builder.set_state_count(static_cast<std::uint32_t>(graph.states.size()));
  const auto& nodes = program_.tasks[t].graph.nodes;
  for (std::uint32_t s = 0; s < graph.states.size(); ++s) {
    const TaskGraph::State& state = graph.states[s];
    const bool stands = state.mode == Mode::runs || state.mode == Mode::fails;
    AdaNetwork::State& there = task.states.emplace_back();
    there.mode = static_cast<AdaNetwork::State::Mode>(state.mode);
    if (stands && state.node < nodes.size()) {
      there.place = nodes[state.node].place;
      there.calls_at_once = is_conditional_call(nodes[state.node]);
      there.accepts_at_once = is_conditional_accept(nodes[state.node]);
    }
    if (state.mode == Mode::terminated) builder.set_end(State{s});
    if (const auto gone = is_gone(program_, t, state))
      for (const Action a : *gone ? gone_[t] : callable_[t]) builder.add_step(State{s}, a, State{s});
    for (const Status& status : status_[t])
      if (state.mode != Mode::terminated && status.value == has_status(program_, t, state, status.terminated))
        builder.add_step(State{s}, status.action, State{s});
    if (is_abandoned(state))
      for (const Action a : abandoned_[t]) builder.add_step(State{s}, a, State{s});
    else if (is_active(program_, t, state))
      for (const Action a : activated_[t]) builder.add_step(State{s}, a, State{s});
  }
  for (const TaskGraph::Edge& e : graph.edges) {
    const Transition& x = graph.transitions[e.transition];
    if (x.kind == Kind::silent) builder.add_step(State{e.from}, kTau, State{e.to});
    if (x.kind == Kind::silent) task.edges.push_back({e.from, e.to, kTau, x.place});
    for (const Action a : steps_[t][e.transition]) {
      builder.add_step(State{e.from}, a, State{e.to});
      task.edges.push_back({e.from, e.to, a, x.place});
    }
  }
  std::vector<Action> alphabet = masters_[t];
  for (const Status& status : status_[t]) alphabet.push_back(status.action);
  for (const Action a : activated_[t]) alphabet.push_back(a);
  for (const Action a : abandoned_[t]) alphabet.push_back(a);
  for (const Action a : gone_[t]) alphabet.push_back(a);
  for (const Action a : callable_[t]) alphabet.push_back(a);
  for (const Action a : owners_[t]) alphabet.push_back(a);
  builder.add_to_alphabet(Alphabet(std::move(alphabet)));
  std::ranges::stable_sort(task.edges, {}, &AdaNetwork::Edge::from);
  out.network.components.push_back({task.name, builder.build()});
  out.parts.push_back({AdaNetwork::Part::Kind::task, t});
  out.tasks.push_back(std::move(task));
}

void NetworkBuilder::add_variables(AdaNetwork& out) {
  std::set<std::uint32_t> kept;  // with objects
  for (const flow::Object& object : program_.objects) kept.insert(object.outside.begin(), object.outside.end());
  for (const auto& [slot, accesses] : accesses_) {
    if (kept.contains(slot)) continue;
    const flow::Slot& s = program_.slots[slot];
    auto found = net::values_of(
        s.initial, accesses, [](const Access& access) { return access.action; },
        [&](Value value, const Access& access) { return after(s, value, access); }, SIZE_MAX, [] { return true; });
    auto& names = out.values[out.network.components.size()];
    for (const Value v : found->list) names.push_back(shown_now(v, s));
    out.network.components.push_back({s.name, found->builder.build()});
    out.parts.push_back(
        {AdaNetwork::Part::Kind::variable, s.apart ? std::optional<std::size_t>(s.task) : std::nullopt});
  }
}

void NetworkBuilder::add_objects(AdaNetwork& out) {
  for (std::uint32_t o = 0; o < objects_.size(); ++o) {
    const ObjectGraph& graph = objects_[o];
    LtsBuilder builder;
    std::vector<Action> alphabet;
    for (const auto& [key, actions] : operated_)
      if (program_.operations[std::get<0>(key)].object == o)
        alphabet.insert(alphabet.end(), actions.begin(), actions.end());
    for (const auto& [key, action] : waiting_)
      if (program_.operations[std::get<0>(key)].object == o) alphabet.push_back(action);
    for (const auto& [operation, actions] : refused_)
      if (program_.operations[operation].object == o) alphabet.insert(alphabet.end(), actions.begin(), actions.end());
    for (const std::uint32_t slot : program_.objects[o].outside)
      for (const Access& access : accesses_[slot]) alphabet.push_back(access.action);
    if (alphabet.empty()) continue;
    builder.set_state_count(static_cast<std::uint32_t>(graph.states.size()));
    if (const auto made = made_.find(o); made != made_.end()) {
      alphabet.push_back(made->second);
      for (std::uint32_t s = 0; s < graph.states.size(); ++s)
        if (const auto anew = made_anew(o, graph.states[s])) builder.add_step(State{s}, made->second, *anew);
    }
    for (std::uint32_t s = 0; s < graph.states.size(); ++s) add_outside(builder, o, s);
    for (const ObjectGraph::Edge& e : graph.edges) {
      if (e.closed) {
        for (const Action a : refused_[e.operation]) builder.add_step(State{e.from}, a, State{e.to});
        continue;
      }
      if (e.waits) {
        if (const auto found = waiting_.find({e.operation, e.values, e.caller}); found != waiting_.end())
          builder.add_step(State{e.from}, found->second, State{e.to});
        continue;
      }
      const auto found = operated_.find({e.operation, e.values, e.outcome, e.caller});
      if (found == operated_.end()) continue;
      for (const Action a : found->second) builder.add_step(State{e.from}, a, State{e.to});
    }
    builder.add_to_alphabet(Alphabet(std::move(alphabet)));
    auto& names = out.values[out.network.components.size()];
    for (const Values& state : graph.states) names.push_back(shown_object(program_.objects[o], state));
    out.network.components.push_back({program_.objects[o].name, builder.build()});
    out.parts.push_back({AdaNetwork::Part::Kind::object, std::nullopt});
  }
}

// What a state is, for people.
std::string NetworkBuilder::shown_now(Value value, const flow::Slot& slot) const {
  return value == kUnset ? "no value yet" : shown(value, slot.display);
}

std::string NetworkBuilder::shown_object(const flow::Object& object, const Values& state) const {
  std::string out;
  const auto slots = slots_of(object);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const flow::Slot& slot = program_.slots[slots[i]];
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", slot.name, shown_now(state[i], slot));
  }
  for (std::size_t i = slots.size(); i < state.size(); i += 3 + static_cast<std::size_t>(state[i + 2]))
    out += fmt::format("; {} waits for {}", program_.tasks[static_cast<std::size_t>(state[i + 1])].name,
                       program_.operations[static_cast<std::size_t>(state[i])].name);
  return out;
}

// Nothing: it is never made anew there.
std::optional<State> NetworkBuilder::made_anew(std::uint32_t o, Values values) const {
  const auto& slots = program_.objects[o].slots;
  for (std::size_t i = 0; i < slots.size(); ++i)
    values[i] = environment_.forgotten[slots[i]] ? kOpaque : program_.slots[slots[i]].initial;
  return number_of(o, values);
}

// Nothing: the program never comes there.
std::optional<State> NetworkBuilder::number_of(std::uint32_t o, const Values& values) const {
  const auto found = objects_[o].numbers.find(values);
  return found == objects_[o].numbers.end() ? std::nullopt : std::optional(State{found->second});
}

std::optional<Refusal> NetworkBuilder::add_queues(AdaNetwork& out) {
  for (const auto& [entry, actions] : queues_) {
    const flow::Entry& e = program_.entries[entry];
    const auto lts = queue_component(actions);
    if (!lts) return Refusal{fmt::format("too many tasks call {}, whose 'Count is asked for", e.name), {}, e.place};
    const std::string name = e.name + ".queue";
    out.network.components.push_back({name, *lts});
    out.parts.push_back({AdaNetwork::Part::Kind::queue, e.task});
  }
  return std::nullopt;
}

// What tasks do to the variables that are kept with it.
void NetworkBuilder::add_outside(LtsBuilder& builder, std::uint32_t o, std::uint32_t s) {
  const flow::Object& object = program_.objects[o];
  for (std::size_t i = 0; i < object.outside.size(); ++i)
    for (const Access& access : accesses_[object.outside[i]]) {
      Values values = objects_[o].states[s];
      Value& v = values[object.slots.size() + i];
      const auto next = after(program_.slots[object.outside[i]], v, access);
      if (!next) continue;
      v = *next;
      if (const auto to = number_of(o, values)) builder.add_step(State{s}, access.action, *to);
    }
}

// The value of a variable after an access; nothing: it cannot be. One that was never written is any value.
std::optional<Value> NetworkBuilder::after(const flow::Slot& slot, Value value, const Access& access) {
  if (!access.read || value == access.value) return access.value;
  if (value != kUnset) return std::nullopt;
  if (is_free(slot))
    return access.value >= slot.low && access.value <= slot.high ? std::optional(access.value) : std::nullopt;
  return access.value == kOpaque ? std::optional(kUnset) : std::nullopt;
}

}  // namespace surety::ada
