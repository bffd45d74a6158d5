#include <fmt/format.h>

#include <span>

#include "lang/ada/flow/execute.hpp"
#include "lang/ada/network/explore.hpp"
#include "lang/ada/network/liveness.hpp"
#include "lang/ada/network/stepwise.hpp"
#include "lang/ada/network/value_count.hpp"
#include "model/sequence_table.hpp"

namespace surety::ada {
namespace {

using flow::Alternative;
using flow::kNone;
using flow::kOpaque;
using flow::kUnset;
using flow::Node;
using Mode = TaskGraph::Mode;
using Kind = Transition::Kind;
using StateTable = SequenceTableOf<Value, std::span<const Value>>;

constexpr std::uint32_t kManyStates = 60'000;     // of a task that has variables with many values
constexpr std::uint32_t kMostStates = 1'000'000;  // of a task
constexpr std::uint64_t kLongRun = 10'000;        // silent steps at once
constexpr Value kComes = 1;                       // in place of an exception, of a task that runs

class TaskExplorer final : public StepwiseTask {
 public:
  TaskExplorer(const flow::Program& program, std::uint32_t task, Environment& environment, Budget& budget,
               TaskGraph& out)
      : program_(program),
        graph_(program.tasks[task].graph),
        task_(task),
        environment_(environment),
        budget_(budget),
        out_(out),
        live_(live_slots(graph_, [&](std::uint32_t s) { return is_own(s); })) {
    for (const flow::Slot& slot : program.slots) memory_.push_back(slot.initial);
    out_ = {};
  }

  std::optional<Refusal> run() {
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

  void begin() override {
    if (graph_.nodes.empty()) return;
    if (program_.tasks[task_].master == 0)
      enter(graph_.start, std::nullopt);
    else
      number(Mode::dormant, 0, 0);
  }
  void expand_state(std::uint32_t s) override {
    from_ = s;
    expand(s);
  }
  void expand_state(std::uint32_t s, const Wanted& wanted, bool calls_only) override {
    wanted_ = &wanted;
    calls_only_ = calls_only;
    const TaskGraph::State& state = out_.states[s];
    if (!calls_only || (state.mode == Mode::runs && graph_.nodes[state.node].kind == Node::Kind::wait)) expand_state(s);
    wanted_ = nullptr;
    calls_only_ = false;
  }
  bool refused() const override { return refusal_.has_value(); }

 private:
  // The variables with most values in the states so far.
  std::vector<std::uint32_t> forgettable() const {
    ValueCount count;
    for (std::uint32_t s = 0; s < states_.size(); ++s) {
      if (out_.states[s].mode != Mode::runs) continue;
      const auto& live = live_[out_.states[s].node];
      for (std::size_t i = 0; i < live.size(); ++i) count.add(live[i], states_[s][3 + i]);
    }
    count.add_shared(environment_);
    return count.largest(program_);
  }
  void refuse_many(std::string message, std::string hint, std::uint32_t place, std::vector<std::uint32_t> slots = {}) {
    too_many_ = too_many_ || !refusal_;
    refuse(std::move(message), std::move(hint), place);
    if (refusal_->slots.empty()) refusal_->slots = std::move(slots);
  }

  bool is_own(std::uint32_t slot) const {
    const SlotUse& use = environment_.use[slot];
    if (program_.slots[slot].task == task_) return !program_.slots[slot].apart;
    return use.task == task_ && !use.several && use.written;
  }
  bool is_shared(std::uint32_t slot) const { return environment_.use[slot].shared(); }

  std::string most_values() const { return fmt::format("{}", fmt::group_digits(environment_.most_values)); }
  void refuse(std::string message, std::string hint, std::uint32_t place) {
    if (!refusal_) refusal_ = Refusal{std::move(message), std::move(hint), place};
  }

  // ---- states

  std::uint32_t number(Mode mode, std::uint32_t node, Value exception) {
    key_.clear();
    key_.push_back(static_cast<Value>(mode));
    key_.push_back(mode == Mode::runs || mode == Mode::fails ? node : 0);
    key_.push_back(exception);
    if (mode == Mode::runs)
      for (const std::uint32_t slot : live_[node])
        key_.push_back(environment_.forgotten[slot] ? kOpaque : memory_[slot]);
    const std::uint32_t before = states_.size();
    const std::uint32_t s = states_.intern(key_);
    if (s == before) out_.states.push_back({mode, node, mode == Mode::runs && exception == kComes});
    return s;
  }

  void add_edge(const std::optional<Transition>& transition, std::uint32_t to) {
    if (!transition) return;
    const auto [at, fresh] = numbers_.try_emplace(*transition, static_cast<std::uint32_t>(numbers_.size()));
    if (fresh) out_.transitions.push_back(*transition);
    out_.edges.push_back({from_, at->second, to});
  }

  // After a step: on to where something happens again.
  void enter(std::uint32_t node, const std::optional<Transition>& transition) {
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
  bool is_end_of_body(const Node& n) const { return n.kind == Node::Kind::end && program_.masters[n.first].body; }

  void raise(std::uint32_t node, std::uint32_t exception, const Transition& transition) {
    const std::uint32_t at = handled_at(graph_, graph_.nodes[node].handler, exception, memory_);
    if (at == kNone)
      add_edge(transition, number(Mode::fails, node, exception));
    else
      enter(at, transition);
  }

  void restore(std::uint32_t s) {
    const std::uint32_t node = out_.states[s].node;
    const auto key = states_[s];
    for (std::size_t i = 0; i < live_[node].size(); ++i) memory_[live_[node][i]] = key[3 + i];
  }

  void expand(std::uint32_t s) {
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

  // ---- masters

  // With whatever master it ends: the one that it depends on, or one around that.
  void ends(std::uint32_t master, std::uint32_t place) {
    for (; master != kNone; master = program_.masters[master].outer)
      add_edge(Transition{Kind::end, master, {}, {}, place},
               number(master == 0 ? Mode::terminated : Mode::dormant, 0, 0));
  }

  void dormant() {
    const std::uint32_t master = program_.tasks[task_].master;
    for (const std::uint32_t slot : live_[graph_.start]) memory_[slot] = program_.slots[slot].initial;
    enter(graph_.start, Transition{Kind::begin, master, {}, {}, program_.tasks[task_].place});
    ends(program_.masters[master].outer, 0);
  }

  // It waits for its tasks; if an exception has ended the declarations of one of them, that is an error here, too.
  void await_activation(std::uint32_t s, std::uint32_t node) {
    const Node& n = graph_.nodes[node];
    enter(n.next, Transition{Kind::activated, n.first, {}, {}, n.place});
    for (const std::uint32_t other : program_.masters[n.first].tasks) {
      if (!environment_.abandoned[other]) continue;
      restore(s);
      raise(node, flow::tasking_error, Transition{Kind::abandoned, n.first, {other}, {}, n.place});
    }
  }

  // ---- steps

  void step(std::uint32_t s, std::uint32_t node) {
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
  void unset_or_silent(std::uint32_t s, std::uint32_t node, const Result& r) {
    const Transition silent{Kind::silent, 0, {}, {}, graph_.nodes[node].place};
    if (r.kind == Result::Kind::unset) return any_value(s, node, r.slot);
    if (r.kind == Result::Kind::raised) return raise(node, r.exception, silent);
    return enter(node, silent);
  }

  void any_value(std::uint32_t s, std::uint32_t node, std::uint32_t slot) {
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
  bool all(const std::vector<flow::Code>& codes, Values& out, std::uint32_t s, std::uint32_t node) {
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

  void access(std::uint32_t s, std::uint32_t node) {
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

  void write(std::uint32_t slot, Value value, std::uint32_t node) {
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
  void forget(std::uint32_t slot, const Node& n) {
    for (Value v = program_.slots[slot].low; v <= program_.slots[slot].high; ++v)
      environment_.add(environment_.values[slot], v);
    enter(n.next, Transition{Kind::to, slot, {kUnset}, {}, n.place});
  }

  // The index is opaque: any element. Of variables that are apart it is chosen before the step.
  void access_somewhere(std::uint32_t s, std::uint32_t node) {
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

  // ---- communication

  void alternative(std::uint32_t s, std::uint32_t node, const Alternative& a) {
    switch (a.kind) {
      case Alternative::Kind::delay: return otherwise(s, node, a);
      case Alternative::Kind::terminate: return ends(program_.tasks[task_].master, a.place);
      case Alternative::Kind::otherwise: return otherwise(s, node, a);
      case Alternative::Kind::accept: return accept(s, node, a);
      case Alternative::Kind::call: return call(s, node, a);
      case Alternative::Kind::operation: return operation(s, node, a);
      case Alternative::Kind::queued: return wait_in_queue(s, node, a);
    }
  }

  // ---- queues, and the state of other tasks

  void queue(std::uint32_t s, std::uint32_t node) {
    const Node& n = graph_.nodes[node];
    const auto entry = entry_of(n.number, s, node);
    if (!entry) return;
    const std::uint32_t callee = program_.entries[*entry].task;
    environment_.add(environment_.queued[*entry], task_);
    if (can_be_gone(callee)) watch(callee);
    enter(n.next, Transition{Kind::queued, *entry, {}, {}, n.place});
    call_of_completed(s, node, callee, n.place);
  }

  void count(std::uint32_t s, std::uint32_t node) {
    const Node& n = graph_.nodes[node];
    const auto entry = entry_of(n.number, s, node);
    if (!entry) return;
    for (Value v = 0; v <= static_cast<Value>(environment_.queued[*entry].size()); ++v) {
      restore(s);
      memory_[n.target] = v;
      enter(n.next, Transition{Kind::count, *entry, {v}, {}, n.place});
    }
  }

  void wait_in_queue(std::uint32_t s, std::uint32_t node, const Alternative& a) {
    const auto number = entry_of(a.number, s, node);
    Values values;
    if (!number || !all(a.in, values, s, node)) return;
    enter(a.next, Transition{Kind::waits, *number, values, {}, a.place});
  }

  void status(std::uint32_t s, std::uint32_t node) {
    const Node& n = graph_.nodes[node];
    const auto task = entry_of(n.number, s, node);
    if (!task) return;
    if (!environment_.asked_about[*task] || !environment_.watched[*task]) ++environment_.changes;
    environment_.asked_about[*task] = environment_.watched[*task] = true;
    for (const Value v : {0, 1}) {
      if (*task == task_ && v != (n.first == 0 ? 1 : 0)) continue;
      restore(s);
      memory_[n.target] = v;
      if (*task == task_)
        enter(n.next, Transition{Kind::silent, 0, {}, {}, n.place});
      else
        enter(n.next, Transition{Kind::status, *task, {n.first, v}, {}, n.place});
    }
  }

  void opaque_guard(std::uint32_t s, std::uint32_t node, std::uint32_t guard) {
    if (calls_only_) return;
    for (const Value open : {1, 0}) {
      restore(s);
      memory_[guard] = open;
      enter(node, Transition{Kind::choice, node, {guard, open}, {}, graph_.nodes[node].place});
    }
  }

  std::optional<std::uint32_t> entry_of(const flow::Code& code, std::uint32_t s, std::uint32_t node) {
    Values number;
    if (!all({code}, number, s, node)) return std::nullopt;
    if (number[0] == kOpaque) {
      refuse("which task or entry is meant here is not modelled", {}, graph_.nodes[node].place);
      return std::nullopt;
    }
    return static_cast<std::uint32_t>(number[0]);
  }

  void accept(std::uint32_t s, std::uint32_t node, const Alternative& a) {
    const auto entry = entry_of(a.number, s, node);
    if (!entry) return;
    const auto& calls = environment_.calls[*entry];
    for (const auto& [values, callers] : calls) {
      if (wanted_ != nullptr && !(*wanted_)(*entry, values)) continue;
      restore(s);
      for (std::size_t i = 0; i < a.targets.size() && i < values.size(); ++i) memory_[a.targets[i]] = values[i];
      enter(a.next, Transition{Kind::accept, *entry, values, {}, a.place});
    }
  }

  void call(std::uint32_t s, std::uint32_t node, const Alternative& a) {
    const auto entry = entry_of(a.number, s, node);
    Values values;
    if (!entry || !all(a.in, values, s, node)) return;
    auto& callers = environment_.calls[*entry][values];
    environment_.add(callers, task_);
    if (environment_.calls[*entry].size() > environment_.most_values)
      return refuse_many(
          fmt::format("{} is called with more than {} different values", program_.entries[*entry].name, most_values()),
          {}, program_.entries[*entry].place);
    enter(a.next, Transition{Kind::call, *entry, values, {}, a.place});
    call_of_completed(s, node, program_.entries[*entry].task, a.place);
  }

  bool can_be_gone(std::uint32_t callee) const { return environment_.completes[callee] && callee != task_; }
  // That it completes is a step of its own: until then its callers find that it has not.
  void watch(std::uint32_t callee) {
    if (!environment_.watched[callee]) ++environment_.changes;
    environment_.watched[callee] = true;
  }

  void call_of_completed(std::uint32_t s, std::uint32_t node, std::uint32_t callee, std::uint32_t place) {
    if (!can_be_gone(callee)) return;
    restore(s);
    raise(node, flow::tasking_error, Transition{Kind::gone, callee, {}, {}, place});
  }

  void await_end(std::uint32_t s, std::uint32_t node) {
    const Node& n = graph_.nodes[node];
    const auto entry = entry_of(n.number, s, node);
    if (!entry) return;
    const auto ends = environment_.ends[*entry];
    for (const Values& values : ends) {
      restore(s);
      for (std::size_t i = 0; i < n.targets.size() && i < values.size(); ++i) memory_[n.targets[i]] = values[i];
      enter(n.next, Transition{Kind::call_end, *entry, values, {}, n.place});
    }
    const auto raised = environment_.raised[*entry];
    for (const std::uint32_t exception : raised) {
      restore(s);
      raise(node, exception, Transition{Kind::call_raised, *entry, {exception}, {}, n.place});
    }
  }

  void accept_end(std::uint32_t s, std::uint32_t node) {
    const Node& n = graph_.nodes[node];
    const auto entry = entry_of(n.number, s, node);
    if (!entry) return;
    if (n.target != kNone) {
      const Value exception = memory_[n.target];
      environment_.add(environment_.raised[*entry], static_cast<std::uint32_t>(exception));
      return enter(n.next, Transition{Kind::accept_raised, *entry, {exception}, {}, n.place});
    }
    // A result that was never assigned is any value, or opaque.
    for (const auto& code : n.in)
      if (const Result r = evaluate(code, memory_); r.kind == Result::Kind::unset && !is_free(program_.slots[r.slot]))
        memory_[r.slot] = kOpaque;
    Values values;
    if (!all(n.in, values, s, node)) return;
    environment_.add(environment_.ends[*entry], values);
    enter(n.next, Transition{Kind::accept_end, *entry, values, {}, n.place});
  }

  void operation(std::uint32_t s, std::uint32_t node, const Alternative& a) {
    const auto number = entry_of(a.number, s, node);
    Values values;
    if (!number || !all(a.in, values, s, node)) return;
    environment_.add(environment_.asked[*number], values);
    environment_.add(environment_.askers[*number][values], task_);
    out_.asks.push_back({s, *number, values});
    if (environment_.asked[*number].size() > environment_.most_values)
      return refuse_many(fmt::format("{} is called with more than {} different values",
                                     program_.operations[*number].name, most_values()),
                         {}, program_.operations[*number].place);
    const auto outcomes = environment_.outcomes[*number][values];
    for (const Outcome& outcome : outcomes) {
      restore(s);
      const Transition t{Kind::operation, *number, values, outcome, a.place};
      if (outcome.exception != kNone) {
        raise(node, outcome.exception, t);
        continue;
      }
      for (std::size_t i = 0; i < a.targets.size() && i < outcome.results.size(); ++i)
        memory_[a.targets[i]] = outcome.results[i];
      enter(a.next, t);
    }
  }

  // The else or delay part of an accept is always possible, for no task need have called yet, unless it can be seen
  // which has. That of a call is possible if the call can be in a queue: not if the task that it calls has completed,
  // nor if the barrier is open (ARM 9.7.2, 9.5.3).
  void otherwise(std::uint32_t s, std::uint32_t node, const Alternative& a) {
    std::optional<std::uint32_t> seen;
    for (const Alternative& other : graph_.nodes[node].alternatives) {
      if (other.kind == Alternative::Kind::accept) {
        if (other.guard != kNone && memory_[other.guard] != 1) continue;
        const auto entry = entry_of(other.number, s, node);
        if (!entry) return;
        if (!program_.entries[*entry].counted || entry == seen) continue;
        if (seen)
          return refuse("'Count of two entries of a select with an else or delay part is not supported", {}, a.place);
        seen = entry;
      }
      if (other.kind == Alternative::Kind::call) {
        const auto entry = entry_of(other.number, s, node);
        if (!entry) return;
        const std::uint32_t callee = program_.entries[*entry].task;
        if (!can_be_gone(callee)) continue;
        watch(callee);
        return enter(a.next, Transition{Kind::callable, callee, {}, {}, a.place});
      }
      if (other.kind == Alternative::Kind::operation) {
        const auto number = entry_of(other.number, s, node);
        if (!number) return;
        return enter(a.next, Transition{Kind::closed, *number, {}, {}, a.place});
      }
    }
    if (seen) return enter(a.next, Transition{Kind::count, *seen, {0}, {}, a.place});
    enter(a.next, Transition{Kind::silent, 0, {}, {}, a.place});
  }

  const flow::Program& program_;
  const flow::Graph& graph_;
  const std::uint32_t task_;
  Environment& environment_;
  Budget& budget_;
  TaskGraph& out_;
  const std::vector<std::vector<std::uint32_t>> live_;
  std::vector<Value> memory_;
  StateTable states_;  // mode, node, exception, live values
  Values key_;
  std::map<Transition, std::uint32_t> numbers_;
  std::uint32_t from_ = 0;
  const Wanted* wanted_ = nullptr;  // the calls that are accepted; all
  bool calls_only_ = false;         // nothing else is expanded
  std::optional<Refusal> refusal_;
  bool forgettable_ = true;  // some variable may have many values
  bool too_many_ = false;    // that is what is refused
};

}  // namespace

std::optional<Refusal> explore_task(const flow::Program& program, std::uint32_t task, Environment& environment,
                                    Budget& budget, TaskGraph& out) {
  return TaskExplorer(program, task, environment, budget, out).run();
}

std::unique_ptr<StepwiseTask> stepwise_task(const flow::Program& program, std::uint32_t task, Environment& environment,
                                            Budget& budget, TaskGraph& out) {
  return std::make_unique<TaskExplorer>(program, task, environment, budget, out);
}

}  // namespace surety::ada
