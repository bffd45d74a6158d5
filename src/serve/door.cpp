#include "serve/door.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "serve/head.hpp"

namespace surety::serve {
namespace {

constexpr std::chrono::milliseconds kLeaves{500};

const char* name_of(int status) {
  switch (status) {
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 411: return "Length Required";
    case 413: return "Payload Too Large";
    case 415: return "Unsupported Media Type";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Bad Request";
  }
}

// Said before anybody knows who asks, so it has no words of the request in it.
std::string refusal(int status, std::string_view why) {
  const std::string body = fmt::format(R"({{"error":{{"code":"request","message":"{}"}}}})", why);
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{}",
      status, name_of(status), body.size(), body);
}

sockaddr_in loopback(int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

}  // namespace

Result<Door> Door::open(int port) {
  Fd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  // A port is free as soon as its last server is gone. Not REUSEPORT: two servers would share the requests.
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = loopback(port);
  socklen_t size = sizeof address;
  if (!listener || ::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(listener.get(), 128) != 0 ||
      ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return fail(file_error({}, fmt::format("port {}: {}", port, std::strerror(errno))));
  return Door(std::move(listener), ntohs(address.sin_port));
}

void Door::run(int stop, const std::atomic<bool>& over, const Serve& serve) {
  while (true) {
    std::vector<pollfd> wait = {{stop, POLLIN, 0}, {listener_.get(), POLLIN, 0}};
    for (const Guest& guest : guests_) wait.push_back({guest.socket.get(), POLLIN, 0});
    if (::poll(wait.data(), wait.size(), patience()) < 0 && errno != EINTR) break;
    if (wait[0].revents != 0) break;
    for (std::size_t i = guests_.size(); i-- > 0;)
      if (wait[i + 2].revents != 0 && !hear(guests_[i], over, serve))
        guests_.erase(guests_.begin() + static_cast<long>(i));
    send_away_late();
    if (wait[1].revents != 0) take_guests();
  }
  guests_.clear();
  listener_.reset();
}

void Door::close() { workers_.reset(); }

void Door::take_guests() {
  while (true) {
    Fd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket && (errno == EMFILE || errno == ENFILE)) wait_for_files();
    if (!socket) return;
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    Guest guest{std::move(socket), {}, Connection::Clock::now() + kArrival};
    if (make_room())
      guests_.push_back(std::move(guest));
    else
      refuse(guest, 503, "too many connections");
  }
}

// There is somebody, and no number for the connection: it stays where it is, but nobody may ask for it all the time.
void Door::wait_for_files() {
  constexpr std::chrono::milliseconds kPause{50};
  if (!guests_.empty()) guests_.erase(guests_.begin());
  std::this_thread::sleep_for(kPause);
}

// Who is being served stays; of those who wait, the first has waited longest.
bool Door::make_room() {
  if (guests_.size() + workers_->busy() < kMostConnections) return true;
  if (guests_.empty()) return false;
  guests_.erase(guests_.begin());
  return true;
}

bool Door::hear(Guest& guest, const std::atomic<bool>& over, const Serve& serve) {
  char buffer[4096];
  const ssize_t got = ::recv(guest.socket.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (got <= 0) return false;
  if (guest.leaving) return true;
  const std::size_t before = guest.arrived.size();
  guest.arrived.append(buffer, static_cast<std::size_t>(got));
  const auto end = end_of_head(guest.arrived, before);
  if (std::min(end, guest.arrived.size()) > kMostHead) return refuse(guest, 431, "the head of the request is too long");
  if (end == std::string::npos) return true;
  const Head head = read_head(std::string_view(guest.arrived).substr(0, end));
  if (head.wrong != 0) return refuse(guest, head.wrong, head.why);
  // A function that is kept has to be one that can be copied.
  auto connection = std::make_shared<Connection>(std::move(guest.socket), std::move(guest.arrived), end + head.length,
                                                 guest.deadline, over);
  workers_->add([connection = std::move(connection), &serve]() mutable {
    serve(*connection);
    connection.reset();
  });
  return false;
}

// It is told why, and may finish what it is saying: who closes while something comes in takes back what went out.
bool Door::refuse(Guest& guest, int status, std::string_view why) {
  const std::string text = refusal(status, why);
  const ssize_t sent = ::send(guest.socket.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::shutdown(guest.socket.get(), SHUT_WR);
  guest.leaving = true;
  guest.arrived.clear();
  guest.deadline = Connection::Clock::now() + kLeaves;
  return sent > 0;
}

int Door::patience() const {
  if (guests_.empty()) return -1;
  const auto next = std::ranges::min_element(guests_, {}, &Guest::deadline)->deadline;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Connection::Clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

void Door::send_away_late() {
  const auto now = Connection::Clock::now();
  std::erase_if(guests_, [&](Guest& guest) {
    if (guest.deadline > now) return false;
    return guest.leaving || !refuse(guest, 408, "the request did not arrive");
  });
}

}  // namespace surety::serve
