// An array of plain values that may grow to gigabytes.
//
// It grows without a copy (mapping.hpp), so it never takes more memory than it holds:
// what is kept in reserve are addresses only. Use it for what is as long as a product
// has states or steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <type_traits>

#include "base/mapping.hpp"

namespace surety {

template <class T>
class BigArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  BigArray() = default;
  explicit BigArray(std::uint64_t n) : size_(n) { reserve(n); }  // all zero
  BigArray(const BigArray& other) { append(other.data(), other.size_); }
  BigArray(BigArray&& other) noexcept { swap(other); }
  BigArray& operator=(BigArray other) noexcept {
    swap(other);
    return *this;
  }
  ~BigArray() = default;
  void swap(BigArray& other) noexcept {
    memory_.swap(other.memory_);
    std::swap(size_, other.size_);
  }

  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::uint64_t i) { return data()[i]; }
  const T& operator[](std::uint64_t i) const { return data()[i]; }
  const T& back() const { return data()[size_ - 1]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  void push_back(T value) {
    if (size_ == capacity()) make_room(1);
    data()[size_++] = value;
  }
  void append(const T* from, std::uint64_t n) {
    if (n > capacity() - size_) make_room(n);
    if (n == 1)
      data()[size_] = *from;
    else
      std::copy_n(from, n, data() + size_);
    size_ += n;
  }
  void truncate(std::uint64_t n) { size_ = n; }
  void reserve(std::uint64_t n) {
    if (n > UINT64_MAX / 2 / sizeof(T) || (n > capacity() && !memory_.grow_to(n * sizeof(T)))) throw std::bad_alloc();
  }

 private:
  std::uint64_t capacity() const { return memory_.bytes() / sizeof(T); }
  void make_room(std::uint64_t n) { reserve(std::max(2 * capacity(), size_ + n)); }

  Mapping memory_;
  std::uint64_t size_ = 0;
};

}  // namespace surety
