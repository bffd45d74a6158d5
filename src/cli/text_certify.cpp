// What certify says of a certificate: accepted or refused, and what it is about.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/text.hpp"
#include "cli/text_lines.hpp"

namespace surety::cli {
namespace {

// A certificate may come from anywhere, and its names from it: nothing of them may look like a line of ours.
std::string plain(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '?';
  return text;
}

std::string shown(std::string_view kind, const std::string& property) {
  return plain(fmt::format("{}{}{}", kind, property.empty() ? "" : " ", property));
}

std::string role(const api::Input& input) {
  using Role = api::Input::Role;
  const char* what = input.role == Role::component ? "component" : input.role == Role::property ? "property" : "system";
  return fmt::format("{} {}{}", what, input.name, input.language.empty() ? "" : ", read as " + input.language);
}

// All that the certificate is bound to.
void show_statement(std::string& out, const api::Statement& about) {
  for (const auto& input : about.inputs) {
    line(out, "  {}: {}, sha256 {}", plain(role(input)), plain(input.file), plain(input.sha256));
  }
  for (const auto& [file, sha256] : about.read) {
    line(out, "  read: {}, sha256 {}", plain(file), plain(sha256));
  }
  for (const auto& define : about.defines) line(out, "  define: {}={}", plain(define.name), define.value);
  if (about.cells) line(out, "  cells: processes of more than {} states", about.cells->whole_states);
  if (about.cpp) {
    line(out, "  cpp: {}, its macros sha256 {}", plain(about.cpp->version), plain(about.cpp->macros));
    line(out, "  program as cpp leaves it: sha256 {}", plain(about.cpp->text));
  }
}

std::string how_much(const api::Certification& c) {
  if (!c.accepted()) return {};
  const std::size_t all = c.covered + c.not_covered.size();
  return c.not_covered.empty() ? ", all that is to be checked" : fmt::format(", {} of {} checks", c.covered, all);
}

// A line for each kind and place.
void show_not_covered(std::string& out, const api::Subjects& subjects) {
  for (std::size_t i = 0; i < subjects.size();) {
    std::string text = shown(name_of(subjects[i].kind), subjects[i].name);
    const std::string from = subjects[i].from.empty() ? "" : fmt::format(" ({})", plain(subjects[i].from));
    const auto& first = subjects[i];
    while (++i < subjects.size() && subjects[i].kind == first.kind && subjects[i].from == first.from)
      text += ", " + plain(subjects[i].name);
    line(out, "  not covered: {}{}", text, from);
  }
}

}  // namespace

std::string to_text(const api::Certification& c) {
  std::string out;
  line(out, "{}: certificate for {}{}",
       c.accepted()   ? "accepted"
       : c.finished() ? "refused"
                      : "unknown",
       plain(c.about.system), how_much(c));
  if (!c.refused.empty()) line(out, "  {}", plain(c.refused));
  for (const auto& entry : c.lines) {
    std::string what = shown(entry.kind, entry.property);
    if (!entry.sizes.empty()) what += " for every " + plain(entry.sizes);
    line(out, "  {}, rule {}: {}", what, plain(entry.rule),
         entry.accepted ? "every premise holds" : plain(entry.reason));
    if (!entry.from.empty()) line(out, "    from {}", plain(entry.from));
    if (!entry.trace.empty()) line(out, "    trace {}", fmt::join(entry.trace, ", "));
  }
  if (c.accepted()) show_not_covered(out, c.not_covered);
  show_statement(out, c.about);
  return out;
}

}  // namespace surety::cli
