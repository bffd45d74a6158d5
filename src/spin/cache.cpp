#include "spin/cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

namespace surety::spin {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMost = 64;  // files; a verifier has some 200 kB

// Programs are run from this folder, so no other user may write into it.
std::optional<fs::path> folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path path;
  if (cache != nullptr && *cache == '/')
    path = cache;
  else if (home != nullptr && *home == '/')
    path = fs::path(home) / ".cache";
  else
    return std::nullopt;
  path /= "surety";
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  ::mkdir(path.c_str(), 0700);
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) return std::nullopt;
  if (about.st_uid != ::geteuid() || (about.st_mode & 022U) != 0) return std::nullopt;
  return path;
}

void forget_the_oldest(const fs::path& where) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const auto& entry : fs::directory_iterator(where, error)) {
    std::error_code gone;
    if (const auto time = entry.last_write_time(gone); !gone) files.emplace_back(time, entry.path());
  }
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i + kMost < files.size(); ++i) fs::remove(files[i].second, error);
}

}  // namespace

bool take_from_cache(const std::string& key, const std::string& file) {
  const auto where = folder();
  if (!where) return false;
  std::error_code error;
  if (!fs::copy_file(*where / key, file, fs::copy_options::overwrite_existing, error) || error) return false;
  fs::last_write_time(*where / key, fs::file_time_type::clock::now(), error);
  return true;
}

void put_into_cache(const std::string& key, const std::string& file) {
  const auto where = folder();
  if (!where) return;
  std::error_code error;
  const fs::path part = *where / (key + "." + std::to_string(::getpid()));
  if (!fs::copy_file(file, part, fs::copy_options::overwrite_existing, error) || error)
    fs::remove(part, error);  // a full disk, say
  else
    fs::rename(part, *where / key, error);
  forget_the_oldest(*where);
}

}  // namespace surety::spin
