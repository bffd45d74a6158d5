// Where children live: one thread starts them, reads what they tell, ends and buries them.
//
// It is one thread because children die with the thread that has started them, so none outlives the server, however
// that ends; and because then nothing about a child is known twice. All functions here may be called by any thread.
// What they are given is called by the thread of the nursery and must be quick.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "serve/child.hpp"

namespace surety::serve {

struct Ended {
  int status = 0;  // of its exit; or of why it could not be started: errno
  int signal = 0;  // that it died of
  bool started = true;
};

class Nursery {
 public:
  using Id = std::uint64_t;
  using Told = std::function<void(std::string_view)>;  // what came out of `from`
  using Over = std::function<void(const Ended&)>;      // the last that is heard of it
  static constexpr std::chrono::seconds kGrace{2};     // from being asked to end to being ended

  Nursery();
  ~Nursery();
  Nursery(const Nursery&) = delete;
  Nursery& operator=(const Nursery&) = delete;

  // All children are asked to end, and ended after the grace. Nothing is told any more when this comes back.
  void end();

  // `from`: our end of a pipe to read, or none. `handed`: what it gets of ours, closed here once it has them.
  Id raise(Program program, std::vector<Fd> handed, Fd from, Told told, Over over);
  void interrupt(Id id);  // asks it to end: what it knows is told
  void kill(Id id);
  // Is called in the thread of the nursery, as soon as may be, or again and again until it says false.
  void every(std::chrono::milliseconds period, std::function<bool()> what);

 private:
  using Clock = std::chrono::steady_clock;
  struct Life;
  struct Timer;

  void post(std::function<void()> what);
  void live();
  void watch(Life& life, short pipe, short end);
  void bury(Life& life);
  Life* find(Id id);
  void ask_to_end(Life& life);
  int patience() const;
  void look_at_clock();

  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;
  Id next_ = 1;
  Fd wake_;
  bool over_ = false;  // by the thread
  std::vector<std::unique_ptr<Life>> lives_;
  std::vector<Timer> timers_;
  std::thread thread_;
};

}  // namespace surety::serve
