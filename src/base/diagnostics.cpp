#include "base/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surety {
namespace {

constexpr std::size_t kExcerptWidth = 100;

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  return "error";
}

// The length of the UTF-8 sequence at the start of text; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  return length;
}

// Fit for a terminal: control characters and broken UTF-8 become '?', tabs blanks.
std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (length == 0 || control)
      out += c == '\t' ? ' ' : '?';
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

// Insertions, deletions, replacements and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

Diagnostic file_error(std::string file, std::string message, std::string hint) {
  Diagnostic d;
  d.file = std::move(file);
  d.message = std::move(message);
  d.hint = std::move(hint);
  return d;
}

Diagnostic error_at(std::string file, std::string_view text, std::size_t offset, std::size_t length,
                    std::string message, std::string hint) {
  offset = std::min(offset, text.size());
  const auto before = text.substr(0, offset);
  const auto newline = before.rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);

  Diagnostic d = file_error(std::move(file), std::move(message), std::move(hint));
  d.line = 1 + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  d.column = offset - begin + 1;

  // A long line is shown as a window around the place.
  const std::size_t skipped =
      d.column > kExcerptWidth / 2 && line.size() > kExcerptWidth ? d.column - kExcerptWidth / 2 : 0;
  d.excerpt = printable(line.substr(std::min(skipped, line.size()), kExcerptWidth));
  d.caret_column = d.column - skipped;
  const std::size_t room = d.excerpt.size() + 1 > d.caret_column ? d.excerpt.size() + 1 - d.caret_column : 1;
  d.length = std::clamp<std::size_t>(length, 1, room);
  return d;
}

tl::unexpected<Diagnostics> fail(Diagnostic diagnostic) { return tl::unexpected(Diagnostics{std::move(diagnostic)}); }

std::string render(const Diagnostic& d) {
  std::string out;
  if (!d.file.empty()) out += printable(d.file) + ":";
  if (d.line != 0) out += fmt::format("{}:{}:", d.line, d.column);
  out += fmt::format("{}{}: {}\n", out.empty() ? "" : " ", word(d.severity), printable(d.message));
  if (d.line != 0) {
    out += fmt::format("  {}\n  {}{}", d.excerpt, std::string(d.caret_column - 1, ' '), std::string(d.length, '^'));
    out += d.hint.empty() ? "\n" : " " + printable(d.hint) + "\n";
  } else if (!d.hint.empty()) {
    out += "  " + printable(d.hint) + "\n";
  }
  return out;
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 200;  // the table of distances is as large as the square
  std::string best;
  if (name.size() > kLongest) return best;
  // Of a single letter any other would be near.
  std::size_t best_distance = name.size() < 2 ? 1 : std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    if (candidate.size() > name.size() + best_distance || name.size() > candidate.size() + best_distance) continue;
    const auto distance = edit_distance(name, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known, std::string_view list) {
  if (const std::string near = nearest(name, known); !near.empty()) return fmt::format("did you mean '{}'?", near);
  return list.empty() || known.empty() ? "" : fmt::format("{}: {}", list, fmt::join(known, ", "));
}

}  // namespace surety
