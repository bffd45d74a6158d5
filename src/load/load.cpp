#include "load/load.hpp"

#include <fmt/format.h>

#include "base/file.hpp"
#include "base/stand_in.hpp"
#include "lang/ada/network/network.hpp"
#include "load/ada.hpp"
#include "load/aut.hpp"
#include "load/fsp.hpp"
#include "load/language.hpp"
#include "load/promela.hpp"
#include "load/unique_name.hpp"
#include "model/transform.hpp"

namespace surety::api {

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

namespace {

// FILE.lts:NAME is the system NAME of the file.
Outcome<Source> with_system(Source source) {
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

Outcome<void> load_system(Model& model, const Source& source, Budget& budget) {
  const auto language = source.files.empty() ? std::nullopt : language_of(source.files[0], source.language);
  switch (language.value_or(Language::aut)) {  // an unknown one is refused file by file
    case Language::aut: return load_aut(model, source, budget);
    case Language::ada: return load_ada(model, source, budget);
    case Language::fsp:
      if (source.files.size() > 1)
        return usage("an FSP file is a system of its own; give one at a time", "put the processes into one file");
      if (auto loaded = load_fsp(model, source, budget); !loaded) return loaded;
      return load_property_files(model, source, budget);
    case Language::promela:
      if (source.files.size() > 1)
        return usage("a Promela file is a system of its own; give one at a time", "use #include");
      if (!source.property_files.empty())
        return usage("a Promela program takes no property files", "its properties are in it: trace, never, ltl");
      return load_promela(model, source, budget);
  }
  return {};
}

}  // namespace

Outcome<Model> load(const Source& said, Budget& budget) {
  const auto source = with_system(said);
  if (!source) return tl::unexpected(source.error());
  Model model;
  model.texts = source->texts;
  if (source->actions) model.actions = source->actions;
  if (source->read) model.read = source->read;
  if (auto loaded = load_system(model, *source, budget); !loaded) return tl::unexpected(std::move(loaded.error()));
  return model;
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

}  // namespace surety::api
