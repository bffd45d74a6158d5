// Opening what lies below a folder, and nothing else: for those who read on behalf of somebody else.
//
// The kernel refuses `..`, absolute paths and links that lead out (openat2), so nobody can exchange a folder for a link
// between a look and an opening.
#pragma once

#include <string>

#include "base/diagnostics.hpp"

namespace surety {

// As open(); `name` is the whole path of the folder, which is needed where the kernel does not have the call. Of what
// leads out errno is EXDEV, or ELOOP.
int open_beneath(int folder, const std::string& name, const std::string& path, int flags);

// From now on this process reads files below this folder only (base/file.hpp). It cannot be taken back.
Result<void> stay_beneath(const std::string& folder);
// Whether that was said.
bool stays_beneath();
// A path as this process would open it, opened in that way. Only if it stays somewhere.
int open_where_we_stay(const std::string& path, int flags);

}  // namespace surety
