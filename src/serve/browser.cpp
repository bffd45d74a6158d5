#include "serve/browser.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/file.hpp"
#include "base/process.hpp"

namespace surety::serve {
namespace {

bool has(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

// The words of a command line can be read by every user of the machine, and a browser keeps its own for as long as it
// runs. So the address, with the token, is in a file that only this user can read, and that leads there.
void open_browser(const std::string& address, const TempFolder& folder) {
  const auto program = find_program("xdg-open");
  if (!program || ::isatty(STDOUT_FILENO) != 1 || (!has("DISPLAY") && !has("WAYLAND_DISPLAY"))) return;
  const std::string file = folder.file("open.html");
  const std::string text = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><title>surety</title><meta http-equiv=\"refresh\" content=\"0; url={0}\">"
      "<p><a href=\"{0}\">surety</a></p>\n",
      address);
  if (!write_file(file, text)) return;
  ::chmod(file.c_str(), 0600);
  const pid_t pid = ::fork();
  if (pid != 0) {
    while (pid > 0 && ::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return;
  }
  // A child of a child, so that the server does not have to wait for it: the browser may go on when the server ends.
  if (::fork() != 0) ::_exit(0);
  ::setsid();
  const int nothing = ::open("/dev/null", O_RDWR);
  if (nothing < 0) ::_exit(127);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, fd);
  ::execl(program->c_str(), "xdg-open", file.c_str(), static_cast<char*>(nullptr));
  ::_exit(127);
}

}  // namespace surety::serve
