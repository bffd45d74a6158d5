// Tasks of library packages start before the statements of their package, and before the units that are elaborated
// later (ARM 9.2, 10.2). Elaboration is executed all the same, before all tasks: bounds and initial values must be
// known. What those tasks could notice of it is done once more, as the first steps of the environment task: its writes,
// in their order, from the values that the variables had when the tasks started.
//
// That is exact if elaboration reads nothing that these tasks write, and if no other tasks are there: they start later.
//
// Statements of a package body that call entries cannot be executed beforehand. They are steps of the environment task
// as a whole, if elaboration after them has nothing to do with what they use.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "lang/ada/flow/execute.hpp"
#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"

namespace surety::ada {
namespace {

using Kind = flow::Node::Kind;

template <class Visit>
void for_loads(const flow::Code& code, const Visit& visit) {
  for (const flow::Instruction& i : code)
    if (i.op == flow::Instruction::Op::load) visit(static_cast<std::uint32_t>(i.a));
}

// The slot that a node changes; kNone: it changes none.
std::uint32_t changed_by(const flow::Node& node, std::span<const Value> memory) {
  if (node.kind == Kind::compute || node.kind == Kind::read) return node.target;
  if (node.kind != Kind::write) return flow::kNone;
  const Result at = address(node, memory);
  return at.ok() ? static_cast<std::uint32_t>(at.value) : flow::kNone;
}

}  // namespace

// A package inside of the main procedure is like a library package, except that tasks of the procedure itself, which
// start later, can stand before it.
void Expander::note_library_tasks(const Scope& package) {
  if (!can_execute()) return;
  const bool library = calls_.empty();
  if (!library && (calls_.size() > 1 || !has_tasks(package))) return;
  const auto tasks = static_cast<std::uint32_t>(tasks_.size()) - 1;
  if (!library)
    for (std::uint32_t t = library_tasks_ + 1; t <= tasks; ++t) mixed_ = mixed_ || !tasks_[t].packaged;
  library_tasks_ = tasks;
}

// Runs the code of the environment task from this node on, and remembers what it does if tasks have started.
Stop Expander::run_elaboration(std::uint32_t node, std::uint64_t most) {
  if (library_tasks_ == 0 || object_ != kNone)
    return ada::run(graph(), node, memory_, most, [](std::uint32_t) { return false; });
  Stop stop;
  const auto note = [&](std::uint32_t slot) { elaboration_reads_[slot] = library_tasks_; };
  for (std::uint64_t steps = 0; steps < most; ++steps) {
    const flow::Node& n = graph().nodes[node];
    for (const auto* code : {&n.value, &n.offset, &n.number}) for_loads(*code, note);
    if (n.kind == Kind::read)
      for (std::uint32_t s = n.first; s < n.first + n.count; ++s) note(s);
    const std::uint32_t slot = changed_by(n, memory_);
    const Value before = slot == kNone ? 0 : memory_[slot];
    const std::uint32_t place = n.place;
    if (!detail::step(graph(), node, memory_, stop)) return stop;
    if (slot != kNone) elaboration_writes_.push_back({slot, before, memory_[slot], place, library_tasks_});
  }
  return {Stop::Kind::long_run, node, 0, kNone};
}

// Whether one of the tasks that had started uses the slot: reads it, or writes it.
bool Expander::is_used_early(std::uint32_t slot, std::uint32_t tasks, bool write) const {
  const auto uses = [&](const flow::Node& n) {
    const bool kind = n.kind == Kind::write || (!write && n.kind == Kind::read);
    return kind && slot >= n.first && slot < n.first + n.count;
  };
  for (std::uint32_t t = 1; t <= tasks; ++t)
    if (std::ranges::any_of(program_.tasks[t].graph.nodes, uses)) return true;
  return false;
}

// All tasks have their graphs; the statements of the main procedure come next.
void Expander::emit_late_elaboration() {
  const auto late_message = [&](std::uint32_t slot, const char* what, const char* why) {
    refuse({program_.places[program_.slots[slot].place].offset, program_.places[program_.slots[slot].place].length},
           fmt::format("{} {} by elaboration after {}, which {}, has started: this is not supported",
                       program_.slots[slot].name, what, program_.tasks[1].name, why),
           "give it its value where it is declared");
  };
  for (const auto& [slot, tasks] : elaboration_reads_)
    if (is_used_early(slot, tasks, true)) return late_message(slot, "is read", "writes it");
  std::set<std::uint32_t> seen;
  for (const Elaborated& e : elaboration_writes_) {
    const bool late = is_used_early(e.slot, e.tasks, false);
    if (!late && program_.slots[e.slot].object == kNone) continue;
    const auto number = static_cast<std::size_t>(&e - elaboration_writes_.data());
    if (!late || (!deferred_.empty() && number >= deferred_[0].writes))
      return late_message(e.slot, "gets a value", "may call it");
    if (mixed_ || program_.tasks.size() - 1 > e.tasks) return late_message(e.slot, "gets a value", "uses it");
    if (seen.empty()) emit_master(Kind::activated, 0);
    if (seen.insert(e.slot).second) memory_[e.slot] = e.before;
    flow::Node node;
    node.kind = Kind::write;
    node.first = e.slot;
    node.value = constant(e.after);
    node.place = e.place;
    emit(std::move(node));
  }
}

bool Expander::defer(const Declaration& package_body, Scope& scope) {
  if (!foresight_.deferred.contains(package_body.place.offset)) return false;
  deferred_.push_back({&package_body, &scope, elaboration_writes_.size(), library_tasks_});
  return true;
}

void Expander::emit_deferred() {
  for (const Deferred& d : deferred_) {
    if (program_.tasks.size() - 1 > d.tasks)
      return refuse(d.body->place,
                    "this package body calls entries, and other tasks start later: this is not supported");
    const auto first = graph().nodes.size();
    emit_master(Kind::activated, 0);
    Inside in_scope(scope_, d.scope);
    Frame frame;
    frames_.push_back(&frame);
    gotos_.emplace_back();
    emit_body(*d.body->body);
    bind(frame.done);
    frames_.pop_back();
    gotos_.pop_back();
    const auto later = std::span(elaboration_writes_).subspan(d.writes);
    for (auto i = first; i < graph().nodes.size(); ++i) {
      const flow::Node& n = graph().nodes[i];
      if (n.kind != Kind::read && n.kind != Kind::write) continue;
      for (std::uint32_t s = n.first; s < n.first + n.count; ++s)
        if (std::ranges::find(later, s, &Elaborated::slot) != later.end() ||
            (n.kind == Kind::write && elaboration_reads_.contains(s)))
          return refuse(d.body->place, fmt::format("this package body calls entries, and elaboration after it uses {}, "
                                                   "too: this is not supported",
                                                   program_.slots[s].name));
    }
  }
}

}  // namespace surety::ada
