// Help, the man page and the shell completions, made from the tables of options and commands. The
// completions ask `surety complete` for values (complete.hpp).
#pragma once

#include <string>

namespace surety::cli {

struct CommandSpec;
struct GroupSpec;

inline constexpr const char* kAbout = "Proves concurrent systems by their parts.";

std::string help();
std::string help(const CommandSpec& command);
std::string help(const GroupSpec& group);
std::string man_page();  // in scdoc's language
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();
std::string tables();  // of commands, options and methods, as JSON: what surety-serve lets pages ask for

}  // namespace surety::cli
