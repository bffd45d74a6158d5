// Variables as rows of plain values: an array takes a slot an element, a structure a slot a field.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lang/promela/tree.hpp"

namespace surety::promela::net {

// What a variable of that type holds when `value` is assigned to it.
std::int32_t fit(const Type& type, std::int64_t value);

class Layout {
 public:
  struct Slot {
    std::string name;  // level.2, point.x
    Type type;
    const Variable* variable = nullptr;  // the declaration it belongs to, of the field if it is one
    std::uint32_t element = 0;           // its number in an array
  };

  Layout() = default;
  Layout(const std::vector<Variable>& variables, const Program& program);

  const std::vector<Slot>& slots() const { return slots_; }
  std::uint32_t base(std::uint32_t variable) const { return base_[variable]; }
  std::uint32_t slot_count(std::uint32_t variable) const { return base_[variable + 1] - base_[variable]; }

  // The slot that a reference means; nothing: an index is out of bounds. `value` gives the value of an index.
  std::optional<std::uint32_t> find(const Reference& reference,
                                    const std::function<std::int32_t(const Expression&)>& value) const;

 private:
  void add(const Variable& variable, const std::string& prefix);
  std::uint32_t size_of(const Type& type) const;
  std::uint32_t size_of(const Variable& variable) const;

  const std::vector<Variable>* variables_ = nullptr;
  const Program* program_ = nullptr;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> base_;  // by variable, and the end
};

}  // namespace surety::promela::net
