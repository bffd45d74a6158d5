// Threads for work that may wait: as many as are needed at once, up to a limit, and they stay.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace surety::serve {

class Workers {
 public:
  explicit Workers(std::size_t most) : most_(most) {}
  ~Workers();  // when all work is done
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void add(std::function<void()> work);
  std::size_t busy() const;  // what is being done, or waits for a thread

 private:
  void begin_one();
  void run();

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  std::size_t running_ = 0;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace surety::serve
