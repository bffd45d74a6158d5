// A program that answers for us: started without a shell, in a process group of its own, with limits.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.hpp"

namespace surety::serve {

struct Program {
  std::vector<std::string> words;           // a path, then the arguments
  std::string folder;                       // where it runs
  std::vector<std::pair<int, int>> opened;  // (ours, the number it has there); whatever is not named is closed
  std::uint64_t memory = 0;                 // bytes of address space; 0: no limit
  std::uint64_t file = 0;                   // bytes of a file that it writes; 0: no limit
};

struct Child {
  pid_t pid = -1;  // and its group
  Fd ended;        // can be read when it has ended
};

// 0, or errno of why it could not be started. It dies with the thread that starts it.
int start(const Program& program, Child& child);

}  // namespace surety::serve
