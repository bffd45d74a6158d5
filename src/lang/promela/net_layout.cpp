#include "lang/promela/net_layout.hpp"

#include <fmt/format.h>

namespace surety::promela::net {

std::int32_t fit(const Type& type, std::int64_t value) {
  switch (type.base) {
    case Type::Base::bit:
    case Type::Base::boolean: return static_cast<std::int32_t>(value & 1);
    case Type::Base::byte:
    case Type::Base::pid:
    case Type::Base::channel:
    case Type::Base::mtype: return static_cast<std::int32_t>(value & 255);
    case Type::Base::short_int: return static_cast<std::int16_t>(value);
    case Type::Base::unsigned_int: return static_cast<std::int32_t>(value & ((std::int64_t{1} << type.width) - 1));
    default: return static_cast<std::int32_t>(value);
  }
}

Layout::Layout(const std::vector<Variable>& variables, const Program& program)
    : variables_(&variables), program_(&program) {
  for (const Variable& v : variables) {
    base_.push_back(static_cast<std::uint32_t>(slots_.size()));
    add(v, "");
  }
  base_.push_back(static_cast<std::uint32_t>(slots_.size()));
}

void Layout::add(const Variable& variable, const std::string& prefix) {
  for (std::uint32_t i = 0; i < variable.length.value_or(1); ++i) {
    std::string name = prefix + variable.name;
    if (variable.length) name += fmt::format(".{}", i);
    if (variable.type.base == Type::Base::user)
      for (const Variable& field : program_->types[variable.type.index].fields) add(field, name + ".");
    else
      slots_.push_back({name, variable.type, &variable, i});
  }
}

std::uint32_t Layout::size_of(const Type& type) const {
  if (type.base != Type::Base::user) return 1;
  std::uint32_t size = 0;
  for (const Variable& field : program_->types[type.index].fields) size += size_of(field);
  return size;
}

std::uint32_t Layout::size_of(const Variable& variable) const {
  return variable.length.value_or(1) * size_of(variable.type);
}

std::optional<std::uint32_t> Layout::find(const Reference& reference,
                                          const std::function<std::int32_t(const Expression&)>& value) const {
  const Variable* variable = &(*variables_)[reference.variable];
  std::uint32_t slot = base_[reference.variable];
  for (std::size_t part = 0;; ++part) {
    const auto& index = reference.parts[part].index;
    const std::int32_t i = index.empty() ? 0 : value(index[0]);
    if (i < 0 || static_cast<std::uint32_t>(i) >= variable->length.value_or(1)) return std::nullopt;
    slot += static_cast<std::uint32_t>(i) * size_of(variable->type);
    if (part + 1 == reference.parts.size()) return slot;
    const auto& fields = program_->types[variable->type.index].fields;
    for (std::uint32_t f = 0; f < reference.fields[part]; ++f) slot += size_of(fields[f]);
    variable = &fields[reference.fields[part]];
  }
}

}  // namespace surety::promela::net
