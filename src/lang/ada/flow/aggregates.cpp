// Values of arrays and records: a place that holds them, slot by slot.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;
using Op = flow::Instruction::Op;

// A string literal for an array whose characters are modelled.
bool is_text(const Expression& e, const Type& type) {
  return e.kind == Kind::string && type.kind == Type::Kind::array && type.indices.size() == 1 &&
         type.component->kind == Type::Kind::enumeration;
}

}  // namespace

// The characters of a string literal as an aggregate.
Expression Expander::characters_of(const Expression& text, const Type& component) {
  Expression out;
  out.kind = Kind::aggregate;
  out.place = text.place;
  for (std::size_t i = 0; i < text.text.size(); ++i) {
    Association a;
    a.value.kind = Kind::character;
    a.value.place = text.place;
    a.value.text = std::string(1, text.text[i]);
    a.value.value = static_cast<unsigned char>(text.text[i]);
    if (text.text[i] == '"' && i + 1 < text.text.size() && text.text[i + 1] == '"') ++i;
    out.arguments.push_back(std::move(a));
  }
  if (std::ranges::any_of(text.text, [](char c) { return static_cast<unsigned char>(c) >= 128; }) ||
      component.extent.slots != 1)
    refuse(text.place, "letters outside ASCII in a value that is modelled are not supported");
  return out;
}

// A place that holds the value: its own, or one that is made for it.
Operand Expander::emit_composite(const Expression& e, const Type& type) {
  Operand out;
  out.type = &type;
  if (failed_) return out;
  if (is_text(e, type)) return emit_composite(expressions_.emplace_back(characters_of(e, *type.component)), type);
  if (e.kind == Kind::aggregate) {
    const Type* bounded = type.unconstrained ? bounded_by(type, e) : &type;
    if (bounded == nullptr) return out;
    const Location at = allocate(*bounded, "", e.place, true);
    out.type = bounded;
    assign_aggregate(at, e);
    out.location = at;
    return out;
  }
  out = emit_value(e, &type);
  return out;
}

// The bounds of an array that is given by an aggregate follow from it, dimension by dimension.
const Type* Expander::bounded_by(const Type& array, const Expression& e) {
  Type& t = types_.emplace_back(array);
  t.unconstrained = false;
  std::uint64_t count = 1;
  const Expression* level = &e;
  for (const Type*& index : t.indices) {
    const bool text = level != nullptr && level->kind == Kind::string;
    const bool others =
        level != nullptr && std::ranges::any_of(level->arguments, [](const Association& a) {
          return std::ranges::any_of(a.choices, [](const Expression& c) { return c.kind == Kind::others; });
        });
    if (level == nullptr || others || (level->kind != Kind::aggregate && !text)) {
      refuse(e.place, "an aggregate for an array without bounds tells them: this one is not supported");
      return nullptr;
    }
    const auto length = static_cast<Value>(level->text.size());
    const auto own = text ? std::pair(index->low, index->low + length - 1) : aggregate_bounds(*level, *index);
    if (!own || failed_) return nullptr;
    check_bounds(own->first, own->second, *index);
    index = with_range(*index, own->first, own->second);
    count *= index->count();
    level = level->arguments.empty() ? nullptr : &level->arguments[0].value;
  }
  if (count > kMostElements) {
    refuse(e.place, fmt::format("an array of more than {} elements is not supported", kMostElements));
    return nullptr;
  }
  t.extent = t.component->extent * static_cast<std::uint32_t>(count);
  return &t;
}

void Expander::assign_aggregate(const Location& to, const Expression& e) {
  if (failed_) return;
  if (to.type->kind == Type::Kind::record) return assign_record(to, e);
  if (to.type->kind == Type::Kind::array) return assign_array(to, e);
  error(e.place, "an aggregate is no value of this type");
}

// A box stands for the initial value.
void Expander::assign_or_initialise(const Location& to, const Expression& value) {
  if (value.kind == Kind::box)
    initialise_fields(to);
  else
    assign(to, value);
}

void Expander::assign_record(const Location& to, const Expression& e) {
  std::size_t position = 0;
  for (const Type::Field& f : to.type->base->fields) {
    const Expression* value = nullptr;
    if (position < e.arguments.size() && e.arguments[position].choices.empty()) value = &e.arguments[position++].value;
    for (const Association& a : e.arguments)
      for (const Expression& c : a.choices)
        if (value == nullptr && (c.kind == Kind::others || c.text == f.name)) value = &a.value;
    if (value == nullptr) return error(e.place, fmt::format("there is no value for {}", f.name));
    assign_or_initialise(field(to, f), *value);
  }
  check_discriminants(to, *to.type);
}

// Of an array of several dimensions, the aggregate has the first one, and the values in it have the others.
const Type* Expander::inner_type(const Type& array) {
  if (array.indices.size() == 1) return array.component;
  Type inner = array;
  const auto count = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, array.indices[0]->count()));
  inner.indices.erase(inner.indices.begin());
  inner.extent = {array.extent.slots / count, 0, 0};
  return &types_.emplace_back(std::move(inner));
}

// Whether a choice stands for several values: a range or a subtype.
bool Expander::is_range(const Expression& choice) {
  if (choice.kind == Kind::range || choice.kind == Kind::constrained) return true;
  if (choice.kind == Kind::attribute) return choice.text == "range";
  if (choice.kind != Kind::name && choice.kind != Kind::selected) return false;
  const Looked looked = look(choice);
  return !looked.value && !looked.entities.empty() && looked.entities[0]->kind == Entity::Kind::type;
}

std::optional<std::pair<Value, Value>> Expander::choice_bounds(const Expression& choice, const Type& index) {
  if (is_range(choice)) {
    const Type* type = &index;
    const auto bounds = static_range(choice, type);
    if (!bounds) error(choice.place, "the bounds of this choice are not known");
    return bounds;
  }
  const auto value = static_value(choice, index.base);
  if (value) return std::pair(*value, *value);
  error(choice.place, "this choice is not known");
  return std::nullopt;
}

// The bounds of an aggregate without others are its own: only their number has to fit (ARM 4.3.3, 5.2).
std::optional<std::pair<Value, Value>> Expander::aggregate_bounds(const Expression& e, const Type& index) {
  Value low = index.low, high = index.low + static_cast<Value>(e.arguments.size()) - 1;
  bool first = true;
  for (const Association& a : e.arguments)
    for (const Expression& c : a.choices) {
      if (c.kind == Kind::others) return std::pair(index.low, index.high);
      const auto bounds = choice_bounds(c, index);
      if (!bounds) return std::nullopt;
      const bool replaces = first || (low > high && bounds->first <= bounds->second);
      low = replaces ? bounds->first : std::min(low, bounds->first);
      high = replaces ? bounds->second : std::max(high, bounds->second);
      first = false;
    }
  return std::pair(low, high);
}

void Expander::assign_array(const Location& to, const Expression& e) {
  const Type& index = *to.type->indices[0];
  const Type* const inner = inner_type(*to.type);
  const auto own = aggregate_bounds(e, index);
  if (!own || failed_) return;
  const auto length = static_cast<std::uint64_t>(std::max<Value>(0, own->second - own->first + 1));
  const auto& all = to.type->base->indices;  // the bounds lie in the index subtype of the type, too (ARM 4.3.3(29))
  if (all.size() >= to.type->indices.size())
    check_bounds(own->first, own->second, *all[all.size() - to.type->indices.size()]);
  if (length != index.count()) return emit_raise(flow::constraint_error);
  std::vector<bool> done(index.count(), false);
  const auto put = [&](std::uint64_t n, const Expression& value) {
    if (n >= done.size()) return emit_raise(flow::constraint_error);
    if (done[n]) return;
    done[n] = true;
    Location at = to;
    at.type = inner;
    at.first.slots += static_cast<std::uint32_t>(n) * inner->extent.slots;
    assign_or_initialise(at, value);
  };
  std::size_t position = 0;
  for (const Association& a : e.arguments) {
    if (a.choices.empty()) put(position++, a.value);
    for (const Expression& c : a.choices) {
      const auto bounds = c.kind == Kind::others ? std::pair(index.low, index.high) : choice_bounds(c, index);
      if (!bounds) return;
      for (Value i = bounds->first; i <= bounds->second && !failed_; ++i)
        put(static_cast<std::uint64_t>(i - own->first), a.value);
    }
  }
  if (!failed_ && std::ranges::find(done, false) != done.end()) error(e.place, "this aggregate has too few values");
}

void Expander::assign(const Location& to, const Expression& value) {
  if (failed_) return;
  const Type& type = *to.type;
  if (type.discrete()) return write_slot(to, 0, converted(value, type, value.place));
  if (type.kind == Type::Kind::opaque) {
    if (may_call(value)) emit_value(value, nullptr);
    return doubt(type, value);
  }
  if (type.kind == Type::Kind::task || type.kind == Type::Kind::protected_unit)
    return refuse(value.place, "an access object that is assigned again is not supported");
  if (is_text(value, type)) return assign(to, expressions_.emplace_back(characters_of(value, *type.component)));
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
  if (!check_composite(from, *to.type)) return;
  const std::uint32_t slots = to.type->extent.slots;
  if (slots != from.type->extent.slots) return error(statement_, "the lengths of these arrays differ");
  // Parts of one array may overlap: all is read before anything is written.
  if (from.entity != nullptr && from.entity == to.entity && to.type->kind == Type::Kind::array &&
      (from.first.slots != to.first.slots || !from.index.empty() || !to.index.empty())) {
    const Location all = allocate(*to.type, "", statement_, true);
    copy(all, from);
    return copy(to, all);
  }
  Location source = from;
  source.type = integer_;
  for (std::uint32_t s = 0; s < slots; ++s) write_slot(to, s, read_slot(source, s));
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
