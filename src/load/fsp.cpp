#include "load/fsp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "lang/fsp/elaborator.hpp"
#include "load/unique_name.hpp"
#include "model/automata.hpp"
#include "model/transform.hpp"

namespace surety::api {
namespace {

Outcome<std::string> choose_system(const FspFile& file, const Source& source) {
  auto names = file.composites();
  if (names.empty()) return bad_input({file_error(source.files[0], "there is nothing to run in this file")});
  if (source.system.empty()) return names.back();
  const auto processes = file.processes();
  names.insert(names.end(), processes.begin(), processes.end());
  const std::string name = source.system.substr(0, source.system.find('('));  // "DINERS(3)"
  const std::string values = source.system.substr(name.size());
  static const std::regex numbers(R"(\(-?[0-9]{1,9}(,-?[0-9]{1,9})*\))");
  if (!values.empty() && !std::regex_match(values, numbers))
    return usage(fmt::format("'{}': parameters are numbers", source.system), fmt::format("for example: {}(3)", name));
  if (std::find(names.begin(), names.end(), name) != names.end()) return source.system;
  return usage(fmt::format("there is no composite or process '{}'", name), did_you_mean(name, names, "there are"));
}

// Every definition is tried, so that one run reports what is wrong with each.
Diagnostics all_errors(const FspFile& file, Diagnostics errors, const Budget& whole) {
  const auto add = [&](const auto& result) {
    if (result) return;
    for (const Diagnostic& d : result.error())
      if (std::none_of(errors.begin(), errors.end(), [&](const Diagnostic& e) { return render(e) == render(d); }))
        errors.push_back(d);
  };
  Limits limits = whole.rest();
  const std::chrono::nanoseconds patience = std::chrono::seconds(1);  // sub-composites may have to be composed
  limits.time = std::min(patience, limits.time.value_or(patience));
  Budget budget(limits, whole.interrupt_flag());
  for (const auto& name : file.processes()) {
    const auto process = file.process(name, &budget);
    if (budget.why() == Stop::none) add(process);
  }
  for (const auto& name : file.composites()) {
    const auto composite = file.composite(name, budget);
    if (budget.why() == Stop::none) add(composite);
  }
  add(file.progress());
  add(file.fluents());
  for (const auto& name : file.assertions()) add(file.assertion(name));
  std::stable_sort(errors.begin(), errors.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return errors;
}

// A process or property that is asked for is not forgotten.
void drop_outside_warnings(Diagnostics& warnings, const FspFile& file, const std::string& asked) {
  for (const Diagnostic& d : file.outside_warnings(asked.substr(0, asked.find_first_of("([."))))
    std::erase_if(warnings, [&](const Diagnostic& w) { return render(w) == render(d); });
}

void warn_of_defines(Model& model, const FspFile& file, const std::string& path, const std::string& system) {
  for (const auto& name : file.defines_without_effect()) {
    auto d =
        file_error(path, fmt::format("--define {} has no effect on {}", name, system),
                   fmt::format("{} is a parameter of a composite that is no part of it, or is given a value", name));
    d.severity = Severity::warning;
    model.warnings.push_back(std::move(d));
  }
}

Diagnostic define_without_effect(const std::string& path, const std::string& name, std::string hint) {
  auto d = file_error(path, fmt::format("the define {} has no effect", name), std::move(hint));
  d.severity = Severity::warning;
  return d;
}

// Of those that nothing in the file has: they are only looked for where they may miss.
void warn_of_other_defines(Model& model, const FspFile& file, const Source& source) {
  const fsp::Tree& tree = file.elaborator().tree();
  std::vector<std::string> known = names_of(tree.constants);
  for (const auto& composite : tree.composites)
    for (const auto& parameter : composite.parameters) known.emplace_back(parameter.name);
  for (const FspDefine& d : source.defines)
    if (std::ranges::find(known, d.name) == known.end())
      model.warnings.push_back(
          define_without_effect(source.files[0], d.name, did_you_mean(d.name, known, "there are")));
}

Result<FspFile> read(const std::string& text, Model& model, const Source& source, Budget& budget) {
  const std::string& path = source.files[0];
  FspLimits limits;
  limits.cells = source.cells;
  limits.other_defines = source.other_defines;
  auto file = read_fsp(text, path == "-" ? "standard input" : path, *model.actions, source.defines, limits,
                       model.read.get(), &budget);
  if (!file) {
    Diagnostic note = file_error(path, "names are checked when the text can be read");
    note.severity = Severity::note;
    file.error().push_back(std::move(note));
    return file;
  }
  file->elaborator().texts = source.texts;
  return file;
}

// Who may still act when the others have ended is asked machine by machine, so no machine may come apart
// (doc/semantics.md#end-and-deadlock).
bool must_stay_whole(const FspComposite& composite) {
  return std::ranges::any_of(composite.machines, [](const FspMachine& m) { return m.lts.end().has_value(); });
}

void take_machines(Model& model, const FspComposite& composite) {
  for (const auto& machine : composite.machines) {
    if (machine.property)
      model.properties.push_back({unique_name(model.properties, machine.name), monitor(machine.lts)});
    else
      model.network.components.push_back({unique_name(model.network.components, machine.name), machine.lts});
  }
}

void take_warnings(Model& model, const FspFile& file, const FspComposite& composite, const Source& source) {
  const std::string& system = model.network.name;
  std::set<std::string> seen;
  for (const Diagnostic& warning : model.warnings) seen.insert(render(warning));
  for (const Diagnostics& list : {file.warnings(), composite.warnings})
    for (const auto& warning : list)
      if (seen.insert(render(warning)).second) model.warnings.push_back(warning);
  drop_outside_warnings(model.warnings, file, system);
  warn_of_defines(model, file, source.files[0], system);
  if (source.other_defines) warn_of_other_defines(model, file, source);
}

}  // namespace

Outcome<void> load_fsp(Model& model, const Source& source, Budget& budget) {
  const std::string& path = source.files[0];
  auto text = text_of(source, path);
  if (!text) return bad_input(std::move(text.error()));
  auto file = read(*text, model, source, budget);
  if (!file && budget.why() != Stop::none) return stopped_reading(path, "it", budget);
  if (!file) return bad_input(std::move(file.error()));
  auto system = choose_system(*file, source);
  if (!system) return tl::unexpected(std::move(system.error()));
  auto composite = file->composite(*system, budget);
  if (!composite && budget.why() != Stop::none) return stopped_reading(path, *system, budget);
  if (!composite) return bad_input(all_errors(*file, std::move(composite.error()), budget));
  if (source.cells && must_stay_whole(*composite)) {
    Source whole = source;
    whole.cells.reset();
    model.cell_notes = {fmt::format("{} stays whole: a part of it can reach END", *system)};
    return load_fsp(model, whole, budget);
  }
  model.network.name = *system;
  take_machines(model, *composite);
  take_warnings(model, *file, *composite, source);
  model.inputs.push_back({path, sha256_hex(*text), source.language, *system, Input::Role::model});
  if (source.cells) model.cell_notes = file->cells();
  if (file->came_apart()) model.cells = source.cells;
  model.fsp = std::make_shared<FspFile>(std::move(*file));
  model.composite = std::make_shared<FspComposite>(std::move(*composite));
  model.defines = source.defines;
  return {};
}

// ---- properties outside of the system

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// A composite that is a property, as one LTS.
Outcome<Lts> property_composite(const Model& model, const std::string& name, Budget& budget) {
  const std::string& file = model.inputs[0].file;
  if (name == model.network.name)
    return usage(fmt::format("'{}' is the system, and no property of it", name),
                 "say which composite it is a property of: --system NAME");
  auto composite = model.fsp->composite(name, budget);
  auto lts = composite ? compose_fsp(*composite, budget) : std::nullopt;
  if (budget.why() != Stop::none)
    return tl::unexpected(Failure{Failure::kStopped,
                                  {file_error(file, fmt::format("unknown: stopped by {} while composing property {}",
                                                                describe(budget.why()), name))}});
  if (!lts) return bad_input(std::move(composite.error()));
  if (lts->error() == lts->initial())
    return bad_input({file_error(file, fmt::format("property {} is violated before anything happens", name))});
  return std::move(*lts);
}

// As LTSA reads a name: a process first.
Outcome<Lts> outside_property(const Model& model, const std::string& name, Budget& budget) {
  if (contains(model.fsp->processes(), name)) {
    auto process = model.fsp->process(name, &budget);
    if (!process && budget.why() != Stop::none) return stopped_reading(model.inputs[0].file, name, budget);
    if (!process) return bad_input(std::move(process.error()));
    if (process->property) return std::move(process->lts);
  }
  return property_composite(model, name, budget);
}

}  // namespace

Outcome<void> add_outside_properties(Model& model, const std::vector<std::string>& names, Budget* budget) {
  if (!model.fsp) return {};
  Budget unlimited;
  for (const auto& name : names) drop_outside_warnings(model.warnings, *model.fsp, name);
  for (const auto& name : names) {
    if (!contains(model.fsp->properties(), name) || !find_properties(model, name).empty()) continue;
    auto machine = outside_property(model, name, budget != nullptr ? *budget : unlimited);
    if (!machine) return tl::unexpected(std::move(machine.error()));
    model.properties.push_back({name, monitor(*machine)});
  }
  return {};
}

Lts monitor(const Lts& machine) {
  const Lts complete = is_deterministic(machine) ? machine : determinise(machine);
  LtsBuilder builder;
  builder.add_to_alphabet(complete.alphabet());
  builder.set_state_count(complete.state_count());
  for (std::uint32_t s = 0; s < complete.state_count(); ++s)
    for (const Step& step : complete.steps(State{s}))
      if (complete.error() != step.target) builder.add_step(State{s}, step.action, step.target);
  return reachable(builder.build());
}

}  // namespace surety::api
