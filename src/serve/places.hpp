// The two folders of a page: that of the user, and the examples, which nobody writes. Paths of these begin with
// "examples:".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/folder.hpp"

namespace surety::serve {

class Places {
 public:
  static Or<Places> open(const std::string& folder, const std::string& examples, bool read_only);

  // A file as it is asked for: the folder it is in, and its name there.
  struct Where {
    const Folder* folder = nullptr;
    std::string path;
    bool read_only = false;
  };
  Or<Where> find(const std::string& path) const;

  const Folder& own() const { return own_; }
  const Folder* examples() const { return examples_ ? &*examples_ : nullptr; }
  bool read_only() const { return read_only_; }
  std::vector<FileEntry> list() const { return own_.list(); }
  Or<std::string> read(const std::string& path) const;
  Or<std::string> write(const std::string& path, std::string_view text, const std::string& if_sha256,
                        std::uint64_t most = Folder::kMostBytes) const;

 private:
  Places(Folder own, bool read_only) : own_(std::move(own)), read_only_(read_only) {}

  Folder own_;
  std::optional<Folder> examples_;
  bool read_only_;
};

}  // namespace surety::serve
