// Studies as a person reads them.
#pragma once

#include <string>

#include "study/create.hpp"
#include "study/merge.hpp"
#include "study/run.hpp"
#include "study/status.hpp"

namespace surety::cli {

std::string to_text(const study::Created& created, const std::string& file);
std::string to_text(const study::Standing& standing);
std::string to_text(const study::Shown& shown);
std::string to_text(const study::Differences& differences);
std::string to_text(const study::Merged& merged);
std::string to_text(const study::RunEnd& end);

// "0.012 s", "1.2 s", "3 m 20 s", "5 h 12 m"
std::string shown_time(double seconds);

// What is shown while a study runs: a bar, and below it the longest running.
std::string bar(const study::RunProgress& progress, int columns);
std::string line_of(const study::RunProgress& progress);

}  // namespace surety::cli
