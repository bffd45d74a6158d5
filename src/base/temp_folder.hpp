// A private folder for temporary files that is gone afterwards, however we end.
//
// A small shell waits at the other end of a pipe. When this object dies, or the process does (Ctrl-C
// twice, kill -9, a crash), the pipe closes and the shell removes the folder.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/diagnostics.hpp"

namespace surety {

class TempFolder {
 public:
  static Result<TempFolder> make();  // in $TMPDIR or /tmp, for this user only
  TempFolder(TempFolder&& other) noexcept;
  TempFolder& operator=(TempFolder&&) = delete;
  ~TempFolder();

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit TempFolder(std::string path);
  std::string path_;
  int pipe_ = -1;     // our end
  pid_t guard_ = -1;  // the shell
};

}  // namespace surety
