#include "lang/ada/network/value_count.hpp"

#include <algorithm>
#include <cmath>

namespace surety::ada {
namespace {

constexpr std::size_t kMostCounted = 4'096;  // values of a slot
constexpr double kManyBits = 5;              // of a declaration: 32 values

}  // namespace

void ValueCount::add(std::uint32_t slot, Value value) {
  auto& values = values_[slot];
  if (values.size() < kMostCounted) values.insert(value);
}

void ValueCount::add_shared(const Environment& environment) {
  for (std::uint32_t slot = 0; slot < environment.values.size(); ++slot)
    for (const Value v : environment.values[slot]) add(slot, v);
}

std::vector<std::uint32_t> ValueCount::largest(const flow::Program& program) const {
  const auto declaration = [&](std::uint32_t slot) {
    return std::pair(program.slots[slot].place, program.slots[slot].temporary);
  };
  std::map<std::pair<std::uint32_t, bool>, double> bits;  // by declaration
  double most = kManyBits;
  for (const auto& [slot, values] : values_)
    if (!program.slots[slot].name.empty() && !program.slots[slot].apart)
      most = std::max(most, bits[declaration(slot)] += std::log2(static_cast<double>(values.size())));
  std::vector<std::uint32_t> out;
  for (const auto& [slot, values] : values_) {
    const auto at = bits.find(declaration(slot));
    if (at != bits.end() && at->second >= most) out.push_back(slot);
  }
  return out;
}

}  // namespace surety::ada
