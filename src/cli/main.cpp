// From the words of the command line to the exit status.

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <iostream>
#include <new>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/parse.hpp"

namespace surety::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> signal_received{0};

// The first signal asks the work to stop and tell what it knows; a second one ends the process.
void on_signal(int signal) {
  if (interrupted.exchange(true)) ::_exit(128 + signal);
  signal_received = signal;
}

// After the report the process ends by the signal that it got, so that the shell knows: a loop stops.
void end_by_signal() {
  const int signal = signal_received;
  if (signal == 0) return;
  std::cout.flush();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

int run(int argc, char** argv) {
  const auto parsed = parse(argc, argv);
  const auto asks_for_json = [](const char* word) { return std::string_view(word) == "--json"; };
  if (!parsed) return fail(parsed.error(), std::any_of(argv, argv + argc, asks_for_json));
  if (const auto* page = std::get_if<Page>(&*parsed)) {
    std::cout << *page;
    return 0;
  }
  const auto& [command, options, notes] = std::get<Parsed>(*parsed);
  if (!options.quiet)
    for (const auto& note : notes) std::cerr << "note: " << note << "\n";
  const int status = run_command(command->name, options, {argv, argv + argc}, interrupted);
  if (group_of(*command) == "study") signal_received = 0;  // a study that was interrupted says so by its status
  return status;
}

}  // namespace
}  // namespace surety::cli

int main(int argc, char** argv) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, surety::cli::on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);  // as nohup wants it
  std::signal(SIGPIPE, SIG_DFL);
  try {
    const int status = surety::cli::run(argc, argv);
    surety::cli::end_by_signal();
    if (std::cout.flush()) return status;
    std::cerr << "error: standard output cannot be written\n";
    return surety::api::Failure::kInput;
  } catch (const std::bad_alloc&) {
    std::cerr << "unknown: out of memory\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "surety: internal error: " << error.what()
              << "\n  Please report this, with the command and the files it was given.\n";
    return 70;
  }
}
