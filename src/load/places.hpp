// Where in its files a model says something: for editors, pages and reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "load/load.hpp"
#include "model/check_kind.hpp"

namespace surety::api {

struct TextPlace {
  std::string file;
  std::uint64_t line = 0;  // from 1; 0: the file as a whole
  std::uint64_t column = 0, length = 0;
};

// Of a process, composite, component or property by its name in the model: where the name is defined.
std::optional<TextPlace> place_of(const Model& model, std::string_view name);

// Of what is checked: a property, a progress set, an assertion, a formula or a claim. What is true of every system,
// like freedom from deadlock, is written nowhere.
std::optional<TextPlace> place_of(const Model& model, CheckKind kind, std::string_view name);

}  // namespace surety::api
