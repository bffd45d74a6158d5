#include "lang/ada/flow/outside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace surety::ada {
namespace {

using flow::Node;

template <class Visit>
void for_accesses(const flow::Graph& graph, const Visit& visit) {
  for (std::uint32_t i = graph.start; i < graph.nodes.size(); ++i) {
    const Node& n = graph.nodes[i];
    if (n.kind == Node::Kind::read || n.kind == Node::Kind::write)
      for (std::uint32_t s = n.first; s < n.first + n.count; ++s) visit(s, n.kind == Node::Kind::write);
  }
}

std::set<std::uint32_t> slots_that_change(const flow::Program& program) {
  std::set<std::uint32_t> out;
  const auto note = [&](std::uint32_t slot, bool written) {
    if (written || program.slots[slot].initial == flow::kUnset) out.insert(slot);
  };
  for (const flow::Task& t : program.tasks) for_accesses(t.graph, note);
  for (const flow::Operation& o : program.operations) {
    for_accesses(o.barrier, note);
    for_accesses(o.body, note);
  }
  return out;
}

// Object b becomes a part of object a.
void merge(flow::Program& program, std::uint32_t a, std::uint32_t b) {
  flow::Object& into = program.objects[a];
  flow::Object& from = program.objects[b];
  into.name += "+" + from.name;
  into.slots.insert(into.slots.end(), from.slots.begin(), from.slots.end());
  into.outside.insert(into.outside.end(), from.outside.begin(), from.outside.end());
  for (const std::uint32_t slot : from.slots) program.slots[slot].object = a;
  from.slots.clear();
  from.outside.clear();
  for (flow::Operation& o : program.operations)
    if (o.object == b) o.object = a;
}

// An operation of object a uses data of object b.
bool calls(const flow::Program& program, std::uint32_t a, std::uint32_t b) {
  bool out = false;
  for (const flow::Operation& o : program.operations)
    if (o.object == a)
      for_accesses(o.body, [&](std::uint32_t slot, bool) { out = out || program.slots[slot].object == b; });
  return out;
}

// A barrier that uses a variable which a task or another object writes.
std::optional<OutsideTrouble> stale_barrier(const flow::Program& program) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> written;  // slot, and the object whose operation does it
  const auto note = [&](const flow::Graph& graph, std::uint32_t by) {
    for_accesses(graph, [&](std::uint32_t slot, bool write) {
      if (write) written.insert({slot, by});
    });
  };
  for (const flow::Task& t : program.tasks) note(t.graph, flow::kNone);
  for (const flow::Operation& o : program.operations) note(o.body, o.object);
  std::optional<OutsideTrouble> out;
  for (const flow::Operation& o : program.operations)
    for_accesses(o.barrier, [&](std::uint32_t slot, bool) {
      if (program.slots[slot].object == o.object) return;
      const auto others = [&](const auto& w) { return w.first == slot && w.second != o.object; };
      if (!out && std::ranges::any_of(written, others))
        out = OutsideTrouble{o.object, fmt::format("the barrier of {} uses {}, and is not looked at again when others "
                                                   "change it",
                                                   o.name, program.slots[slot].name)};
    });
  return out;
}

}  // namespace

std::optional<OutsideTrouble> keep_outside_variables(flow::Program& program) {
  if (auto trouble = stale_barrier(program)) return trouble;
  const std::set<std::uint32_t> change = slots_that_change(program);
  for (const flow::Operation& o : program.operations) {
    flow::Object& object = program.objects[o.object];
    const auto note = [&](std::uint32_t slot, bool) {
      if (program.slots[slot].object == flow::kNone && change.contains(slot)) object.outside.push_back(slot);
    };
    for_accesses(o.barrier, note);
    for_accesses(o.body, note);
  }
  const auto shared = [&](const flow::Object& a, const flow::Object& b) {
    return std::ranges::any_of(a.outside,
                               [&](std::uint32_t s) { return std::ranges::find(b.outside, s) != b.outside.end(); });
  };
  for (std::uint32_t a = 0; a < program.objects.size(); ++a)
    for (std::uint32_t b = a + 1; b < program.objects.size(); ++b) {
      const bool called = calls(program, a, b) || calls(program, b, a);
      if (called || shared(program.objects[a], program.objects[b])) {
        if (called && !(program.objects[a].outside.empty() && program.objects[b].outside.empty()))
          return OutsideTrouble{
              b, fmt::format("an operation of one of {} and {} calls the other, and they use variables outside",
                             program.objects[a].name, program.objects[b].name)};
        if (program.objects[a].master != program.objects[b].master)
          return OutsideTrouble{b, fmt::format("{} and {} use the same variables, and only one of them begins anew",
                                               program.objects[a].name, program.objects[b].name)};
        merge(program, a, b);
        b = a;  // it has more now
      }
    }
  for (flow::Object& o : program.objects) {
    std::ranges::sort(o.outside);
    o.outside.erase(std::unique(o.outside.begin(), o.outside.end()), o.outside.end());
  }
  return std::nullopt;
}

}  // namespace surety::ada
