// A value that is another one for as long as this lives.
#pragma once

#include <utility>

namespace surety::ada {

template <class T>
class Inside {
 public:
  Inside(T& variable, T value) : variable_(variable), saved_(std::exchange(variable, std::move(value))) {}
  ~Inside() { variable_ = std::move(saved_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  T& variable_;
  T saved_;
};

}  // namespace surety::ada
