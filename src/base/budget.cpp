#include "base/budget.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>

namespace surety {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kLookEvery = std::chrono::milliseconds(10);   // at the resident size, far from the limit
constexpr nanoseconds kLookAgain = std::chrono::microseconds(500);  // near it
constexpr std::uint64_t kFastest = 2;                               // bytes in a nanosecond: no process grows faster
constexpr nanoseconds kGrace =
    std::chrono::milliseconds(100);        // for a share that was told to stop, to give its memory back
constexpr std::uint64_t kSlack = 2 << 20;  // for what grows without being charged

// The memory this process can have: what is free on the machine or in its control group.
std::uint64_t available_memory() {
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);)
    if (unsigned long long kib = 0; std::sscanf(line.c_str(), "MemAvailable: %llu", &kib) == 1) bytes = kib * 1024;
  std::ifstream group("/sys/fs/cgroup/memory.max");
  if (std::uint64_t max = 0; group >> max) bytes = std::min(bytes, max);
  return bytes;
}

}  // namespace

std::uint64_t resident_bytes() {
  const int statm = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (statm < 0) return 0;
  char text[128] = {};
  const ssize_t length = ::read(statm, text, sizeof text - 1);
  ::close(statm);
  unsigned long long total = 0, resident = 0;
  if (length <= 0 || std::sscanf(text, "%llu %llu", &total, &resident) != 2) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void give_back_memory() { ::malloc_trim(0); }

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string describe(Stop stop) {
  switch (stop) {
    case Stop::none: return "not stopped";
    case Stop::time: return "time";
    case Stop::memory: return "memory";
    case Stop::states: return "states";
    case Stop::queries: return "queries";
    case Stop::interrupted: return "interrupted";
    case Stop::assumption: return "a supplied assumption that is wrong";
    case Stop::tool: return "a program that was asked failed";
  }
  return "?";
}

Budget::Budget(const Limits& limits, const std::atomic<bool>* interrupted, Progress* progress)
    : start_(Clock::now()),
      limits_(limits),
      // Without a limit we leave a tenth of what is free: "unknown" is an answer, a killed process is none.
      memory_limit_(limits.memory.value_or(resident_bytes() + available_memory() / 10 * 9)),
      baseline_(resident_bytes()),
      interrupted_(interrupted),
      progress_(progress) {}

Budget::Budget(Budget& whole, const Limits& share, Progress* progress)
    : whole_(&whole),
      start_(Clock::now()),
      limits_(share),
      memory_limit_(share.memory.value_or(std::numeric_limits<std::uint64_t>::max())),
      baseline_(0),
      interrupted_(whole.interrupted_),
      progress_(progress) {
  const std::lock_guard lock(whole.mutex_);
  whole.shares_.push_back(this);
}

Budget::~Budget() {
  if (whole_ == nullptr) return;
  const std::lock_guard lock(whole_->mutex_);
  std::erase(whole_->shares_, this);
}

bool Budget::go_on() {
  if (why() != Stop::none) return false;
  if (whole_ != nullptr && !whole_->go_on()) stop(whole_->why());
  if (interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed)) stop(Stop::interrupted);
  const auto now = Clock::now();
  if (limits_.time && now - start_ >= *limits_.time) stop(Stop::time);
  std::int64_t due = next_look_.load(std::memory_order_relaxed);
  const std::int64_t ticks = now.time_since_epoch().count();
  if (whole_ == nullptr && ticks >= due &&
      next_look_.compare_exchange_strong(due, ticks + kLookEvery.count(), std::memory_order_relaxed))
    look_at_memory();
  return why() == Stop::none;
}

// The nearer the limit, the sooner comes the next look. A share that has to stop needs a while to give its memory back;
// if the process grows on meanwhile, the next one has to stop too.
void Budget::look_at_memory() {
  const std::uint64_t resident = resident_bytes();
  const auto now = Clock::now().time_since_epoch();
  if (resident <= memory_limit_) {
    const nanoseconds safe(static_cast<nanoseconds::rep>((memory_limit_ - resident) / kFastest));
    next_look_ = (now + std::clamp(safe, kLookAgain, kLookEvery)).count();
    return;
  }
  next_look_ = (now + kLookAgain).count();
  if (now.count() < grace_until_ && resident <= grace_bytes_) return;
  if (!stop_heaviest()) return stop(Stop::memory);
  grace_until_ = (now + kGrace).count();
  grace_bytes_ = resident + kSlack;
}

bool Budget::stop_heaviest() {
  const std::lock_guard lock(mutex_);
  Budget* heaviest = nullptr;
  for (Budget* share : shares_)
    if (share->why() == Stop::none && (heaviest == nullptr || share->charged_ > heaviest->charged_)) heaviest = share;
  if (heaviest == nullptr) return false;
  if (!heaviest->stop_heaviest()) heaviest->stop(Stop::memory);
  return true;
}

bool Budget::add_states(std::uint64_t n) {
  if (whole_ != nullptr && !whole_->add_states(n)) stop(whole_->why());
  const auto total = states_.fetch_add(n, std::memory_order_relaxed) + n;
  if (progress_ != nullptr) progress_->states.store(total, std::memory_order_relaxed);
  if (limits_.states && total > *limits_.states) stop(Stop::states);
  return why() == Stop::none;
}

bool Budget::add_query() {
  if (whole_ != nullptr && !whole_->add_query()) stop(whole_->why());
  const auto total = queries_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (progress_ != nullptr) progress_->queries.store(total, std::memory_order_relaxed);
  if (limits_.queries && total > *limits_.queries) stop(Stop::queries);
  return why() == Stop::none;
}

bool Budget::fits(std::uint64_t charged) const {
  if (whole_ != nullptr) return charged <= memory_limit_;
  return charged <= (memory_limit_ > baseline_ + kSlack ? memory_limit_ - baseline_ - kSlack : 0);
}

bool Budget::charge(std::uint64_t bytes) {
  do {
    const auto charged = charged_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (fits(charged) && (whole_ == nullptr || whole_->charge(bytes))) return true;
    charged_.fetch_sub(bytes, std::memory_order_relaxed);
  } while (wait_ && wait_());
  return false;
}

void Budget::release(std::uint64_t bytes) {
  charged_.fetch_sub(bytes, std::memory_order_relaxed);
  if (whole_ != nullptr) whole_->release(bytes);
}

void Budget::stop(Stop why) {
  int none = 0;
  why_.compare_exchange_strong(none, static_cast<int>(why), std::memory_order_relaxed);
}

void Budget::phase(const char* name) {
  if (progress_ != nullptr) progress_->phase.store(name, std::memory_order_relaxed);
  if (tells_) whole_->phase(name);
}

void Budget::count_conjecture() {
  if (whole_ != nullptr) whole_->count_conjecture();
  if (progress_ != nullptr) progress_->conjectures.fetch_add(1, std::memory_order_relaxed);
}

void Budget::layer(std::uint64_t depth, std::uint64_t frontier) {
  if (whole_ != nullptr) whole_->layer(depth, frontier);
  if (progress_ == nullptr) return;
  progress_->depth.store(depth, std::memory_order_relaxed);
  progress_->frontier.store(frontier, std::memory_order_relaxed);
}

double Budget::seconds_used() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

std::optional<std::chrono::nanoseconds> Budget::time_left() const {
  auto left = whole_ != nullptr ? whole_->time_left() : std::nullopt;
  if (!limits_.time) return left;
  const auto mine =
      std::max<std::chrono::nanoseconds>(std::chrono::nanoseconds{0}, *limits_.time - (Clock::now() - start_));
  return left ? std::min(*left, mine) : mine;
}

std::uint64_t Budget::memory_left() const {
  const std::uint64_t charged = charged_.load(std::memory_order_relaxed);
  const auto used = whole_ != nullptr ? charged : std::max(baseline_ + charged, resident_bytes());
  const auto left = memory_limit_ > used ? memory_limit_ - used : 0;
  return whole_ != nullptr ? std::min(left, whole_->memory_left()) : left;
}

bool Budget::has_room(std::uint64_t bytes) {
  if (memory_left() < bytes) stop(Stop::memory);
  return why() == Stop::none;
}

bool Charge::grow_to(std::uint64_t bytes) {
  if (bytes > bytes_ && !budget_.charge(bytes - bytes_)) return false;
  if (bytes < bytes_) budget_.release(bytes_ - bytes);
  bytes_ = bytes;
  return true;
}

}  // namespace surety
