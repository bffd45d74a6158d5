#include "lsp/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <cstdint>

#include "lsp/refused.hpp"

namespace surety::lsp {
namespace {

constexpr std::size_t kLongest = 500;  // of a name

[[noreturn]] void refuse(const std::string& message) { throw Refused(kInvalidParams, message); }

// Names go to a preprocessor, too: nothing else than a name may be one.
bool is_name(const std::string& name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  return !name.empty() && name.size() <= kLongest && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name, fits);
}

std::vector<FspDefine> read_defines(const Json& json) {
  if (!json.is_object()) refuse("define is an object: names and numbers");
  std::vector<FspDefine> out;
  for (const auto& [name, value] : json.items()) {
    if (!is_name(name)) refuse("define has a name that no constant can have");
    const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= INT_MAX
                                                 : value.is_number_integer() && value.get<std::int64_t>() >= INT_MIN;
    if (!fits) refuse(fmt::format("define: the value of {} is no number that a constant can have", name));
    out.push_back({name, value.get<int>()});
  }
  return out;
}

std::optional<FspCells> read_cells(const Json& json) {
  if (json.is_boolean()) return json.get<bool>() ? std::optional(FspCells{}) : std::nullopt;
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > UINT32_MAX)
    refuse("cells is true, false, or a number of states");
  return FspCells{.whole_states = json.get<std::uint32_t>()};
}

std::vector<std::string> read_lenses(const Json& json) {
  static const std::vector<std::string> kKnown = {"check", "draw", "animate"};
  if (!json.is_array()) refuse("lenses is a list of words");
  std::vector<std::string> out;
  for (const Json& word : json) {
    if (!word.is_string() || std::ranges::find(kKnown, word.get<std::string>()) == kKnown.end())
      refuse(fmt::format("lenses are {}", fmt::join(kKnown, ", ")));
    out.push_back(word.get<std::string>());
  }
  return out;
}

}  // namespace

void read_settings(const Json& json, Settings& settings) {
  if (json.is_null()) return;
  if (!json.is_object()) refuse("settings are an object: define, system, cells");
  Settings next = settings;
  if (json.contains("define"))
    next.defines = json["define"].is_null() ? std::vector<FspDefine>() : read_defines(json["define"]);
  if (json.contains("system")) {
    if (!json["system"].is_null() && !json["system"].is_string()) refuse("system is the name of one");
    next.system = json["system"].is_null() ? "" : json["system"].get<std::string>();
    if (next.system.size() > kLongest) refuse("system is the name of one");
  }
  if (json.contains("cells")) next.cells = json["cells"].is_null() ? std::nullopt : read_cells(json["cells"]);
  if (json.contains("lenses")) next.lenses = json["lenses"].is_null() ? Settings().lenses : read_lenses(json["lenses"]);
  settings = std::move(next);
}

Json to_json(const Settings& settings) {
  Json out{{"define", Json::object()}, {"system", settings.system}, {"cells", settings.cells.has_value()}};
  out["lenses"] = settings.lenses;
  for (const FspDefine& d : settings.defines) out["define"][d.name] = d.value;
  return out;
}

}  // namespace surety::lsp
