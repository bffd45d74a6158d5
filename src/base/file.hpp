// Reading whole files, and writing them all or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.hpp"

namespace surety {

// "-" is standard input.
Result<std::string> read_file(const std::string& path);

// Writes to a temporary file beside `path` and renames it: half a file is never seen.
Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace surety
