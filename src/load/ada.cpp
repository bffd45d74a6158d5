#include "load/ada.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/hash.hpp"
#include "base/stand_in.hpp"
#include "lang/ada/unit_texts.hpp"
#include "load/ada_properties.hpp"

namespace surety::api {
namespace {

// The tasks whose own variables are components.
std::vector<std::string> notes_of_cells(const AdaNetwork& network) {
  std::map<std::size_t, std::size_t> variables;
  for (const AdaNetwork::Part& part : network.parts)
    if (part.kind == AdaNetwork::Part::Kind::variable && part.task) ++variables[*part.task];
  std::vector<std::string> out;
  for (const auto& [task, count] : variables)
    out.push_back(fmt::format("{} and {} of its own", network.tasks[task].name,
                              count == 1 ? "1 variable" : fmt::format("{} variables", count)));
  return out;
}

// Nothing: there is no such file. Units are looked for beside the file that names them.
std::optional<std::string> content_of(const Source& source, const std::string& file) {
  const bool stands_in = stand_in(source.texts, file) != nullptr;
  if (!stands_in && file != "-" && !std::filesystem::exists(file)) return std::nullopt;
  auto text = text_of(source, file);
  if (!text) return std::nullopt;
  return std::move(*text);
}

Outcome<AdaProgram> read_program(const Source& source, Budget& budget) {
  for (const auto& file : source.files)
    if (auto text = text_of(source, file); !text) return bad_input(std::move(text.error()));
  std::vector<AdaDefine> defines;
  for (const auto& d : source.defines) defines.push_back({d.name, d.value, source.other_defines});
  const auto read = [&](const std::string& file) { return content_of(source, file); };
  auto program = read_ada(source.files, read, defines, source.system, &budget);
  if (!program && budget.why() != Stop::none) return stopped_reading(source.files[0], "it", budget);
  if (!program) return bad_input(std::move(program.error()));
  return std::move(*program);
}

void take_files(Model& model, const Source& source) {
  for (const auto& file : model.ada->source->files) {
    if (ada::text_of_unit(file.name)) continue;  // it is a part of the tool
    const bool given = std::ranges::find(source.files, file.name) != source.files.end();
    if (given)
      model.inputs.push_back(
          {file.name, sha256_hex(file.text), source.language, model.network.name, Input::Role::model});
    else
      model.read->add(file.name, file.text);
  }
}

}  // namespace

Outcome<void> load_ada(Model& model, const Source& source, Budget& budget) {
  auto program = read_program(source, budget);
  if (!program) return tl::unexpected(std::move(program.error()));
  model.ada = std::make_shared<AdaProgram>(std::move(*program));
  AdaNetworkOptions options;
  if (source.cells) options = {.own = AdaOwnVariables::apart, .whole_states = source.cells->whole_states};
  options.group = source.group;
  auto network = ada_network(*model.ada, *model.actions, budget, options);
  if (!network && budget.why() != Stop::none) return stopped_reading(source.files[0], "the program", budget);
  if (!network) return bad_input({std::move(network.error())});
  model.grouped = network->grouped.has_value();
  model.network = model.grouped ? std::move(*network->grouped) : network->network;
  network->grouped.reset();  // its groups say what they are made of
  model.warnings = model.ada->warnings;
  model.warnings.insert(model.warnings.end(), network->warnings.begin(), network->warnings.end());
  model.defines = source.defines;
  model.cell_notes = notes_of_cells(*network);
  if (!model.cell_notes.empty()) model.cells = source.cells;
  model.ada_network = std::make_shared<AdaNetwork>(std::move(*network));
  take_files(model, source);
  return load_ada_properties(model, source, budget);
}

}  // namespace surety::api
