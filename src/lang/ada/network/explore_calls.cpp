// What a task does with others: calls, accepts, operations of protected objects, queues and what is asked about tasks.
#include <fmt/format.h>

#include "lang/ada/network/task_explorer.hpp"

namespace surety::ada {
namespace {

using flow::Alternative;
using flow::kNone;
using flow::kOpaque;
using flow::Node;
using Kind = Transition::Kind;

}  // namespace

void TaskExplorer::alternative(std::uint32_t s, std::uint32_t node, const Alternative& a) {
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

void TaskExplorer::queue(std::uint32_t s, std::uint32_t node) {
  const Node& n = graph_.nodes[node];
  const auto entry = entry_of(n.number, s, node);
  if (!entry) return;
  const std::uint32_t callee = program_.entries[*entry].task;
  environment_.add(environment_.queued[*entry], task_);
  if (can_be_gone(callee)) watch(callee);
  enter(n.next, Transition{Kind::queued, *entry, {}, {}, n.place});
  call_of_completed(s, node, callee, n.place);
}

void TaskExplorer::count(std::uint32_t s, std::uint32_t node) {
  const Node& n = graph_.nodes[node];
  const auto entry = entry_of(n.number, s, node);
  if (!entry) return;
  for (Value v = 0; v <= static_cast<Value>(environment_.queued[*entry].size()); ++v) {
    restore(s);
    memory_[n.target] = v;
    enter(n.next, Transition{Kind::count, *entry, {v}, {}, n.place});
  }
}

void TaskExplorer::wait_in_queue(std::uint32_t s, std::uint32_t node, const Alternative& a) {
  const auto number = entry_of(a.number, s, node);
  Values values;
  if (!number || !all(a.in, values, s, node)) return;
  enter(a.next, Transition{Kind::waits, *number, values, {}, a.place});
}

void TaskExplorer::status(std::uint32_t s, std::uint32_t node) {
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

void TaskExplorer::opaque_guard(std::uint32_t s, std::uint32_t node, std::uint32_t guard) {
  if (calls_only_) return;
  for (const Value open : {1, 0}) {
    restore(s);
    memory_[guard] = open;
    enter(node, Transition{Kind::choice, node, {guard, open}, {}, graph_.nodes[node].place});
  }
}

std::optional<std::uint32_t> TaskExplorer::entry_of(const flow::Code& code, std::uint32_t s, std::uint32_t node) {
  Values number;
  if (!all({code}, number, s, node)) return std::nullopt;
  if (number[0] == kOpaque) {
    refuse("which task or entry is meant here is not modelled", {}, graph_.nodes[node].place);
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(number[0]);
}

void TaskExplorer::accept(std::uint32_t s, std::uint32_t node, const Alternative& a) {
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

void TaskExplorer::call(std::uint32_t s, std::uint32_t node, const Alternative& a) {
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

// That it completes is a step of its own: until then its callers find that it has not.
void TaskExplorer::watch(std::uint32_t callee) {
  if (!environment_.watched[callee]) ++environment_.changes;
  environment_.watched[callee] = true;
}

void TaskExplorer::call_of_completed(std::uint32_t s, std::uint32_t node, std::uint32_t callee, std::uint32_t place) {
  if (!can_be_gone(callee)) return;
  restore(s);
  raise(node, flow::tasking_error, Transition{Kind::gone, callee, {}, {}, place});
}

void TaskExplorer::await_end(std::uint32_t s, std::uint32_t node) {
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

void TaskExplorer::accept_end(std::uint32_t s, std::uint32_t node) {
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

void TaskExplorer::operation(std::uint32_t s, std::uint32_t node, const Alternative& a) {
  const auto number = entry_of(a.number, s, node);
  Values values;
  if (!number || !all(a.in, values, s, node)) return;
  environment_.add(environment_.asked[*number], values);
  environment_.add(environment_.askers[*number][values], task_);
  out_.asks.push_back({s, *number, values});
  if (environment_.asked[*number].size() > environment_.most_values)
    return refuse_many(fmt::format("{} is called with more than {} different values", program_.operations[*number].name,
                                   most_values()),
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
void TaskExplorer::otherwise(std::uint32_t s, std::uint32_t node, const Alternative& a) {
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

}  // namespace surety::ada
