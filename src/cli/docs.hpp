// Help, the man page and the shell completions, made from the tables of options and commands.
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

}  // namespace surety::cli
