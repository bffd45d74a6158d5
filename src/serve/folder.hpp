// A folder of models: what is in it, and nothing else.
//
// Every file is opened by openat2 beneath the folder: `..`, absolute paths and links that lead out are refused by the
// kernel, which nobody can trick by exchanging a folder for a link between a look and an opening. Only files of models
// and of what goes with them can be read or written, and none that is hidden.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"
#include "serve/trouble.hpp"

namespace surety::serve {

struct FileEntry {
  std::string path;
  std::string language;
  std::uint64_t size = 0;
  double modified = 0;  // seconds since 1970
};

// "fsp", "promela", "ada", "aut", "qre", "json", "text"; empty: not a file that a page may see.
std::string language_of(std::string_view path);

class Folder {
 public:
  static constexpr std::uint64_t kMostBytes = 2 << 20;  // of a file
  static constexpr std::size_t kMostFiles = 5'000;
  static constexpr int kMostLevels = 8;

  static Or<Folder> open(const std::string& path);

  const std::string& path() const { return path_; }
  std::vector<FileEntry> list() const;
  Or<std::string> read(const std::string& path) const;
  // Only in place of a text with this hash; empty: only where nothing is. The new hash.
  Or<std::string> write(const std::string& path, std::string_view text, const std::string& if_sha256,
                        std::uint64_t most = kMostBytes) const;

 private:
  Folder(std::string path, Fd fd) : path_(std::move(path)), fd_(std::move(fd)) {}
  Or<Fd> beneath(const std::string& path, int flags) const;

  std::string path_;  // whole
  Fd fd_;
};

}  // namespace surety::serve
