// Successors on their way into the visited set.
//
// Generating states and inserting them take turns: the memory latency of some
// hundred look-ups then overlaps, because all their homes are asked for first.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.hpp"

namespace surety {

// W words per state; W = 0: as many as the constructor is told.
template <int W>
class Batch {
 public:
  Batch(std::uint32_t words, Budget& budget) : words_(words), budget_(budget), charge_(budget) {}

  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  const std::uint64_t* state(std::size_t i) const { return states_.data() + i * words(); }
  std::uint32_t joint(std::size_t i) const { return joints_[i]; }  // the joint action that led to it
  std::uint64_t& hash(std::size_t i) { return hashes_[i]; }

  // Room for n more states. False: the budget ended, and the search with it.
  bool make_room(std::size_t n) {
    if (size_ + n <= joints_.size()) [[likely]]
      return true;
    const std::size_t capacity = 2 * (size_ + n);
    if (!charge_.grow_to(capacity * (8ULL * words() + 12))) budget_.stop(Stop::memory);
    if (!budget_.go_on()) return false;
    states_.resize(capacity * words());
    hashes_.resize(capacity);
    joints_.resize(capacity);
    return true;
  }

  // Appends to the batch: a sink (successors.hpp) small enough to live in registers.
  class Writer {
   public:
    explicit Writer(Batch& batch) : batch_(&batch) { begin(); }
    bool make_room(std::size_t n) {
      finish();
      if (!batch_->make_room(n)) return false;
      begin();
      return true;
    }
    std::uint64_t* place() { return state_; }
    void keep(std::uint32_t joint, bool yes) {
      *joint_ = joint;
      joint_ += yes;
      state_ += yes ? batch_->words() : 0;
    }
    void finish() { batch_->size_ = static_cast<std::size_t>(joint_ - batch_->joints_.data()); }

   private:
    void begin() {
      state_ = batch_->states_.data() + batch_->size_ * batch_->words();
      joint_ = batch_->joints_.data() + batch_->size_;
    }
    Batch* batch_;
    std::uint64_t* state_;
    std::uint32_t* joint_;
  };

 private:
  std::uint32_t words() const {
    if constexpr (W > 0)
      return W;
    else
      return words_;
  }

  std::uint32_t words_;
  Budget& budget_;
  Charge charge_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> states_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> joints_;
};

}  // namespace surety
