// What we tell a user about their input: what, where, and what to do.
//
//   lamp.aut:2:4: error: expected ',' after the source state
//     (0 "on", 1)
//        ^ write (FROM, LABEL, TO)
//
// A Result carries either a value or every error found in one run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace surety {

enum class Severity { error, warning, note };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string message;
  std::string file;
  std::uint64_t line = 0;          // from 1; 0: the message is about the file as a whole
  std::uint64_t column = 0;        // from 1
  std::string excerpt;             // the text of that line, shortened if it is long
  std::uint64_t caret_column = 0;  // where in the excerpt the caret goes, from 1
  std::uint64_t length = 1;        // how many characters the caret underlines
  std::string hint;
};

using Diagnostics = std::vector<Diagnostic>;

template <class T>
using Result = tl::expected<T, Diagnostics>;

// A message about a whole file, or about no file at all.
Diagnostic file_error(std::string file, std::string message, std::string hint = {});

// A message about the place `offset` in `text`; line, column and excerpt are worked out here.
Diagnostic error_at(std::string file, std::string_view text, std::size_t offset, std::size_t length,
                    std::string message, std::string hint = {});

tl::unexpected<Diagnostics> fail(Diagnostic diagnostic);

// As a person reads it, with a newline at the end. Control characters of the input are shown as '?'.
std::string render(const Diagnostic& diagnostic);

// The candidate nearest to `name` by edit distance, if one is near enough to be a slip of the pen.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// As a hint; empty if there is no candidate.
inline std::string did_you_mean(const std::string& candidate) {
  return candidate.empty() ? "" : "did you mean '" + candidate + "'?";
}

}  // namespace surety
