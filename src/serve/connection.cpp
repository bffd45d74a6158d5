#include "serve/connection.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace surety::serve {
namespace {

using namespace std::chrono_literals;

constexpr auto kTakesSomething = 10s;  // of what is sent
constexpr auto kLookForEnd = 200ms;    // of the server
constexpr auto kLinger = 500ms;        // for a client that is still sending what is not read
constexpr std::size_t kLingerBytes = 8 << 20;

int milliseconds_to(Connection::Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Connection::Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

}  // namespace

Connection::Connection(Fd socket, std::string arrived, std::size_t body, Clock::time_point deadline,
                       const std::atomic<bool>& over)
    : socket_(std::move(socket)), arrived_(std::move(arrived)), left_(body), deadline_(deadline), over_(over) {}

Connection::~Connection() {
  if (broken_) return;
  close_gently(std::move(socket_));
}

bool Connection::wait_for(short events, Clock::time_point deadline) const {
  pollfd wait{socket_.get(), events, 0};
  while (!over_) {
    const int ready = ::poll(&wait, 1, milliseconds_to(std::min(deadline, Clock::now() + kLookForEnd)));
    if (ready > 0) return (wait.revents & (events | POLLHUP | POLLERR)) != 0;
    if (ready < 0 && errno != EINTR) return false;
    if (Clock::now() >= deadline) return false;
  }
  return false;
}

bool Connection::is_readable() const { return left_ > 0; }

// Also whether the reader is still there: one that is gone has closed its end.
bool Connection::is_writable() const {
  pollfd look{socket_.get(), POLLOUT | POLLRDHUP, 0};
  return !broken_ && ::poll(&look, 1, 0) >= 0 && (look.revents & (POLLERR | POLLHUP | POLLRDHUP)) == 0;
}

ssize_t Connection::read(char* to, size_t size) {
  size = std::min(size, left_);
  if (size == 0) return 0;
  if (at_ < arrived_.size()) {
    size = std::min(size, arrived_.size() - at_);
    std::memcpy(to, arrived_.data() + at_, size);
    at_ += size;
    left_ -= size;
    return static_cast<ssize_t>(size);
  }
  while (wait_for(POLLIN, deadline_)) {
    const ssize_t got = ::recv(socket_.get(), to, size, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got > 0) left_ -= static_cast<std::size_t>(got);
    return got;
  }
  return -1;
}

ssize_t Connection::write(const char* from, size_t size) {
  while (!broken_) {
    const ssize_t sent = ::send(socket_.get(), from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return sent;
    if (errno == EINTR) continue;
    broken_ = errno != EAGAIN || !wait_for(POLLOUT, Clock::now() + kTakesSomething);
  }
  return -1;
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip = "127.0.0.1";  // nobody else can come here
  port = 0;
}
void Connection::get_local_ip_and_port(std::string& ip, int& port) const { get_remote_ip_and_port(ip, port); }

void close_gently(Fd socket) {
  ::shutdown(socket.get(), SHUT_WR);
  const auto end = Connection::Clock::now() + kLinger;
  char rest[16384];
  for (std::size_t taken = 0; taken < kLingerBytes;) {
    pollfd wait{socket.get(), POLLIN, 0};
    if (::poll(&wait, 1, milliseconds_to(end)) <= 0) return;
    const ssize_t got = ::recv(socket.get(), rest, sizeof rest, MSG_DONTWAIT);
    if (got <= 0) return;
    taken += static_cast<std::size_t>(got);
  }
}

}  // namespace surety::serve
