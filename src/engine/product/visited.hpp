// The set of visited product states: the heart of the engine.
//
// One open-addressing table of packed states and nothing else: W words per slot.
// Bit 63 of word 0 is set in every used slot; an empty slot is 0. The spare bits
// of word 0 hold the depth at which the state was found (as many bits as there
// are, saturating), from which a shortest trace is rebuilt without parent
// pointers. Depth bits are not part of the key.
//
// Slots come in buckets of one cache line. A state lives in its home bucket, or,
// if that is full, in the next that is not; buckets fill from their first slot, so
// an empty slot ends a search. What a look-up costs is the cache lines it waits
// for: the home bucket settles most of them even when the table is nearly full,
// where probing slot by slot from anywhere in a line reads two lines on average.
// Look-ups come in batches: all homes are prefetched first, and those that must go
// on to the next bucket are prefetched again and looked at later (search.cpp).
//
// The home of a state is bucket hash * buckets / 2^64, so there may be any number
// of buckets and homes keep the order of the hashes. That makes growing cheap: the
// table is enlarged where it lies (mapping.hpp) and the states are moved from the
// last to the first; each only moves up, into space that is already done with.
// There is never a second copy. It grows by a third when it is 5/6 full: 9.6 to 12.8
// bytes per state of one word, and three moves per state in all.
//
// Tried and dropped: comparing all slots of a bucket without a branch (no gain, the
// memory decides); filling it to 3/4 only, or to 7/8 (the same speed within noise);
// growing by a half (a tenth faster, but up to 14.4 bytes per state). Not tried:
// keeping only what the place of a slot does not tell of the key. It would halve the
// memory and leave no room for depths.
//
// Threads insert with compare-and-swap. Growing needs all of them to stand still:
// a thread reserves room before it inserts, and says so when there is none.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "base/budget.hpp"
#include "base/check.hpp"
#include "base/hash.hpp"
#include "base/mapping.hpp"

namespace surety {

// W words per state; W = 0: as many as the constructor is told.
template <int W>
class VisitedSet {
 public:
  VisitedSet(std::uint32_t words, std::uint32_t depth_bits, Budget& budget)
      : words_(words),
        depth_shift_(63 - depth_bits),
        depth_mask_((1ULL << depth_bits) - 1),
        key_mask_(~(depth_mask_ << depth_shift_)),
        budget_(budget),
        charge_(budget) {}

  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  std::uint64_t bytes() const { return mapping_.bytes(); }
  std::uint64_t max_depth() const { return depth_mask_; }

  std::uint64_t hash(const std::uint64_t* state) const { return hash(state[0], state); }

  // Buckets are named by the address of their first slot. They are good until the table grows.
  std::uint64_t* home(std::uint64_t h) const {
    return table_ + static_cast<std::uint64_t>(static_cast<Wide>(h) * buckets_ >> 64) * bucket_words();
  }
  std::uint64_t* next(std::uint64_t* bucket) const { return bucket + bucket_words(); }
  void prefetch(const std::uint64_t* bucket) const { __builtin_prefetch(bucket, 1, 3); }

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

  enum class Insert { fresh, known, full };  // full: ask the next bucket

  // Needs a reservation. Shared: other threads insert at the same time.
  template <bool Shared>
  Insert insert(std::uint64_t* bucket, const std::uint64_t* state, std::uint64_t depth) {
    const std::uint64_t first = state[0] | kUsed | std::min(depth, depth_mask_) << depth_shift_;
    for (std::uint64_t* at = bucket; at != next(bucket); at += words()) {
      std::uint64_t seen = std::atomic_ref(*at).load(std::memory_order_acquire);
      if (seen == 0 && write<Shared>(at, seen, first, state)) return Insert::fresh;
      if constexpr (Shared)
        while (seen == kBusy) seen = std::atomic_ref(*at).load(std::memory_order_acquire);
      if (equal(seen, at, state)) return Insert::known;
    }
    check(next(bucket) != end_, "the visited set ran over its end");
    return Insert::full;
  }

  // The depth of a state in the set, saturated at max_depth().
  std::optional<std::uint64_t> depth_of(const std::uint64_t* state) const {
    for (const std::uint64_t* at = home(hash(state)); at != end_ && *at != 0; at += words())
      if (equal(*at, at, state)) return *at >> depth_shift_ & depth_mask_;
    return std::nullopt;
  }

  // Makes room for n more states. False: memory or another limit of the budget ended.
  bool grow(std::uint64_t n, unsigned threads = 1);

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t kUsed = 1ULL << 63;
  static constexpr std::uint64_t kBusy = 1;                 // a slot that a thread is writing; has no kUsed bit
  static constexpr std::uint64_t kBucket = W == 1 ? 8 : 4;  // slots
  static constexpr std::uint64_t kFirstBuckets = 64;
  static constexpr std::uint64_t kTail = 512;  // buckets that are no state's home: the last run over into them
  static constexpr std::uint64_t kFastUntil = 1ULL << 15;  // buckets; a small table grows fast
  // While growing: buckets per chunk, chunks between looks at the budget, and sizes in buckets.
  static constexpr std::uint64_t kChunk = 64, kPoll = 64, kLastSegment = 1024, kAloneBelow = 1ULL << 16;

  std::uint32_t words() const {
    if constexpr (W > 0)
      return W;
    else
      return words_;
  }
  std::uint64_t bucket_words() const { return kBucket * words(); }
  static std::uint64_t tail(std::uint64_t buckets) { return std::min(buckets, kTail); }

  std::uint64_t hash(std::uint64_t first, const std::uint64_t* state) const {
    std::uint64_t h = mix64(first);
    for (std::uint32_t w = 1; w < words(); ++w) h = mix64(h ^ state[w]) + w;
    return h;
  }
  std::uint64_t hash_stored(const std::uint64_t* slot) const { return hash(*slot & key_mask_ & ~kUsed, slot); }

  bool equal(std::uint64_t first, const std::uint64_t* at, const std::uint64_t* state) const {
    if (((first ^ state[0] ^ kUsed) & key_mask_) != 0) return false;
    if constexpr (W == 1) return true;
    return std::memcmp(at + 1, state + 1, (words() - 1) * 8) == 0;
  }

  // False: another thread was faster; `seen` is what is there now.
  template <bool Shared>
  bool write(std::uint64_t* at, std::uint64_t& seen, std::uint64_t first, const std::uint64_t* state) {
    if (!Shared) {
      *at = first;
    } else if (!std::atomic_ref(*at).compare_exchange_strong(seen, words() == 1 ? first : kBusy,
                                                             std::memory_order_acquire)) {
      return false;  // acquire: the caller goes on to read what the other thread has written
    }
    if (words() > 1) {
      std::memcpy(at + 1, state + 1, (words() - 1) * 8);
      if (Shared) std::atomic_ref(*at).store(first, std::memory_order_release);
    }
    return true;
  }

  struct Held {  // stored states that are not in the table for the moment
    std::vector<std::uint64_t> states;
    std::uint64_t count = 0;
    const std::uint64_t* state(std::uint64_t i, std::uint32_t words) const { return states.data() + i * words; }
  };
  bool map(std::uint64_t buckets);
  bool spread(std::uint64_t old_homes, std::uint64_t old_buckets, unsigned threads);
  void move_range(std::uint64_t from, std::uint64_t to, std::uint64_t* first, std::uint64_t* last, Held& held);
  bool put(std::uint64_t* at, const std::uint64_t* last, const std::uint64_t* state);

  std::uint32_t words_;
  std::uint32_t depth_shift_;
  std::uint64_t depth_mask_;
  std::uint64_t key_mask_;
  Budget& budget_;
  Charge charge_;
  Mapping mapping_;
  std::uint64_t* table_ = nullptr;
  std::uint64_t* end_ = nullptr;  // one behind the last slot
  std::uint64_t buckets_ = 0;     // that are homes
  std::uint64_t limit_ = 0;       // states they take
  // What threads write stays away from what they read all the time.
  alignas(128) std::atomic<std::uint64_t> size_{0};
  std::atomic<std::uint64_t> promised_{0};  // size and open reservations
};

template <int W>
bool VisitedSet<W>::grow(std::uint64_t n, unsigned threads) {
  const std::uint64_t needed = (size() + n) / 5 * 6 / kBucket + 2;
  const std::uint64_t step = buckets_ < kFastUntil ? buckets_ * 3 : buckets_ / 3;
  const std::uint64_t wanted = std::max({buckets_ + step, needed, kFirstBuckets});
  const std::uint64_t old_homes = buckets_;
  // When the memory left does not allow the usual step, take a smaller one before giving up.
  if (!map(wanted) && !map(std::max(needed, buckets_ + buckets_ / 16))) {
    budget_.stop(Stop::memory);
    return false;
  }
  promised_.store(size(), std::memory_order_relaxed);
  return spread(old_homes, old_homes + tail(old_homes), threads);
}

template <int W>
bool VisitedSet<W>::map(std::uint64_t buckets) {
  const std::uint64_t bytes = Mapping::rounded((buckets + tail(buckets)) * bucket_words() * 8);
  if (!charge_.grow_to(bytes)) return false;
  if (!mapping_.grow_to(bytes)) {
    charge_.grow_to(mapping_.bytes());
    return false;
  }
  table_ = static_cast<std::uint64_t*>(mapping_.data());
  buckets_ = buckets;
  limit_ = buckets * kBucket / 6 * 5;
  end_ = table_ + (buckets + tail(buckets)) * bucket_words();
  return true;
}

// Moves all states to their new homes, from the last segment of the old table to the first. A segment
// is so short that its states move out of it, into space that is already done with. So threads can share
// a segment: neighbouring ranges of it move to neighbouring ranges. The few states that do not keep to
// their range, because they had strayed or because it ends in full buckets, are held until the end.
template <int W>
bool VisitedSet<W>::spread(std::uint64_t old_homes, std::uint64_t old_buckets, unsigned threads) {
  if (old_buckets < kAloneBelow) threads = 1;
  const auto scaled = [](std::uint64_t x, std::uint64_t by, std::uint64_t of) {
    return static_cast<std::uint64_t>(static_cast<Wide>(x) * by / of);
  };
  std::vector<Held> held(threads);
  for (std::uint64_t stop = old_buckets, start = 0; stop > 0; stop = start) {
    start = stop > kLastSegment ? scaled(stop, old_homes, buckets_) + 1 : 0;
    const auto move = [&](unsigned i) {
      const std::uint64_t from = start + scaled(stop - start, i, threads);
      const std::uint64_t to = start + scaled(stop - start, i + 1ULL, threads);
      const std::uint64_t first = std::max(stop, scaled(from, buckets_, old_homes));
      std::uint64_t* last = to == stop ? end_ : table_ + scaled(to, buckets_, old_homes) * bucket_words();
      move_range(from, to, table_ + first * bucket_words(), last, held[i]);
    };
    {
      std::vector<std::jthread> helpers;
      for (unsigned i = 1; i < threads; ++i) helpers.emplace_back(move, i);
      move(0);
    }
    if (!budget_.go_on()) return false;  // the table is lost, but so is the search
  }
  for (const Held& h : held)
    for (std::uint64_t i = 0; i < h.count; ++i)
      check(put(home(hash_stored(h.state(i, words()))), end_, h.state(i, words())), "the visited set ran over its end");
  return true;
}

// Moves the states of the buckets from .. to whose homes lie in first .. last, and holds the others.
template <int W>
void VisitedSet<W>::move_range(std::uint64_t from, std::uint64_t to, std::uint64_t* first, std::uint64_t* last,
                               Held& held) {
  for (std::uint64_t chunk = 0; from < to; from += kChunk, ++chunk) {
    if (chunk % kPoll == kPoll - 1 && !budget_.go_on()) return;
    std::uint64_t* begin = table_ + from * bucket_words();
    std::uint64_t* end = table_ + std::min(from + kChunk, to) * bucket_words();
    const std::uint64_t held_before = held.count;
    held.states.resize(std::max(held.states.size(), (held.count + kChunk * kBucket) * words()));
    for (const std::uint64_t* at = begin; at != end; at += words()) {
      std::memcpy(held.states.data() + held.count * words(), at, words() * 8);
      held.count += *at != 0;  // no branch: many slots are empty, and which is hard to predict
    }
    std::fill(begin, end, 0);
    const std::uint64_t taken = held.count;
    held.count = held_before;
    for (std::uint64_t i = held_before; i < taken; ++i) {
      const std::uint64_t* state = held.state(i, words());
      std::uint64_t* at = home(hash_stored(state));
      if (at < first || !put(at, last, state))
        std::memmove(held.states.data() + held.count++ * words(), state, words() * 8);
    }
  }
}

// Puts a stored state into the first free slot before `last`, if there is one.
template <int W>
bool VisitedSet<W>::put(std::uint64_t* at, const std::uint64_t* last, const std::uint64_t* state) {
  while (at < last && *at != 0) at += words();
  if (at >= last) return false;
  std::memcpy(at, state, words() * 8);
  return true;
}

}  // namespace surety
