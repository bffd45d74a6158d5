#include "lang/ada/explore.hpp"

namespace surety::ada {

using flow::kNone;
using flow::kOpaque;
using flow::kUnset;
using flow::Node;

std::vector<std::uint32_t> slots_of(const flow::Object& object) {
  std::vector<std::uint32_t> out = object.slots;
  out.insert(out.end(), object.outside.begin(), object.outside.end());
  return out;
}

Refusal over_budget() { return {"the budget ended", {}, 0}; }

bool is_free(const flow::Slot& slot) {
  constexpr Value kMostFree = 64;
  return slot.high >= slot.low && slot.high - slot.low < kMostFree;
}

namespace {

void note_use(SlotUse& use, std::uint32_t task, bool written) {
  if (use.task == kNone)
    use.task = task;
  else if (use.task != task)
    use.several = true;
  use.written = use.written || written;
}

// A task that can begin again finds there what it has left.
bool outlives(const flow::Program& program, std::uint32_t slot, std::uint32_t task) {
  return task != kNone && program.tasks[task].master != 0 && program.slots[slot].task != task;
}

}  // namespace

Environment first_environment(const flow::Program& program) {
  Environment out;
  out.use.resize(program.slots.size());
  out.values.resize(program.slots.size());
  out.written.resize(program.slots.size());
  out.calls.resize(program.entries.size());
  out.ends.resize(program.entries.size());
  out.raised.resize(program.entries.size());
  out.asked.resize(program.operations.size());
  out.outcomes.resize(program.operations.size());
  out.askers.resize(program.operations.size());
  out.queued.resize(program.entries.size());
  out.asked_about.resize(program.tasks.size(), false);
  out.forgotten.resize(program.slots.size(), false);
  out.completes.resize(program.tasks.size(), false);
  out.watched.resize(program.tasks.size(), false);
  out.abandoned.resize(program.tasks.size(), false);
  for (std::uint32_t t = 0; t < program.tasks.size(); ++t) {
    const flow::Graph& graph = program.tasks[t].graph;
    for (std::uint32_t i = graph.start; i < graph.nodes.size(); ++i) {
      const Node& n = graph.nodes[i];
      if (n.kind == Node::Kind::read || n.kind == Node::Kind::write)
        for (std::uint32_t s = n.first; s < n.first + n.count; ++s)
          note_use(out.use[s], t, n.kind == Node::Kind::write);
    }
  }
  for (const flow::Object& object : program.objects)
    for (const std::uint32_t s : object.outside) out.use[s].several = out.use[s].written = true;
  for (std::uint32_t s = 0; s < program.slots.size(); ++s) {
    const flow::Slot& slot = program.slots[s];
    if (slot.apart || outlives(program, s, out.use[s].task)) out.use[s].several = true;
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

}  // namespace surety::ada
