#include "lang/promela/property_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lang/promela/labels.hpp"
#include "lang/promela/promela.hpp"

namespace surety::promela {
namespace {

struct Named {
  std::string name;
  const char* what;
  Place place;
};

std::vector<Named> all_properties(const Program& program) {
  std::vector<Named> out;
  for (const LtlBlock& block : program.formulas) out.push_back({block.name, "an ltl block", block.place});
  for (const Process& p : program.processes)
    if (p.kind == Process::Kind::never) out.push_back({p.name, "a never claim", p.place});
  for (const TraceName& trace : trace_names(program)) {
    const Process& p = program.processes[trace.process];
    const bool labelled = !p.body.empty() && !p.body[0].labels.empty();
    out.push_back({trace.name, p.kind == Process::Kind::trace ? "a trace block" : "a notrace block",
                   labelled ? p.body[0].labels[0].place : p.place});
  }
  std::ranges::stable_sort(out, {}, [](const Named& n) { return n.place.offset; });
  return out;
}

std::string shown(const Source& source, Place place) {
  const Diagnostic at = source.error(place, {}, {});
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

}  // namespace

void check_property_names(const Program& program, const Source& source, Report& report) {
  std::map<std::string, Named> known;
  const std::vector<std::string> labels = label_checks(program);
  for (const Named& property : all_properties(program)) {
    const auto [first, is_new] = known.try_emplace(property.name, property);
    if (!is_new)
      report.error(property.place, fmt::format("there are two properties '{}'", property.name),
                   fmt::format("the first is {} at {}; choose another name", first->second.what,
                               shown(source, first->second.place)));
    else if (property.name == "deadlock")
      report.error(property.place, "'deadlock' is the name of the check for invalid end states", "choose another name");
    else if (std::ranges::find(labels, property.name) != labels.end())
      report.error(property.place,
                   fmt::format("'{}' is the name of the check for labels {}...", property.name, property.name),
                   fmt::format("there is such a label at {}; choose another name",
                               shown(source, find_label(program, property.name)->place)));
  }
}

}  // namespace surety::promela
