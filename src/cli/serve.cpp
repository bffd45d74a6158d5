#include "cli/serve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/commands.hpp"

namespace surety::cli {
namespace {

namespace fs = std::filesystem;

// Installed: PREFIX/bin/surety has PREFIX/libexec/surety/surety-serve. In a build tree they are side by side.
fs::path find_server(const fs::path& self) {
  std::error_code none;
  for (const fs::path& there :
       {self.parent_path() / "../libexec/surety/surety-serve", self.parent_path() / "surety-serve"})
    if (fs::exists(there, none)) return there;
  const char* const said = std::getenv("SURETY_SERVE");
  return said == nullptr ? "" : said;
}

std::vector<std::string> words_of(const Options& options, const fs::path& server, const fs::path& self) {
  std::vector<std::string> out = {server.string(), "--surety=" + self.string()};
  if (options.port) out.push_back(fmt::format("--port={}", *options.port));
  if (options.jobs > 0) out.push_back(fmt::format("--jobs={}", options.jobs));
  if (!options.memory.empty()) out.push_back("--memory=" + options.memory);
  if (!options.time.empty()) out.push_back("--time=" + options.time);
  if (!options.assets.empty()) out.push_back("--assets=" + options.assets);
  if (options.no_open) out.emplace_back("--no-open");
  if (options.read_only) out.emplace_back("--read-only");
  if (options.allow_spin) out.emplace_back("--allow-spin");
  out.emplace_back("--");
  out.insert(out.end(), options.files.begin(), options.files.end());
  return out;
}

}  // namespace

int serve_command(const Options& options) {
  std::error_code none;
  const fs::path self = fs::read_symlink("/proc/self/exe", none);
  const fs::path server = find_server(self);
  if (server.empty())
    return fail(api::usage("this surety has no page: there is no program surety-serve beside it",
                           "it is built and installed with surety; SURETY_SERVE can name it")
                    .value(),
                false);
  auto words = words_of(options, server, self);
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})  // ignored ones stay ignored
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  ::execv(server.c_str(), pointers.data());
  return fail(api::usage(fmt::format("{}: {}", server.string(), std::strerror(errno))).value(), false);
}

}  // namespace surety::cli
