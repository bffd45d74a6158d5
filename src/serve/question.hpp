// What a page asks, as JSON.
#pragma once

#include <string_view>

#include "base/json.hpp"

namespace surety::serve {

// Throws Trouble, or what the reader of JSON throws, if it is none (http.cpp has the replies).
Json read_question(std::string_view body);

}  // namespace surety::serve
