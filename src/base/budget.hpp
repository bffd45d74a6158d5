// How much a check may cost: time, memory, states, queries, and the user's patience.
//
// A budget is passed down, never global. Work asks go_on() every few hundred
// microseconds and stops when it says no; the first reason wins and is kept.
// Memory is counted in two ways: big tables are charged before they grow, and
// the resident size of the process is looked at now and then, which catches the
// rest. A budget may be shared between threads, and shares of it may be given away:
// what a share uses counts for the whole as well. If the process grows too large, the
// share that holds most has to stop (or of its own shares the one that does), and the
// others go on.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

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
  std::atomic<std::uint64_t> queries{0};
  std::atomic<std::uint64_t> depth{0}, frontier{0};  // of the search that goes layer by layer; 0: there is none
};

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Budget(const Limits& limits = {}, const std::atomic<bool>* interrupted = nullptr,
                  Progress* progress = nullptr);
  // A share of another budget. Its memory is what it may charge.
  Budget(Budget& whole, const Limits& share, Progress* progress = nullptr);
  ~Budget();
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  bool go_on();  // false once a limit is reached
  bool add_states(std::uint64_t n);
  bool add_query();

  // Asks for `bytes` more memory. A refusal is not yet a stop: the caller may manage without,
  // or give up with stop(Stop::memory).
  bool charge(std::uint64_t bytes);
  void release(std::uint64_t bytes);
  std::uint64_t charged() const { return charged_.load(std::memory_order_relaxed); }
  // Of a share: asked before a charge is refused. It may wait; true: try again.
  void before_refusal(std::function<bool()> wait) { wait_ = std::move(wait); }

  void stop(Stop why);
  Stop why() const { return static_cast<Stop>(why_.load(std::memory_order_relaxed)); }

  void phase(const char* name);
  void tell_whole() { tells_ = true; }  // of a share: its phases are those of the whole
  void count_conjecture();
  // A search is at this depth, and its layer has so many states.
  void layer(std::uint64_t depth, std::uint64_t frontier);

  double seconds_used() const;
  std::optional<std::chrono::nanoseconds> time_left() const;
  std::uint64_t memory_limit() const { return whole_ != nullptr ? whole_->memory_limit() : memory_limit_; }
  std::uint64_t memory_left() const;
  // Is there room for so much that is not charged? If not, this budget stops.
  bool has_room(std::uint64_t bytes);
  // The time that is left and the limit of memory, for a budget of work that counts no states for this one.
  Limits rest() const { return {time_left(), memory_limit(), {}, {}}; }
  const std::atomic<bool>* interrupt_flag() const { return interrupted_; }

 private:
  void look_at_memory();
  bool stop_heaviest();  // of the shares; false: there is none to stop
  bool fits(std::uint64_t charged) const;

  Budget* whole_ = nullptr;  // of a share
  Clock::time_point start_;
  Limits limits_;
  std::uint64_t memory_limit_;
  std::uint64_t baseline_;  // resident size when the budget began; of a share: nothing
  const std::atomic<bool>* interrupted_;
  Progress* progress_;
  std::atomic<std::uint64_t> charged_{0};
  std::atomic<std::uint64_t> states_{0};
  std::atomic<std::uint64_t> queries_{0};
  std::atomic<std::int64_t> next_look_{0};     // when to look at the resident size again
  std::atomic<std::int64_t> grace_until_{0};   // a share has been told to stop: so long no other has to,
  std::atomic<std::uint64_t> grace_bytes_{0};  // as long as the process gets no larger than this
  std::atomic<int> why_{0};
  std::function<bool()> wait_;
  bool tells_ = false;
  std::mutex mutex_;
  std::vector<Budget*> shares_;
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

// What has been freed goes back to the system: the allocator would keep it for the thread that had it.
void give_back_memory();

}  // namespace surety
