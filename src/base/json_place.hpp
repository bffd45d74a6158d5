// JSON in, with places: what is wrong in a text is shown as in any other language.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.hpp"

namespace surety {

// What is no JSON is an error with its place.
Result<nlohmann::json> parse_json(std::string_view text, const std::string& file);

// Where the value of this member of the outermost object begins, or of the list that it is this element, in a text that
// is JSON. Where there is no such thing: the beginning of what there is.
std::size_t place_in_json(std::string_view text, std::string_view member, std::optional<std::size_t> element);

}  // namespace surety
