// Values of arrays and records: a place that holds them, slot by slot.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/expander.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;
using Op = flow::Instruction::Op;

}  // namespace

// A place that holds the value: its own, or one that is made for it.
Operand Expander::emit_composite(const Expression& e, const Type& type) {
  Operand out;
  out.type = &type;
  if (failed_) return out;
  if (e.kind == Kind::aggregate) {
    if (type.unconstrained) {
      // The bounds follow from the number of values.
      if (std::ranges::any_of(e.arguments, [](const Association& a) { return !a.choices.empty(); })) {
        refuse(e.place, "an aggregate with names for an array without bounds is not supported");
        return out;
      }
      Type& t = types_.emplace_back(type);
      t.unconstrained = false;
      const Type& index = *type.indices[0];
      t.indices[0] = with_range(index, index.low, index.low + static_cast<Value>(e.arguments.size()) - 1);
      t.extent = t.component->extent * static_cast<std::uint32_t>(e.arguments.size());
      const Location at = allocate(t, "", e.place, true);
      assign_aggregate(at, e);
      out.type = &t;
      out.location = at;
      return out;
    }
    const Location at = allocate(type, "", e.place, true);
    assign_aggregate(at, e);
    out.location = at;
    return out;
  }
  out = emit_value(e, &type);
  return out;
}

void Expander::assign_aggregate(const Location& to, const Expression& e) {
  const Type& type = *to.type;
  if (failed_) return;
  if (type.kind == Type::Kind::record) {
    std::size_t position = 0;
    const auto& fields = type.base->fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const Expression* value = nullptr;
      if (position < e.arguments.size() && e.arguments[position].choices.empty())
        value = &e.arguments[position++].value;
      for (const Association& a : e.arguments)
        for (const Expression& c : a.choices)
          if (value == nullptr && (c.kind == Kind::others || c.text == fields[i].name)) value = &a.value;
      if (value == nullptr) return error(e.place, fmt::format("there is no value for {}", fields[i].name));
      if (value->kind == Kind::box) {
        initialise_fields(field(to, fields[i]));
        continue;
      }
      assign(field(to, fields[i]), *value);
    }
    return;
  }
  if (type.kind != Type::Kind::array) return error(e.place, "an aggregate is no value of this type");
  const Type& index = *type.indices[0];
  const std::uint64_t count = index.count();
  // Of several dimensions: the first one here, the others inside.
  Type inner_type;
  const Type* inner = type.component;
  if (type.indices.size() > 1) {
    inner_type = type;
    inner_type.indices.erase(inner_type.indices.begin());
    inner_type.extent = {type.extent.slots / static_cast<std::uint32_t>(std::max<std::uint64_t>(1, count)), 0, 0};
    inner = &types_.emplace_back(inner_type);
  }
  const auto part = [&](std::uint32_t n) {
    Location at = to;
    at.type = inner;
    at.first.slots += n * inner->extent.slots;
    return at;
  };
  std::vector<bool> done(count, false);
  std::size_t position = 0;
  const auto put = [&](std::uint64_t n, const Expression& value) {
    if (n >= count || done[n]) return;
    done[n] = true;
    if (value.kind == Kind::box)
      initialise_fields(part(static_cast<std::uint32_t>(n)));
    else
      assign(part(static_cast<std::uint32_t>(n)), value);
  };
  for (const Association& a : e.arguments) {
    if (a.choices.empty()) {
      put(position++, a.value);
      continue;
    }
    for (const Expression& c : a.choices) {
      if (c.kind == Kind::others) {
        for (std::uint64_t n = 0; n < count && !failed_; ++n) put(n, a.value);
        continue;
      }
      const bool is_range = c.kind == Kind::range || c.kind == Kind::constrained ||
                            (c.kind == Kind::attribute && c.text == "range") || [&] {
                              if (c.kind != Kind::name && c.kind != Kind::selected) return false;
                              const Looked l = look(c);
                              return !l.value && !l.entities.empty() && l.entities[0]->kind == Entity::Kind::type;
                            }();
      Value low = 0, high = 0;
      if (is_range) {
        const Type* t = &index;
        const auto bounds = static_range(c, t);
        if (!bounds) return error(c.place, "the bounds of this choice are not known");
        low = bounds->first;
        high = bounds->second;
      } else {
        const auto value = static_value(c, index.base);
        if (!value) return error(c.place, "this choice is not known");
        low = high = *value;
      }
      for (Value i = low; i <= high && !failed_; ++i) put(static_cast<std::uint64_t>(i - index.low), a.value);
    }
  }
  if (!failed_ && std::ranges::find(done, false) != done.end() && count > 0)
    error(e.place, "this aggregate has too few values");
}

void Expander::assign(const Location& to, const Expression& value) {
  if (failed_) return;
  const Type& type = *to.type;
  if (type.discrete()) return write_slot(to, 0, converted(value, type, value.place));
  if (type.kind == Type::Kind::opaque) {
    if (may_call(value)) emit_value(value, nullptr);
    return;
  }
  if (type.kind == Type::Kind::task || type.kind == Type::Kind::protected_unit)
    return refuse(value.place, "an access object that is assigned again is not supported");
  if (value.kind == Kind::aggregate) {
    // The target may occur in the values: they are all there before the first is written.
    const Location made = allocate(type, "", value.place, true);
    assign_aggregate(made, value);
    return copy(to, made);
  }
  const Operand operand = emit_value(value, &type);
  if (failed_) return;
  if (operand.location) return copy(to, *operand.location);
  for (std::uint32_t s = 0; s < type.extent.slots; ++s) write_slot(to, s, constant(flow::kOpaque));
}

void Expander::copy(const Location& to, const Location& from) {
  if (to.type->extent.slots != from.type->extent.slots) return error(statement_, "the lengths of these arrays differ");
  Location source = from;
  source.type = integer_;
  for (std::uint32_t s = 0; s < to.type->extent.slots; ++s) write_slot(to, s, read_slot(source, s));
}

Code Expander::equal_locations(const Location& a, const Location& b) {
  Code out = constant(1);
  if (a.type->extent.slots != b.type->extent.slots) return constant(0);
  for (std::uint32_t s = 0; s < a.type->extent.slots; ++s) {
    Location left = a, right = b;
    left.type = right.type = integer_;
    Code x = read_slot(left, s);
    out = combine(std::move(out), combine(std::move(x), read_slot(right, s), Op::equal), Op::and_);
  }
  return out;
}

}  // namespace surety::ada
