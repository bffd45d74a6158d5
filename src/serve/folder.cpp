#include "serve/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include "base/beneath.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "serve/gate.hpp"

namespace surety::serve {
namespace {

namespace fs = std::filesystem;

bool has_hidden_part(std::string_view path) {
  return path.starts_with('.') || path.find("/.") != std::string_view::npos;
}

tl::unexpected<Trouble> not_here(const std::string& path) {
  switch (errno) {
    case ENOENT:
    case ENOTDIR: return trouble(404, "missing", fmt::format("there is no {}", path));
    case EXDEV:
    case ELOOP: return trouble(403, "outside", fmt::format("{} is not in the folder that is served", path));
    case EEXIST: return trouble(409, "stale", fmt::format("{} is there already", path));
    case ENOSPC:
    case EDQUOT: return trouble(507, "disk", fmt::format("{}: {}", path, std::strerror(errno)));
    case EACCES:
    case EPERM:
    case EROFS: return trouble(403, "denied", fmt::format("{}: {}", path, std::strerror(errno)));
    case EISDIR: return bad_request(fmt::format("{} is a folder", path));
    default: return trouble(500, "file", fmt::format("{}: {}", path, std::strerror(errno)));
  }
}

Or<void> may_be_asked_for(const std::string& path) {
  if (path.empty() || path.size() > 1024 || path.find('\0') != std::string::npos)
    return bad_request("this is no name of a file");
  if (has_hidden_part(path)) return trouble(403, "hidden", "hidden files are not served");
  if (language_of(path).empty())
    return trouble(403, "ending", fmt::format("files like {} are not served", path),
                   "models: .lts .fsp .pml .prom .adb .ads .ada .aut, properties: .qre, and .json and .md");
  return {};
}

Or<std::string> read_all(int fd, const std::string& path) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return not_here(path);
  if (!S_ISREG(info.st_mode)) return bad_request(fmt::format("{} is no file", path));
  const auto too_large = [&] {
    return trouble(413, "size", fmt::format("{} is larger than {} MiB", path, Folder::kMostBytes >> 20));
  };
  if (static_cast<std::uint64_t>(info.st_size) > Folder::kMostBytes) return too_large();
  std::string out;
  for (char buffer[65536];;) {
    // A regular file: it does not wait. NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection)
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return not_here(path);
    if (got == 0) return out;
    out.append(buffer, static_cast<std::size_t>(got));
    if (out.size() > Folder::kMostBytes) return too_large();
  }
}

// A new file beside the one that it will replace; it is removed unless it has become that.
class Beside {
 public:
  Beside(int folder, mode_t mode) : folder_(folder), name_(".surety-" + random_token().substr(0, 12)) {
    fd_ = Fd(::openat(folder_, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
  }
  ~Beside() {
    if (!name_.empty()) ::unlinkat(folder_, name_.c_str(), 0);
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  bool become(const std::string& name, std::string_view text, const mode_t* mode) {
    if (!fd_ || !write_all(fd_.get(), text) || (mode != nullptr && ::fchmod(fd_.get(), *mode) != 0)) return false;
    if (::close(fd_.release()) != 0 || !take(name, mode == nullptr)) return false;
    name_.clear();
    return true;
  }

 private:
  // A new file takes the place of none, also not of one that somebody has just made.
  bool take(const std::string& name, bool is_new) const {
    if (is_new && ::renameat2(folder_, name_.c_str(), folder_, name.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (is_new && errno != EINVAL) return false;  // EINVAL: the file system cannot do that
    return ::renameat(folder_, name_.c_str(), folder_, name.c_str()) == 0;
  }

  int folder_;
  std::string name_;
  Fd fd_;
};

// Walks folders by their descriptors; links are not followed.
class Lister {
 public:
  std::vector<FileEntry> take(int folder) {
    walk(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "", 1);
    std::ranges::sort(out_, {}, &FileEntry::path);
    return std::move(out_);
  }

 private:
  void walk(int fd, const std::string& before, int level) {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
    if (!folder) return;
    while (const dirent* entry = ::readdir(folder.get())) {  // NOLINT(concurrency-mt-unsafe): a stream of our own
      if (out_.size() >= Folder::kMostFiles || ++seen_ > kMostSeen) return;
      const std::string name = entry->d_name;
      if (name.starts_with('.')) continue;
      struct stat info {};
      if (::fstatat(::dirfd(folder.get()), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
      if (S_ISDIR(info.st_mode) && level < Folder::kMostLevels)
        walk(::openat(::dirfd(folder.get()), name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW),
             before + name + "/", level + 1);
      else if (S_ISREG(info.st_mode) && !language_of(name).empty())
        out_.push_back({before + name, language_of(name), static_cast<std::uint64_t>(info.st_size),
                        static_cast<double>(info.st_mtim.tv_sec) + static_cast<double>(info.st_mtim.tv_nsec) / 1e9});
    }
  }

  static constexpr std::size_t kMostSeen = 100'000;  // of whatever kind: who serves all of a disk wants no walk over it

  std::vector<FileEntry> out_;
  std::size_t seen_ = 0;
};

}  // namespace

std::string language_of(std::string_view path) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kEndings = {{{".lts", "fsp"},
                                                                                              {".fsp", "fsp"},
                                                                                              {".pml", "promela"},
                                                                                              {".prom", "promela"},
                                                                                              {".adb", "ada"},
                                                                                              {".ads", "ada"},
                                                                                              {".ada", "ada"},
                                                                                              {".aut", "aut"},
                                                                                              {".qre", "qre"},
                                                                                              {".json", "json"},
                                                                                              {".md", "text"}}};
  for (const auto& [ending, language] : kEndings)
    if (path.size() > ending.size() && path.ends_with(ending)) return std::string(language);
  return {};
}

Or<Folder> Folder::open(const std::string& path) {
  std::error_code none;
  const fs::path whole = fs::canonical(path, none);
  if (none) {
    errno = none.value();
    return not_here(path);
  }
  Fd fd(::open(whole.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return not_here(path);
  return Folder(whole.string(), std::move(fd));
}

Or<Fd> Folder::beneath(const std::string& path, int flags) const {
  Fd fd(open_beneath(fd_.get(), path_, path, flags | O_CLOEXEC));
  if (!fd) return not_here(path);
  return fd;
}

std::vector<FileEntry> Folder::list() const { return Lister().take(fd_.get()); }

Or<std::string> Folder::read(const std::string& path) const {
  if (auto may = may_be_asked_for(path); !may) return tl::unexpected(may.error());
  const auto fd = beneath(path, O_RDONLY | O_NONBLOCK);  // the opening of a pipe does not wait for its writer
  if (!fd) return tl::unexpected(fd.error());
  return read_all(fd->get(), path);
}

Or<std::string> Folder::write(const std::string& path, std::string_view text, const std::string& if_sha256,
                              std::uint64_t most) const {
  if (auto may = may_be_asked_for(path); !may) return tl::unexpected(may.error());
  if (text.size() > most) return trouble(413, "size", fmt::format("a file may have {} MiB", most >> 20));
  const auto slash = path.rfind('/');
  const std::string above = slash == std::string::npos ? "." : path.substr(0, slash);
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  // One after the other: of two pages that have read the same text, one is told that it has changed.
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  const auto folder = beneath(above, O_PATH | O_DIRECTORY);
  if (!folder) return tl::unexpected(folder.error());

  struct stat old {};
  const bool exists = ::fstatat(folder->get(), name.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  if (exists && !S_ISREG(old.st_mode)) return trouble(403, "outside", fmt::format("{} is no file of its own", path));
  std::string now;
  if (exists) {
    const auto there = read(path);
    if (!there) return there;
    now = sha256_hex(*there);
  }
  if (now != if_sha256) {
    Trouble stale{409, "stale",
                  if_sha256.empty() ? fmt::format("{} is there already", path)
                                    : fmt::format("{} has changed since it was read", path)};
    stale.sha256 = now;
    return tl::unexpected(stale);
  }
  if (exists && ::faccessat(folder->get(), name.c_str(), W_OK, 0) != 0) return not_here(path);
  Beside fresh(folder->get(), 0666);
  const mode_t mode = old.st_mode & 07777;
  if (!fresh.become(name, text, exists ? &mode : nullptr)) return not_here(path);
  return sha256_hex(text);
}

}  // namespace surety::serve
