#include "lang/promela/promela.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "lang/promela/parser.hpp"
#include "lang/promela/property_names.hpp"

namespace surety {

std::uint32_t promela::Program::find_process(std::string_view name) const {
  const auto found = std::ranges::find_if(processes, [&](const Process& p) {
    return p.name == name && (p.kind == Process::Kind::proctype || p.kind == Process::Kind::init);
  });
  return found == processes.end() ? kNone : static_cast<std::uint32_t>(found - processes.begin());
}

std::vector<promela::TraceName> promela::trace_names(const Program& program) {
  std::vector<TraceName> out;
  int nameless = 0;
  for (std::uint32_t i = 0; i < program.processes.size(); ++i) {
    const Process& p = program.processes[i];
    if (p.kind != Process::Kind::trace && p.kind != Process::Kind::notrace) continue;
    if (!p.body.empty() && !p.body[0].labels.empty())
      out.push_back({p.body[0].labels[0].name, i});
    else
      out.push_back({++nameless == 1 ? p.name : fmt::format("{}_{}", p.name, nameless), i});
  }
  return out;
}

Result<PromelaFile> read_promela(std::string_view text, const std::string& file,
                                 const std::vector<promela::Define>& defines, Budget* budget, bool other_defines) {
  Budget unlimited;
  auto source = promela::preprocess(text, file, defines, budget != nullptr ? *budget : unlimited);
  if (!source) return tl::unexpected(std::move(source.error()));
  auto unknown = promela::unknown_defines(*source, defines);
  if (!unknown.empty() && !other_defines) return tl::unexpected(std::move(unknown));
  for (Diagnostic& d : unknown) d.severity = Severity::warning;
  PromelaFile out;
  out.source = std::make_shared<const promela::Source>(std::move(*source));
  promela::Report report(*out.source, budget);
  auto program = promela::Parser(*out.source, report).run();
  promela::check_property_names(program, *out.source, report);
  if (report.failed()) {
    std::ranges::stable_sort(report.errors(), {},
                             [](const Diagnostic& d) { return std::tuple(d.file, d.line, d.column); });
    return tl::unexpected(std::move(report.errors()));
  }
  const bool nothing = program.processes.empty();
  if (nothing)
    return fail(file_error(file, "the file defines no process", "a process is written active proctype P() { skip }"));
  const auto runs = [](const promela::Process& p) { return p.kind == promela::Process::Kind::init || p.active > 0; };
  if (std::ranges::none_of(program.processes, runs))
    return fail(out.source->error(program.processes[0].place, "no process is ever started",
                                  "write active proctype, or an init that runs it"));
  out.program = std::make_shared<const promela::Program>(std::move(program));
  out.warnings = std::move(unknown);
  std::ranges::move(report.warnings(), std::back_inserter(out.warnings));
  return out;
}

}  // namespace surety
