// What a shell can offer for the value of an option, as it is typed: the names that the files on the line define.
//
// The scripts for bash, zsh and fish (docs.cpp) know commands and options by themselves, and ask `surety complete
// WORDS` for values: the words of the line after "surety", the one that is being typed last. Whatever is wrong with
// them, the answer is fewer lines, never a message.
#pragma once

#include <string>
#include <vector>

namespace surety::cli {

// A candidate a line; none: the shell offers files.
std::string complete(const std::vector<std::string>& words);

}  // namespace surety::cli
