#include "lang/text/source.hpp"

#include <algorithm>

namespace surety::text {
namespace {

// Where a line of a text begins, from 1; the end of the text if it has no such line.
std::size_t begin_of_line(std::string_view text, std::uint32_t line) {
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < line && at < text.size(); ++i) at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return at;
}

// Of a text that no preprocessor has changed, the line is where the table says: nothing is counted or looked for.
Diagnostic error_as_written(const Source& source, const Source::Line& line, Place place, std::string message,
                            std::string hint) {
  const std::size_t end = std::min(source.text.find('\n', line.begin), source.text.size());
  const std::string_view written = std::string_view(source.text).substr(line.begin, end - line.begin);
  Diagnostic out = error_at(source.files[line.file].name, written, place.offset - line.begin, place.length,
                            std::move(message), std::move(hint));
  out.line = line.line;
  return out;
}

}  // namespace

Source::Source(std::string file, std::string_view content)
    : text(content), lines{{0, 0, 1}}, files{{std::move(file), text}} {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    lines.push_back({at + 1, 0, lines.back().line + 1});
}

std::size_t Source::append(std::string file, std::string_view content) {
  const std::size_t begin = text.size() + 1;
  const auto number = static_cast<std::uint32_t>(files.size());
  text += '\n';
  text += content;
  files.push_back({std::move(file), std::string(content)});
  std::uint32_t line = 1;
  lines.push_back({begin, number, line});
  for (std::size_t at = text.find('\n', begin); at != std::string::npos; at = text.find('\n', at + 1))
    lines.push_back({at + 1, number, ++line});
  return begin;
}

const Source::Line& Source::line_of(Place place) const {
  const auto after = std::ranges::upper_bound(lines, place.offset, {}, &Line::begin);
  return after == lines.begin() ? *after : *(after - 1);
}

Diagnostic Source::error(Place place, std::string message, std::string hint) const {
  const Line& line = line_of(place);
  if (!by_cpp) return error_as_written(*this, line, place, std::move(message), std::move(hint));
  const File& file = files[line.file];
  const std::string_view here = std::string_view(text).substr(line.begin, text.find('\n', line.begin) - line.begin);
  const std::string_view word = std::string_view(text).substr(std::min(place.offset, text.size()), place.length);
  const std::size_t column = place.offset - line.begin;
  const std::size_t begin = begin_of_line(file.text, line.line);
  const std::string_view there = std::string_view(file.text).substr(begin, file.text.find('\n', begin) - begin);

  std::size_t offset = begin + column, length = place.length;
  if (there != here && there.substr(std::min(column, there.size()), length) != word) {  // a macro moved it, or made it
    const auto found = word.empty() ? std::string_view::npos : there.find(word);
    const auto first = std::min(there.find_first_not_of(" \t"), there.size());
    offset = begin + (found == std::string_view::npos ? first : found);
    if (found == std::string_view::npos) length = std::max<std::size_t>(1, there.size() - first);
  }
  Diagnostic out = error_at(file.name, file.text, offset, length, std::move(message), std::move(hint));
  if (file.text.empty()) {
    out.line = line.line;
    out.column = column + 1;
    out.excerpt = here;
    out.caret_column = column + 1;
  }
  return out;
}

}  // namespace surety::text
