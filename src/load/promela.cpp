#include "load/promela.hpp"

#include <filesystem>

#include "base/hash.hpp"
#include "lang/promela/machine/machine.hpp"

namespace surety::api {

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

}  // namespace surety::api
