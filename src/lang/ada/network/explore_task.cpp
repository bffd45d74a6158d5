#include "lang/ada/network/explore.hpp"
#include "lang/ada/network/task_explorer.hpp"
#include "lang/ada/network/value_count.hpp"

namespace surety::ada {
namespace {

using flow::Alternative;
using flow::kNone;
using flow::kOpaque;
using flow::kUnset;
using flow::Node;
using Mode = TaskGraph::Mode;
using Kind = Transition::Kind;

constexpr std::uint32_t kManyStates = 60'000;     // of a task that has variables with many values
constexpr std::uint32_t kMostStates = 1'000'000;  // of a task
constexpr std::uint64_t kLongRun = 10'000;        // silent steps at once
constexpr Value kComes = 1;                       // in place of an exception, of a task that runs

}  // namespace

std::optional<Refusal> TaskExplorer::run() {
  begin();
  for (std::uint32_t s = 0; s < states_.size() && !refusal_; ++s) {
    if ((s & 63) == 0 && !budget_.go_on()) return over_budget();
    if (states_.size() > environment_.most_states) return over_budget();
    if (states_.size() > (forgettable_ ? kManyStates : kMostStates)) {
      auto slots = forgettable();
      forgettable_ = false;
      if (!slots.empty() || states_.size() > kMostStates)
        return Refusal{fmt::format("{} has more than 1,000,000 states", program_.tasks[task_].name),
                       {},
                       program_.tasks[task_].place,
                       std::move(slots)};
    }
    from_ = s;
    expand(s);
  }
  if (refusal_ && too_many_ && refusal_->slots.empty()) refusal_->slots = forgettable();
  return refusal_;
}

void TaskExplorer::begin() {
  if (graph_.nodes.empty()) return;
  if (program_.tasks[task_].master == 0)
    enter(graph_.start, std::nullopt);
  else
    number(Mode::dormant, 0, 0);
}

void TaskExplorer::expand_state(std::uint32_t s) {
  from_ = s;
  expand(s);
}

void TaskExplorer::expand_state(std::uint32_t s, const Wanted& wanted, bool calls_only) {
  wanted_ = &wanted;
  calls_only_ = calls_only;
  const TaskGraph::State& state = out_.states[s];
  if (!calls_only || (state.mode == Mode::runs && graph_.nodes[state.node].kind == Node::Kind::wait)) expand_state(s);
  wanted_ = nullptr;
  calls_only_ = false;
}

// The variables with most values in the states so far.
std::vector<std::uint32_t> TaskExplorer::forgettable() const {
  ValueCount count;
  for (std::uint32_t s = 0; s < states_.size(); ++s) {
    if (out_.states[s].mode != Mode::runs) continue;
    const auto& live = live_[out_.states[s].node];
    for (std::size_t i = 0; i < live.size(); ++i) count.add(live[i], states_[s][3 + i]);
  }
  count.add_shared(environment_);
  return count.largest(program_);
}

void TaskExplorer::refuse_many(std::string message, std::string hint, std::uint32_t place,
                               std::vector<std::uint32_t> slots) {
  too_many_ = too_many_ || !refusal_;
  refuse(std::move(message), std::move(hint), place);
  if (refusal_->slots.empty()) refusal_->slots = std::move(slots);
}

bool TaskExplorer::is_own(std::uint32_t slot) const {
  const SlotUse& use = environment_.use[slot];
  if (program_.slots[slot].task == task_) return !program_.slots[slot].apart;
  return use.task == task_ && !use.several && use.written;
}

std::uint32_t TaskExplorer::number(Mode mode, std::uint32_t node, Value exception) {
  key_.clear();
  key_.push_back(static_cast<Value>(mode));
  key_.push_back(mode == Mode::runs || mode == Mode::fails ? node : 0);
  key_.push_back(exception);
  if (mode == Mode::runs)
    for (const std::uint32_t slot : live_[node]) key_.push_back(environment_.forgotten[slot] ? kOpaque : memory_[slot]);
  const std::uint32_t before = states_.size();
  const std::uint32_t s = states_.intern(key_);
  if (s == before) out_.states.push_back({mode, node, mode == Mode::runs && exception == kComes});
  return s;
}

void TaskExplorer::add_edge(const std::optional<Transition>& transition, std::uint32_t to) {
  if (!transition) return;
  const auto [at, fresh] = numbers_.try_emplace(*transition, static_cast<std::uint32_t>(numbers_.size()));
  if (fresh) out_.transitions.push_back(*transition);
  out_.edges.push_back({from_, at->second, to});
}

// After a step: on to where something happens again.
void TaskExplorer::enter(std::uint32_t node, const std::optional<Transition>& transition) {
  const Stop stop = ada::run(graph_, node, memory_, kLongRun, [&](std::uint32_t s) { return is_shared(s); });
  const bool watched = environment_.watched[task_];
  const bool done = stop.kind == Stop::Kind::visible && graph_.nodes[stop.node].kind == Node::Kind::complete;
  if (done && !environment_.completes[task_]) {
    environment_.completes[task_] = true;
    ++environment_.changes;
  }
  if (stop.kind == Stop::Kind::visible && graph_.nodes[stop.node].kind == Node::Kind::abandoned) {
    if (!environment_.abandoned[task_]) ++environment_.changes;
    environment_.abandoned[task_] = environment_.completes[task_] = true;
    if (!watched) return add_edge(transition, number(Mode::abandoned, 0, 0));
  }
  // A conditional call can find that it has not completed yet, though all it has to do is that.
  const bool completed = done && !watched;
  if (stop.kind == Stop::Kind::raised)
    add_edge(transition, number(Mode::fails, stop.node, stop.exception));
  else if (watched && stop.kind == Stop::Kind::visible && is_end_of_body(graph_.nodes[stop.node]))
    add_edge(transition, number(Mode::runs, stop.node, kComes));
  else
    add_edge(transition, number(completed ? Mode::completed : Mode::runs, stop.node, 0));
}

void TaskExplorer::raise(std::uint32_t node, std::uint32_t exception, const Transition& transition) {
  const std::uint32_t at = handled_at(graph_, graph_.nodes[node].handler, exception, memory_);
  if (at == kNone)
    add_edge(transition, number(Mode::fails, node, exception));
  else
    enter(at, transition);
}

void TaskExplorer::restore(std::uint32_t s) {
  const std::uint32_t node = out_.states[s].node;
  const auto key = states_[s];
  for (std::size_t i = 0; i < live_[node].size(); ++i) memory_[live_[node][i]] = key[3 + i];
}

void TaskExplorer::expand(std::uint32_t s) {
  const TaskGraph::State state = out_.states[s];
  switch (state.mode) {
    case Mode::fails: {
      if (!environment_.completes[task_]) ++environment_.changes;
      environment_.completes[task_] = true;
      Transition t{Kind::fails, static_cast<std::uint32_t>(states_[s][2]), {}, {}, graph_.nodes[state.node].place};
      if (graph_.died != kNone) return enter(graph_.died, t);
      return add_edge(t, number(Mode::completed, 0, 0));
    }
    case Mode::completed:
    case Mode::abandoned:
      if (environment_.asked_about[task_])
        add_edge(Transition{Kind::silent, 0, {}, {}, 0},
                 number(state.mode == Mode::completed ? Mode::ended : Mode::given_up, 0, 0));
      [[fallthrough]];
    case Mode::given_up:
    case Mode::ended: return ends(program_.tasks[task_].master, 0);
    case Mode::terminated: return;
    case Mode::dormant: return dormant();
    case Mode::runs: break;
  }
  restore(s);
  if (state.comes)
    return add_edge(Transition{Kind::silent, 0, {}, {}, graph_.nodes[state.node].place},
                    number(Mode::runs, state.node, 0));
  step(s, state.node);
}

// With whatever master it ends: the one that it depends on, or one around that.
void TaskExplorer::ends(std::uint32_t master, std::uint32_t place) {
  for (; master != kNone; master = program_.masters[master].outer)
    add_edge(Transition{Kind::end, master, {}, {}, place},
             number(master == 0 ? Mode::terminated : Mode::dormant, 0, 0));
}

void TaskExplorer::dormant() {
  const std::uint32_t master = program_.tasks[task_].master;
  for (const std::uint32_t slot : live_[graph_.start]) memory_[slot] = program_.slots[slot].initial;
  enter(graph_.start, Transition{Kind::begin, master, {}, {}, program_.tasks[task_].place});
  ends(program_.masters[master].outer, 0);
}

// It waits for its tasks; if an exception has ended the declarations of one of them, that is an error here, too.
void TaskExplorer::await_activation(std::uint32_t s, std::uint32_t node) {
  const Node& n = graph_.nodes[node];
  enter(n.next, Transition{Kind::activated, n.first, {}, {}, n.place});
  for (const std::uint32_t other : program_.masters[n.first].tasks) {
    if (!environment_.abandoned[other]) continue;
    restore(s);
    raise(node, flow::tasking_error, Transition{Kind::abandoned, n.first, {other}, {}, n.place});
  }
}

void TaskExplorer::step(std::uint32_t s, std::uint32_t node) {
  const Node& n = graph_.nodes[node];
  switch (n.kind) {
    case Node::Kind::wait:
      for (const Alternative& a : n.alternatives)
        if (a.guard != kNone && memory_[a.guard] == kOpaque) return opaque_guard(s, node, a.guard);
      for (const Alternative& a : n.alternatives) {
        if (calls_only_ && a.kind != Alternative::Kind::accept) continue;
        restore(s);
        if (a.guard == kNone || memory_[a.guard] == 1) alternative(s, node, a);
      }
      return;
    case Node::Kind::complete:
      return add_edge(Transition{Kind::silent, 0, {}, {}, n.place}, number(Mode::completed, 0, 0));
    case Node::Kind::abandoned:
      return add_edge(Transition{Kind::silent, 0, {}, {}, n.place}, number(Mode::abandoned, 0, 0));
    case Node::Kind::begin: return enter(n.next, Transition{Kind::begin, n.first, {}, {}, n.place});
    case Node::Kind::end: return enter(n.next, Transition{Kind::end, n.first, {}, {}, n.place});
    case Node::Kind::activated: return await_activation(s, node);
    case Node::Kind::queue: return queue(s, node);
    case Node::Kind::count: return count(s, node);
    case Node::Kind::status: return status(s, node);
    case Node::Kind::await_end: return await_end(s, node);
    case Node::Kind::accept_end: return accept_end(s, node);
    case Node::Kind::event: {
      Values values;
      if (!all(n.in, values, s, node)) return;
      return enter(n.next, Transition{Kind::event, n.label, std::move(values), {}, n.place});
    }
    case Node::Kind::read:
    case Node::Kind::write: return access(s, node);
    case Node::Kind::choose:
      for (Value v = n.low; v <= n.high; ++v) {
        restore(s);
        memory_[n.target] = v;
        enter(n.next, Transition{Kind::silent, 0, {}, {}, n.place});
      }
      return;
    case Node::Kind::branch: {
      const Result r = evaluate(n.value, memory_);
      if (r.ok() && r.value == kOpaque) {
        enter(n.next, Transition{Kind::choice, node, {1}, {}, n.place});
        restore(s);
        return enter(n.other, Transition{Kind::choice, node, {0}, {}, n.place});
      }
      return unset_or_silent(s, node, r);
    }
    default: {
      const Result r = evaluate(n.value, memory_);
      return unset_or_silent(s, node, r);
    }
  }
}

// A value that was never written is any of its subtype, from now on. Or there is an exception, or many silent steps
// were made.
void TaskExplorer::unset_or_silent(std::uint32_t s, std::uint32_t node, const Result& r) {
  const Transition silent{Kind::silent, 0, {}, {}, graph_.nodes[node].place};
  if (r.kind == Result::Kind::unset) return any_value(s, node, r.slot);
  if (r.kind == Result::Kind::raised) return raise(node, r.exception, silent);
  return enter(node, silent);
}

void TaskExplorer::any_value(std::uint32_t s, std::uint32_t node, std::uint32_t slot) {
  const Node& n = graph_.nodes[node];
  const flow::Slot& what = program_.slots[slot];
  if (!is_free(what))
    return refuse(fmt::format("{} is read before it has a value", what.name.empty() ? "a value" : what.name),
                  "give it an initial value", n.place);
  for (Value v = what.low; v <= what.high; ++v) {
    restore(s);
    memory_[slot] = v;
    enter(node, Transition{Kind::silent, 0, {}, {}, n.place});
  }
}

// All values, or nothing: one of them is unset, and was given one.
bool TaskExplorer::all(const std::vector<flow::Code>& codes, Values& out, std::uint32_t s, std::uint32_t node) {
  for (const auto& code : codes) {
    const Result r = evaluate(code, memory_);
    if (r.kind == Result::Kind::unset) {
      any_value(s, node, r.slot);
      return false;
    }
    if (r.kind == Result::Kind::raised) {
      raise(node, r.exception, Transition{Kind::silent, 0, {}, {}, graph_.nodes[node].place});
      return false;
    }
    out.push_back(r.value);
  }
  return true;
}

void TaskExplorer::access(std::uint32_t s, std::uint32_t node) {
  const Node& n = graph_.nodes[node];
  const Result at = address(n, memory_);
  if (!at.ok()) return unset_or_silent(s, node, at);
  if (at.value == kOpaque) return access_somewhere(s, node);
  const auto slot = static_cast<std::uint32_t>(at.value);
  if (n.kind == Node::Kind::read && !is_shared(slot))
    return memory_[slot] == kUnset ? any_value(s, node, slot)
                                   : enter(node, Transition{Kind::silent, 0, {}, {}, n.place});
  if (n.kind == Node::Kind::read) {
    const std::set<Value> values = environment_.values[slot];
    for (const Value v : values) {
      restore(s);
      memory_[n.target] = v;
      enter(n.next, Transition{Kind::is, slot, {v}, {}, n.place});
    }
    return;
  }
  const Result r = evaluate(n.value, memory_);
  if (!r.ok()) return unset_or_silent(s, node, r);
  if (!is_shared(slot)) return enter(node, Transition{Kind::silent, 0, {}, {}, n.place});
  write(slot, r.value, node);
}

void TaskExplorer::write(std::uint32_t slot, Value value, std::uint32_t node) {
  const Node& n = graph_.nodes[node];
  if (environment_.forgotten[slot]) value = kOpaque;
  if (value == kUnset) return forget(slot, n);
  environment_.add(environment_.values[slot], value);
  environment_.add(environment_.written[slot], value);
  if (environment_.values[slot].size() > environment_.most_values)
    return refuse_many(
        fmt::format("{} takes more than {} values", program_.slots[slot].name, most_values()),
        fmt::format("give it a range, or pragma Annotate (Surety, Ignore, {})", program_.slots[slot].name),
        program_.slots[slot].place, {slot});
  enter(n.next, Transition{Kind::to, slot, {value}, {}, n.place});
}

// It has no value from now on: any that it could have is found when it is read.
void TaskExplorer::forget(std::uint32_t slot, const Node& n) {
  for (Value v = program_.slots[slot].low; v <= program_.slots[slot].high; ++v)
    environment_.add(environment_.values[slot], v);
  enter(n.next, Transition{Kind::to, slot, {kUnset}, {}, n.place});
}

// The index is opaque: any element. Of variables that are apart it is chosen before the step.
void TaskExplorer::access_somewhere(std::uint32_t s, std::uint32_t node) {
  const Node& n = graph_.nodes[node];
  if (n.kind == Node::Kind::read) {
    memory_[n.target] = kOpaque;
    return enter(n.next, Transition{Kind::silent, 0, {}, {}, n.place});
  }
  const Result r = evaluate(n.value, memory_);
  if (!r.ok()) return unset_or_silent(s, node, r);
  for (std::uint32_t slot = n.first; slot < n.first + n.count; ++slot) {
    restore(s);
    const bool apart = program_.slots[slot].apart;
    if (is_shared(slot) && !apart) return refuse("an index here is not modelled", {}, n.place);
    if (apart)
      memory_[static_cast<std::size_t>(n.offset[0].a)] = slot - n.first;
    else
      memory_[slot] = r.value;
    enter(apart ? node : n.next, Transition{Kind::choice, node, {slot}, {}, n.place});
  }
}

std::optional<Refusal> explore_task(const flow::Program& program, std::uint32_t task, Environment& environment,
                                    Budget& budget, TaskGraph& out) {
  return TaskExplorer(program, task, environment, budget, out).run();
}

std::unique_ptr<StepwiseTask> stepwise_task(const flow::Program& program, std::uint32_t task, Environment& environment,
                                            Budget& budget, TaskGraph& out) {
  return std::make_unique<TaskExplorer>(program, task, environment, budget, out);
}

}  // namespace surety::ada
