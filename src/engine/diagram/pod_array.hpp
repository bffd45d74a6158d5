// An array of plain values that grows in place where the system can: realloc moves the
// pages of a big block, so that growing needs no second copy. New values are all zero bits.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace surety {

template <class T>
class PodArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PodArray() = default;
  PodArray(const PodArray&) = delete;
  PodArray& operator=(const PodArray&) = delete;
  ~PodArray() { std::free(data_); }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

  void grow(std::size_t size) {
    void* more = std::realloc(static_cast<void*>(data_), size * sizeof(T));
    if (more == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(more);
    std::memset(static_cast<void*>(data_ + size_), 0, (size - size_) * sizeof(T));
    size_ = size;
  }
  void clear_values() {  // to zero bits
    if (size_ > 0) std::memset(static_cast<void*>(data_), 0, size_ * sizeof(T));
  }
  void swap(PodArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace surety
