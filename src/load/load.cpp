#include "load/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <regex>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/stand_in.hpp"
#include "lang/ada/network.hpp"
#include "lang/aut/read.hpp"
#include "lang/aut/write.hpp"
#include "lang/fsp/elaborator.hpp"
#include "lang/promela/machine/machine.hpp"
#include "load/ada.hpp"
#include "load/qre.hpp"
#include "model/automata.hpp"
#include "model/transform.hpp"

namespace surety::api {
namespace {

std::string ending(const std::string& file) { return std::filesystem::path(file).extension().string(); }

enum class Language { aut, fsp, promela, ada };

// One LTS: as Aldebaran writes it, or as we do.
bool is_lts_file(const std::string& file) { return ending(file) == ".aut" || ending(file) == ".json"; }

std::optional<Language> language_of(const std::string& file, const std::string& said) {
  if (said == "aut" || (said.empty() && is_lts_file(file))) return Language::aut;
  if (said == "fsp" || (said.empty() && (ending(file) == ".lts" || ending(file) == ".fsp"))) return Language::fsp;
  if (said == "promela" || (said.empty() && (ending(file) == ".pml" || ending(file) == ".prom")))
    return Language::promela;
  const std::string last = ending(file);
  if (said == "ada" || (said.empty() && (last == ".adb" || last == ".ads" || last == ".ada"))) return Language::ada;
  return std::nullopt;
}

tl::unexpected<Failure> unknown_language(const std::string& file, const std::string& said) {
  if (said.empty() && is_model_file(file))
    return usage(
        fmt::format("{}: an FSP or Promela file is a system of its own and cannot be a part of another", file));
  if (!said.empty())
    return usage(fmt::format("there is no language '{}'", said), "this version reads: aut, fsp, promela, ada");
  if (file == "-") return usage("standard input needs --language", "for example: --language fsp");
  if (is_qre_file(file))
    return usage(fmt::format("{} has properties and is no model", file), fmt::format("--property {}", file));
  return usage(
      fmt::format("{}: files ending in '{}' cannot be read", file, ending(file)),
      "this version reads .aut or .json, .lts or .fsp, .pml or .prom, and .adb, .ads or .ada; or say --language");
}

struct AutFile {
  Input input;
  Lts lts;
};

Outcome<AutFile> read_aut_file(const Source& source, const std::string& file, ActionTable& actions) {
  auto text = text_of(source, file);
  if (!text) return bad_input(std::move(text.error()));
  auto lts = ending(file) == ".json" ? read_lts_json_text(*text, file, actions) : read_aut(*text, file, actions);
  if (!lts) return bad_input(std::move(lts.error()));
  if (lts->state_count() == 0) return bad_input({file_error(file, "the empty language is no component or property")});
  const std::string name = file == "-" ? "stdin" : std::filesystem::path(file).stem().string();
  return AutFile{{file, sha256_hex(*text), {}, name, Input::Role::component}, std::move(*lts)};
}

// Two files of one name become x and x.2.
template <class Named>
std::string unique_name(const std::vector<Named>& others, const std::string& name) {
  auto taken = [&](const std::string& candidate) {
    return std::any_of(others.begin(), others.end(), [&](const Named& other) { return other.name == candidate; });
  };
  std::string candidate = name;
  for (int i = 2; taken(candidate); ++i) candidate = fmt::format("{}.{}", name, i);
  return candidate;
}

// Why this cannot be a property, if it cannot.
std::optional<Diagnostic> nondeterminism(const Lts& lts, const std::string& file, const ActionTable& actions) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    const auto steps = lts.steps(State{s});
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].action == kTau)
        return file_error(file, fmt::format("a property must be deterministic, but state {} has a tau step", s),
                          "surety compose FILE --minimise trace -o OUT.aut makes a deterministic one");
      if (i > 0 && steps[i].action == steps[i - 1].action)
        return file_error(file,
                          fmt::format("a property must be deterministic, but state {} has several steps '{}'", s,
                                      actions.name(steps[i].action)),
                          "surety compose FILE --minimise trace -o OUT.aut makes a deterministic one");
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> text_of(const std::map<std::string, std::string>& texts, const std::string& file) {
  const std::string* known = stand_in(texts, file);
  return known == nullptr ? read_file(file) : *known;
}

Result<std::string> text_of(const Source& source, const std::string& file) { return text_of(source.texts, file); }

tl::unexpected<Failure> usage(std::string message, std::string hint) {
  return tl::unexpected(Failure{Failure::kUsage, {file_error({}, std::move(message), std::move(hint))}});
}

tl::unexpected<Failure> bad_input(Diagnostics diagnostics) {
  return tl::unexpected(Failure{Failure::kInput, std::move(diagnostics)});
}

tl::unexpected<Failure> stopped_reading(const std::string& file, const std::string& what, const Budget& budget) {
  const auto message = fmt::format("unknown: stopped by {} while reading {}", describe(budget.why()), what);
  return tl::unexpected(Failure{Failure::kStopped, {file_error(file, message)}});
}

void warn_of_free_actions(Model& model, const Property& property, const std::string& file,
                          const Alphabet& environment) {
  const Alphabet all = unite(alphabet_of(model.network), environment);
  std::vector<std::string> candidates = sorted_names(*model.actions, all);
  for (const Action a : subtract(property.lts.alphabet(), all)) {
    const std::string name(model.actions->name(a));
    auto d = file_error(file,
                        fmt::format("no component has the action '{}' of property '{}': it can happen at any time",
                                    name, property.name),
                        did_you_mean(name, candidates));
    d.severity = Severity::warning;
    model.warnings.push_back(std::move(d));
  }
}

std::optional<FspStateName> state_name(const Model& model, std::size_t component, State state) {
  if (model.ada_network) return ada_state_name(model, component, state);
  if (!model.fsp || !model.composite) return std::nullopt;
  for (const FspMachine& machine : model.composite->machines) {  // in the order of the components
    if (machine.property || component-- > 0) continue;
    const auto names = model.fsp->state_names(machine);
    if (names && state.value < names->size()) return (*names)[state.value];
    break;
  }
  return std::nullopt;
}

std::pair<std::string, std::string> file_and_name(const std::string& where) {
  const auto colon = where.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(where)) return {where, ""};
  return {where.substr(0, colon), where.substr(colon + 1)};
}

bool is_model_file(const std::string& file) { return language_of(file, {}).has_value(); }

bool is_fsp_file(const std::string& file, const std::string& language) {
  return language_of(file, language) == Language::fsp;
}

bool is_ada_file(const std::string& file, const std::string& language) {
  return language_of(file, language) == Language::ada;
}

bool is_qre_file(const std::string& file) { return ending(file) == ".qre"; }

bool is_property_file(const std::string& where) {
  const std::string file = file_and_name(where).first;
  return is_model_file(file) || is_qre_file(file);
}

bool is_asked(const std::string& property, const std::string& asked) {
  if (asked.empty() || asked == property) return true;
  if (!asked.starts_with(property + ".")) return false;
  return asked.find_first_not_of("0123456789", property.size() + 1) == std::string::npos;
}

std::vector<std::string> take_property_files(Source& source, const std::vector<std::string>& properties) {
  const bool ada = !source.files.empty() && is_ada_file(source.files[0], source.language);
  const auto is_file = [&](const std::string& name) {
    const std::string file = file_and_name(name).first;
    return is_qre_file(file) || is_model_file(ada ? file : name);  // of an Ada program: FILE.lts:NAME, too
  };
  std::vector<std::string> names;
  for (const auto& name : properties) (is_file(name) ? source.property_files : names).push_back(name);
  return names;
}

namespace {

// Every file is tried, so that one run reports the errors of all.
class AutLoader {
 public:
  AutLoader(Model& model, const Source& source, Budget& budget) : model_(model), source_(source), budget_(budget) {}

  void components() {
    for (const auto& file : source_.files)
      if (auto read = take(file)) {
        read->input.name = unique_name(model_.network.components, read->input.name);
        read->input.language = source_.language;
        model_.network.components.push_back({read->input.name, std::move(read->lts)});
        model_.inputs.push_back(std::move(read->input));
      }
    for (const auto& component : model_.network.components)
      model_.network.name += (model_.network.name.empty() ? "" : " || ") + component.name;
  }

  void properties() {
    for (const auto& where : source_.property_files)
      if (const auto [file, name] = file_and_name(where); is_qre_file(file))
        qre_properties(file, name);
      else
        aut_property(where);
  }

  Failure failure() && { return std::move(failure_); }

 private:
  std::optional<AutFile> take(const std::string& file) {
    auto read = language_of(file, source_.language) == Language::aut || is_lts_file(file)
                    ? read_aut_file(source_, file, *model_.actions)
                    : Outcome<AutFile>(unknown_language(file, source_.language));
    if (read) return std::move(*read);
    refuse(read.error());
    return std::nullopt;
  }

  void aut_property(const std::string& file) {
    auto read = take(file);
    if (!read) return;
    if (auto wrong = nondeterminism(read->lts, file, *model_.actions)) return refuse({Failure::kInput, {*wrong}});
    if (read->lts.error() == read->lts.initial())
      return refuse(
          {Failure::kInput,
           {file_error(file, "a property that begins with its error state is violated before anything happens")}});
    // A step into a state that is marked as ERROR is a violation, and END means nothing here.
    if (read->lts.error() || read->lts.end()) read->lts = monitor(read->lts);
    add(std::move(read->lts), std::move(read->input));
  }

  void qre_properties(const std::string& file, const std::string& name) {
    const auto text = text_of(source_, file);
    if (!text) return refuse({Failure::kInput, text.error()});
    const auto read = read_qre_properties(*text, file, name, budget_);
    if (!read) return refuse(read.error());
    for (const QreProperty& property : *read) {
      std::vector<std::vector<Action>> actions;
      for (const auto& event : property.events) actions.push_back({model_.actions->intern(event)});
      warn_of_missing_end(model_, property);
      add(qre_monitor(property, actions), {file, sha256_hex(*text), {}, property.name, Input::Role::property});
    }
  }

  void add(Lts lts, Input input) {
    input.role = Input::Role::property;
    input.name = unique_name(model_.properties, input.name);
    model_.properties.push_back({input.name, std::move(lts)});
    if (!source_.open) warn_of_free_actions(model_, model_.properties.back(), input.file);
    model_.inputs.push_back(std::move(input));
  }

  // Wrong input says more than wrong usage, and the end of the budget more than both.
  void refuse(const Failure& failure) {
    if (failure_.diagnostics.empty() || failure.status != Failure::kUsage) failure_.status = failure.status;
    failure_.diagnostics.insert(failure_.diagnostics.end(), failure.diagnostics.begin(), failure.diagnostics.end());
  }

  Model& model_;
  const Source& source_;
  Budget& budget_;
  Failure failure_{Failure::kUsage, {}};
};

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

Outcome<void> load_fsp(Model& model, const Source& source, Budget& budget) {
  const std::string& path = source.files[0];
  auto text = text_of(source, path);
  if (!text) return bad_input(std::move(text.error()));
  FspLimits limits;
  limits.cells = source.cells;
  limits.other_defines = source.other_defines;
  auto file =
      read_fsp(*text, path == "-" ? "standard input" : path, *model.actions, source.defines, limits, model.read.get());
  if (!file) {
    Diagnostic note = file_error(path, "names are checked when the text can be read");
    note.severity = Severity::note;
    file.error().push_back(std::move(note));
    return bad_input(std::move(file.error()));
  }
  file->elaborator().texts = source.texts;
  auto system = choose_system(*file, source);
  if (!system) return tl::unexpected(std::move(system.error()));
  auto composite = file->composite(*system, budget);
  if (!composite && budget.why() != Stop::none) return stopped_reading(path, *system, budget);
  if (!composite) return bad_input(all_errors(*file, std::move(composite.error()), budget));

  // Who may still act when the others have ended is asked machine by machine, so no machine may come apart
  // (doc/semantics.md#end-and-deadlock).
  if (source.cells &&
      std::ranges::any_of(composite->machines, [](const FspMachine& m) { return m.lts.end().has_value(); })) {
    Source whole = source;
    whole.cells.reset();
    model.cell_notes = {fmt::format("{} stays whole: a part of it can reach END", *system)};
    return load_fsp(model, whole, budget);
  }
  model.network.name = *system;
  for (const auto& machine : composite->machines) {
    if (machine.property)
      model.properties.push_back({unique_name(model.properties, machine.name), monitor(machine.lts)});
    else
      model.network.components.push_back({unique_name(model.network.components, machine.name), machine.lts});
  }
  model.inputs.push_back({path, sha256_hex(*text), source.language, *system, Input::Role::model});
  for (const Diagnostics& list : {file->warnings(), composite->warnings})
    for (const auto& warning : list)
      if (std::none_of(model.warnings.begin(), model.warnings.end(),
                       [&](const Diagnostic& w) { return render(w) == render(warning); }))
        model.warnings.push_back(warning);
  drop_outside_warnings(model.warnings, *file, *system);
  warn_of_defines(model, *file, path, *system);
  if (source.other_defines) warn_of_other_defines(model, *file, source);
  if (source.cells) model.cell_notes = file->cells();
  if (file->came_apart()) model.cells = source.cells;
  model.fsp = std::make_shared<FspFile>(std::move(*file));
  model.composite = std::make_shared<FspComposite>(std::move(*composite));
  model.defines = source.defines;
  return {};
}

Outcome<void> load_promela(Model& model, const Source& source, Budget& budget) {
  const std::string& path = source.files[0];
  auto text = text_of(source, path);
  if (!text) return bad_input(std::move(text.error()));
  std::vector<promela::Define> defines;
  for (const auto& d : source.defines) defines.push_back({d.name, std::to_string(d.value)});
  const std::string name = path == "-" ? "standard input" : path;
  auto file = read_promela(*text, name, defines, &budget, source.other_defines);
  if (!file && budget.why() != Stop::none) return stopped_reading(name, "it", budget);
  if (!file) return bad_input(std::move(file.error()));
  // What only the machine finds out is said here, whatever method is to come.
  ActionTable unused;
  if (auto machine = PromelaMachine::make(*file, unused); !machine) return bad_input(std::move(machine.error()));
  model.network.name = path == "-" ? "stdin" : std::filesystem::path(path).stem().string();
  model.inputs.push_back({path, sha256_hex(*text), source.language, model.network.name, Input::Role::model});
  model.warnings = file->warnings;
  model.defines = source.defines;
  for (std::size_t i = 1; i < file->source->files.size(); ++i)
    model.read->add(file->source->files[i].name, file->source->files[i].text);
  model.promela = std::make_shared<PromelaFile>(std::move(*file));
  return {};
}

}  // namespace

// FILE.lts:NAME is the system NAME of the file.
static Outcome<Source> with_system(Source source) {
  if (source.files.size() != 1 || stand_in(source.texts, source.files[0]) != nullptr) return source;
  const auto [file, name] = file_and_name(source.files[0]);
  if (name.empty() || language_of(file, source.language) != Language::fsp) return source;
  if (!source.system.empty())
    return usage(fmt::format("the system is given twice: {} and --system {}", source.files[0], source.system),
                 "leave out one of the two");
  source.files[0] = file;
  source.system = name;
  return source;
}

Outcome<Model> load(const Source& said, Budget& budget) {
  const auto with = with_system(said);
  if (!with) return tl::unexpected(with.error());
  const Source& source = *with;
  Model model;
  model.texts = source.texts;
  if (source.actions) model.actions = source.actions;
  if (source.read) model.read = source.read;
  AutLoader loader(model, source, budget);
  const bool fsp = !source.files.empty() && language_of(source.files[0], source.language) == Language::fsp;
  if (fsp) {
    if (source.files.size() > 1)
      return usage("an FSP file is a system of its own; give one at a time", "put the processes into one file");
    if (auto loaded = load_fsp(model, source, budget); !loaded) return tl::unexpected(std::move(loaded.error()));
  } else if (!source.files.empty() && language_of(source.files[0], source.language) == Language::promela) {
    if (source.files.size() > 1)
      return usage("a Promela file is a system of its own; give one at a time", "use #include");
    if (!source.property_files.empty())
      return usage("a Promela program takes no property files", "its properties are in it: trace, never, ltl");
    if (auto loaded = load_promela(model, source, budget); !loaded) return tl::unexpected(std::move(loaded.error()));
  } else if (!source.files.empty() && is_ada_file(source.files[0], source.language)) {
    if (auto loaded = load_ada(model, source, budget); !loaded) return tl::unexpected(std::move(loaded.error()));
    return model;
  } else {
    loader.components();
  }
  loader.properties();
  if (auto failure = std::move(loader).failure(); !failure.diagnostics.empty())
    return tl::unexpected(std::move(failure));
  return model;
}

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
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

// "GO.2" for GO[2], GO( 2 ) and GO.2; nothing if a bracket has no partner.
std::optional<std::string> plain_name(std::string_view name) {
  std::string out;
  char close = 0;  // what the open bracket waits for
  for (const char c : name) {
    const bool opens = c == '[' || c == '(';
    if (opens && close == 0) {
      close = c == '[' ? ']' : ')';
      out += '.';
    } else if (c == ',' && close != 0) {
      out += '.';
    } else if (c == close && close != 0) {
      close = 0;
    } else if (opens || c == ']' || c == ')') {
      return std::nullopt;
    } else if (c != ' ' || close == 0) {
      out += c;
    }
  }
  if (close != 0) return std::nullopt;
  return out;
}

bool is_same_name(std::string_view a, std::string_view b) {
  const auto plain = plain_name(a);
  return plain && plain == plain_name(b);
}

std::vector<const Property*> find_properties(const Model& model, const std::string& name) {
  std::vector<const Property*> found;
  for (const auto& property : model.properties)
    if (is_same_name(property.name, name)) found.push_back(&property);
  if (!found.empty()) return found;
  if (!model.composite) return found;
  std::size_t next = 0;  // properties of the composite come first, in its order
  for (const FspMachine& machine : model.composite->machines)
    if (machine.property)
      if (const Property& property = model.properties[next++]; machine.definition == name) found.push_back(&property);
  return found;
}

const Property* Model::assertions() const {
  if (ada_network) return &ada_network->failures;
  return parts && parts->assertions ? &*parts->assertions : nullptr;
}

Network safety_network(const Model& model) {
  Network network = model.network;
  for (auto& component : network.components) component.lts = without_error(component.lts);
  return network;
}

Network whole_network(const Model& model) {
  if (model.parts) return with_ends(*model.parts, *model.actions);
  Network whole = model.network;
  if (model.composite)
    for (const auto& machine : model.composite->machines)
      if (machine.property) whole.components.push_back({unique_name(whole.components, machine.name), machine.lts});
  return whole;
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

Outcome<void> can_save(const std::string& file, const std::string& format) {
  if (file == "-" && format.empty())
    return usage("standard output needs a format", "say --format aut, dot, json or lts");
  const std::string end = format.empty() ? ending(file) : "." + format;
  if (end == ".aut" || end == ".dot" || end == ".json" || end == ".lts") return {};
  return usage(fmt::format("{}: cannot write a file ending in '{}'", file, end), "use .aut, .dot, .json or .lts");
}

// A name for the process in an .lts file: upper case, made of the file's name.
static std::string process_name(const std::string& file) {
  std::string name;
  for (const char c : std::filesystem::path(file).stem().string())
    name += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                                                        : '_';
  if (name.empty() || !std::isupper(static_cast<unsigned char>(name[0]))) name = "P" + name;
  if (name == "STOP" || name == "END" || name == "ERROR") name += "_";  // these are states
  return name;
}

// What would read back as something else is refused. Pictures are not read.
static Outcome<void> reads_back(const Lts& lts, const ActionTable& actions, const std::string& file,
                                const std::string& end) {
  const std::string why_not = end == ".aut"    ? not_in_aut(lts, actions)
                              : end == ".lts"  ? not_in_fsp(lts, actions)
                              : end == ".json" ? not_in_json(lts, actions)
                                               : "";
  if (why_not.empty()) return {};
  std::vector<const char*> others;
  if (not_in_json(lts, actions).empty()) others.push_back(".json");
  if (not_in_aut(lts, actions).empty()) others.push_back(".aut");
  if (not_in_fsp(lts, actions).empty()) others.push_back(".lts");
  return bad_input({file_error(file, why_not, others.empty() ? "" : fmt::format("use {}", fmt::join(others, " or ")))});
}

std::string saved_text(const Lts& lts, const ActionTable& actions, const std::string& file, const std::string& format) {
  const std::string end = format.empty() ? ending(file) : "." + format;
  const std::string name = file == "-" ? "LTS" : std::filesystem::path(file).stem().string();
  if (end == ".aut") return to_aut(lts, actions);
  if (end == ".dot") return to_dot(lts, actions, name);
  return end == ".lts" ? to_fsp(lts, actions, process_name(name)) : to_json(lts, actions);
}

Outcome<void> save(const Lts& lts, const ActionTable& actions, const std::string& file, const std::string& format) {
  if (auto known = can_save(file, format); !known) return known;
  if (auto ok = reads_back(lts, actions, file, format.empty() ? ending(file) : "." + format); !ok) return ok;
  const std::string text = saved_text(lts, actions, file, format);
  if (file == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
    return bad_input({file_error("standard output", "cannot be written")});
  }
  auto written = write_file(file, text);
  if (!written) return bad_input(std::move(written.error()));
  return {};
}

}  // namespace surety::api
