#include "load/language.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace surety::api {

std::string ending(const std::string& file) { return std::filesystem::path(file).extension().string(); }

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

}  // namespace surety::api
