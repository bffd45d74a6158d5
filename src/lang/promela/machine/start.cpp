#include "lang/promela/machine/start.hpp"

#include "lang/promela/machine/expression.hpp"

namespace surety::promela {
namespace {

void set_initial(Memory& m, const std::vector<Initial>& values, std::uint32_t process) {
  for (const Initial& i : values) {
    std::int32_t value = 0;
    if (i.channel != kNone) {
      m.add_channel(i.channel);
      value = static_cast<std::int32_t>(m.channels());
    } else {
      value = evaluate(m, i.value, process);
    }
    if (m.why != Why::nothing) return;
    assign(m, i.store, value, process);
  }
}

}  // namespace

std::uint32_t start_process(Memory& m, std::uint32_t type, const std::vector<std::int32_t>& arguments) {
  const std::uint32_t number = m.processes();
  if (!m.add_process(type)) return number;
  const CompiledProcess& p = m.code.processes[type];
  for (std::size_t i = 0; i < p.parameters.size(); ++i)
    assign(m, p.parameters[i], i < arguments.size() ? arguments[i] : 0, number);
  set_initial(m, p.initial, number);
  return number;
}

// A fault in an initial value is ignored: it is no step of the program, so there is nowhere to report it.
void start_program(Memory& m, const Program& program) {
  m.why = Why::nothing;
  m.clear();
  set_initial(m, m.code.initial, 0);
  for (std::uint32_t t = 0; t < program.processes.size(); ++t) {
    const Process& p = program.processes[t];
    const bool runs = p.kind == Process::Kind::proctype || p.kind == Process::Kind::init;
    for (std::uint32_t i = 0; runs && i < p.active; ++i) start_process(m, t, {});
  }
  m.why = Why::nothing;
}

}  // namespace surety::promela
