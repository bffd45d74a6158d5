// How much a check may cost: time, memory, states, queries, and the user's patience.
//
// A budget is passed down, never global. Work asks go_on() every few hundred
// microseconds and stops when it says no; the first reason wins and is kept.
// Memory is counted in two ways: big tables are charged before they grow, and
// the resident size of the process is looked at now and then, which catches the
// rest. A budget may be shared between threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace surety {

enum class Stop : int { none, time, memory, states, queries, interrupted, assumption, tool };
std::string describe(Stop stop);  // "time", "memory", ...

struct Limits {
  std::optional<std::chrono::nanoseconds> time;
  std::optional<std::uint64_t> memory;  // bytes, of the whole process
  std::optional<std::uint64_t> states;
  std::optional<std::uint64_t> queries;
};

// What a long run is doing, for a progress line. Written by the work, read by the face.
struct Progress {
  std::atomic<const char*> phase{""};  // a string literal
  std::atomic<std::uint64_t> states{0};
  std::atomic<std::uint64_t> conjectures{0};
};

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Budget(const Limits& limits = {}, const std::atomic<bool>* interrupted = nullptr,
                  Progress* progress = nullptr);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  bool go_on();  // false once a limit is reached
  bool add_states(std::uint64_t n);
  bool add_query();

  // Asks for `bytes` more memory. A refusal is not yet a stop: the caller may manage without,
  // or give up with stop(Stop::memory).
  bool charge(std::uint64_t bytes);
  void release(std::uint64_t bytes) { charged_.fetch_sub(bytes, std::memory_order_relaxed); }

  void stop(Stop why);
  Stop why() const { return static_cast<Stop>(why_.load(std::memory_order_relaxed)); }

  void phase(const char* name);
  void count_conjecture();

  double seconds_used() const;
  std::optional<std::chrono::nanoseconds> time_left() const;
  std::uint64_t memory_limit() const { return memory_limit_; }
  std::uint64_t memory_left() const;
  const std::atomic<bool>* interrupt_flag() const { return interrupted_; }

 private:
  Clock::time_point start_;
  Limits limits_;
  std::uint64_t memory_limit_;
  std::uint64_t baseline_;  // resident size when the budget began
  const std::atomic<bool>* interrupted_;
  Progress* progress_;
  std::atomic<std::uint64_t> charged_{0};
  std::atomic<std::uint64_t> states_{0};
  std::atomic<std::uint64_t> queries_{0};
  std::atomic<std::int64_t> next_look_{0};  // when to look at the resident size again
  std::atomic<int> why_{0};
};

// For work that may run without a budget.
inline bool go_on(Budget* budget) { return budget == nullptr || budget->go_on(); }

// Bytes that are charged to a budget for as long as this lives.
class Charge {
 public:
  explicit Charge(Budget& budget) : budget_(budget) {}
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge() { budget_.release(bytes_); }

  bool grow_to(std::uint64_t bytes);  // false: refused, the charge is as it was
  std::uint64_t bytes() const { return bytes_; }

 private:
  Budget& budget_;
  std::uint64_t bytes_ = 0;
};

std::uint64_t resident_bytes();       // of this process, now
std::uint64_t peak_resident_bytes();  // of this process, so far

}  // namespace surety
