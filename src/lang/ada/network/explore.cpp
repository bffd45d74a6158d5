#include "lang/ada/network/explore.hpp"

namespace surety::ada {

using flow::kNone;
using flow::kOpaque;
using flow::kUnset;
using flow::Node;

using Mode = TaskGraph::Mode;

bool has_status(const flow::Program& program, std::uint32_t task, const TaskGraph::State& state, bool terminated) {
  if (terminated) return state.mode == Mode::ended || state.mode == Mode::given_up;
  return !is_gone(program, task, state).value_or(false);
}

std::optional<bool> is_gone(const flow::Program& program, std::uint32_t task, const TaskGraph::State& state) {
  if (state.mode == Mode::terminated) return std::nullopt;
  if (state.mode == Mode::dormant) return false;  // it is not active yet: a call would wait
  if (state.mode != Mode::runs && state.mode != Mode::fails) return true;
  const Node& n = program.tasks[task].graph.nodes[state.node];
  // It has completed and waits for its tasks.
  return state.mode == Mode::runs && !state.comes && n.kind == Node::Kind::end && program.masters[n.first].body;
}

bool is_active(const flow::Program& program, std::uint32_t task, const TaskGraph::State& state) {
  if (state.mode == Mode::completed || state.mode == Mode::ended) return true;
  if (state.mode != Mode::runs && state.mode != Mode::fails) return false;
  const flow::Graph& graph = program.tasks[task].graph;
  return state.node >= graph.body && graph.nodes[state.node].kind != Node::Kind::abandoned;
}

bool is_abandoned(const TaskGraph::State& state) {
  return state.mode == Mode::abandoned || state.mode == Mode::given_up;
}

bool depends(const flow::Program& program, std::uint32_t task, std::uint32_t master) {
  std::uint32_t m = program.tasks[task].master;
  while (m != master && m != kNone) m = program.masters[m].outer;
  return m == master;
}

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
