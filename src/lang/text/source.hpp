// A text that is read, the files that it came from, places in it, and what there is to say about them.
//
// A parser reads one text; a user sees files. They are the same, unless a preprocessor stands between them. Then a
// place is an offset into what the preprocessor leaves; each of its lines knows the file and line it came from, and
// messages quote that one. A macro can move a token along its line, so the caret looks for the token's own text there.
//
// Errors do not unwind anything: the code that finds one reports it here and goes on with a harmless value, and loops
// stop when the report says that something failed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "base/diagnostics.hpp"

namespace surety::text {

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

  std::string text;         // to be parsed: preprocessed, without line markers
  std::vector<Line> lines;  // of `text`, in order; never empty
  std::vector<File> files;  // the first is the user's own; never empty
  bool by_cpp = false;      // the C preprocessor was asked

  Source() : Source({}, {}) {}
  Source(std::string file, std::string_view content);  // one file, parsed as it is

  // One more file, parsed as it is after all others: its text begins at the offset that is returned.
  std::size_t append(std::string file, std::string_view content);

  const std::string& file() const { return files[0].name; }
  const Line& line_of(Place place) const;
  std::uint32_t line_number(Place place) const { return line_of(place).line; }
  Diagnostic error(Place place, std::string message, std::string hint = {}) const;
};

class Report {
 public:
  // `budget`: of the reading, if it has one.
  explicit Report(const Source& source, Budget* budget = nullptr) : source_(source), budget_(budget) {}

  // To be asked for each token. False: the budget has ended, which counts as an error here; whoever has the budget says
  // better why.
  bool go_on() {
    if (stopped_ || budget_ == nullptr) return !stopped_;
    if (++asked_ % kAskEvery == 0 && !budget_->go_on()) stop();
    return !stopped_;
  }
  // To be told before so much is asked for at once.
  void has_room(std::uint64_t bytes) {
    if (budget_ != nullptr && !budget_->has_room(bytes)) stop();
  }

  void error(Place place, std::string message, std::string hint = {}) {
    if (!full()) errors_.push_back(source_.error(place, std::move(message), std::move(hint)));
  }
  void error(Diagnostic diagnostic) {
    if (!full()) errors_.push_back(std::move(diagnostic));
  }
  void warning(Place place, std::string message, std::string hint = {}, Severity severity = Severity::warning) {
    warnings_.push_back(source_.error(place, std::move(message), std::move(hint)));
    warnings_.back().severity = severity;
  }
  void warning(Diagnostic diagnostic) { warnings_.push_back(std::move(diagnostic)); }

  bool failed() const { return !errors_.empty(); }
  bool full() const { return errors_.size() >= kMost; }
  Diagnostics& errors() { return errors_; }
  Diagnostics& warnings() { return warnings_; }

  static constexpr std::size_t kMost = 20;  // more would not be read

 private:
  static constexpr std::uint32_t kAskEvery = 1024;

  void stop() {
    if (!std::exchange(stopped_, true)) error(Place{}, "this was not read to its end: a limit was reached");
  }

  const Source& source_;
  Budget* budget_;
  std::uint32_t asked_ = 0;
  bool stopped_ = false;
  Diagnostics errors_;
  Diagnostics warnings_;
};

}  // namespace surety::text
