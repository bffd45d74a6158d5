#include "lang/fsp/cells/tuple_variables.hpp"

namespace surety::fsp {

const TupleVariable* find(const TupleVariables& variables, std::string_view name) {
  for (const TupleVariable& v : variables)
    if (!name.empty() && v.name == name) return &v;
  return nullptr;
}

const TupleVariable* unknown_of(const TupleVariables& variables, const Names& names) {
  for (const TupleVariable& v : variables)
    if (v.value == SlotChange::kAny && names.contains(v.name)) return &v;
  return nullptr;
}

std::uint32_t TupleValues::number(const Value& value) {
  const auto [it, is_new] = numbers_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
  if (is_new) values_.push_back(value);
  return it->second;
}

Scope TupleValues::scope(const Scope& parameters, const TupleVariables& variables) const {
  Scope out = parameters;
  for (const TupleVariable& v : variables)
    if (v.value != SlotChange::kAny && !v.name.empty()) out.bind(v.name, values_[v.value]);
  return out;
}

}  // namespace surety::fsp
