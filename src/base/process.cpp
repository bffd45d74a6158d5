#include "base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "base/check.hpp"

namespace surety {
namespace {

constexpr int kLookMs = 20;  // how often the budget is asked

class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (auto& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment(const Command& command) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view old(*entry);
    bool replaced = false;
    for (const auto& [name, value] : command.settings) replaced |= old.starts_with(name + "=");
    if (!replaced) out.emplace_back(old);
  }
  for (const auto& [name, value] : command.settings) out.push_back(name + "=" + value);
  return out;
}

// In the child, which shares our memory until it has become the program: system calls only.
[[noreturn]] void become(const char* const* words, char* const* settings, const Command& command, int output,
                         volatile int* trouble) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  if (command.memory != 0) {
    const rlimit limit{command.memory, command.memory};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  if (command.folder.empty() || ::chdir(command.folder.c_str()) == 0)
    ::execve(words[0], const_cast<char* const*>(words), settings);
  *trouble = errno;
  ::_exit(127);
}

// Reads what is there. False: the end of the output.
bool drain(int from, const Command& command, Ran& ran) {
  char buffer[65536];
  while (true) {
    const ssize_t got = ::read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    const std::size_t room = command.keep - ran.output.size();
    ran.cut |= static_cast<std::size_t>(got) > room;
    ran.output.append(buffer, std::min(room, static_cast<std::size_t>(got)));
  }
}

}  // namespace

std::optional<std::string> find_program(const std::string& name) {
  const auto usable = [](const std::string& path) { return ::access(path.c_str(), X_OK) == 0; };
  if (name.find('/') != std::string::npos) return usable(name) ? std::optional(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    if (folder.empty()) continue;  // not the current folder: what lies there is the user's model, not a tool
    if (std::string file = std::string(folder) + "/" + name; usable(file)) return file;
  }
  return std::nullopt;
}

Ran run(const Command& command, Budget& budget) {
  Ran ran;
  if (!budget.go_on()) {
    ran.end = Ran::End::stopped;
    return ran;
  }
  int ends[2];
  check(::pipe2(ends, O_CLOEXEC) == 0, "no pipe for the output of a program");
  const Fd from(ends[0]);
  Fd to(ends[1]);
  ::fcntl(from.get(), F_SETFL, O_NONBLOCK);
  auto words = command.words;
  auto settings = environment(command);
  const auto word_pointers = pointers(words);
  const auto setting_pointers = pointers(settings);
  volatile int trouble = 0;
  // vfork: we may be large, and copying even our page tables would cost more than a small program runs.
  const pid_t pid = ::vfork();
  if (pid == 0) become(word_pointers.data(), setting_pointers.data(), command, to.get(), &trouble);
  if (pid < 0) trouble = errno;
  to.close();
  if (trouble != 0) {
    if (pid > 0) ::waitpid(pid, nullptr, 0);
    ran.status = trouble;
    return ran;
  }
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  bool open = true;  // the output
  bool stopped = false;
  while (true) {
    pollfd wait[2] = {{process.get(), POLLIN, 0}, {open ? from.get() : -1, POLLIN, 0}};
    ::poll(wait, 2, kLookMs);
    if (open) open = drain(from.get(), command, ran);
    if (process.get() >= 0 ? (wait[0].revents & POLLIN) != 0 : !open) break;
    if (!budget.go_on()) {
      stopped = true;
      break;
    }
  }
  int status = 0;
  if (stopped) ::kill(-pid, SIGKILL);
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-pid, SIGKILL);  // what it has left behind
  if (open) drain(from.get(), command, ran);
  ran.end = stopped ? Ran::End::stopped : WIFEXITED(status) ? Ran::End::exited : Ran::End::killed;
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  return ran;
}

}  // namespace surety
