#include "study/crew.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/check.hpp"
#include "base/file.hpp"

namespace surety::study {

MpiCrew (*join_mpi)() = nullptr;

namespace {

// What the owner has open is none of a worker's business: the database least of all.
void close_all_but(int socket) {
  std::vector<int> open;
  if (DIR* const folder = ::opendir("/proc/self/fd")) {
    while (const dirent* const entry = ::readdir(folder))
      if (const int handle = std::atoi(entry->d_name); handle > 2 && handle != socket && handle != ::dirfd(folder))
        open.push_back(handle);
    ::closedir(folder);
  }
  for (const int handle : open) ::close(handle);
}

class LocalCrew : public Crew {
 public:
  LocalCrew(std::size_t workers, const Hands& hands) : hands_(hands), workers_(workers) {
    for (auto& worker : workers_) worker.servant = start_servant(hands_);
  }
  ~LocalCrew() override {
    for (auto& worker : workers_) dismiss(worker);
  }

  std::size_t size() const override { return workers_.size(); }
  void give(std::size_t worker, const std::string& line) override {
    write_all(workers_[worker].servant.socket, line + "\n");  // one that is gone is noticed when it is read from
  }
  std::vector<News> wait(std::chrono::milliseconds most) override;

 private:
  struct Worker {
    Servant servant;
    Lines lines;
  };
  static std::string dismiss(Worker& worker);

  Hands hands_;
  std::vector<Worker> workers_;
};

std::string LocalCrew::dismiss(Worker& worker) {
  ::close(worker.servant.socket);
  ::kill(worker.servant.pid, SIGKILL);
  int status = 0;
  while (::waitpid(worker.servant.pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
                             : fmt::format("exit status {}", WEXITSTATUS(status));
}

std::vector<Crew::News> LocalCrew::wait(std::chrono::milliseconds most) {
  std::vector<pollfd> ready;
  for (const auto& worker : workers_) ready.push_back({worker.servant.socket, POLLIN, 0});
  std::vector<News> news;
  if (::poll(ready.data(), ready.size(), static_cast<int>(most.count())) <= 0) return news;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (ready[i].revents == 0) continue;
    char bytes[65536];
    const auto count = ::read(workers_[i].servant.socket, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      news.push_back({i, std::nullopt, dismiss(workers_[i])});
      workers_[i] = {start_servant(hands_), {}};
      continue;
    }
    workers_[i].lines.add(bytes, static_cast<std::size_t>(count));
    while (auto line = workers_[i].lines.next()) news.push_back({i, std::move(line)});
  }
  return news;
}

}  // namespace

Servant start_servant(const Hands& hands) {
  int ends[2];
  check(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "a socket can be made");
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  check(pid >= 0, "a process can be started");
  if (pid > 0) {
    ::close(ends[1]);
    return {pid, ends[0]};
  }
  close_all_but(ends[1]);
  become_child(parent);
  serve(ends[1], hands);
  ::_exit(0);
}

std::unique_ptr<Crew> make_local_crew(std::size_t workers, const Hands& hands) {
  return std::make_unique<LocalCrew>(workers, hands);
}

}  // namespace surety::study
