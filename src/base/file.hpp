// Reading whole files, and writing them all or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.hpp"

namespace surety {

// "-" is standard input. Where this process stays below a folder, what lies elsewhere cannot be read
// (base/beneath.hpp).
Result<std::string> read_file(const std::string& path);

// All bytes, however often the system has to be asked. False: it could not; errno says why.
bool write_all(int fd, std::string_view bytes);

// Whether write_file could begin: for what is written only when long work is done.
Result<void> can_write(const std::string& path);

// Writes to a temporary file beside `path` and renames it: half a file is never seen.
Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace surety
