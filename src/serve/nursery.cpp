#include "serve/nursery.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>

#include "base/check.hpp"

namespace surety::serve {

struct Nursery::Life {
  Id id = 0;
  Child child;
  Fd from;
  Told told;
  Over over;
  std::optional<Clock::time_point> kill_at = {};
  bool over_already = false;
};

struct Nursery::Timer {
  Clock::time_point next;
  std::chrono::milliseconds period;
  std::function<bool()> what;
};

Nursery::Nursery() : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  check(static_cast<bool>(wake_), "no descriptor to wake a thread");
  sigset_t all, before;  // signals are for the main thread
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { live(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Nursery::~Nursery() { end(); }

void Nursery::end() {
  if (!thread_.joinable()) return;
  post([this] {
    over_ = true;
    timers_.clear();
    for (const auto& life : lives_) ask_to_end(*life);
  });
  thread_.join();
}

void Nursery::post(std::function<void()> what) {
  {
    const std::scoped_lock lock(mutex_);
    posted_.push_back(std::move(what));
  }
  ::eventfd_write(wake_.get(), 1);
}

Nursery::Id Nursery::raise(Program program, std::vector<Fd> handed, Fd from, Told told, Over over) {
  auto life = std::make_shared<Life>();
  life->from = std::move(from);
  life->told = std::move(told);
  life->over = std::move(over);
  if (life->from) ::fcntl(life->from.get(), F_SETFL, O_NONBLOCK);
  {
    const std::scoped_lock lock(mutex_);
    life->id = next_++;
  }
  const Id id = life->id;
  auto open = std::make_shared<std::vector<Fd>>(std::move(handed));
  post([this, life, open, program = std::move(program)] {
    const int problem = over_ ? ECANCELED : start(program, life->child);
    open->clear();
    if (problem != 0)
      life->over({problem, 0, false});
    else
      lives_.push_back(std::make_unique<Life>(std::move(*life)));
  });
  return id;
}

Nursery::Life* Nursery::find(Id id) {
  const auto it = std::ranges::find(lives_, id, [](const auto& life) { return life->id; });
  return it == lives_.end() ? nullptr : it->get();
}

void Nursery::ask_to_end(Life& life) {
  ::kill(-life.child.pid, SIGINT);
  if (!life.kill_at) life.kill_at = Clock::now() + kGrace;
}

void Nursery::interrupt(Id id) {
  post([this, id] {
    if (Life* const life = find(id)) ask_to_end(*life);
  });
}

void Nursery::kill(Id id) {
  post([this, id] {
    if (Life* const life = find(id)) ::kill(-life->child.pid, SIGKILL);
  });
}

void Nursery::every(std::chrono::milliseconds period, std::function<bool()> what) {
  post([this, period, what = std::move(what)] { timers_.push_back({Clock::now() + period, period, what}); });
}

void Nursery::live() {
  while (!over_ || !lives_.empty()) {
    std::vector<pollfd> wait = {{wake_.get(), POLLIN, 0}};
    for (const auto& life : lives_) {
      wait.push_back({life->from.get(), POLLIN, 0});
      wait.push_back({life->child.ended.get(), POLLIN, 0});
    }
    if (::poll(wait.data(), wait.size(), patience()) < 0 && errno != EINTR) continue;
    for (std::size_t i = 0; i < lives_.size(); ++i) watch(*lives_[i], wait[2 * i + 1].revents, wait[2 * i + 2].revents);
    std::erase_if(lives_, [](const auto& life) { return life->over_already; });
    look_at_clock();
    eventfd_t count = 0;
    ::eventfd_read(wake_.get(), &count);
    std::vector<std::function<void()>> posted;
    {
      const std::scoped_lock lock(mutex_);
      posted.swap(posted_);
    }
    for (const auto& what : posted) what();
  }
}

void Nursery::watch(Life& life, short pipe, short end) {
  constexpr int kReads = 16;  // then it is the turn of others
  char buffer[65536];
  for (int i = 0; life.from && (pipe != 0 || end != 0) && (i < kReads || end != 0); ++i) {
    const ssize_t got = ::read(life.from.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;  // nothing now
    if (got == 0) {
      life.from.reset();
      break;
    }
    life.told({buffer, static_cast<std::size_t>(got)});
  }
  if (end != 0) bury(life);
}

void Nursery::bury(Life& life) {
  ::kill(-life.child.pid, SIGKILL);  // what it has left behind; the group is its own as long as it is not waited for
  int status = 0;
  while (::waitpid(life.child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  life.over_already = true;
  life.over({WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0, true});
}

int Nursery::patience() const {
  std::optional<Clock::time_point> next;
  const auto at = [&](Clock::time_point time) { next = next ? std::min(*next, time) : time; };
  for (const auto& life : lives_)
    if (life->kill_at) at(*life->kill_at);
  for (const Timer& timer : timers_) at(timer.next);
  if (!next) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

void Nursery::look_at_clock() {
  const auto now = Clock::now();
  for (const auto& life : lives_)
    if (life->kill_at && *life->kill_at <= now) {
      ::kill(-life->child.pid, SIGKILL);
      life->kill_at.reset();
    }
  std::erase_if(timers_, [now](Timer& timer) {
    if (timer.next > now) return false;
    timer.next = now + timer.period;
    return !timer.what();
  });
}

}  // namespace surety::serve
