#include "serve/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/check.hpp"

namespace surety::serve {
namespace {

constexpr int kMostOpened = 4;
constexpr int kOutOfTheWay = kMostOpened;  // no descriptor is wanted under such a number

void limit(decltype(RLIMIT_AS) what, std::uint64_t most) {
  const rlimit both{most, most};
  ::setrlimit(what, &both);
}

[[noreturn]] void give_up(volatile int* problem) {
  *problem = errno;
  ::_exit(127);
}

// In the child, which shares our memory until it has become the program: system calls only.
[[noreturn]] void become(const Program& program, const char* const* words, volatile int* problem) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // First away from the numbers that are wanted, then there: the copies stay open.
  std::array<int, kMostOpened> aside{};
  for (std::size_t i = 0; i < program.opened.size(); ++i) {
    aside[i] = ::fcntl(program.opened[i].first, F_DUPFD_CLOEXEC, kOutOfTheWay);
    if (aside[i] < 0) give_up(problem);  // it would have what is ours under that number
  }
  for (std::size_t i = 0; i < program.opened.size(); ++i) ::dup2(aside[i], program.opened[i].second);
  limit(RLIMIT_CORE, 0);
  if (program.memory != 0) limit(RLIMIT_AS, program.memory);
  if (program.file != 0) limit(RLIMIT_FSIZE, program.file);
  if (::chdir(program.folder.c_str()) == 0) ::execv(words[0], const_cast<char* const*>(words));
  give_up(problem);
}

}  // namespace

int start(const Program& program, Child& child) {
  check(program.opened.size() <= kMostOpened, "few descriptors are handed on, as 0, 1, ...");
  std::vector<const char*> words;
  for (const auto& word : program.words) words.push_back(word.c_str());
  words.push_back(nullptr);
  volatile int problem = 0;
  sigset_t all, before;  // no handler of ours runs in the child
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  // As in base/process.cpp: no copy of our page tables, and the child only becomes the program.
  // NOLINTBEGIN(bugprone-unsafe-functions, clang-analyzer-security.insecureAPI.vfork, clang-analyzer-unix.Vfork)
  const pid_t pid = ::vfork();
  if (pid == 0) become(program, words.data(), &problem);
  // NOLINTEND(bugprone-unsafe-functions, clang-analyzer-security.insecureAPI.vfork, clang-analyzer-unix.Vfork)
  if (pid < 0) problem = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (problem != 0) {
    if (pid > 0) ::waitpid(pid, nullptr, 0);
    return problem;
  }
  child.pid = pid;
  child.ended = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (child.ended) return 0;
  problem = errno;  // nobody would hear of its end
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return problem;
}

}  // namespace surety::serve
