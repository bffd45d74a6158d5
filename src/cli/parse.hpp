// The command line as it was typed, read by the tables of option_table.hpp.
#pragma once

#include <string>
#include <variant>

#include "cli/option_table.hpp"
#include "load/load.hpp"

namespace surety::cli {

struct Parsed {
  const CommandSpec* command = nullptr;
  Options options;
  std::vector<std::string> notes;  // about options that have no effect
};

// A text to print instead: help, version, the man page or a shell completion.
using Page = std::string;

api::Outcome<std::variant<Parsed, Page>> parse(int argc, char** argv);

}  // namespace surety::cli
