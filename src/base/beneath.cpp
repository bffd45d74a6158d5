#include "base/beneath.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

namespace surety {
namespace {

namespace fs = std::filesystem;

// Without the call (Linux before 5.6, some containers): the whole path, without links, must begin with the folder. A
// link that is put there between the look and the opening gets through.
int open_after_a_look(const std::string& folder, const std::string& path, int flags) {
  std::error_code none;
  const fs::path whole = fs::weakly_canonical(fs::path(folder) / path, none), above(folder);
  const bool inside = std::ranges::mismatch(above, whole).in1 == above.end();
  if (none || fs::path(path).is_absolute() || !inside) {
    errno = EXDEV;
    return -1;
  }
  return ::open(whole.c_str(), flags | O_NOFOLLOW);
}

struct Stay {
  int folder = -1;
  std::string name;
};
Stay& stay() {
  static Stay stay;
  return stay;
}

}  // namespace

int open_beneath(int folder, const std::string& name, const std::string& path, int flags) {
  constexpr int kTries = 100;
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  long fd = -1;
  for (int i = 0; i < kTries; ++i) {  // EAGAIN: something was renamed meanwhile, and the kernel is not sure
    fd = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
    if (fd >= 0 || errno != EAGAIN) break;
  }
  if (fd < 0 && (errno == ENOSYS || errno == EPERM)) return open_after_a_look(name, path, flags);
  return static_cast<int>(fd);
}

Result<void> stay_beneath(const std::string& folder) {
  std::error_code none;
  const fs::path whole = fs::canonical(folder, none);
  const int fd = none ? -1 : ::open(whole.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return fail(file_error(folder, fmt::format("cannot stay there: {}", none ? none.message() : std::strerror(errno))));
  stay() = {fd, whole.string()};
  return {};
}

bool stays_beneath() { return stay().folder >= 0; }

int open_where_we_stay(const std::string& path, int flags) {
  std::error_code none;
  const fs::path here = fs::current_path(none), folder(stay().name);
  fs::path relative = path;
  if (relative.is_absolute() || here != folder) relative = (here / path).lexically_relative(folder);
  if (none || relative.empty()) {
    errno = EXDEV;
    return -1;
  }
  return open_beneath(stay().folder, stay().name, relative.string(), flags);
}

}  // namespace surety
