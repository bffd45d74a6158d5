// A connection whose request has begun to arrive: the head is there, the body may still come.
//
// httplib reads the head from here and then as much of the body as was said to follow, never more. All of a request has
// to arrive by a deadline; of what is sent, something has to be taken every few seconds, or the reader is gone. When
// the server ends, nobody is waited for.
#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <string>

#include "base/fd.hpp"

namespace surety::serve {

class Connection final : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;

  // `arrived`: the head, and what has come of the body.
  Connection(Fd socket, std::string arrived, std::size_t body, Clock::time_point deadline,
             const std::atomic<bool>& over);
  ~Connection() override;

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_.get(); }

 private:
  bool wait_for(short events, Clock::time_point deadline) const;

  Fd socket_;
  std::string arrived_;
  std::size_t at_ = 0;  // in it
  std::size_t left_;    // to be read, head and body
  Clock::time_point deadline_;
  const std::atomic<bool>& over_;
  bool broken_ = false;
};

// Closes so that what was sent is read: a socket that is closed while something comes in takes back what went out.
void close_gently(Fd socket);

}  // namespace surety::serve
