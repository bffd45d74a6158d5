// The actions of a network: what each transition of a task is called, and which tasks and objects share it.

#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/label.hpp"
#include "lang/ada/network/network_builder.hpp"

namespace surety::ada {
namespace {

using flow::kNone;
using flow::kOpaque;
using flow::kUnset;
using Kind = Transition::Kind;
constexpr const char* kNothing = "null";  // written: no value. No literal has this name.

}  // namespace

std::string NetworkBuilder::shown(Value value, std::uint32_t display) const {
  if (value == kOpaque) return "any";
  const auto& d = program_.displays[display];
  const auto at = static_cast<std::size_t>(value - d.low);
  return at < d.literals.size() ? d.literals[at] : std::to_string(value);
}

std::string NetworkBuilder::shown(const Values& values, const std::vector<std::uint32_t>& displays) const {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) out += "." + shown(values[i], i < displays.size() ? displays[i] : 0);
  return out;
}

std::vector<std::uint32_t> NetworkBuilder::displays_of(const std::vector<std::uint32_t>& slots) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t slot : slots) out.push_back(program_.slots[slot].display);
  return out;
}

std::uint32_t NetworkBuilder::line(std::uint32_t place) const {
  const auto& p = program_.places[place];
  return source_.line_number({p.offset, p.length});
}

std::string NetworkBuilder::excerpt(std::uint32_t place) const {
  constexpr std::size_t kLongest = 40;
  const std::size_t begin = program_.places[place].offset;
  const std::size_t end = std::min(source_.text.find_first_of("\r\n", begin), source_.text.size());
  std::string out = source_.text.substr(begin, end - begin);
  return out.size() > kLongest ? out.substr(0, kLongest) + " ..." : out;
}

Action NetworkBuilder::action(const std::string& name) {
  names_.insert(name);
  return actions_.intern(name);
}

void NetworkBuilder::join(std::uint32_t task, std::uint32_t transition, Action a) {
  auto& list = steps_[task][transition];
  if (std::ranges::find(list, a) == list.end()) list.push_back(a);
}

// The tasks that have the same event, call or operation: their names tell who, if there are several.
void NetworkBuilder::find_users() {
  for (std::uint32_t t = 0; t < graphs_.size(); ++t)
    for (const Transition& x : graphs_[t].transitions) {
      if (x.kind == Kind::event) events_[event_name(x)].insert(t);
      if (x.kind == Kind::call) callers_[{x.object, x.values}].insert(t);
      if (x.kind == Kind::call_end) enders_[{x.object, x.values}].insert(t);
      if (x.kind == Kind::call_raised) enders_[{x.object, x.values}].insert(t);
      if (x.kind == Kind::operation) operators_[operation_name(x)].insert(t);
    }
}

std::string NetworkBuilder::event_name(const Transition& x) const {
  return action_label(program_.labels[x.object]) + shown(x.values, program_.label_displays[x.object]);
}

std::string NetworkBuilder::operation_name(const Transition& x) const {
  const flow::Operation& o = program_.operations[x.object];
  std::string out = o.name + shown(x.values, displays_of(o.in));
  if (x.outcome.exception != kNone) return out + ".raised." + program_.exceptions[x.outcome.exception];
  return out + shown(x.outcome.results, displays_of(o.out));
}

// What a task does alone, or with a variable.
void NetworkBuilder::local_actions(std::uint32_t t) {
  for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
    const Transition& x = graphs_[t].transitions[i];
    switch (x.kind) {
      case Kind::event: {
        std::string name = event_name(x);
        if (events_[name].size() > 1) name += ".by." + label(t);
        join(t, i, action(name));
        break;
      }
      case Kind::fails: {
        const Action a = action(fmt::format("{}.fails.{}.{}", label(t), line(x.place), program_.exceptions[x.object]));
        failures_.push_back(a);
        join(t, i, a);
        break;
      }
      case Kind::is:
      case Kind::to: {
        const flow::Slot& slot = program_.slots[x.object];
        const Action a = action(fmt::format("{}.{}.{}", variable_name(t, slot), x.kind == Kind::is ? "is" : "to",
                                            x.values[0] == kUnset ? kNothing : shown(x.values[0], slot.display)));
        accesses_[x.object].insert({a, x.kind == Kind::is, x.values[0]});
        join(t, i, a);
        break;
      }
      case Kind::choice: {
        const Action a = action(fmt::format("{}.choice.{}.{}", label(t), line(x.place), chosen(t, x)));
        choices_[a] = fmt::format("line {} ({})", line(x.place), excerpt(x.place));
        join(t, i, a);
        break;
      }
      default: break;
    }
  }
}

// As the task sees it. The name of one that is its own begins with the task.
std::string NetworkBuilder::variable_name(std::uint32_t t, const flow::Slot& slot) const {
  std::string name = action_label(slot.name);
  return slot.apart && name.starts_with(label(t) + ".") ? name : label(t) + "." + name;
}

// What was chosen: the answer to a condition, whether a guard is open, an element of an array.
std::string NetworkBuilder::chosen(std::uint32_t task, const Transition& x) const {
  using Node = flow::Node;
  if (x.values.size() > 1) return guarded(task, x) + (x.values[1] != 0 ? ".open" : ".closed");
  if (program_.tasks[task].graph.nodes[x.object].kind == Node::Kind::branch) return x.values[0] != 0 ? "yes" : "no";
  return action_label(program_.slots[static_cast<std::size_t>(x.values[0])].name);
}

// What a guard stands before: the entry, without the name of its task.
std::string NetworkBuilder::guarded(std::uint32_t task, const Transition& x) const {
  using Waits = flow::Alternative::Kind;
  for (const flow::Alternative& a : program_.tasks[task].graph.nodes[x.object].alternatives) {
    if (a.guard != static_cast<std::uint32_t>(x.values[0])) continue;
    if (a.kind != Waits::accept) return a.kind == Waits::delay ? "delay" : "terminate";
    if (a.number.size() != 1 || a.number[0].op != flow::Instruction::Op::constant) break;
    const std::string& name = program_.entries[static_cast<std::size_t>(a.number[0].a)].name;
    return name.starts_with(label(task) + ".") ? name.substr(label(task).size() + 1) : name;
  }
  return "guard";
}

void NetworkBuilder::rendezvous() {
  std::map<Meeting, std::vector<Side>> accepts, accept_ends, accept_raised;
  for (std::uint32_t t = 0; t < graphs_.size(); ++t)
    for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
      const Transition& x = graphs_[t].transitions[i];
      if (x.kind == Kind::accept) accepts[{x.object, x.values}].push_back({t, i});
      if (x.kind == Kind::accept_end) accept_ends[{x.object, x.values}].push_back({t, i});
      if (x.kind == Kind::accept_raised) accept_raised[{x.object, x.values}].push_back({t, i});
    }
  for (std::uint32_t t = 0; t < graphs_.size(); ++t)
    for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
      const Transition& x = graphs_[t].transitions[i];
      const Meeting meeting{x.object, x.values};
      const bool calls = x.kind == Kind::call || x.kind == Kind::call_end || x.kind == Kind::call_raised;
      if (calls && program_.entries[x.object].task == t) continue;  // it waits for itself, for ever
      const auto meet = [&](std::map<Meeting, std::vector<Side>>& sides, std::string name, bool several) {
        if (several) name += ".from." + label(t);
        // The caller offers it even if it is never accepted: then it waits for ever.
        const Action a = action(name);
        join(t, i, a);
        if (x.kind == Kind::call && program_.entries[x.object].counted)
          queues_[x.object].callers[t].served.push_back(a);
        bool met = false;
        for (const Side& side : sides[meeting])
          if (side.task != t) {
            join(side.task, side.transition, a);
            met = true;
          }
        if (!met) owners_[program_.entries[x.object].task].push_back(a);
      };
      if (x.kind == Kind::call) {
        const flow::Entry& e = program_.entries[x.object];
        meet(accepts, e.name + shown(x.values, e.in), callers_[meeting].size() > 1);
      } else if (x.kind == Kind::call_end) {
        const flow::Entry& e = program_.entries[x.object];
        meet(accept_ends, e.name + ".end" + shown(x.values, e.out), enders_[meeting].size() > 1);
      } else if (x.kind == Kind::call_raised) {
        const flow::Entry& e = program_.entries[x.object];
        meet(accept_raised,
             fmt::format("{}.raised.{}", e.name, program_.exceptions[static_cast<std::size_t>(x.values[0])]),
             enders_[meeting].size() > 1);
      }
    }
}

void NetworkBuilder::operations() {
  for (std::uint32_t t = 0; t < graphs_.size(); ++t)
    for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
      const Transition& x = graphs_[t].transitions[i];
      if (x.kind == Kind::operation) {
        std::string name = operation_name(x);
        if (operators_[name].size() > 1) name += ".by." + label(t);
        const Action a = action(name);
        if (x.outcome.opaque) choices_[a] = program_.operations[x.object].name;
        const bool queues = program_.operations[x.object].count != kNone;
        operated_[{x.object, x.values, x.outcome, queues ? t : kNone}].insert(a);
        join(t, i, a);
      } else if (x.kind == Kind::waits) {
        const flow::Operation& o = program_.operations[x.object];
        const Action a =
            action(fmt::format("{}.queued{}.from.{}", o.name, shown(x.values, displays_of(o.in)), label(t)));
        waiting_[{x.object, x.values, t}] = a;
        join(t, i, a);
      } else if (x.kind == Kind::closed) {
        const Action a = action(fmt::format("{}.closed.by.{}", program_.operations[x.object].name, label(t)));
        refused_[x.object].insert(a);
        join(t, i, a);
      }
    }
}

// The beginning and the end of masters. All tasks that take part have these actions, whether or not they come to
// them.
void NetworkBuilder::about_masters() {
  for (std::uint32_t m = 0; m < program_.masters.size(); ++m) {
    const flow::Master& master = program_.masters[m];
    std::set<std::uint32_t> own(master.tasks.begin(), master.tasks.end()), all;
    own.insert(master.task);
    for (std::uint32_t t = 0; t < graphs_.size(); ++t)
      if (depends(program_, t, m)) all.insert(t);
    all.insert(master.task);
    const auto joint = [&](const std::set<std::uint32_t>& tasks, Kind kind, const std::string& name,
                           const Values& values) {
      const Action a = action(fmt::format("{}.{}", master.label, name));
      for (const std::uint32_t t : tasks) {
        masters_[t].push_back(a);
        for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
          const Transition& x = graphs_[t].transitions[i];
          if (x.kind == kind && x.object == m && x.values == values) join(t, i, a);
        }
      }
      return a;
    };
    if (m != 0) {
      const Action a = joint(own, Kind::begin, "begin", {});
      for (const std::uint32_t o : master.objects) made_[o] = a;
    }
    if (activates(m)) {
      const Action a = joint({master.task}, Kind::activated, "activated", {});
      for (const std::uint32_t t : master.tasks) activated_[t].push_back(a);
      for (const std::uint32_t failed : master.tasks) {
        if (!environment_.abandoned[failed]) continue;
        const Action b = joint({master.task}, Kind::abandoned, "abandoned." + label(failed), {failed});
        for (const std::uint32_t t : master.tasks) {
          abandoned_[t].push_back(b);
          if (t != failed) activated_[t].push_back(b);
        }
      }
    }
    if (m == 0 || !master.tasks.empty()) joint(all, Kind::end, "end", {});
  }
}

bool NetworkBuilder::activates(std::uint32_t master) const {
  return std::ranges::any_of(program_.tasks[program_.masters[master].task].graph.nodes, [&](const flow::Node& n) {
    return n.kind == flow::Node::Kind::activated && n.first == master;
  });
}

// Whether another task has completed.
void NetworkBuilder::about_tasks() {
  for (std::uint32_t t = 0; t < graphs_.size(); ++t)
    for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
      const Transition& x = graphs_[t].transitions[i];
      if (x.kind == Kind::gone) {
        const Action a = action(fmt::format("{}.gone.from.{}", label(x.object), label(t)));
        gone_[x.object].insert(a);
        join(t, i, a);
        for (std::uint32_t e = 0; e < program_.entries.size(); ++e)
          if (program_.entries[e].counted && program_.entries[e].task == x.object && environment_.queued[e].contains(t))
            queues_[e].callers[t].gone.push_back(a);
      }
      if (x.kind == Kind::queued) {
        const Action a = action(fmt::format("{}.queued.from.{}", program_.entries[x.object].name, label(t)));
        queues_[x.object].callers[t].queued = a;
        join(t, i, a);
        const std::uint32_t callee = program_.entries[x.object].task;
        if (environment_.completes[callee] && callee != t) callable_[callee].insert(a);
      }
      if (x.kind == Kind::count) {
        const Action a = action(fmt::format("{}.count.is.{}", program_.entries[x.object].name, x.values[0]));
        queues_[x.object].count[x.values[0]] = a;
        join(t, i, a);
      }
      if (x.kind == Kind::status) {
        const Action a =
            action(fmt::format("{}.{}.is.{}.from.{}", label(x.object), x.values[0] == 0 ? "callable" : "terminated",
                               x.values[1] == 0 ? "false" : "true", label(t)));
        status_[x.object].insert({a, x.values[0] == 1, x.values[1] == 1});
        join(t, i, a);
      }
      if (x.kind == Kind::callable) {
        const Action a = action(fmt::format("{}.callable.from.{}", label(x.object), label(t)));
        callable_[x.object].insert(a);
        join(t, i, a);
      }
    }
}

}  // namespace surety::ada
