#include "cli/options.hpp"

#include <charconv>

namespace surety::cli {

std::optional<FspDefine> parse_define(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) return std::nullopt;
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return FspDefine{text.substr(0, equals), value};
}

std::optional<FspDefine> parse_sizes(const std::string& text) {
  if (!text.ends_with("..")) return std::nullopt;
  return parse_define(text.substr(0, text.size() - 2));
}

}  // namespace surety::cli
