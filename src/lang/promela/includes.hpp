// What a text, and what it includes, would have cpp read: refused, where this process stays below a folder
// (base/beneath.hpp), if it lies elsewhere. cpp itself reads whatever the user can.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.hpp"

namespace surety::promela {

// Errors at the lines of `text`. Nothing is wrong: none.
Diagnostics includes_that_lead_out(std::string_view text, const std::string& file);

}  // namespace surety::promela
