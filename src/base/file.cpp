#include "base/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/beneath.hpp"

namespace surety {
namespace {

constexpr std::string_view kTemporary = ".surety-";

Diagnostic system_error(const std::string& path, const char* what) {
  const int error = errno;
  return file_error(path, std::string(what) + ": " + std::strerror(error),
                    error == ENOENT ? "is the name spelt right?" : "");
}

Result<std::string> read_descriptor(int fd, const std::string& path, std::size_t expected) {
  std::string text(expected + 1, '\0');
  std::size_t size = 0;
  while (true) {
    if (size == text.size()) text.resize(text.size() * 2);
    const ssize_t n = ::read(fd, text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(system_error(path, "cannot read"));
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  return text;
}

// The file that a symbolic link leads to, whether it exists or not.
std::string behind_links(std::filesystem::path path) {
  std::error_code none;
  for (int i = 0; i < 16 && std::filesystem::is_symlink(path, none); ++i) {
    const auto link = std::filesystem::read_symlink(path, none);
    path = link.is_absolute() ? link : path.parent_path() / link;
  }
  return path.string();
}

// A temporary file is locked until it has its name: what is not locked was left by a process that was killed. One
// without content may be just begun.
void remove_left_behind(const std::filesystem::path& folder) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kTemporary) || name.size() != kTemporary.size() + 6) continue;
    const int fd = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat info {};
    if (fd >= 0 && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
        ::flock(fd, LOCK_EX | LOCK_NB) == 0)
      ::unlink(entry.path().c_str());
    if (fd >= 0) ::close(fd);
  }
}

Result<std::string> read_opened(int fd, const std::string& path, bool only_plain) {
  struct stat info {};
  const bool known = ::fstat(fd, &info) == 0;
  if (known && S_ISDIR(info.st_mode)) return fail(file_error(path, "is a directory, not a file"));
  if (only_plain && !(known && S_ISREG(info.st_mode))) return fail(file_error(path, "is no plain file"));
  return read_descriptor(fd, path, static_cast<std::size_t>(info.st_size));
}

}  // namespace

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {  // what was given to us does not wait: we do
      pollfd ready{fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
      continue;
    }
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

Result<std::string> read_file(const std::string& path) {
  if (path == "-") return read_descriptor(STDIN_FILENO, "standard input", 1 << 16);
  const bool bound = stays_beneath();
  // Bound, we read for somebody else, who may name a pipe that nobody writes to: opening that would wait for ever.
  const int fd =
      bound ? open_where_we_stay(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && bound && (errno == EXDEV || errno == ELOOP))
    return fail(file_error(path, "cannot open: it is outside of the folder that was named by --beneath"));
  if (fd < 0) return fail(system_error(path, "cannot open"));
  auto text = read_opened(fd, path, bound);
  ::close(fd);
  return text;
}

Result<void> can_write(const std::string& path) {
  const std::filesystem::path target = behind_links(path);
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return fail(file_error(path, "is a directory, not a file"));
  if (exists && ::access(path.c_str(), W_OK) != 0) return fail(system_error(path, "cannot write"));
  if (exists && !S_ISREG(info.st_mode)) return {};
  const auto folder = target.has_parent_path() ? target.parent_path() : ".";
  if (::access(folder.c_str(), W_OK) != 0) return fail(system_error(path, "cannot write"));
  return {};
}

Result<void> write_file(const std::string& path, std::string_view content) {
  // What a link leads to is written, not the link. Pipes, terminals and everything under /dev and /proc are written
  // as they are: they cannot be renamed over, and have no half-written state to hide.
  const std::string target = behind_links(path);
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if ((exists && !S_ISREG(info.st_mode)) || path.starts_with("/dev/") || path.starts_with("/proc/")) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0 || !write_all(fd, content) || ::close(fd) != 0) return fail(system_error(path, "cannot write"));
    return {};
  }
  if (exists && ::access(target.c_str(), W_OK) != 0) return fail(system_error(path, "cannot write"));
  const auto folder = std::filesystem::path(target).parent_path();
  remove_left_behind(folder);
  std::string temporary = (folder / (std::string(kTemporary) + "XXXXXX")).string();
  const int fd = ::mkstemp(temporary.data());
  if (fd < 0) return fail(system_error(path, "cannot write"));
  ::flock(fd, LOCK_EX | LOCK_NB);  // where there are no locks, nothing is removed either
  bool ok = write_all(fd, content);
  // mkstemp makes private files; give the result the permissions it had, or those of an ordinary new file.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ok = ok && ::fchmod(fd, exists ? info.st_mode & 07777 : 0666 & ~mask) == 0;
  const int lock = ::dup(fd);  // closing may tell of a full disk, so it comes before the renaming; unlocking after it
  ok = ::close(fd) == 0 && ok && ::rename(temporary.c_str(), target.c_str()) == 0;
  Result<void> done;
  if (!ok) {
    done = fail(system_error(path, "cannot write"));
    ::unlink(temporary.c_str());
  }
  if (lock >= 0) ::close(lock);
  return done;
}

}  // namespace surety
