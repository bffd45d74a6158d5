// Standard units that tasks synchronise by: they are read as Ada text, as if it stood in a file.
#pragma once

#include <optional>
#include <string_view>

namespace surety::ada {

// Specification and body, or nothing: there is no such text.
std::optional<std::string_view> text_of_unit(std::string_view unit);

}  // namespace surety::ada
