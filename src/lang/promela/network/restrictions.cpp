#include "lang/promela/network/restrictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace surety::promela::net {
namespace {

using I = Instruction::Op;

template <class Test>
bool any_instruction(const Compiled& code, const Code& list, Test test);

template <class Test>
bool any_instruction(const Compiled& code, const Patterns& patterns, Test test) {
  return std::ranges::any_of(patterns, [&](const CompiledPattern& p) { return any_instruction(code, p.code, test); });
}

template <class Test>
bool any_instruction(const Compiled& code, const Code& list, Test test) {
  return std::ranges::any_of(list, [&](const Instruction& i) {
    return test(i) || (i.op == I::poll && any_instruction(code, code.polls[i.a], test));
  });
}

template <class Test>
bool any_instruction(const Compiled& code, const Operation& op, Test test) {
  return any_instruction(code, op.code, test) || any_instruction(code, op.store.address, test) ||
         std::ranges::any_of(op.arguments, [&](const Code& c) { return any_instruction(code, c, test); }) ||
         any_instruction(code, op.patterns, test);
}

template <class Test>
bool any_initial(const Compiled& code, const CompiledProcess& process, Test test) {
  return std::ranges::any_of(process.initial, [&](const Initial& i) { return any_instruction(code, i.value, test); });
}

// Of an instruction that loads a global, or begins the address of one.
std::uint32_t variable_at(const Compiled& code, const Instruction& i) {
  const auto after = std::ranges::upper_bound(code.globals, static_cast<std::uint32_t>(i.b), {}, &VariableLeaf::offset);
  return std::prev(after)->variable;
}

}  // namespace

std::vector<bool> reachable_places(const CompiledProcess& process, std::uint32_t start) {
  std::vector<bool> seen(process.places.size(), false);
  std::vector<std::uint32_t> todo{start};
  seen[start] = true;
  const auto add = [&](std::uint32_t place) {
    if (!seen[place]) todo.push_back(place);
    seen[place] = true;
  };
  while (!todo.empty()) {
    const std::uint32_t here = todo.back();
    todo.pop_back();
    for (const Operation& op : process.places[here]) {
      if (op.kind != Operation::Kind::finish) add(op.target);
      if (op.kind == Operation::Kind::d_step) add(op.process);
    }
    for (const std::uint32_t escape : process.escapes[here]) add(escape);
  }
  return seen;
}

bool is_run(const Operation& op) { return op.kind == Operation::Kind::run || op.kind == Operation::Kind::assign_run; }

const char* unknown_alone(const Compiled& code, const Operation& op) {
  const auto has = [&](I wanted) {
    const auto is = [&](const Instruction& i) { return i.op == wanted; };
    return any_instruction(code, op, is) || (is_run(op) && any_initial(code, code.processes[op.process], is));
  };
  if (has(I::timeout)) return "timeout";
  if (has(I::nr_pr)) return "_nr_pr";
  if (has(I::at_label) || has(I::address_remote)) return "a reference into another process";
  if (has(I::non_progress) || has(I::accepting)) return "np_";
  return nullptr;
}

bool can_end(const CompiledProcess& process) {
  return any_operation(process, reachable_places(process, process.flow.start),
                       [](const Operation& op) { return op.kind == Operation::Kind::finish; });
}

bool uses_pid(const Compiled& code, const CompiledProcess& process) {
  const auto is_pid = [](const Instruction& i) { return i.op == I::pid; };
  return any_operation(process, reachable_places(process, process.flow.start),
                       [&](const Operation& op) { return any_instruction(code, op, is_pid); }) ||
         any_initial(code, process, is_pid);
}

std::vector<bool> written_globals(const Compiled& code) {
  std::vector<bool> out;
  for (const VariableLeaf& leaf : code.globals) out.resize(leaf.variable + 1, false);
  const auto note = [&](const Code& address) {
    if (!address.empty() && address[0].op == I::address_global) out[variable_at(code, address[0])] = true;
  };
  for (const CompiledProcess& process : code.processes)
    for (const auto& place : process.places)
      for (const Operation& op : place) {
        note(op.store.address);
        for (const CompiledPattern& p : op.patterns)
          if (!p.match && !p.drop) note(p.code);
      }
  return out;
}

bool is_about_globals(const Compiled& code, const std::vector<bool>& written, const Operation& op) {
  const auto is_open = [&](const Instruction& i) {
    if (i.op == I::load_global || i.op == I::address_global) return bool{written[variable_at(code, i)]};
    return i.op >= I::length && i.op <= I::poll;
  };
  return any_instruction(code, op, is_open) || (is_run(op) && any_initial(code, code.processes[op.process], is_open));
}

bool makes_channels(const CompiledProcess& process) {
  return std::ranges::any_of(process.initial, [](const Initial& i) { return i.channel != kNone; });
}

// The address of an initial value is one instruction: where the variable lies in the frame.
bool lends_channels(const CompiledProcess& process) {
  std::vector<std::int32_t> own;
  const auto lends = [&](const Code& value) {
    return std::ranges::any_of(value, [&](const Instruction& i) {
      return i.op == I::load || (i.op == I::load_local && std::ranges::find(own, i.b) != own.end());
    });
  };
  for (const Initial& i : process.initial)  // in the order of the declarations; one can be a copy of another
    if (i.channel != kNone || lends(i.value)) own.push_back(i.store.address[0].b);
  return makes_channels(process) &&
         any_operation(process, reachable_places(process, process.flow.start), [&](const Operation& op) {
           return std::ranges::any_of(op.arguments, lends) || (op.kind == Operation::Kind::assign && lends(op.code));
         });
}

std::optional<Refusal> refuse(const Program& program, const Compiled& code, const Instance& instance) {
  const Process& text = program.processes[instance.type];
  const CompiledProcess& process = code.processes[instance.type];
  if (!text.provided.empty()) return Refusal{"provided", text.place};
  const auto places = reachable_places(process, instance.place());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i]) continue;
    for (const Operation& op : process.places[i]) {
      const Place place = code.statements[op.statement].place;
      if (!process.escapes[i].empty()) return Refusal{"unless", place};
      if (is_run(op)) return Refusal{fmt::format("run in proctype {}", text.name), place};
      if (const char* what = unknown_alone(code, op)) return Refusal{what, place};
    }
  }
  return std::nullopt;
}

}  // namespace surety::promela::net
