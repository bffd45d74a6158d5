// Which object, or which part of one, a name denotes: variables, elements, fields, what access objects name.
#include <fmt/format.h>

#include "lang/ada/flow/expander.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;
using Op = flow::Instruction::Op;

}  // namespace

std::optional<Location> Expander::locate(const Expression& e) {
  if (failed_) return std::nullopt;
  if (e.kind == Kind::apply) return locate_apply(e);
  if (e.kind == Kind::selected) {
    const Looked prefix = look(e.operands[0]);
    const bool unit = prefix.type != nullptr &&
                      (prefix.type->kind == Type::Kind::task || prefix.type->kind == Type::Kind::protected_unit);
    if (prefix.value && prefix.type != nullptr && !unit) {  // of a unit: an expanded name
      auto whole = locate(e.operands[0]);
      if (!whole || e.text == "all") return whole;
      for (const Type::Field& f : whole->type->base->fields)
        if (f.name == e.text) return field(*whole, f);
      return std::nullopt;
    }
  }
  if (e.kind != Kind::name && e.kind != Kind::selected) return std::nullopt;
  const Looked looked = look(e);
  if (looked.entities.empty() || looked.entities[0]->kind != Entity::Kind::object) return std::nullopt;
  if (looked.entities[0]->reference != kNone) emit_null_check(*looked.entities[0]);
  return looked.entities[0]->location;
}

// What an access value designates: X'Access and the name of an access object stand for the object itself.
std::optional<Location> Expander::locate_designated(const Expression& e) {
  const bool attribute = e.kind == Kind::attribute && (e.text == "access" || e.text == "unchecked_access");
  return locate(attribute ? e.operands[0] : e);
}

// The access object that a name denotes; null: it is something else.
Entity* Expander::access_object(const Expression& e) {
  if (e.kind != Kind::name && (e.kind != Kind::selected || e.text == "all")) return nullptr;
  const auto found = e.kind == Kind::name ? lookup(e.text, e.place) : look(e).entities;
  return !found.empty() && found[0]->access ? found[0] : nullptr;
}

bool Expander::names_access(const Expression& e) { return access_object(e) != nullptr; }

Code Expander::index_code(const Type& array, const std::vector<Association>& arguments, Place place) {
  Code out = constant(0);
  if (arguments.size() != array.indices.size()) {
    error(place, fmt::format("this array has {} indices, not {}", array.indices.size(), arguments.size()));
    return out;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Type& t = *array.indices[i];
    if (i > 0) out = before(std::move(out), arguments[i].value);
    Code code = checked(scalar(arguments[i].value, t.base), t);
    code = combine(std::move(code), constant(t.low), Op::minus);
    out = combine(combine(std::move(out), constant(static_cast<Value>(t.count())), Op::times), code, Op::plus);
  }
  return out;
}

std::optional<Location> Expander::locate_apply(const Expression& e) {
  const Looked prefix = look(e.operands[0]);
  if (!prefix.value) {
    // An element of what a function without parameters returns; a conversion of an object.
    if (!prefix.entities.empty() && prefix.entities[0]->kind == Entity::Kind::type && e.arguments.size() == 1)
      return locate(e.arguments[0].value);
    return std::nullopt;
  }
  auto whole = locate(e.operands[0]);
  if (!whole || failed_) return std::nullopt;
  const Type& array = *whole->type;
  if (array.kind != Type::Kind::array) return std::nullopt;
  if (is_slice(array, e)) return locate_slice(*whole, e);
  return indexed(*whole, index_code(array, e.arguments, e.place), e.place);
}

std::uint64_t Expander::element_count(const Type& array) {
  std::uint64_t count = 1;
  for (const Type* t : array.indices) count *= t->count();
  return count;
}

// The element with this number, from 0 on.
std::optional<Location> Expander::indexed(const Location& whole_array, const Code& index, Place place) {
  if (failed_) return std::nullopt;
  const Location* const whole = &whole_array;
  const Type& array = *whole->type;
  if (const auto number = known(index); number && !(index.size() == 1 && *number < 0))
    return element(*whole, static_cast<std::uint32_t>(*number));
  Location out = *whole;
  out.type = array.component;
  const std::uint64_t count = element_count(array);
  if (whole->index.empty()) {
    out.index = materialised(index);
    out.stride = array.component->extent;
    out.count = static_cast<std::uint32_t>(count);
    return out;
  }
  // An element of an element: in the units of the inner array.
  const auto inner = static_cast<std::uint32_t>(count);
  out.stride = array.component->extent;
  if (!(array.component->extent * inner == whole->stride)) {
    refuse(place, "an index inside of a component that is found by an index is not supported here",
           "use an array of two dimensions");
    return std::nullopt;
  }
  out.index =
      materialised(combine(combine(whole->index, constant(static_cast<Value>(inner)), Op::times), index, Op::plus));
  out.count = whole->count * inner;
  return out;
}

}  // namespace surety::ada
