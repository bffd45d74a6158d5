// Loops: their counters are slots, they are not unrolled.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"

namespace surety::ada {
namespace {

using Op = flow::Instruction::Op;

}  // namespace

void Expander::emit_loop(const Statement& s) {
  Loop loop;
  loop.name = s.name;
  loop.depth = regions_.size();
  loops_.push_back(&loop);
  if (s.over_elements) {
    emit_for_elements(s, loop.exit);
  } else if (!s.variable.empty()) {
    emit_for(s, loop.exit);
  } else {
    Label again;
    bind(again);
    if (s.condition) branch(scalar(*s.condition, boolean_), loop.exit);
    emit_all(s.statements);
    statement_ = s.place;
    jump(again);
  }
  bind(loop.exit);
  loops_.pop_back();
}

// The bounds are evaluated once. The loop variable is a slot of its own.
void Expander::emit_for(const Statement& s, Label& done) {
  if (s.range.empty()) return;
  const Expression& range = s.range[0];
  const Type* type = nullptr;
  Code low, high;
  if (range.kind == Expression::Kind::range) {
    const auto left = types_of(range.operands[0]), right = types_of(range.operands[1]);
    for (const Type* l : left)
      for (const Type* r : right)
        if (type == nullptr && compatible(l, r)) type = l->kind == Type::Kind::universal ? r : l;
    if (type == nullptr || type->kind == Type::Kind::universal) type = integer_;
    low = materialised(scalar(range.operands[0], type));
    high = materialised(scalar(range.operands[1], type));
  } else if (range.kind == Expression::Kind::constrained && range.operands[1].kind == Expression::Kind::range) {
    type = type_mark(range.operands[0]);
    low = materialised(scalar(range.operands[1].operands[0], type));
    high = materialised(scalar(range.operands[1].operands[1], type));
    check_range(low, high, *type);
  } else {
    type = range_type(range);
    low = constant(type->low);
    high = constant(type->high);
  }
  if (failed_) return;
  const Type* subtype = type;
  if (known(low) && known(high)) subtype = with_range(*type, *known(low), *known(high));
  const Code first = s.reverse ? high : low, last = s.reverse ? low : high;
  if (const auto a = known(low), b = known(high); a && b) {
    if (*a > *b) return;
  } else {
    branch(combine(low, high, Op::less_equal), done);
  }
  Scope& inside = scopes_.emplace_back();
  inside.outer = scope_;
  Inside in(scope_, &inside);
  Entity& variable = declare(Entity::Kind::object, s.variable, s.place);
  variable.name = s.variable;
  variable.type = subtype;
  variable.location = allocate(*subtype, s.variable, s.place, true);
  variable.location.constant = true;
  variable.location.entity = &variable;
  const std::uint32_t seen = variable.location.first.slots;
  const std::uint32_t slot = is_own(seen) ? seen : temporary(*subtype);  // tasks inside see a copy
  emit_compute(slot, first);
  Label again;
  bind(again);
  if (slot != seen) emit_compute(seen, load(slot));
  emit_all(s.statements);
  statement_ = s.place;
  branch(combine(load(slot), last, Op::not_equal), done);
  emit_compute(slot, combine(load(slot), constant(1), s.reverse ? Op::minus : Op::plus));
  jump(again);
}

// The elements in the order of their indices, one after the other; the loop variable is another name of the element.
void Expander::emit_for_elements(const Statement& s, Label& done) {
  const auto whole = array_of_elements(s.range[0]);
  if (!whole) return;
  const auto last = static_cast<Value>(element_count(*whole->type)) - 1;
  if (last < 0) return;
  const std::uint32_t counter = temporary(*integer_);
  emit_compute(counter, constant(s.reverse ? last : 0));
  Label again;
  bind(again);
  Scope& inside = scopes_.emplace_back();
  inside.outer = scope_;
  {
    Inside in(scope_, &inside);
    declare_element(s.variable, *whole, counter, s.place);
    emit_all(s.statements);
  }
  statement_ = s.place;
  branch(combine(load(counter), constant(s.reverse ? 0 : last), Op::not_equal), done);
  emit_compute(counter, combine(load(counter), constant(1), s.reverse ? Op::minus : Op::plus));
  jump(again);
}

std::optional<Location> Expander::array_of_elements(const Expression& e) {
  auto whole = locate(e);
  if (failed_) return std::nullopt;
  if (whole && whole->type->kind == Type::Kind::array && !whole->type->unconstrained) return whole;
  refuse(e.place, "a loop over the elements of something else than an array variable is not supported");
  return std::nullopt;
}

void Expander::declare_element(const std::string& name, const Location& whole, std::uint32_t counter, Place place) {
  const auto at = indexed(whole, load(counter), place);
  if (!at) return;
  Entity& variable = declare(Entity::Kind::object, name, place);
  variable.name = name;
  variable.type = at->type;
  variable.location = *at;
  variable.location.entity = &variable;
}

}  // namespace surety::ada
