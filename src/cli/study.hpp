// `surety study VERB`: the options of a study become requests to `study`, and the answers are printed.
#pragma once

#include <atomic>
#include <string>

#include "cli/options.hpp"

namespace surety::cli {

int study_command(const std::string& verb, const Options& options, const std::atomic<bool>& interrupted);

}  // namespace surety::cli
