// The commands: each turns the options into a request to `api` and prints the answer.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "load/load.hpp"

namespace surety::cli {

// Prints what is wrong, if asked for as JSON too; its exit status.
int fail(const api::Failure& failure, bool json);

// The exit status. `words`: the command line as it was typed, for --events.
int run_command(const std::string& name, Options options, const std::vector<std::string>& words,
                std::atomic<bool>& interrupted);

}  // namespace surety::cli
