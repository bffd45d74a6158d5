// A line on the terminal while long work goes on: what it is doing and how far it is.
#pragma once

#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include "base/budget.hpp"

namespace surety::cli {

class ProgressLine {
 public:
  ProgressLine(const Progress& progress, bool quiet) : progress_(progress) {
    if (!quiet && ::isatty(STDERR_FILENO) == 1)
      thread_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
  }

  // Something else is printed meanwhile: the line goes, and comes back.
  template <class Print>
  void make_room(Print print) {
    const std::scoped_lock lock(mutex_);
    clear();
    print();
  }

 private:
  void clear() {
    if (std::exchange(shown_, false)) std::fputs("\r\033[K", stderr);
  }

  void tick(const std::stop_token& stop) {
    using namespace std::chrono_literals;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex_);
    // Short work shows nothing.
    for (auto wait = 1000ms; !wake.wait_for(lock, stop, wait, [] { return false; }) && !stop.stop_requested();
         wait = 200ms) {
      std::fprintf(stderr, "\r\033[K%s: %llu states", progress_.phase.load(),
                   static_cast<unsigned long long>(progress_.states.load()));
      if (const auto n = progress_.conjectures.load(); n > 0)
        std::fprintf(stderr, ", conjecture %llu", static_cast<unsigned long long>(n));
      std::fflush(stderr);
      shown_ = true;
    }
    clear();
  }

  const Progress& progress_;
  std::mutex mutex_;
  bool shown_ = false;
  std::jthread thread_;
};

}  // namespace surety::cli
