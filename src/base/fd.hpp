// File descriptors that are closed when their owner goes.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "base/check.hpp"

namespace surety {

class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = other.release();
    }
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

// Two ends of a pipe, both closed in programs that are started, but for those that are handed to them.
struct Pipe {
  Fd from, to;
};

inline Pipe make_pipe() {
  int ends[2];
  check(::pipe2(ends, O_CLOEXEC) == 0, "no pipe for a program");
  return {Fd(ends[0]), Fd(ends[1])};
}

}  // namespace surety
