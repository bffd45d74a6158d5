// The set of visited product states: the heart of the engine.
//
// One open-addressing table of packed states and nothing else: W words a slot,
// linear probing. Bit 63 of word 0 is set in every used slot; an empty slot is 0.
// The spare bits of word 0 hold the depth at which the state was found (as many
// bits as there are, saturating), from which a shortest trace is rebuilt without
// parent pointers. Depth bits are not part of the key.
//
// The home of a state is hash * capacity / 2^64, so capacity may be any number and
// homes keep the order of the hashes. That makes growing cheap: the table is
// enlarged by a quarter where it lies (mremap) and its clusters are moved from the
// last to the first; each only moves up, into space that is already done with.
// There is never a second copy, and the load stays between 64 and 80 per cent:
// 10 to 12.5 bytes a state for states of one word.
//
// Threads insert with compare-and-swap. Growing needs all of them to stand still:
// a thread reserves room before it inserts, and says so when there is none.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "base/check.hpp"
#include "base/hash.hpp"

namespace surety {

// W words a state; W = 0: as many as the constructor is told.
template <int W>
class VisitedSet {
 public:
  static constexpr std::uint64_t kUsed = 1ULL << 63;
  static constexpr std::uint64_t kBusy = 1;  // a slot that a thread is writing; has no kUsed bit

  VisitedSet(std::uint32_t words, std::uint32_t depth_bits, Budget& budget)
      : words_(words),
        depth_shift_(63 - depth_bits),
        depth_mask_(depth_bits == 0 ? 0 : (1ULL << depth_bits) - 1),
        key_mask_(~(depth_mask_ << depth_shift_)),
        budget_(budget),
        charge_(budget) {}
  ~VisitedSet() {
    if (table_ != nullptr) ::munmap(table_, mapped_);
  }
  VisitedSet(const VisitedSet&) = delete;
  VisitedSet& operator=(const VisitedSet&) = delete;

  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  std::uint64_t bytes() const { return mapped_; }
  std::uint64_t max_depth() const { return depth_mask_; }

  std::uint64_t hash(const std::uint64_t* state) const {
    std::uint64_t h = mix64(state[0]);
    for (std::uint32_t w = 1; w < words(); ++w) h = mix64(h ^ state[w]) + w;
    return h;
  }
  void prefetch(std::uint64_t h) const { __builtin_prefetch(slot(home(h)), 1, 1); }

  // Room for n more states. False: grow first. What is not used is given back.
  bool reserve(std::uint64_t n) {
    if (promised_.fetch_add(n, std::memory_order_relaxed) + n <= limit_) return true;
    promised_.fetch_sub(n, std::memory_order_relaxed);
    return false;
  }
  void settle(std::uint64_t reserved, std::uint64_t inserted) {
    promised_.fetch_sub(reserved - inserted, std::memory_order_relaxed);
    size_.fetch_add(inserted, std::memory_order_relaxed);
  }

  // True if the state was new. Needs a reservation.
  template <bool Shared>
  bool insert(const std::uint64_t* state, std::uint64_t h, std::uint64_t depth) {
    const std::uint64_t first = state[0] | kUsed | std::min(depth, depth_mask_) << depth_shift_;
    for (std::uint64_t* at = slot(home(h));; at += words()) {
      if (at == end_) [[unlikely]]
        fail_check("the visited set ran over its end", std::source_location::current());
      std::uint64_t seen = std::atomic_ref(*at).load(std::memory_order_acquire);
      if (seen == 0) {
        if constexpr (!Shared) {
          *at = first;
          std::memcpy(at + 1, state + 1, (words() - 1) * 8);
          return true;
        } else if (words() == 1) {
          if (std::atomic_ref(*at).compare_exchange_strong(seen, first, std::memory_order_relaxed)) return true;
        } else if (std::atomic_ref(*at).compare_exchange_strong(seen, kBusy, std::memory_order_relaxed)) {
          std::memcpy(at + 1, state + 1, (words() - 1) * 8);
          std::atomic_ref(*at).store(first, std::memory_order_release);
          return true;
        }
      }
      if constexpr (Shared)
        while (seen == kBusy) seen = std::atomic_ref(*at).load(std::memory_order_acquire);
      if (equal(seen, at, state)) return false;
    }
  }

  // The depth of a state in the set, saturated at max_depth().
  std::optional<std::uint64_t> depth_of(const std::uint64_t* state) const {
    for (const std::uint64_t* at = slot(home(hash(state))); at != end_ && *at != 0; at += words())
      if (equal(*at, at, state)) return *at >> depth_shift_ & depth_mask_;
    return std::nullopt;
  }

  // Makes room for n more states. False: memory or another limit of the budget ended.
  bool grow(std::uint64_t n);

 private:
  static constexpr std::uint64_t kFirstCapacity = 512;
  static constexpr std::uint64_t kTail = 4096;  // slots behind the last home; clusters stay far shorter than this
  static constexpr std::uint64_t kHugePages = 1ULL << 22;
  static constexpr std::uint64_t kPoll = 1ULL << 16;

  std::uint32_t words() const {
    if constexpr (W > 0)
      return W;
    else
      return words_;
  }
  std::uint64_t home(std::uint64_t h) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(h) * capacity_ >> 64);
  }
  std::uint64_t* slot(std::uint64_t index) const { return table_ + index * words(); }
  bool equal(std::uint64_t first, const std::uint64_t* at, const std::uint64_t* state) const {
    if (((first ^ state[0] ^ kUsed) & key_mask_) != 0) return false;
    if constexpr (W == 1) return true;
    return std::memcmp(at + 1, state + 1, (words() - 1) * 8) == 0;
  }
  static std::uint64_t limit_for(std::uint64_t capacity) { return capacity / 5 * 4; }

  bool map(std::uint64_t capacity);
  bool spread(std::uint64_t old_slots);

  std::uint32_t words_;
  std::uint32_t depth_shift_;
  std::uint64_t depth_mask_;
  std::uint64_t key_mask_;
  Budget& budget_;
  Charge charge_;
  std::uint64_t* table_ = nullptr;
  std::uint64_t* end_ = nullptr;  // one behind the last slot
  std::uint64_t capacity_ = 0;    // homes; there are min(capacity, kTail) slots more
  std::uint64_t mapped_ = 0;      // bytes
  std::uint64_t limit_ = 0;       // states this capacity takes
  std::atomic<std::uint64_t> size_{0};
  std::atomic<std::uint64_t> promised_{0};  // size and open reservations
};

template <int W>
bool VisitedSet<W>::grow(std::uint64_t n) {
  const std::uint64_t needed = (size() + n) / 4 * 5 + 16;
  const std::uint64_t step = capacity_ < 1U << 18 ? capacity_ * 3 : capacity_ / 4;  // small tables grow fast
  const std::uint64_t wanted = std::max({capacity_ + step, needed, kFirstCapacity});
  const std::uint64_t old_slots = table_ == nullptr ? 0 : capacity_ + std::min(capacity_, kTail);
  // When the memory left does not allow the usual step, take a smaller one before giving up.
  if (!map(wanted) && !map(std::max(needed, capacity_ + capacity_ / 16))) {
    budget_.stop(Stop::memory);
    return false;
  }
  promised_.store(size(), std::memory_order_relaxed);
  return spread(old_slots);
}

template <int W>
bool VisitedSet<W>::map(std::uint64_t capacity) {
  const std::uint64_t slots = capacity + std::min(capacity, kTail);
  const std::uint64_t bytes = (slots * words() * 8 + 4095) / 4096 * 4096;
  if (!charge_.grow_to(bytes)) return false;
  void* memory = table_ == nullptr ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                   : ::mremap(table_, mapped_, bytes, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) {
    charge_.grow_to(mapped_);
    return false;
  }
  if (bytes >= kHugePages) ::madvise(memory, bytes, MADV_HUGEPAGE);
  table_ = static_cast<std::uint64_t*>(memory);
  mapped_ = bytes;
  capacity_ = capacity;
  limit_ = limit_for(capacity);
  end_ = slot(slots);
  return true;
}

// Moves the clusters of the first old_slots slots to their new homes, the last cluster first. A new
// home is never below the old one, and everything above the cluster at hand is already in place.
template <int W>
bool VisitedSet<W>::spread(std::uint64_t old_slots) {
  std::vector<std::uint64_t> cluster;
  std::uint64_t next_poll = kPoll;
  for (std::uint64_t stop = old_slots; stop > 0;) {
    if (*slot(stop - 1) == 0) {
      --stop;
      continue;
    }
    std::uint64_t start = stop;
    while (start > 0 && *slot(start - 1) != 0) --start;
    cluster.assign(slot(start), slot(stop));
    std::fill(slot(start), slot(stop), 0);
    for (const std::uint64_t* state = cluster.data(); state != cluster.data() + cluster.size(); state += words()) {
      std::uint64_t first = state[0] & key_mask_ & ~kUsed;
      std::uint64_t h = mix64(first);
      for (std::uint32_t w = 1; w < words(); ++w) h = mix64(h ^ state[w]) + w;
      std::uint64_t* at = slot(home(h));
      while (*at != 0) at += words();
      std::memcpy(at, state, words() * 8);
    }
    stop = start;
    if (old_slots - stop > next_poll) {
      next_poll = old_slots - stop + kPoll;
      if (!budget_.go_on()) return false;  // the table is lost, but so is the search
    }
  }
  return true;
}

}  // namespace surety
