// What is said of files of which none is a program. In an editor a package alone is no mistake.
#pragma once

namespace surety::ada {

inline constexpr const char* kNoMain = "there is no main procedure: a library procedure without parameters";

}  // namespace surety::ada
