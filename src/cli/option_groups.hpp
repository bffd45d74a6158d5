// The options, group by group, in the order in which help shows them.
#pragma once

#include <vector>

#include "cli/option_table.hpp"

namespace surety::cli {

std::vector<OptionSpec> options_of_input();
std::vector<OptionSpec> options_of_question();
std::vector<OptionSpec> options_of_method();
std::vector<OptionSpec> options_of_limits();
std::vector<OptionSpec> options_of_output();

}  // namespace surety::cli
