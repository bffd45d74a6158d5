#include "base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
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
#include "base/fd.hpp"
#include "base/file.hpp"

namespace surety {
namespace {

constexpr int kLookMs = 20;  // how often the budget is asked
constexpr int kReads = 64;   // before it is asked again, all the same: more than a pipe holds

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
[[noreturn]] void become(const char* const* words, char* const* settings, const Command& command, int input, int output,
                         int errors, volatile int* trouble) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
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
bool drain(int from, const Command& command, std::string& into, bool& cut) {
  char buffer[65536];
  for (int i = 0; i < kReads; ++i) {
    const ssize_t got = ::read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    const std::size_t room = command.keep - into.size();
    cut |= static_cast<std::size_t>(got) > room;
    into.append(buffer, std::min(room, static_cast<std::size_t>(got)));
  }
  return true;
}

// A file without a name that has this text, to be read from its beginning.
[[gnu::noinline]] int open_input(std::string_view text) {  // not inlined: the caller has vfork
  if (text.empty()) return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int fd = ::memfd_create("input", MFD_CLOEXEC);
  check(fd >= 0 && write_all(fd, text) && ::lseek(fd, 0, SEEK_SET) == 0, "no room for the input of a program");
  return fd;
}

// What comes from a program.
class Output {
 public:
  Output() { ::fcntl(pipe_.from.get(), F_SETFL, O_NONBLOCK); }
  int to() const { return pipe_.to.get(); }
  int waiting() const { return open_ ? pipe_.from.get() : -1; }
  bool open() const { return open_; }
  void close_ours() { pipe_.to.reset(); }
  void drain(const Command& command, std::string& into, bool& cut) {
    if (open_) open_ = surety::drain(pipe_.from.get(), command, into, cut);
  }

 private:
  Pipe pipe_ = make_pipe();
  bool open_ = true;
};

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
  Fd input(open_input(command.input));
  Output output;
  std::optional<Output> errors;
  if (command.errors_apart) errors.emplace();
  auto words = command.words;
  auto settings = environment(command);
  const auto word_pointers = pointers(words);
  const auto setting_pointers = pointers(settings);
  volatile int trouble = 0;
  // vfork: we may be large, and copying even our page tables would cost more than a small program runs.
  // Its child does nothing but become the program, with calls that Linux allows there.
  // NOLINTBEGIN(bugprone-unsafe-functions, clang-analyzer-security.insecureAPI.vfork, clang-analyzer-unix.Vfork)
  const pid_t pid = ::vfork();
  if (pid == 0)
    become(word_pointers.data(), setting_pointers.data(), command, input.get(), output.to(),
           errors ? errors->to() : output.to(), &trouble);
  // NOLINTEND(bugprone-unsafe-functions, clang-analyzer-security.insecureAPI.vfork, clang-analyzer-unix.Vfork)
  if (pid < 0) trouble = errno;
  input.reset();
  output.close_ours();
  if (errors) errors->close_ours();
  if (trouble != 0) {
    if (pid > 0) ::waitpid(pid, nullptr, 0);
    ran.status = trouble;
    return ran;
  }
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  bool stopped = false;
  const auto drain_all = [&] {
    output.drain(command, ran.output, ran.cut);
    if (errors) errors->drain(command, ran.errors, ran.cut);
  };
  while (true) {
    pollfd wait[3] = {
        {process.get(), POLLIN, 0}, {output.waiting(), POLLIN, 0}, {errors ? errors->waiting() : -1, POLLIN, 0}};
    ::poll(wait, 3, kLookMs);
    drain_all();
    if (process.get() >= 0 ? (wait[0].revents & POLLIN) != 0 : !output.open()) break;
    stopped = (ran.cut && command.ends_when_full) || !budget.go_on();
    if (stopped) break;
  }
  int status = 0;
  if (stopped) ::kill(-pid, SIGKILL);
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-pid, SIGKILL);  // what it has left behind
  drain_all();
  ran.end = stopped ? Ran::End::stopped : WIFEXITED(status) ? Ran::End::exited : Ran::End::killed;
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  return ran;
}

}  // namespace surety
