// Which files were read on the way, and the SHA-256 of what was in them: a certificate is bound to all of them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace surety {

class FileLog {
 public:
  using Entry = std::pair<std::string, std::string>;  // file, SHA-256

  void add(const std::string& file, std::string_view content);
  // A file that was read twice and had changed is there twice.
  const std::set<Entry>& entries() const { return entries_; }

 private:
  std::set<Entry> entries_;
};

}  // namespace surety
