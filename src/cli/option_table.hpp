// Every option and every command as data: parsing, help, the man page and the shell completions read them here.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/options.hpp"

namespace surety::cli {

struct OptionSpec {
  enum class Group : std::uint8_t { input, question, method, limits, output };
  using Target = std::variant<bool Options::*, std::string Options::*, std::optional<std::string> Options::*,
                              std::vector<std::string> Options::*, std::uint64_t Options::*,
                              std::optional<std::uint64_t> Options::*, unsigned Options::*>;

  std::string name;  // "--time"
  Target target;
  std::string value;  // what stands for the value: "FILE"; empty: a flag
  Group group;
  std::string help;
  std::string letter = {};                                 // "-q"
  std::optional<std::string> bare = {};                    // the value if none is given
  bool equals_only = false;                                // a value is only given as --name=VALUE
  std::vector<std::string> words = {};                     // the values that there are, if they are known here
  std::uint64_t least = 0, most = std::uint64_t{1} << 62;  // of a number
  std::string command = {};                                // those that take it: "compose, draw"; empty: all do

  bool is_flag() const { return value.empty(); }
};

struct CommandSpec {
  std::string name;
  std::string about;
  std::string files;                 // what FILE is
  std::vector<std::string> options;  // those that it uses
  bool strict = false;               // another option is an error, not a note
  bool files_needed = true;          // if it takes some
};

const std::vector<OptionSpec>& option_table();
const std::vector<CommandSpec>& command_table();

// "study run" is a command of a group: "study".
struct GroupSpec {
  std::string name, about;
};
const std::vector<GroupSpec>& group_table();
std::string group_of(const CommandSpec& command);  // empty: none
std::string verb_of(const CommandSpec& command);   // its name without the group

// The options that a command uses, in the order of the table.
std::vector<const OptionSpec*> options_of(const CommandSpec& command);
// Those that it takes and does not use: scripts can vary one option at a time.
std::vector<const OptionSpec*> unused_by(const CommandSpec& command);

const char* title(OptionSpec::Group group);

}  // namespace surety::cli
