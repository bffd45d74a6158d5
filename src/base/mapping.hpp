// Zeroed memory that grows without a second copy.
//
// Growing moves pages, not bytes (mremap). A big mapping starts and ends where a
// huge page does: the kernel then moves huge pages whole. Elsewhere it would break
// them into small ones, and growing a table of 1 GB would take a quarter of a second
// for its page tables alone. A small one comes from the heap, because thousands of
// small searches would spend most of their time in system calls.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace surety {

class Mapping {
 public:
  Mapping() = default;
  ~Mapping() { free(data_, bytes_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  Mapping(Mapping&& other) noexcept { swap(other); }
  Mapping& operator=(Mapping&& other) noexcept {
    Mapping(std::move(other)).swap(*this);
    return *this;
  }
  void swap(Mapping& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

  void* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }

  // What grow_to(bytes) would really take.
  static std::uint64_t rounded(std::uint64_t bytes) {
    const std::uint64_t unit = bytes < kMapFrom ? kLine : kHugePage;
    return (bytes + unit - 1) / unit * unit;
  }

  // The new bytes are zero. False: the system refuses, and nothing has changed.
  bool grow_to(std::uint64_t bytes) {
    bytes = rounded(bytes);
    void* grown = bytes < kMapFrom ? allocate(bytes) : bytes_ < kMapFrom ? map(bytes) : remap(bytes);
    if (grown == nullptr) return false;
    if (bytes_ < kMapFrom && bytes_ > 0) {
      std::memcpy(grown, data_, bytes_);
      free(data_, bytes_);
    }
    data_ = grown;
    bytes_ = bytes;
    return true;
  }

 private:
  static constexpr std::uint64_t kLine = 64;
  static constexpr std::uint64_t kHugePage = 1ULL << 21;
  static constexpr std::uint64_t kMapFrom = 2 * kHugePage;
  static constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

  static void* allocate(std::uint64_t bytes) {
    void* memory = std::aligned_alloc(kLine, bytes);
    return memory == nullptr ? nullptr : std::memset(memory, 0, bytes);
  }
  static void free(void* data, std::uint64_t bytes) {
    if (bytes < kMapFrom)
      std::free(data);
    else
      ::munmap(data, bytes);
  }

  static void* map(std::uint64_t bytes) {
    void* place = find_place(bytes);
    if (place == nullptr) return nullptr;
    ::mprotect(place, bytes, PROT_READ | PROT_WRITE);
    ::madvise(place, bytes, MADV_HUGEPAGE);
    return place;
  }
  void* remap(std::uint64_t bytes) const {
    void* place = find_place(bytes);
    if (place == nullptr) return nullptr;
    void* moved = ::mremap(data_, bytes_, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);
    if (moved != MAP_FAILED) return moved;
    ::munmap(place, bytes);
    return nullptr;
  }

  // Addresses that start at a huge page, with nothing behind them yet.
  static void* find_place(std::uint64_t bytes) {
    void* found = ::mmap(nullptr, bytes + kHugePage, PROT_NONE, kFlags, -1, 0);
    if (found == MAP_FAILED) return nullptr;
    auto* begin = static_cast<char*>(found);
    const std::uint64_t skip = -reinterpret_cast<std::uint64_t>(begin) % kHugePage;
    if (skip > 0) ::munmap(begin, skip);
    ::munmap(begin + skip + bytes, kHugePage - skip);
    return begin + skip;
  }

  void* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace surety
