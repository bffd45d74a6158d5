// The commands: each turns the options into a request to `api` and prints the answer.
#pragma once

#include <atomic>
#include <string>

#include "cli/options.hpp"
#include "load/load.hpp"

namespace surety::cli {

// Prints what is wrong, if asked for as JSON too; its exit status.
int fail(const api::Failure& failure, bool json);

// The exit status.
int run_command(const std::string& name, const Options& options, const std::atomic<bool>& interrupted);

}  // namespace surety::cli
