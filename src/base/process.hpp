// Runs a program to its end: arguments in, exit status and output out.
//
// The program gets a process group of its own, so that what it starts can be ended with it: when the
// budget ends, the whole group is killed. It also dies with us. No shell is involved, and nothing is
// quoted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.hpp"

namespace surety {

// Where PATH finds a program; a name with a slash is taken as it is. Nothing: there is no such program.
std::optional<std::string> find_program(const std::string& name);

struct Command {
  std::vector<std::string> words;                                  // a path (find_program), then the arguments
  std::string folder = {};                                         // to run in; empty: here
  std::vector<std::pair<std::string, std::string>> settings = {};  // of the environment, besides our own
  std::uint64_t memory = 0;                                        // address space in bytes; 0: no limit
  std::size_t keep = std::size_t{1} << 22;                         // bytes of output; what follows is read and dropped
  bool ends_when_full = false;                                     // or the program is ended instead
  std::string_view input = {};                                     // standard input
  bool errors_apart = false;                                       // standard error goes to Ran::errors
};

struct Ran {
  // stopped: we killed it, because the budget ended or there was too much output.
  enum class End { exited, killed, stopped, not_started };
  End end = End::not_started;
  int status = 0;      // exit status, number of the signal that killed it, or errno of why it did not start
  std::string output;  // standard output and standard error as they came
  std::string errors;  // standard error, if it was to be kept apart
  bool cut = false;    // there was more output than was kept

  bool fine() const { return end == End::exited && status == 0; }
};

Ran run(const Command& command, Budget& budget);

}  // namespace surety
