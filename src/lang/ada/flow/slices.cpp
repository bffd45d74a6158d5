// Slices: a slice whose bounds are known is an array of its own, in the place of a part of another one. Of other
// slices nothing is known; they cannot be assigned to.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;

}  // namespace

// Whether A (e) is a part of A, not an element of it.
bool Expander::is_slice(const Type& array, const Expression& e) {
  return e.arguments.size() == 1 && e.arguments[0].choices.empty() && array.indices.size() == 1 &&
         is_range(e.arguments[0].value);
}

// Whether the value of a bound follows from the text alone, so that looking at it emits nothing.
bool Expander::is_settled(const Expression& e) {
  const auto settled = [&](const Expression& o) { return is_settled(o); };
  switch (e.kind) {
    case Kind::integer:
    case Kind::character: return true;
    case Kind::name:
    case Kind::selected: {
      if (e.kind == Kind::selected && e.text == "all") return false;
      const Looked looked = look(e);
      return !looked.entities.empty() && std::ranges::all_of(looked.entities, [](const Entity* c) {
        return c->kind == Entity::Kind::literal || (c->kind == Entity::Kind::number && c->value);
      });
    }
    case Kind::attribute: return e.text == "first" || e.text == "last" || e.text == "length";
    case Kind::unary:
    case Kind::binary: return user_operator(e, nullptr) == nullptr && std::ranges::all_of(e.operands, settled);
    case Kind::apply: {  // a conversion, or one of the identities that stop optimisation
      const Looked looked = look(e.operands[0]);
      return e.arguments.size() == 1 && !looked.entities.empty() && settled(e.arguments[0].value) &&
             (looked.entities[0]->kind == Entity::Kind::type ||
              (looked.entities[0]->kind == Entity::Kind::known && known_result(*looked.entities[0]) != any_));
    }
    case Kind::qualified: return settled(e.operands[1]);
    case Kind::range: return std::ranges::all_of(e.operands, settled);
    case Kind::constrained: return settled(e.operands[1]);
    default: return false;
  }
}

// Whether it is a slice, or a part of one.
bool Expander::names_slice(const Expression& e) {
  if (e.kind != Kind::apply && e.kind != Kind::selected) return false;
  if (names_slice(e.operands[0])) return true;
  const Looked whole = look(e.operands[0]);
  return e.kind == Kind::apply && whole.value && whole.type != nullptr && whole.type->kind == Type::Kind::array &&
         is_slice(*whole.type, e);
}

// The type of the slice; null: its bounds are not known.
const Type* Expander::slice_type(const Type& array, const Expression& e) {
  const Expression& range = e.arguments[0].value;
  if (array.unconstrained || ((range.kind == Kind::range || range.kind == Kind::constrained) && !is_settled(range)))
    return nullptr;
  const Type* index = array.indices[0];
  const auto bounds = static_range(range, index);
  if (!bounds) return nullptr;
  Type& t = types_.emplace_back(array);
  t.indices[0] = with_range(*array.indices[0], bounds->first, bounds->second);
  t.extent = t.component->extent * static_cast<std::uint32_t>(t.indices[0]->count());
  return &t;
}

// Null: the place of the slice is not known.
std::optional<Location> Expander::locate_slice(const Location& whole, const Expression& e) {
  const Type& array = *whole.type;
  const Type* type = slice_type(array, e);
  if (type == nullptr || failed_) return std::nullopt;
  const Type &part = *type->indices[0], &index = *array.indices[0];
  Location out = whole;
  if (part.low <= part.high && (part.low < index.low || part.high > index.high)) {
    emit_raise(flow::constraint_error);
    Type& none = types_.emplace_back(*type);  // nothing is done with it any more
    none.extent = {};
    none.indices[0] = with_range(index, part.high, part.high - 1);
    out.type = &none;
    return out;
  }
  out.type = type;
  if (part.low <= part.high)
    out.first = out.first + array.component->extent * static_cast<std::uint32_t>(part.low - index.low);
  return out;
}

}  // namespace surety::ada
