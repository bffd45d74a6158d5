#include "lang/fsp/front/unused.hpp"

#include <fmt/format.h>

#include <set>

namespace surety::fsp {
namespace {

using Names = std::set<std::string_view>;

void collect(const CompositeBody& body, Names& names) {
  if (body.form == CompositeBody::Form::reference) names.insert(body.call.name);
  for (const CompositeBody& part : body.parts) collect(part, names);
}

void collect(const Body& body, Names& names) {
  for (const Call& call : body.sequence) names.insert(call.name);
  for (const Choice& choice : body.choices) collect(*choice.next, names);
  for (const Body* part : {body.then_part.get(), body.else_part.get()})
    if (part != nullptr) collect(*part, names);
}

void collect(const Formula& formula, Names& names) {
  if (formula.op == Formula::Op::name) names.insert(formula.name);
  for (const Formula& operand : formula.operands) collect(operand, names);
}

template <class Map>
void warn(const Map& map, const char* what, Report& report) {
  for (const auto& [name, entry] : map)
    if (!entry.used) report.warning(entry.place, fmt::format("{} {} is never used", what, name));
}

Names used_names(const Tree& tree) {
  Names names;
  for (const auto& c : tree.composites) collect(c.body, names);
  for (const auto& p : tree.processes)
    for (const auto& local : p.locals) collect(local.body, names);
  return names;
}

// In a file without composites every process runs. `is_meant` says which of them are looked at.
template <class IsMeant>
void warn_about_processes(const Tree& tree, Report& report, const IsMeant& is_meant) {
  const Names names = used_names(tree);
  for (const auto& p : tree.processes)
    if (!tree.composites.empty() && !names.contains(p.name) && is_meant(p.name))
      report.warning(p.place, fmt::format("{} {} is part of no composite", p.property ? "property" : "process", p.name),
                     p.property ? fmt::format("it is checked only if it is named: --property {}", p.name) : "");
  for (const auto& c : tree.composites)
    if (c.property && !names.contains(c.name) && is_meant(c.name) &&
        &c != &tree.composites.back())  // the last one is the system
      report.warning(c.place, fmt::format("property {} is part of no composite", c.name),
                     fmt::format("it is checked only if it is named: --property {}", c.name));
}

void warn_about_constraints(const Tree& tree, Report& report) {
  const Names names = used_names(tree);
  for (const auto& a : tree.assertions)
    if (a.constraint && !names.contains(a.name))
      report.warning(a.place, fmt::format("constraint {} is part of no composite", a.name));
}

void warn_about_fluents(const Tree& tree, Report& report) {
  Names names;
  for (const auto& a : tree.assertions) collect(a.formula, names);
  for (const auto& f : tree.fluents)
    if (!names.contains(f.name)) report.warning(f.place, fmt::format("fluent {} is never used", f.name));
}

}  // namespace

void warn_about_unused(const Tree& tree, Report& report) {
  warn(tree.constants, "constant", report);
  warn(tree.ranges, "range", report);
  warn(tree.sets, "set", report);
  warn_about_processes(tree, report, [](std::string_view) { return true; });
  warn_about_constraints(tree, report);
  warn_about_fluents(tree, report);
}

void warn_if_outside(const Tree& tree, std::string_view name, Report& report) {
  warn_about_processes(tree, report, [&](std::string_view other) { return other == name; });
}

}  // namespace surety::fsp
