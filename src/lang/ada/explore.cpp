#include "lang/ada/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "lang/ada/execute.hpp"
#include "lang/ada/liveness.hpp"
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
constexpr std::uint32_t kMostAlone = 5'000;       // of a protected object without its callers
constexpr std::uint32_t kManyTogether = 30'000;   // of a protected object with them, before their calls are simplified
constexpr std::uint32_t kMostTogether = 300'000;  // of a protected object with them
constexpr std::uint32_t kMostValues = 4'096;      // of a variable, or of the parameters of an entry
constexpr Value kMostFree = 64;                   // values of a variable that was not written yet
constexpr std::uint64_t kLongRun = 10'000;        // silent steps at once
constexpr std::size_t kManyValues = 32;           // of a variable

Refusal over_budget() { return {"the budget ended", {}, 0}; }

bool is_free(const flow::Slot& slot) { return slot.high >= slot.low && slot.high - slot.low < kMostFree; }

// Counts the values of each slot.
class ValueCount {
 public:
  void add(std::uint32_t slot, Value value) {
    auto& values = values_[slot];
    if (values.size() < kMostValues) values.insert(value);
  }
  // Those whose declaration has most, all its elements together.
  std::vector<std::uint32_t> largest(const flow::Program& program) const {
    std::map<std::pair<std::uint32_t, bool>, double> bits;  // by declaration
    const auto key = [&](std::uint32_t slot) {
      return std::pair(program.slots[slot].place, program.slots[slot].temporary);
    };
    double most = std::log2(kManyValues);
    for (const auto& [slot, values] : values_)
      if (!program.slots[slot].name.empty())
        most = std::max(most, bits[key(slot)] += std::log2(static_cast<double>(values.size())));
    std::vector<std::uint32_t> out;
    for (const auto& [slot, values] : values_)
      if (const auto at = bits.find(key(slot));
          at != bits.end() && 2 * at->second >= most && at->second >= std::log2(kManyValues))
        out.push_back(slot);
    return out;
  }

 private:
  std::map<std::uint32_t, std::set<Value>> values_;
};

class TaskExplorer {
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
    if (graph_.nodes.empty()) return std::nullopt;
    enter(graph_.start, std::nullopt);
    for (std::uint32_t s = 0; s < states_.size() && !refusal_; ++s) {
      if ((s & 63) == 0 && !budget_.go_on()) return over_budget();
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
    out_.transitions.resize(numbers_.size());
    for (const auto& [transition, number] : numbers_) out_.transitions[number] = transition;
    if (refusal_ && too_many_ && refusal_->slots.empty()) refusal_->slots = forgettable();
    return refusal_;
  }

 private:
  // The variables with most values in the states so far.
  std::vector<std::uint32_t> forgettable() const {
    ValueCount count;
    for (std::uint32_t s = 0; s < states_.size(); ++s) {
      if (out_.states[s].mode != Mode::runs) continue;
      const auto& live = live_[out_.states[s].node];
      for (std::size_t i = 0; i < live.size(); ++i) count.add(live[i], states_[s][3 + i]);
    }
    for (std::uint32_t slot = 0; slot < environment_.values.size(); ++slot)
      for (const Value v : environment_.values[slot]) count.add(slot, v);
    return count.largest(program_);
  }
  void refuse_many(std::string message, std::string hint, std::uint32_t place, std::vector<std::uint32_t> slots = {}) {
    too_many_ = too_many_ || !refusal_;
    refuse(std::move(message), std::move(hint), place);
    if (refusal_->slots.empty()) refusal_->slots = std::move(slots);
  }

  bool is_own(std::uint32_t slot) const {
    const SlotUse& use = environment_.use[slot];
    if (program_.slots[slot].task == task_) return true;
    return use.task == task_ && !use.several && use.written;
  }
  bool is_shared(std::uint32_t slot) const { return environment_.use[slot].shared(); }

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
    if (s == before) out_.states.push_back({mode, node});
    return s;
  }

  void add_edge(const std::optional<Transition>& transition, std::uint32_t to) {
    if (!transition) return;
    const auto at = numbers_.try_emplace(*transition, static_cast<std::uint32_t>(numbers_.size())).first;
    out_.edges.push_back({from_, at->second, to});
  }

  // After a step: on to where something happens again.
  void enter(std::uint32_t node, const std::optional<Transition>& transition) {
    const Stop stop = ada::run(graph_, node, memory_, kLongRun, [&](std::uint32_t s) { return is_shared(s); });
    const bool done = stop.kind == Stop::Kind::visible && graph_.nodes[stop.node].kind == Node::Kind::complete;
    if (done && !environment_.completes[task_]) {
      environment_.completes[task_] = true;
      ++environment_.changes;
    }
    // A conditional call can find that it has not completed yet, though all it has to do is that.
    const bool completed = done && !environment_.watched[task_];
    if (stop.kind == Stop::Kind::raised)
      add_edge(transition, number(Mode::fails, stop.node, stop.exception));
    else
      add_edge(transition, number(completed ? Mode::completed : Mode::runs, stop.node, 0));
  }

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
        return add_edge(t, number(Mode::completed, 0, 0));
      }
      case Mode::completed: return add_edge(Transition{Kind::end, 0, {}, {}, 0}, number(Mode::terminated, 0, 0));
      case Mode::terminated: return;
      case Mode::runs: break;
    }
    restore(s);
    step(s, state.node);
  }

  // ---- steps

  void step(std::uint32_t s, std::uint32_t node) {
    const Node& n = graph_.nodes[node];
    switch (n.kind) {
      case Node::Kind::wait:
        for (const Alternative& a : n.alternatives)
          if (a.guard != kNone && memory_[a.guard] == kOpaque) return opaque_guard(s, node, a.guard);
        for (const Alternative& a : n.alternatives) {
          restore(s);
          if (a.guard == kNone || memory_[a.guard] == 1) alternative(s, node, a);
        }
        return;
      case Node::Kind::complete:
        return add_edge(Transition{Kind::silent, 0, {}, {}, n.place}, number(Mode::completed, 0, 0));
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
    environment_.add(environment_.values[slot], value);
    if (environment_.values[slot].size() > kMostValues)
      return refuse_many(
          fmt::format("{} takes more than 4,096 values", program_.slots[slot].name),
          fmt::format("give it a range, or pragma Annotate (Surety, Ignore, {})", program_.slots[slot].name),
          program_.slots[slot].place, {slot});
    enter(n.next, Transition{Kind::to, slot, {value}, {}, n.place});
  }

  // The index is opaque: any element.
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
      if (is_shared(slot)) return refuse("an index here is not modelled", {}, n.place);
      memory_[slot] = r.value;
      enter(n.next, Transition{Kind::choice, node, {slot}, {}, n.place});
    }
  }

  // ---- communication

  void alternative(std::uint32_t s, std::uint32_t node, const Alternative& a) {
    switch (a.kind) {
      case Alternative::Kind::delay: return enter(a.next, Transition{Kind::silent, 0, {}, {}, a.place});
      case Alternative::Kind::terminate:
        return add_edge(Transition{Kind::end, 0, {}, {}, a.place}, number(Mode::terminated, 0, 0));
      case Alternative::Kind::otherwise: return otherwise(s, node, a);
      case Alternative::Kind::accept: return accept(s, node, a);
      case Alternative::Kind::call: return call(s, node, a);
      case Alternative::Kind::operation: return operation(s, node, a);
    }
  }

  void opaque_guard(std::uint32_t s, std::uint32_t node, std::uint32_t guard) {
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
    const auto calls = environment_.calls[*entry];
    for (const auto& [values, callers] : calls) {
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
    if (environment_.calls[*entry].size() > kMostValues)
      return refuse_many(
          fmt::format("{} is called with more than 4,096 different values", program_.entries[*entry].name), {},
          program_.entries[*entry].place);
    enter(a.next, Transition{Kind::call, *entry, values, {}, a.place});
    const std::uint32_t callee = program_.entries[*entry].task;
    if (!environment_.completes[callee] || callee == task_) return;
    restore(s);
    raise(node, flow::tasking_error, Transition{Kind::gone, callee, {}, {}, a.place});
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
    out_.asks.push_back({s, *number, values});
    if (environment_.asked[*number].size() > kMostValues)
      return refuse_many(
          fmt::format("{} is called with more than 4,096 different values", program_.operations[*number].name), {},
          program_.operations[*number].place);
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

  // The else part of an accept is always possible; that of a call only if the call is not.
  void otherwise(std::uint32_t s, std::uint32_t node, const Alternative& a) {
    for (const Alternative& other : graph_.nodes[node].alternatives) {
      if (other.kind == Alternative::Kind::call) {
        const auto entry = entry_of(other.number, s, node);
        if (!entry) return;
        const std::uint32_t callee = program_.entries[*entry].task;
        if (!environment_.completes[callee] || callee == task_) continue;
        if (!environment_.watched[callee]) ++environment_.changes;
        environment_.watched[callee] = true;
        return enter(a.next, Transition{Kind::callable, callee, {}, {}, a.place});
      }
      if (other.kind == Alternative::Kind::operation) {
        const auto number = entry_of(other.number, s, node);
        if (!number) return;
        return enter(a.next, Transition{Kind::closed, *number, {}, {}, a.place});
      }
    }
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
  std::optional<Refusal> refusal_;
  bool forgettable_ = true;  // some variable may have many values
  bool too_many_ = false;    // that is what is refused
};

// ---- protected objects

// The calls that a task makes of one object, in their order: a deterministic automaton, in which everything else that
// the task does is left out.
struct CallOrder {
  struct Call {
    std::uint32_t operation;
    Values values;
    Outcome outcome;
    friend auto operator<=>(const Call&, const Call&) = default;
  };
  std::vector<std::map<Call, std::uint32_t>> steps;               // by state
  std::vector<std::set<std::pair<std::uint32_t, Values>>> asked;  // by state: what it can call
};

// The same calls, and more: states in which the same can be called next are one. A loop that is left after a number of
// rounds becomes one that may go on for ever.
CallOrder merged(const CallOrder& from) {
  using Signature = std::pair<std::set<CallOrder::Call>, std::set<std::pair<std::uint32_t, Values>>>;
  std::map<Signature, std::uint32_t> classes;
  std::vector<std::uint32_t> class_of;
  for (std::size_t s = 0; s < from.steps.size(); ++s) {
    Signature signature{{}, from.asked[s]};
    for (const auto& [call, to] : from.steps[s]) signature.first.insert(call);
    class_of.push_back(
        classes.try_emplace(std::move(signature), static_cast<std::uint32_t>(classes.size())).first->second);
  }
  std::vector<std::map<CallOrder::Call, std::set<std::uint32_t>>> steps(classes.size());
  for (std::size_t s = 0; s < from.steps.size(); ++s)
    for (const auto& [call, to] : from.steps[s]) steps[class_of[s]][call].insert(class_of[to]);
  std::vector<const std::set<std::pair<std::uint32_t, Values>>*> asked(classes.size());
  for (const auto& [signature, number] : classes) asked[number] = &signature.second;
  CallOrder out;
  std::map<std::set<std::uint32_t>, std::uint32_t> sets{{{class_of[0]}, 0}};
  std::vector<std::set<std::uint32_t>> list{{class_of[0]}};
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::map<CallOrder::Call, std::set<std::uint32_t>> next;
    out.asked.emplace_back();
    for (const std::uint32_t c : list[i]) {
      out.asked[i].insert(asked[c]->begin(), asked[c]->end());
      for (const auto& [call, to] : steps[c]) next[call].insert(to.begin(), to.end());
    }
    out.steps.emplace_back();
    for (auto& [call, to] : next) {
      const auto [at, fresh] = sets.try_emplace(to, static_cast<std::uint32_t>(sets.size()));
      if (fresh) list.push_back(to);
      out.steps[i][call] = at->second;
    }
  }
  return out;
}

class CallOrderBuilder {
 public:
  CallOrderBuilder(const flow::Program& program, std::uint32_t object, const TaskGraph& task)
      : task_(task), of_(task.transitions.size(), false), first_(task.states.size() + 1, 0) {
    for (std::size_t t = 0; t < task.transitions.size(); ++t) {
      const Transition& x = task.transitions[t];
      of_[t] = x.kind == Kind::operation && program.operations[x.object].object == object;
    }
    for (const auto& e : task.edges) ++first_[e.from + 1];
    for (std::size_t s = 0; s < task.states.size(); ++s) first_[s + 1] += first_[s];
    order_.resize(task.edges.size());
    auto next = first_;
    for (std::uint32_t e = 0; e < task.edges.size(); ++e) order_[next[task.edges[e].from]++] = e;
    asks_.resize(task.states.size());
    for (const auto& ask : task.asks)
      if (program.operations[ask.operation].object == object) asks_[ask.state].push_back(&ask);
  }

  // Nothing: it would be too large.
  std::optional<CallOrder> run() {
    constexpr std::size_t kMostSets = 20'000;
    CallOrder out;
    sets_[close({0})] = 0;
    list_.push_back(&sets_.begin()->first);
    for (std::uint32_t i = 0; i < list_.size(); ++i) {
      if (list_.size() > kMostSets) return std::nullopt;
      std::map<CallOrder::Call, std::set<std::uint32_t>> next;
      std::set<std::pair<std::uint32_t, Values>> asked;
      for (const std::uint32_t s : *list_[i])
        for (std::uint32_t k = first_[s]; k < first_[s + 1]; ++k) {
          const auto& edge = task_.edges[order_[k]];
          if (!of_[edge.transition]) continue;
          const Transition& x = task_.transitions[edge.transition];
          next[{x.object, x.values, x.outcome}].insert(edge.to);
        }
      for (const std::uint32_t s : *list_[i])
        for (const auto* ask : asks_[s]) asked.insert({ask->operation, ask->values});
      out.asked.push_back(std::move(asked));
      auto& steps = out.steps.emplace_back();
      for (auto& [call, states] : next) {
        const auto [at, fresh] = sets_.try_emplace(close(std::move(states)), static_cast<std::uint32_t>(sets_.size()));
        if (fresh) list_.push_back(&at->first);
        steps[call] = at->second;
      }
    }
    return out;
  }

 private:
  std::set<std::uint32_t> close(std::set<std::uint32_t> states) const {
    std::vector<std::uint32_t> open(states.begin(), states.end());
    while (!open.empty()) {
      const std::uint32_t s = open.back();
      open.pop_back();
      for (std::uint32_t k = first_[s]; k < first_[s + 1]; ++k) {
        const auto& edge = task_.edges[order_[k]];
        if (!of_[edge.transition] && states.insert(edge.to).second) open.push_back(edge.to);
      }
    }
    return states;
  }

  const TaskGraph& task_;
  std::vector<bool> of_;  // by transition: it is a call of the object
  std::vector<std::uint32_t> first_, order_;
  std::vector<std::vector<const TaskGraph::Ask*>> asks_;  // by state
  std::map<std::set<std::uint32_t>, std::uint32_t> sets_;
  std::vector<const std::set<std::uint32_t>*> list_;
};

class ObjectExplorer {
 public:
  ObjectExplorer(const flow::Program& program, std::uint32_t object, Environment& environment, Budget& budget,
                 ObjectGraph& out)
      : program_(program), object_(object), environment_(environment), budget_(budget), out_(out) {
    for (const flow::Slot& slot : program.slots) memory_.push_back(slot.initial);
    out_ = {};
  }

  std::optional<Refusal> alone() {
    number();
    for (std::uint32_t s = 0; s < out_.states.size() && !refusal_; ++s) {
      if (!budget_.go_on()) return over_budget();
      if (out_.states.size() > kMostAlone) return std::nullopt;
      for (std::uint32_t o = 0; o < program_.operations.size(); ++o)
        if (program_.operations[o].object == object_) operate(s, o);
    }
    complete_ = true;
    return refusal_;
  }
  bool complete() const { return complete_; }

  // True: there were at most so many states, or it is refused.
  bool together(const std::vector<CallOrder>& callers, std::uint32_t most) {
    out_ = {};
    numbers_.clear();
    known_.clear();
    closed_.clear();
    for (const std::uint32_t slot : program_.objects[object_].slots) memory_[slot] = program_.slots[slot].initial;
    StateTable met;
    Values now(1 + callers.size(), 0);
    now[0] = number();
    met.intern(now);
    for (std::uint32_t i = 0; i < met.size() && !refusal_; ++i) {
      if ((i & 63) == 0 && !budget_.go_on()) {
        refusal_ = over_budget();
        return true;
      }
      if (met.size() > most) return false;
      now.assign(met[i].begin(), met[i].end());
      const auto s = static_cast<std::uint32_t>(now[0]);
      for (std::size_t c = 0; c < callers.size(); ++c) {
        const auto& ways = callers[c].steps[static_cast<std::size_t>(now[1 + c])];
        for (const auto& [operation, parameters] : callers[c].asked[static_cast<std::size_t>(now[1 + c])])
          ask(s, operation, parameters);
        for (const auto& [step, to] : ways) {
          const auto found = known_.find({s, step.operation, step.values});
          if (found == known_.end()) continue;
          for (const auto& [outcome, after] : found->second) {
            if (outcome != step.outcome) continue;
            Values next = now;
            next[0] = after;
            next[1 + c] = to;
            met.intern(next);
          }
        }
      }
    }
    return true;
  }
  const std::optional<Refusal>& refusal() const { return refusal_; }

  Refusal too_many() const {
    ValueCount count;
    for (const Values& state : out_.states)
      for (std::size_t i = 0; i < state.size(); ++i) count.add(program_.objects[object_].slots[i], state[i]);
    return {fmt::format("{} has too many states", program_.objects[object_].name), "give its variables smaller ranges",
            program_.objects[object_].place, count.largest(program_)};
  }

 private:
  // What an operation does in a state, once.
  void ask(std::uint32_t s, std::uint32_t o, const Values& parameters) {
    const auto [at, fresh] = known_.try_emplace({s, o, parameters});
    if (!fresh) return;
    const std::size_t before = out_.edges.size();
    bool closed = false;
    operate(s, o, parameters, closed);
    for (std::size_t e = before; e < out_.edges.size(); ++e)
      at->second.push_back({out_.edges[e].outcome, out_.edges[e].to});
    if (closed && closed_.insert({s, o}).second) out_.edges.push_back({s, o, {}, {}, true, s});
  }

  std::uint32_t number() {
    Values values;
    for (const std::uint32_t slot : program_.objects[object_].slots)
      values.push_back(environment_.forgotten[slot] ? kOpaque : memory_[slot]);
    const auto [at, fresh] = numbers_.try_emplace(std::move(values), static_cast<std::uint32_t>(out_.states.size()));
    if (fresh) out_.states.push_back(at->first);
    return at->second;
  }

  void restore(std::uint32_t s, const flow::Operation& operation, const Values& parameters) {
    for (std::size_t i = 0; i < out_.states[s].size(); ++i)
      memory_[program_.objects[object_].slots[i]] = out_.states[s][i];
    for (const std::uint32_t slot : operation.out) memory_[slot] = kUnset;
    for (std::size_t i = 0; i < operation.in.size() && i < parameters.size(); ++i)
      memory_[operation.in[i]] = parameters[i];
  }

  void operate(std::uint32_t s, std::uint32_t o) {
    bool closed = false;
    const std::set<Values> asked = environment_.asked[o];
    for (const Values& parameters : asked) operate(s, o, parameters, closed);
    if (closed) out_.edges.push_back({s, o, {}, {}, true, s});
  }

  void operate(std::uint32_t s, std::uint32_t o, const Values& parameters, bool& closed) {
    const flow::Operation& operation = program_.operations[o];
    restore(s, operation, parameters);
    if (!operation.barrier.nodes.empty()) {
      opaque_ = false;
      bool open = false, fails = false;
      const auto saved = memory_;
      follow(operation.barrier, operation.barrier.start, [&](std::uint32_t exception) {
        const Value v = memory_[operation.open];
        fails = fails || exception != kNone;
        open = open || (exception == kNone && v != 0);
        closed = closed || (exception == kNone && (v == 0 || v == kOpaque));
      });
      memory_ = saved;
      if (fails) add(s, o, parameters, flow::program_error);  // ARM 9.5.3(7)
      if (!open) return;
    }
    opaque_ = false;
    follow(operation.body, operation.body.start, [&](std::uint32_t exception) { add(s, o, parameters, exception); });
  }

  // The operation ends with what is in the memory now.
  void add(std::uint32_t s, std::uint32_t o, const Values& parameters, std::uint32_t exception) {
    Outcome outcome;
    outcome.exception = exception;
    outcome.opaque = opaque_;
    for (const std::uint32_t slot : program_.operations[o].out)
      outcome.results.push_back(memory_[slot] == kUnset ? kOpaque : memory_[slot]);
    if (exception != kNone) outcome.results.clear();
    auto& known = environment_.outcomes[o][parameters];
    environment_.add(known, outcome);
    out_.edges.push_back({s, o, parameters, std::move(outcome), false, number()});
  }

  // All ways through a body; `done` is told of the exception at each end, or kNone.
  template <class Done>
  void follow(const flow::Graph& graph, std::uint32_t node, const Done& done, int depth = 0) {
    const Stop stop = ada::run(graph, node, memory_, 1'000'000, [](std::uint32_t) { return false; });
    if (refusal_) return;
    const Node& n = graph.nodes[stop.node];
    if (stop.kind == Stop::Kind::raised) return done(stop.exception);
    if (stop.kind == Stop::Kind::visible && n.kind == Node::Kind::complete) return done(kNone);
    if (stop.kind == Stop::Kind::long_run || depth > 1000) {
      refusal_ = Refusal{"a protected operation does not end", {}, n.place};
      return;
    }
    if (stop.kind == Stop::Kind::visible) {
      refusal_ = Refusal{"a protected operation must not wait", {}, n.place};
      return;
    }
    const std::vector<Value> saved = memory_;
    const auto with = [&](std::uint32_t slot, Value low, Value high, std::uint32_t next) {
      for (Value v = low; v <= high && !refusal_; ++v) {
        memory_ = saved;
        memory_[slot] = v;
        follow(graph, next, done, depth + 1);
      }
    };
    if (stop.slot != kNone) {
      const flow::Slot& slot = program_.slots[stop.slot];
      if (!is_free(slot)) {
        refusal_ = Refusal{fmt::format("{} is read before it has a value", slot.name), {}, n.place};
        return;
      }
      return with(stop.slot, slot.low, slot.high, stop.node);
    }
    if (n.kind == Node::Kind::choose) return with(n.target, n.low, n.high, n.next);
    const bool before = opaque_;
    opaque_ = true;
    if (n.kind == Node::Kind::branch) {
      follow(graph, n.next, done, depth + 1);
      memory_ = saved;
      opaque_ = true;
      follow(graph, n.other, done, depth + 1);
    } else {
      refusal_ = Refusal{"an index here is not modelled", {}, n.place};
    }
    opaque_ = before;
  }

  const flow::Program& program_;
  const std::uint32_t object_;
  Environment& environment_;
  Budget& budget_;
  ObjectGraph& out_;
  std::vector<Value> memory_;
  std::map<Values, std::uint32_t> numbers_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, Values>, std::vector<std::pair<Outcome, std::uint32_t>>> known_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> closed_;  // edges of states and operations that are there
  std::optional<Refusal> refusal_;
  bool opaque_ = false;
  bool complete_ = false;
};

void note_use(SlotUse& use, std::uint32_t task, bool written) {
  if (use.task == kNone)
    use.task = task;
  else if (use.task != task)
    use.several = true;
  use.written = use.written || written;
}

}  // namespace

Environment first_environment(const flow::Program& program) {
  Environment out;
  out.use.resize(program.slots.size());
  out.values.resize(program.slots.size());
  out.calls.resize(program.entries.size());
  out.ends.resize(program.entries.size());
  out.raised.resize(program.entries.size());
  out.asked.resize(program.operations.size());
  out.outcomes.resize(program.operations.size());
  out.forgotten.resize(program.slots.size(), false);
  out.completes.resize(program.tasks.size(), false);
  out.watched.resize(program.tasks.size(), false);
  for (std::uint32_t t = 0; t < program.tasks.size(); ++t) {
    const flow::Graph& graph = program.tasks[t].graph;
    for (std::uint32_t i = graph.start; i < graph.nodes.size(); ++i) {
      const Node& n = graph.nodes[i];
      if (n.kind == Node::Kind::read || n.kind == Node::Kind::write)
        for (std::uint32_t s = n.first; s < n.first + n.count; ++s)
          note_use(out.use[s], t, n.kind == Node::Kind::write);
    }
  }
  for (std::size_t s = 0; s < program.slots.size(); ++s) {
    const flow::Slot& slot = program.slots[s];
    if (slot.initial == kUnset) out.use[s].written = true;  // by the first that reads it: any value, which stays
    if (!out.use[s].shared()) continue;
    if (slot.initial != kUnset) {
      out.values[s].insert(slot.initial);
    } else if (is_free(slot)) {
      for (Value v = slot.low; v <= slot.high; ++v) out.values[s].insert(v);
    } else {
      out.values[s].insert(kOpaque);
    }
  }
  return out;
}

std::vector<std::uint32_t> largest_shared(const flow::Program& program, const Environment& environment) {
  ValueCount count;
  for (std::uint32_t slot = 0; slot < environment.values.size(); ++slot)
    for (const Value v : environment.values[slot]) count.add(slot, v);
  return count.largest(program);
}

std::optional<Refusal> explore_task(const flow::Program& program, std::uint32_t task, Environment& environment,
                                    Budget& budget, TaskGraph& out) {
  return TaskExplorer(program, task, environment, budget, out).run();
}

std::optional<Refusal> explore_object(const flow::Program& program, std::uint32_t object,
                                      const std::vector<TaskGraph>& tasks, Environment& environment, Budget& budget,
                                      ObjectGraph& out) {
  ObjectExplorer explorer(program, object, environment, budget, out);
  {
    // What is found here counts only if it is all.
    Environment before = environment;
    if (auto refusal = explorer.alone()) return refusal;
    if (explorer.complete()) return std::nullopt;
    environment = std::move(before);
  }
  std::vector<CallOrder> callers;
  for (const TaskGraph& task : tasks) {
    CallOrderBuilder builder(program, object, task);
    auto order = builder.run();
    if (!order) return explorer.too_many();
    callers.push_back(std::move(*order));
  }
  if (explorer.together(callers, kManyTogether)) return explorer.refusal();
  for (CallOrder& order : callers) order = merged(order);
  return explorer.together(callers, kMostTogether) ? explorer.refusal() : explorer.too_many();
}

}  // namespace surety::ada
