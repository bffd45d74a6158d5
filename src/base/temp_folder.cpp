#include "base/temp_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace surety {
namespace {

// Waits for the end of its input. Ctrl-C reaches whole process groups, and it must outlive us.
constexpr const char* kGuard = "trap '' INT TERM HUP; read -r _; exec /bin/rm -rf -- \"$0\"";

}  // namespace

Result<TempFolder> TempFolder::make() {
  const char* base = std::getenv("TMPDIR");
  std::string path = fmt::format("{}/surety-XXXXXX", base == nullptr || *base == '\0' ? "/tmp" : base);
  if (::mkdtemp(path.data()) == nullptr)
    return fail(file_error(path, fmt::format("cannot make a temporary folder: {}", std::strerror(errno)),
                           "TMPDIR says where temporary files go"));
  return TempFolder(std::move(path));
}

TempFolder::TempFolder(std::string path) : path_(std::move(path)) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;  // without a guard: the destructor still removes it
  // As in base/process.cpp: a copy of our page tables would cost time, and the child only becomes a shell.
  // NOLINTBEGIN(bugprone-unsafe-functions, clang-analyzer-security.insecureAPI.vfork, clang-analyzer-unix.Vfork)
  const pid_t pid = ::vfork();
  if (pid == 0) {
    ::setsid();
    ::dup2(ends[0], STDIN_FILENO);
    const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
    ::execl("/bin/sh", "sh", "-c", kGuard, path_.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  // NOLINTEND(bugprone-unsafe-functions, clang-analyzer-security.insecureAPI.vfork, clang-analyzer-unix.Vfork)
  guard_ = pid;
  ::close(ends[0]);
  pipe_ = ends[1];
}

TempFolder::TempFolder(TempFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      pipe_(std::exchange(other.pipe_, -1)),
      guard_(std::exchange(other.guard_, -1)) {}

TempFolder::~TempFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (pipe_ >= 0) ::close(pipe_);
  if (guard_ > 0)
    while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace surety
