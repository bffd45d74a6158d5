#include "serve/job_log.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

namespace surety::serve {
namespace {

constexpr std::size_t kPiece = 256 << 10;

bool write_at(int fd, std::string_view text, std::uint64_t offset) {
  while (!text.empty()) {
    const ssize_t n = ::pwrite(fd, text.data(), text.size(), static_cast<off_t>(offset));
    if (n < 0 && errno != EINTR) return false;
    if (n <= 0) continue;
    text.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return true;
}

std::string read_at(int fd, std::uint64_t offset, std::size_t size) {
  std::string out(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const ssize_t n = ::pread(fd, out.data() + got, size - got, static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    got += static_cast<std::size_t>(n);
  }
  out.resize(got);
  return out;
}

}  // namespace

JobLog::JobLog(const std::string& file)
    : file_(::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600)) {}

// Only whole lines are in the file, so that a reader finds no half ones.
bool JobLog::append(std::string_view bytes) {
  const std::scoped_lock lock(mutex_);
  const auto last = bytes.rfind('\n');
  if (last == std::string_view::npos) {
    part_ += bytes;
    return true;
  }
  part_ += bytes.substr(0, last + 1);
  const bool room = write_at(file_.get(), part_, bytes_);
  if (!room) part_.clear();
  for (std::size_t at = 0; at < part_.size();) {
    if (lines_++ % kStride == 0) begins_.push_back(bytes_ + at);
    at = part_.find('\n', at) + 1;
  }
  bytes_ += part_.size();
  part_ = bytes.substr(last + 1);
  more_.notify_all();
  return room;
}

void JobLog::append_line(std::string_view line) {
  {
    const std::scoped_lock lock(mutex_);
    part_.clear();
  }
  std::string whole = std::string(line) + "\n";
  if (append(whole)) return;
  const std::scoped_lock lock(mutex_);
  last_ = std::move(whole);
}

void JobLog::end() {
  const std::scoped_lock lock(mutex_);
  over_ = true;
  more_.notify_all();
}

std::uint64_t JobLog::lines() const {
  const std::scoped_lock lock(mutex_);
  return lines_;
}
std::uint64_t JobLog::bytes() const {
  const std::scoped_lock lock(mutex_);
  return bytes_;
}

JobLog::Cursor JobLog::behind(std::uint64_t line) const {
  const std::scoped_lock lock(mutex_);
  line = std::min(line, lines_);
  if (line == lines_) return {lines_, bytes_};
  const std::uint64_t begin = begins_[line / kStride];
  const std::uint64_t end = line / kStride + 1 < begins_.size() ? begins_[line / kStride + 1] : bytes_;
  const std::string text = read_at(file_.get(), begin, end - begin);
  std::size_t at = 0;
  for (std::uint64_t i = line % kStride; i > 0 && at != std::string::npos; --i) at = text.find('\n', at) + 1;
  return {line, begin + at};
}

JobLog::Piece JobLog::next(Cursor& cursor, std::chrono::milliseconds patience) const {
  std::uint64_t size = 0;
  {
    std::unique_lock lock(mutex_);
    more_.wait_for(lock, patience, [&] { return over_ || bytes_ > cursor.offset; });
    if (bytes_ == cursor.offset && cursor.line == lines_ && over_ && !last_.empty()) {
      ++cursor.line;
      return {last_, false};
    }
    if (bytes_ == cursor.offset) return {"", over_};
    size = bytes_ - cursor.offset;
  }
  std::string text = read_at(file_.get(), cursor.offset, std::min<std::uint64_t>(size, kPiece));
  std::size_t end = text.rfind('\n');
  if (end == std::string::npos) {  // a line that is longer than a piece
    text = read_at(file_.get(), cursor.offset, size);
    end = text.find('\n');
  }
  if (end == std::string::npos) return {"", true};
  text.resize(end + 1);
  cursor.offset += text.size();
  cursor.line += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  return {std::move(text), false};
}

}  // namespace surety::serve
