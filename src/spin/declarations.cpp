#include "spin/declarations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/promela/printer.hpp"
#include "spin/addresses.hpp"

namespace surety::spin {
namespace {

using namespace promela;

Reference named(const std::string& name) {
  Reference r;
  r.segments.push_back({name, {}, {}});
  return r;
}

Expression variable(const std::string& name) {
  Expression e;
  e.op = Expression::Op::variable;
  e.reference = named(name);
  return e;
}

// Of an inline: anything that prints as it.
Statement call(const std::string& text) {
  Statement s;
  s.kind = Statement::Kind::condition;
  s.value = variable(text);
  return s;
}

// Takes the message into variables of our own first: the user's may be narrower, or `_`.
Statement observed_receive(const Program& program, Statement s) {
  const Variable& channel = program.globals[s.target.variable];
  const auto& index = s.target.segments[0].index;
  Statement all;
  all.kind = Statement::Kind::atomic;
  std::swap(all.labels, s.labels);
  Sequence after;
  for (std::size_t f = 0; f < s.patterns.size(); ++f) {
    Pattern& p = s.patterns[f];
    Statement copy;
    copy.kind = Statement::Kind::assignment;
    if (p.kind == Pattern::Kind::variable) {
      copy.target = std::exchange(p.reference, named(field_name(channel, f)));
      copy.value = variable(field_name(channel, f));
      if (copy.target.segments[0].name != "_") after.push_back(std::move(copy));
    } else {  // the message is what was asked for
      copy.target = named(field_name(channel, f));
      copy.value = p.expression;
      after.insert(after.begin(), std::move(copy));
    }
  }
  // Seen before the user's variables change, since the index may be made of them.
  const auto own = std::find_if(after.begin(), after.end(), [](const Statement& copy) {
    return !copy.target.segments[0].name.starts_with("surety_");
  });
  after.insert(own, call(fmt::format("surety_see_{}({})", channel.name, index.empty() ? "0" : print(index[0]))));
  all.body.push_back(std::move(s));
  for (Statement& one : after) all.body.push_back(std::move(one));
  all.body.push_back(call(fmt::format("surety_forget_{}()", channel.name)));
  return all;
}

Statement relabelled(Statement s, const Statement& old) {
  s.labels = old.labels;
  return s;
}

void observe(const Program& program, Sequence& body) {
  for (Statement& s : body) {
    observe(program, s.body);
    for (Sequence& branch : s.branches) observe(program, branch);
    if (s.kind == Statement::Kind::receive) s = observed_receive(program, std::move(s));
    if (s.kind == Statement::Kind::print) s = relabelled(call("true"), s);  // only our own lines in a replay
  }
}

// By the number that SPIN gives a process: init has 0, and starts them in this order.
std::string me_text(const System& system, const SideNumbers& side) {
  std::string out = "0";
  for (std::size_t i = side.size(); i > 0; --i)
    out = fmt::format("(_pid == {} -> {} : {})", i, system.instances[side[i - 1]].address, out);
  return fmt::format("#define {} {}\n", kMe, out);
}

}  // namespace

std::string field_name(const Variable& channel, std::size_t f) { return fmt::format("surety_{}_{}", channel.name, f); }

std::string user_text(const System& system, const SideNumbers& side, bool observed) {
  Program program = *system.program;
  program.units.clear();
  for (const Unit& unit : system.program->units) {
    if (unit.kind == Unit::Kind::ltl) continue;
    if (unit.kind == Unit::Kind::process) {
      const bool needed = std::any_of(side.begin(), side.end(),
                                      [&](std::uint32_t i) { return system.instances[i].process == unit.index; });
      if (!needed) continue;
      Process& process = program.processes[unit.index];
      process.active = 0;
      if (observed) observe(program, process.body);
    }
    program.units.push_back(unit);
  }
  return (system.addresses ? me_text(system, side) : "") + to_promela(program);
}

std::string run_text(const System& system, const SideNumbers& side) {
  std::string out;
  for (const std::uint32_t i : side) {
    const Instance& instance = system.instances[i];
    out += fmt::format("    run {}({});\n", system.program->processes[instance.process].name,
                       fmt::join(instance.arguments, ", "));
  }
  return out;
}

}  // namespace surety::spin
