// A Promela text after the preprocessor, places in it, and what there is to say about them.
//
// The parser sees what cpp leaves; a user sees the files that went in. A place is an
// offset into the former; each of its lines knows the file and line it came from, and
// messages quote that one. A macro can move a token along its line, so the caret looks
// for the token's own text there.
//
// Errors do not unwind anything: whoever finds one reports it here and goes on with a
// harmless value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.hpp"

namespace surety::promela {

struct Place {
  std::size_t offset = 0;
  std::size_t length = 1;
};

struct Source {
  struct Line {
    std::size_t begin = 0;   // offset of its first character in `text`
    std::uint32_t file = 0;  // index into `files`
    std::uint32_t line = 1;  // there, from 1
  };
  struct File {
    std::string name;
    std::string text;  // as the user wrote it; empty if it could not be read again
  };

  std::string text;         // preprocessed, without line markers
  std::vector<Line> lines;  // of `text`, in order; never empty
  std::vector<File> files;  // the first is the user's own
  bool by_cpp = false;      // the preprocessor was asked

  const Line& line_of(Place place) const;
  std::uint32_t line_number(Place place) const { return line_of(place).line; }
  Diagnostic error(Place place, std::string message, std::string hint) const;
};

class Report {
 public:
  explicit Report(const Source& source) : source_(source) {}

  void error(Place place, std::string message, std::string hint = {}) {
    if (errors_.size() < kMaxErrors) errors_.push_back(source_.error(place, std::move(message), std::move(hint)));
  }
  void warning(Place place, std::string message, std::string hint = {}) {
    if (warnings_.size() >= kMaxErrors) return;
    warnings_.push_back(source_.error(place, std::move(message), std::move(hint)));
    warnings_.back().severity = Severity::warning;
  }

  bool failed() const { return !errors_.empty(); }
  bool full() const { return errors_.size() >= kMaxErrors; }
  Diagnostics& errors() { return errors_; }
  Diagnostics& warnings() { return warnings_; }

 private:
  static constexpr std::size_t kMaxErrors = 20;

  const Source& source_;
  Diagnostics errors_;
  Diagnostics warnings_;
};

inline std::string did_you_mean(const std::string& candidate) {
  return candidate.empty() ? "" : "did you mean '" + candidate + "'?";
}

}  // namespace surety::promela
