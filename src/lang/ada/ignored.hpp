// Pragmas and aspects that mean nothing here, and those that must not be ignored.
#pragma once

#include <string>
#include <string_view>

namespace surety::ada {

// Known, or worth a note. Names are in lower case.
bool is_known_pragma(std::string_view name);
bool is_known_aspect(std::string_view name);
// Why a program with this aspect would be misread; empty: it would not.
std::string why_aspect_is_refused(std::string_view name);

}  // namespace surety::ada
