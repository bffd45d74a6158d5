#include "load/assumption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "lang/aut/read.hpp"
#include "load/fsp_beside.hpp"
#include "model/automata.hpp"

namespace surety::api {
namespace {

Outcome<Lts> read_process(const std::string& text, const std::string& file, const std::string& name,
                          const Model& model) {
  // What is defined for the model need not be a constant of this file.
  FspLimits limits;
  limits.other_defines = true;
  auto fsp = read_fsp_beside(text, file, *model.actions, model.defines, model.texts, limits);
  if (!fsp) return bad_input(std::move(fsp.error()));
  const auto names = fsp->processes();
  if (names.empty()) return bad_input({file_error(file, "there is no process in this file")});
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
    return bad_input(
        {file_error(file, fmt::format("there is no process '{}' in this file", name), did_you_mean(name, names))});
  auto process = fsp->process(name.empty() ? names.back() : name);
  if (!process) return bad_input(std::move(process.error()));
  return std::move(process->lts);
}

}  // namespace

Outcome<Lts> read_assumption(const std::string& where, const Model& model) {
  const auto parts = file_and_name(where);
  const std::string &file = parts.first, &name = parts.second;
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".aut" && ending != ".json" && ending != ".lts" && ending != ".fsp")
    return usage(fmt::format("{}: an assumption cannot be read from a file ending in '{}'", file, ending),
                 "use .aut, .json, or .lts with the name of a process: FILE.lts:NAME");
  if (!name.empty() && (ending == ".aut" || ending == ".json"))
    return usage(fmt::format("{} holds one LTS and no names", file), "leave out ':" + name + "'");
  auto text = text_of(model.texts, file);
  if (!text) return bad_input(std::move(text.error()));
  Outcome<Lts> lts = [&]() -> Outcome<Lts> {
    if (ending == ".lts" || ending == ".fsp") return read_process(*text, file, name, model);
    auto read =
        ending == ".aut" ? read_aut(*text, file, *model.actions) : read_lts_json_text(*text, file, *model.actions);
    if (!read) return bad_input(std::move(read.error()));
    return std::move(*read);
  }();
  if (!lts) return lts;
  if (lts->state_count() == 0) return lts;  // the empty language
  return monitor(*lts);
}

}  // namespace surety::api
