// Checks of constraints of composite values: lengths of arrays, bounds of indices, discriminants
// (ARM 3.5, 3.6.1, 3.7.1, 4.6, 5.2, 6.4.1). What fails raises Constraint_Error where it is evaluated.
#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"

namespace surety::ada {
namespace {

using Op = flow::Instruction::Op;

}  // namespace

// A range, unless it is empty, lies in the type that it narrows.
void Expander::check_bounds(Value low, Value high, const Type& type) {
  if (low <= high && type.discrete() && type.kind != Type::Kind::universal && (low < type.low || high > type.high))
    emit_raise(flow::constraint_error);
}

// The same where the bounds are found when the statement is executed.
void Expander::check_range(const Code& low, const Code& high, const Type& type) {
  if (known(low) && known(high)) return check_bounds(*known(low), *known(high), type);
  const auto within = [&](const Code& code) { return combine(code, {Op::inside, type.low, type.high}); };
  Code fits = combine(within(low), within(high), Op::and_);
  fits = combine(combine(low, high, Op::greater), fits, Op::or_);
  Label wrong, right;
  branch(std::move(fits), wrong);
  jump(right);
  bind(wrong);
  emit_raise(flow::constraint_error);
  bind(right);
}

// Whether an array has the lengths of another type.
bool Expander::same_lengths(const Type& a, const Type& b) {
  return std::ranges::equal(a.indices, b.indices,
                            [](const Type* x, const Type* y) { return x->count() == y->count(); });
}

// Whether a real value is in the range of its type is not modelled: a check of something opaque tells that.
void Expander::doubt(const Type& type, const Expression& value) {
  if (!type.ranged || immediate_ || value.kind == Expression::Kind::real || value.kind == Expression::Kind::integer)
    return;
  emit_compute(temporary(*integer_), {{Op::constant, flow::kOpaque, 0}, {Op::check, 0, 0}});
}

// A composite value goes where a value of another subtype is expected. False: it never does.
bool Expander::check_composite(const Location& from, const Type& to) {
  if (to.kind == Type::Kind::array && !to.unconstrained && from.type->kind == Type::Kind::array &&
      !from.type->unconstrained && !same_lengths(*from.type, to)) {
    emit_raise(flow::constraint_error);
    return false;
  }
  if (from.type->constraint != to.constraint) check_discriminants(from, to);
  return true;
}

void Expander::check_discriminants(const Location& from, const Type& to) {
  if (to.kind != Type::Kind::record || to.constraint == nullptr) return;
  for (const Type::Field& f : to.base->fields) {
    if (!f.discriminant || !f.type->discrete()) continue;
    const Expression* value = discriminant(*to.constraint, to, f);
    if (value == nullptr) continue;
    Code wanted;
    {
      Inside there(scope_, to.constraint_scope);
      if (!is_settled(*value)) continue;
      wanted = scalar(*value, f.type->base);
    }
    const Code same = combine(read_slot(field(from, f), 0), wanted, Op::equal);
    if (failed_ || known(same) == Value{1}) continue;
    Label wrong, right;
    branch(same, wrong);
    jump(right);
    bind(wrong);
    emit_raise(flow::constraint_error);
    bind(right);
  }
}

}  // namespace surety::ada
