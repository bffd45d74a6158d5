// The events of a job, one line each, in a file: they are many, and most are read once.
//
// The thread that hears of them appends; streams read on from where they are, and wait at the end until there is more.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"

namespace surety::serve {

class JobLog {
 public:
  explicit JobLog(const std::string& file);

  bool append(std::string_view bytes);      // whole lines or parts of them; false: there is no room for them
  void append_line(std::string_view line);  // without its end; a part of a line that was there is dropped
  void end();                               // nothing more comes

  std::uint64_t lines() const;
  std::uint64_t bytes() const;

  // Where a reader is: the lines before it.
  struct Cursor {
    std::uint64_t line = 0, offset = 0;
  };
  Cursor behind(std::uint64_t line) const;

  // Some lines from there on, each with its end, and the cursor behind them. Waits for the first one; nothing: none
  // came in time, or `over`: there will be none.
  struct Piece {
    std::string text;
    bool over = false;
  };
  Piece next(Cursor& cursor, std::chrono::milliseconds patience) const;

 private:
  static constexpr std::uint64_t kStride = 256;  // every so many lines, where one begins

  Fd file_;
  mutable std::mutex mutex_;
  mutable std::condition_variable more_;
  std::string part_;  // of a line that has not ended
  std::string last_;  // the last line, if there was no room for it in the file
  std::uint64_t lines_ = 0, bytes_ = 0;
  std::vector<std::uint64_t> begins_;  // of line 0, kStride, 2 kStride, ...
  bool over_ = false;
};

}  // namespace surety::serve
