#include "base/check.hpp"

#include <fmt/format.h>

#include <string_view>

namespace surety {

void fail_check(const char* what, const std::source_location& where) {
  std::string_view file = where.file_name();
  if (auto src = file.rfind("src/"); src != std::string_view::npos) file.remove_prefix(src);
  throw InternalError(fmt::format("{} ({}:{})", what, file, where.line()));
}

}  // namespace surety
