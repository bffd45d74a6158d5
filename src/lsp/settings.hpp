// What is said once and holds for every document: constants, the system, cells, the folder that imports stay in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "load/load.hpp"

namespace surety::lsp {

struct Settings {
  std::vector<FspDefine> defines;
  std::string system;  // empty: the last one of the file
  std::optional<FspCells> cells;
  std::vector<std::string> lenses = {"check"};  // which there are: "draw" and "animate", too
};

// Members that are missing stay as they are; null is what they are at first. Throws Refused if one makes no sense.
void read_settings(const Json& json, Settings& settings);
Json to_json(const Settings& settings);

}  // namespace surety::lsp
