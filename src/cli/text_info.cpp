// What info lists: processes, composites, constants; of a program its parts, and what is never reached.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/text.hpp"
#include "cli/text_lines.hpp"
#include "inspect/ada_info.hpp"

namespace surety::cli {
namespace {

constexpr std::size_t kShowParts = 30;  // components and globals of a program; of more, only the first ones

// Where a global of a program went, and why.
std::string shown(const PromelaGlobal& global) {
  using Why = PromelaGlobal::Why;
  if (global.why == Why::constant) return "a constant: no process writes it";
  const std::string users = fmt::format("{}", fmt::join(global.users, ", "));
  if (global.why == Why::smaller)
    return fmt::format("in {}; in one with {} it has {} states and steps, {} apart", global.component, users,
                       grouped(global.together), grouped(global.apart));
  std::string out = fmt::format("a component of its own, {}; ", plural(global.states, "state"));
  switch (global.why) {
    case Why::everybody: return out + "every process uses it, and one component would leave nothing to prove by parts";
    case Why::fails: return out + fmt::format("in one with {} it could reach an error", users);
    case Why::effort:
      return out + fmt::format("in one with {} it was too much to try ({} states and steps apart)", users,
                               grouped(global.apart));
    default:
      return out + fmt::format("in one with {} it would have {} states and steps or more, as many as apart", users,
                               grouped(global.apart));
  }
}

// The network of a program, or what is in its way.
void show_parts(std::string& out, const api::Info& info, const Style& style) {
  if (info.why != Stop::none) return line(out, "  not taken apart: stopped by {}", describe(info.why));
  if (const auto& d = info.not_apart) return line(out, "  {} ({}:{}:{})", d->message, d->file, d->line, d->column);
  const auto list = [&](const auto& all, const char* what, const auto& show) {
    const std::size_t count = (style.detail > 0) ? all.size() : std::min(all.size(), kShowParts);
    for (std::size_t i = 0; i < count; ++i) show(all[i]);
    if (count < all.size()) line(out, "  ... ({} in all, -vv shows them)", plural(all.size(), what));
  };
  list(info.processes, "component", [&](const api::Info::Process& p) {
    line(out, "  component {}: {}, {}, {}{}", p.name, plural(p.lts.state_count() - (p.lts.error() ? 1 : 0), "state"),
         plural(p.lts.transition_count(), "transition"), plural(p.lts.alphabet().size(), "action"),
         p.lts.error() ? ", can fail" : "");
  });
  list(info.model.parts->globals, "global",
       [&](const PromelaGlobal& g) { line(out, "  global {}: {}", g.name, shown(g)); });
}

void show_unreached(std::string& out, const api::Unreached& unreached) {
  if (unreached.why != Stop::none)
    return line(out, "  unreached: unknown, stopped by {} after {}", describe(unreached.why),
                plural(unreached.states, "state"));
  if (unreached.lines.empty()) return line(out, "  unreached: nothing, in {}", plural(unreached.states, "state"));
  line(out, "  unreached, in {}:", plural(unreached.states, "state"));
  for (const auto& each : unreached.lines)
    line(out, "    {}{}: {}", each.process, each.line == 0 ? "" : fmt::format(", line {}", each.line), each.statement);
}

void show_flow(std::string& out, const api::FlowInfo& flow) {
  for (const auto& task : flow.tasks)
    line(out, "  flow graph of {}: {}, {} after refinement", task.name, plural(task.nodes, "node"), task.refined);
  line(out, "  trace flow graph: {}, {} ({} between tasks), {} of points together", plural(flow.nodes, "node"),
       plural(flow.edges, "edge"), flow.mip, plural(flow.pairs, "pair"));
  line(out, "  constraints: {} of {}",
       flow.constraints.empty() ? "none" : fmt::format("{}", fmt::join(flow.constraints, ", ")),
       fmt::join(flow.candidates, ", "));
}

}  // namespace

std::string to_text(const api::Info& info, const Style& style) {
  std::string out;
  const bool program = info.model.promela != nullptr;
  if (program)
    line(out, "program {}", info.model.network.name);
  else
    line(out, "system {}: {}", info.model.network.name, plural(info.model.network.components.size(), "component"));
  for (const auto& part : info.parts)
    part.kind == "proctypes" ? line(out, "  process {}: {}", part.name, part.about) : line(out, "  {}", part.about);
  if (info.model.ada)
    for (const std::string& about : api::ada_info_lines(info.model)) line(out, "  {}", about);
  for (const auto& process : info.processes) {
    if (program && !process.property) continue;  // a component, see below
    const Lts& lts = process.lts;
    line(out, "  {} {}: {}, {}, {}{}", process.property ? "property" : "process", process.name,
         plural(lts.state_count() - (lts.error() ? 1 : 0), "state"), plural(lts.transition_count(), "transition"),
         is_deterministic(lts) ? "deterministic" : "nondeterministic",
         lts.error() && !process.property ? ", has ERROR" : "");
    line(out, "    alphabet {{{}}}", fmt::join(sorted_names(*info.model.actions, lts.alphabet()), ", "));
  }
  if (info.model.fsp)
    for (const auto& composite : info.composites)
      line(out, "  composite {}: {}", composite.name, fmt::join(names_of(composite.machines), ", "));
  auto list = [&](const char* name, const std::vector<std::string>& names) {
    if (!names.empty()) line(out, "  {} {}", name, fmt::join(names, ", "));
  };
  if (program) list("trace assertions", info.properties);
  list("progress", info.progress);
  list("assertions", info.assertions);
  for (const auto& [name, value] : info.constants)
    if (const auto* label = std::get_if<std::string>(&value))
      line(out, "  const {} = '{}", name, *label);
    else
      line(out, "  const {} = {}", name, std::get<int>(value));
  if (program) show_parts(out, info, style);
  if (info.flow) show_flow(out, *info.flow);
  if (info.unreached) show_unreached(out, *info.unreached);
  return out;
}

}  // namespace surety::cli
