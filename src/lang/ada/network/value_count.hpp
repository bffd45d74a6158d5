// Which variables have so many values that there are too many states.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "lang/ada/network/explore.hpp"

namespace surety::ada {

// Counts the values of each slot.
class ValueCount {
 public:
  void add(std::uint32_t slot, Value value);
  void add_shared(const Environment& environment);
  // Those whose declaration has most, all its elements together; none if that is not many. Variables that are apart
  // have few.
  std::vector<std::uint32_t> largest(const flow::Program& program) const;

 private:
  std::map<std::uint32_t, std::set<Value>> values_;
};

}  // namespace surety::ada
