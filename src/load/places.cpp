#include "load/places.hpp"

#include <algorithm>
#include <cctype>

#include "lang/ada/flow/program.hpp"
#include "lang/ada/unit_texts.hpp"
#include "lang/fsp/elaborator.hpp"
#include "lang/promela/labels.hpp"

namespace surety::api {
namespace {

TextPlace in_file(const text::Source& source, text::Place place) {
  Diagnostic d = source.error(place, {});
  return {std::move(d.file), d.line, d.column, d.length};
}

// The place of the definition of that name, if it is in the list.
template <class Definitions>
std::optional<TextPlace> find(const text::Source& source, const Definitions& definitions, std::string_view name) {
  const auto it = std::ranges::find_if(definitions, [&](const auto& d) { return d.name == name; });
  if (it == definitions.end()) return std::nullopt;
  return in_file(source, it->place);
}

// "P" of P(3), P.1 and P[1].
std::string_view plain(std::string_view name) { return name.substr(0, name.find_first_of("(.[")); }

// The definition that a machine is an instance of.
std::string definition_of(const Model& model, std::string_view name) {
  if (model.composite)
    for (const FspMachine& machine : model.composite->machines) {
      if (machine.name != name) continue;
      if (machine.instance) return machine.instance->process;
      if (!machine.definition.empty()) return machine.definition;
    }
  return std::string(plain(name));
}

std::optional<TextPlace> in_fsp(const Model& model, std::string_view name) {
  const fsp::Elaborator& file = model.fsp->elaborator();
  const std::string definition = definition_of(model, name);
  if (auto place = find(file.source(), file.tree().processes, definition)) return place;
  return find(file.source(), file.tree().composites, definition);
}

std::optional<TextPlace> in_promela(const Model& model, std::string_view name) {
  const promela::Source& source = *model.promela->source;
  const promela::Program& program = *model.promela->program;
  const auto is_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  const auto end = std::ranges::find_if_not(name, is_name);
  const std::string_view word(name.begin(), end);
  if (auto place = find(source, program.processes, word)) return place;
  if (auto place = find(source, program.formulas, word)) return place;
  return find(source, program.globals, word);
}

// A task, a variable, a protected object or a queue; of the program the main procedure.
std::optional<TextPlace> in_ada(const Model& model, std::string_view name) {
  const flow::Program& flow = model.ada->flow;
  const auto named = [&](const auto& list) {
    const auto at = std::ranges::find_if(list, [&](const auto& one) { return one.name == name; });
    return at == list.end() ? 0U : at->place;
  };
  std::uint32_t place = named(flow.tasks);
  if (place == 0) place = named(flow.slots);
  if (place == 0) place = named(flow.objects);
  constexpr std::string_view kQueue = ".queue";
  if (place == 0 && name.ends_with(kQueue)) {
    name.remove_suffix(kQueue.size());
    place = named(flow.entries);
  }
  if (place == 0) return std::nullopt;
  TextPlace out = in_file(*model.ada->source, {flow.places[place].offset, flow.places[place].length});
  if (ada::text_of_unit(out.file)) return std::nullopt;  // it is a part of the tool
  return out;
}

// A property that is a file of its own.
std::optional<TextPlace> own_file(const Model& model, std::string_view name) {
  for (const Input& input : model.inputs)
    if (input.name == name && input.role != Input::Role::model) return TextPlace{input.file};
  return std::nullopt;
}

}  // namespace

std::optional<TextPlace> place_of(const Model& model, std::string_view name) {
  if (auto place = own_file(model, name)) return place;
  if (model.fsp) return in_fsp(model, name);
  if (model.promela) return in_promela(model, name);
  if (model.ada) return in_ada(model, name);
  return std::nullopt;
}

std::optional<TextPlace> place_of(const Model& model, CheckKind kind, std::string_view name) {
  if (!has_name(kind) || name.empty()) return std::nullopt;
  if (model.promela)
    for (const auto& trace : promela::trace_names(*model.promela->program))
      if (kind == CheckKind::safety && trace.name == name)
        return in_file(*model.promela->source, model.promela->program->processes[trace.process].place);
  if (!model.fsp || kind == CheckKind::safety) return place_of(model, name);
  const fsp::Elaborator& file = model.fsp->elaborator();
  if (kind == CheckKind::progress) return find(file.source(), file.tree().progress, plain(name));
  return find(file.source(), file.tree().assertions, plain(name));
}

}  // namespace surety::api
