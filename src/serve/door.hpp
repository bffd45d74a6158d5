// The door: a socket on 127.0.0.1, and who waits there.
//
// One thread takes connections and reads the heads of their requests as they arrive; only a request whose head is there
// and well formed gets a thread of the others. So a connection that says nothing holds a place and no thread, and
// when all places are taken, the one that has waited longest for its own head has to go.
//
// A connection has one request. A browser that kept its connections open would hold six threads for each page.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.hpp"
#include "serve/connection.hpp"
#include "serve/workers.hpp"

namespace surety::serve {

class Door {
 public:
  using Serve = std::function<void(Connection&)>;
  static constexpr std::size_t kMostConnections = 64;
  static constexpr std::size_t kMostThreads = 40;
  static constexpr std::chrono::seconds kArrival{30};  // of a whole request

  // A port that is taken: false. 0: any.
  static Result<Door> open(int port);
  int port() const { return port_; }

  // Until `stop` can be read; then no connection is taken any more. `over`: whoever is served is not waited for. That
  // and `serve` have to live until the door is closed.
  void run(int stop, const std::atomic<bool>& over, const Serve& serve);
  void close();  // when what has begun is done

 private:
  struct Guest {
    Fd socket;
    std::string arrived;
    Connection::Clock::time_point deadline;
    bool leaving = false;  // was refused, and what it still sends is not kept
  };

  explicit Door(Fd listener, int port) : listener_(std::move(listener)), port_(port) {}
  void take_guests();
  void wait_for_files();
  bool make_room();
  bool hear(Guest& guest, const std::atomic<bool>& over, const Serve& serve);  // false: it waits no longer
  static bool refuse(Guest& guest, int status, std::string_view why);
  int patience() const;
  void send_away_late();

  Fd listener_;
  int port_;
  std::vector<Guest> guests_;  // the one that came first is the first
  std::unique_ptr<Workers> workers_ = std::make_unique<Workers>(kMostThreads);
};

}  // namespace surety::serve
