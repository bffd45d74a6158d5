// surety-serve: the server of the page, which `surety serve` becomes.

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "base/budget.hpp"
#include "base/process.hpp"
#include "base/temp_folder.hpp"
#include "serve/browser.hpp"
#include "serve/door.hpp"
#include "serve/gate.hpp"
#include "serve/routes.hpp"

namespace surety::serve {
namespace {

constexpr int kUsage = 64, kInput = 65, kInternal = 70;
constexpr int kUsualPort = 7117;

std::atomic<int> stop_fd{-1};

// The first signal asks the server to end, which it does with its children; a second one ends it at once, and they die
// with it.
void on_signal(int signal) {
  static std::atomic<bool> asked{false};
  if (asked.exchange(true)) ::_exit(128 + signal);
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_fd, &one, sizeof one);
}

int fail(const Diagnostics& diagnostics, int status) {
  for (const auto& d : diagnostics) std::cerr << render(d);
  return status;
}
int fail(const Trouble& trouble, int status) { return fail({file_error({}, trouble.message, trouble.hint)}, status); }

// The numbers 0 to 2 are open, so that no file of ours gets one of them.
void open_standard_files() {
  while (true) {
    const int fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd < 0 || fd > STDERR_FILENO) {
      if (fd >= 0) ::close(fd);
      return;
    }
  }
}

Result<Door> open_door(const Settings& settings, bool& moved) {
  if (settings.port) return Door::open(*settings.port);
  if (auto usual = Door::open(kUsualPort)) return usual;
  moved = true;
  return Door::open(0);
}

Or<Vocabulary> ask_for_vocabulary(const std::string& surety) {
  Limits limits;
  limits.time = std::chrono::seconds(10);
  Budget budget(limits);
  return read_vocabulary(run({.words = {surety, "docs", "json"}}, budget).output);
}

void say_where(const std::string& address, const Settings& settings, bool moved) {
  const std::string name = std::filesystem::path(settings.folder).filename().string();
  std::cout << fmt::format("{}  folder {}{}, Ctrl-C ends\n", address, name.empty() ? "/" : name,
                           moved ? fmt::format(", port {} is taken", kUsualPort) : "")
            << std::flush;
}

int serve(const Settings& settings) {
  const Fd stop(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  stop_fd = stop.get();
  bool moved = false;
  auto door = open_door(settings, moved);
  if (!door) return fail(door.error(), kUsage);
  auto places = Places::open(settings.folder, settings.examples, settings.read_only);
  if (!places) return fail(places.error(), kInput);
  const auto vocabulary = ask_for_vocabulary(settings.surety);
  if (!vocabulary) return fail(vocabulary.error(), kInput);
  const auto temporary = TempFolder::make();
  if (!temporary) return fail(temporary.error(), kInput);

  const Gate gate(door->port());
  const Assets assets(settings.assets);
  Gallery gallery(places->examples(), settings.surety);
  std::atomic<bool> over{false};
  Nursery nursery;
  Jobs jobs(nursery, settings.surety, temporary->path(), {settings.jobs});
  Models models(nursery, settings.surety, *places);
  House house{settings, *places, *vocabulary, assets, gallery, jobs, models, over};
  Http http([&gate](const Http::Request& request) { return gate.refuses(request); });
  add_routes(http, house);

  const Door::Serve answer = [&](Connection& connection) { http.answer(connection); };
  std::jthread looking([&] { gallery.look(over); });
  const std::string address = fmt::format("http://127.0.0.1:{}/#t={}", door->port(), gate.token());
  say_where(address, settings, moved);
  if (settings.open) open_browser(address, *temporary);
  door->run(stop.get(), over, answer);
  over = true;
  jobs.cancel_all();
  models.end_questions();
  door->close();
  models.close_all();
  nursery.end();
  return 0;
}

}  // namespace
}  // namespace surety::serve

int main(int argc, char** argv) {
  using namespace surety::serve;
  open_standard_files();
#ifdef __GLIBC__
  // Forty threads do not keep a heap each, and what was large goes back to the system at once.
  ::mallopt(M_ARENA_MAX, 2);
  ::mallopt(M_MMAP_THRESHOLD, 256 << 10);
#endif
  std::signal(SIGPIPE, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  ::umask(077 & ::umask(077));
  try {
    std::error_code none;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", none);
    const auto settings = read_settings({argv + 1, argv + argc}, self.string());
    if (!settings) return fail(settings.error(), kUsage);
    return serve(*settings);
  } catch (const std::exception& error) {
    std::cerr << "surety-serve: internal error: " << error.what() << "\n  Please report this.\n";
    return kInternal;
  }
}
