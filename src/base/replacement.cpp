#include "base/replacement.hpp"

namespace surety {

std::string replacement_of(const Diagnostic& d) {
  constexpr std::string_view kBegin = "did you mean '", kEnd = "'?";
  const std::string_view hint = d.hint;
  const auto begin = hint.find(kBegin), end = hint.rfind(kEnd);
  if (d.line == 0 || begin == std::string_view::npos || end == std::string_view::npos || end < begin + kBegin.size())
    return {};
  if (d.caret_column == 0 || d.caret_column > d.excerpt.size()) return {};
  // What is underlined may be more than the name, or only the beginning of it.
  const std::string_view word = std::string_view(d.excerpt).substr(d.caret_column - 1, d.length);
  return nearest(word, {std::string(hint.substr(begin + kBegin.size(), end - begin - kBegin.size()))});
}

}  // namespace surety
