// A text with its name, places in it, and what there is to say about them.
//
// Errors do not unwind anything: whoever finds one reports it here and goes on with
// a harmless value, and loops stop when the report says that something failed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostics.hpp"

namespace surety::fsp {

struct Place {
  std::size_t offset = 0;
  std::size_t length = 1;
};

struct Source {
  std::string file;
  std::string text;
};

class Report {
 public:
  explicit Report(const Source& source) : source_(source) {}

  void error(Place place, std::string message, std::string hint = {}) {
    if (errors_.size() < kMaxErrors) errors_.push_back(at(place, std::move(message), std::move(hint)));
  }
  void error(Diagnostic diagnostic) {
    if (errors_.size() < kMaxErrors) errors_.push_back(std::move(diagnostic));
  }
  void warning(Place place, std::string message, std::string hint = {}, Severity severity = Severity::warning) {
    warnings_.push_back(at(place, std::move(message), std::move(hint)));
    warnings_.back().severity = severity;
  }
  void warning(Diagnostic diagnostic) { warnings_.push_back(std::move(diagnostic)); }

  bool failed() const { return !errors_.empty(); }
  bool full() const { return errors_.size() >= kMaxErrors; }
  Diagnostics& errors() { return errors_; }
  Diagnostics& warnings() { return warnings_; }

 private:
  static constexpr std::size_t kMaxErrors = 20;

  Diagnostic at(Place place, std::string message, std::string hint) const {
    return error_at(source_.file, source_.text, place.offset, place.length, std::move(message), std::move(hint));
  }

  const Source& source_;
  Diagnostics errors_;
  Diagnostics warnings_;
};

inline std::string did_you_mean(const std::string& candidate) {
  return candidate.empty() ? "" : "did you mean '" + candidate + "'?";
}

}  // namespace surety::fsp
