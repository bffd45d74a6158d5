// "We are wrong": internal checks that stay on in release builds.
//
// A failed check throws InternalError, which is caught in one place (the command
// line), where the user is asked to report it. User input never ends here.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace surety {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(const char* what, const std::source_location& where);

inline void check(bool condition, const char* what,
                  const std::source_location& where = std::source_location::current()) {
  if (!condition) [[unlikely]]
    fail_check(what, where);
}

}  // namespace surety
