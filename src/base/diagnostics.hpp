// What we tell a user about their input: what, where, and what to do.
//
//   lamp.aut:2:4: error: expected ',' after the source state
//     (0 "on", 1)
//        ^ write (FROM, LABEL, TO)
//
// A Result carries either a value or every error found in one run.
#pragma once

#include <algorithm>
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

// The hint for a name that is not among the known ones: "did you mean 'x'?". If none is near, all of them are listed
// behind `list`: "there are: a, b"; without `list` there is no hint then.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known, std::string_view list = {});

// The known names: of the elements of these lists, or the keys of these maps.
template <class... Lists>
std::vector<std::string> names_of(const Lists&... lists) {
  std::vector<std::string> out;
  const auto add = [&](const auto& element) {
    if constexpr (requires { element.name; })
      out.emplace_back(element.name);
    else
      out.emplace_back(element.first);
  };
  (std::for_each(lists.begin(), lists.end(), add), ...);
  return out;
}

}  // namespace surety
