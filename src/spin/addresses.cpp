#include "spin/addresses.hpp"

#include <fmt/format.h>

namespace surety::spin {
namespace {

using namespace promela;

std::uint32_t global(const Program& program, const ActionName& operation) {
  for (std::uint32_t i = 0; i < program.globals.size(); ++i)
    if (program.globals[i].name == operation.parts[0]) return i;
  return kNone;  // a channel of a process: what uses it is refused
}

Expression me() {
  Expression e;
  e.name = kMe;
  return e;
}

Expression constant(std::uint32_t n) {
  Expression e;
  e.value = static_cast<std::int32_t>(n);
  return e;
}

Statement sent(Statement s, const std::set<std::uint32_t>& receivers) {
  Statement choice;
  choice.kind = Statement::Kind::selection;
  std::swap(choice.labels, s.labels);
  s.messages.push_back(me());
  for (const std::uint32_t receiver : receivers) {
    choice.branches.push_back({s});
    choice.branches.back()[0].messages.push_back(constant(receiver));
  }
  return choice;
}

Statement received(Statement s) {
  Pattern any, mine;
  any.reference.segments.push_back({"_", {}, {}});
  any.reference.scope = Reference::Scope::predefined;
  mine.kind = Pattern::Kind::eval;
  mine.expression = me();
  s.patterns.push_back(std::move(any));
  s.patterns.push_back(std::move(mine));
  return s;
}

}  // namespace

Addresses::Addresses(const Program& program, const std::map<Action, Rendezvous>& rendezvous) {
  std::set<ActionName> met;
  std::set<std::uint32_t> shared;  // channels that need addresses
  for (const auto& [action, r] : rendezvous) {
    if (!met.insert(r.operation).second) shared.insert(global(program, r.operation));
    for (const auto& process : {r.sender, r.receiver})
      numbers_.try_emplace(process, static_cast<std::uint32_t>(numbers_.size() + 1));
  }
  shared.erase(kNone);
  for (const auto& [action, r] : rendezvous)
    if (const auto channel = global(program, r.operation); shared.contains(channel))
      receivers_[channel].insert(number(r.receiver));
}

std::uint32_t Addresses::number(const std::string& process) const {
  const auto found = numbers_.find(process);
  return found == numbers_.end() ? 0 : found->second;
}

std::string Addresses::fields(std::uint32_t channel, const Rendezvous& between) const {
  if (!receivers_.contains(channel)) return "";
  return fmt::format(",{},{}", number(between.sender), number(between.receiver));
}

Program Addresses::addressed(Program program) const {
  Type small;
  small.base = Type::Base::short_int;
  for (const auto& [channel, receivers] : receivers_)
    program.globals[channel].channel->fields.insert(program.globals[channel].channel->fields.end(), 2, small);
  for (Process& process : program.processes)
    if (process.kind == Process::Kind::proctype) address(process.body);
  return program;
}

void Addresses::address(Sequence& body) const {
  for (Statement& s : body) {
    address(s.body);
    for (Sequence& branch : s.branches) address(branch);
    if (s.kind != Statement::Kind::send && s.kind != Statement::Kind::receive) continue;
    const bool ours = s.target.scope == Reference::Scope::global;
    const auto found = ours ? receivers_.find(s.target.variable) : receivers_.end();
    if (found == receivers_.end()) continue;
    s = s.kind == Statement::Kind::send ? sent(std::move(s), found->second) : received(std::move(s));
  }
}

}  // namespace surety::spin
