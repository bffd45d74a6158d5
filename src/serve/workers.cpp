#include "serve/workers.hpp"

#include <system_error>

namespace surety::serve {

Workers::~Workers() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Workers::add(std::function<void()> work) {
  const std::scoped_lock lock(mutex_);
  waiting_.push_back(std::move(work));
  const std::size_t idle = threads_.size() - running_;
  if (idle < waiting_.size() && threads_.size() < most_) begin_one();
  wake_.notify_one();
}

// If the system gives no more threads, those that are there do it.
void Workers::begin_one() {
  try {
    threads_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;
  }
}

std::size_t Workers::busy() const {
  const std::scoped_lock lock(mutex_);
  return running_ + waiting_.size();
}

void Workers::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return over_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const auto work = std::move(waiting_.front());
    waiting_.pop_front();
    ++running_;
    lock.unlock();
    work();
    lock.lock();
    --running_;
  }
}

}  // namespace surety::serve
