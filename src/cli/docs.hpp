// The man page and the shell completions, made from the command definitions.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace surety::cli {

std::string man_page(const CLI::App& app);  // in scdoc's language
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace surety::cli
