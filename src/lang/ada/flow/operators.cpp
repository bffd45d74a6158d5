// Values that are made of others: operators, memberships, conditions, quantifiers. Operands come from left to right.
#include <fmt/format.h>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;
using Op = flow::Instruction::Op;

Op op_of(Operator op) {
  switch (op) {
    case Operator::and_: return Op::and_;
    case Operator::or_: return Op::or_;
    case Operator::xor_: return Op::xor_;
    case Operator::equal: return Op::equal;
    case Operator::not_equal: return Op::not_equal;
    case Operator::less: return Op::less;
    case Operator::less_equal: return Op::less_equal;
    case Operator::greater: return Op::greater;
    case Operator::greater_equal: return Op::greater_equal;
    case Operator::plus: return Op::plus;
    case Operator::minus: return Op::minus;
    case Operator::times: return Op::times;
    case Operator::divide: return Op::divide;
    case Operator::mod: return Op::mod;
    case Operator::rem: return Op::rem;
    case Operator::power: return Op::power;
    default: return Op::constant;
  }
}

bool is_relation(Operator op) { return op >= Operator::equal && op <= Operator::greater_equal; }

}  // namespace

Operand Expander::emit_binary(const Expression& e, const Type* expected) {
  if (e.op == Operator::and_then || e.op == Operator::or_else) return emit_short_circuit(e);
  if (Entity* user = user_operator(e, expected))
    return inline_call(*user, {{{}, e.operands[0]}, {{}, e.operands[1]}}, e.place);
  if (e.op == Operator::not_equal) {  // an own "=" is one of "/=", too (ARM 6.6(6))
    Expression equal = e;
    equal.op = Operator::equal;
    if (Entity* user = user_operator(equal, boolean_); user != nullptr && user->result->is_boolean()) {
      Operand out = inline_call(*user, {{{}, e.operands[0]}, {{}, e.operands[1]}}, e.place);
      out.code = combine(std::move(out.code), {Op::not_, 0, 0});
      return out;
    }
  }
  if (is_relation(e.op)) return emit_comparison(e);
  const Type* type = resolve(e, expected);
  Operand out = opaque(type);
  if (failed_) return out;
  if (e.op == Operator::concatenate || !type->discrete()) {
    for (const Expression& o : e.operands)
      if (may_call(o)) emit_value(o, nullptr);
    return out;
  }
  const auto first = graph().nodes.size();
  Code left = scalar(e.operands[0], type);
  left = before(std::move(left), e.operands[1]);
  const auto second = graph().nodes.size();
  const Code right = scalar(e.operands[1], e.op == Operator::power ? natural_ : type);
  if (failed_) return out;
  note_operands(first, second);
  out.code = combine(std::move(left), right, op_of(e.op));
  const bool logical = e.op == Operator::and_ || e.op == Operator::or_ || e.op == Operator::xor_;
  // Of a modular type, "or" and "xor" can leave the range (ARM 4.5.1).
  if (!logical || type->base->kind == Type::Kind::modular) out.code = arithmetic(std::move(out.code), *type);
  return out;
}

// The right side is evaluated only if it matters: a branch, unless nothing can tell.
Operand Expander::emit_short_circuit(const Expression& e) {
  Operand out;
  out.type = boolean_;
  const bool conjunction = e.op == Operator::and_then;
  Code left = scalar(e.operands[0], boolean_);
  if (const auto value = known(left); value && (*value != 0) != conjunction) {
    out.code = constant(*value);
    return out;
  }
  const std::uint32_t slot = temporary_boolean();
  emit_compute(slot, std::move(left));
  Label done;
  branch(conjunction ? load(slot) : combine(load(slot), {Op::not_, 0, 0}), done);
  emit_compute(slot, scalar(e.operands[1], boolean_));
  bind(done);
  out.code = load(slot);
  return out;
}

Operand Expander::emit_comparison(const Expression& e) {
  Operand out = opaque(boolean_);
  const Type* type = nullptr;
  const auto left = types_of(e.operands[0]), right = types_of(e.operands[1]);
  if (failed_) return out;
  for (const Type* l : left)
    for (const Type* r : right) {
      if (type != nullptr || !compatible(l, r)) continue;
      type = l->kind == Type::Kind::universal || is_untyped(l) ? r : l;
    }
  if (type == nullptr) {
    if (!left.empty() && !right.empty())
      error(e.place, fmt::format("{} cannot be compared with {}", left[0]->name, right[0]->name));
    return out;
  }
  for (const std::size_t i : {0, 1})
    if (may_be_null(e.operands[i]) && e.operands[1 - i].kind == Kind::null) {
      out.code = combine(read_reference(*access_object(e.operands[i])), constant(0), op_of(e.op));
      return out;
    }
  if (type->kind == Type::Kind::opaque || names_access(e.operands[0]) || names_access(e.operands[1])) {
    for (const Expression& o : e.operands)
      if (may_call(o)) emit_value(o, nullptr);
    return out;
  }
  if (type->kind == Type::Kind::array || type->kind == Type::Kind::record) {
    const Operand a = emit_composite(e.operands[0], *type), b = emit_composite(e.operands[1], *type);
    if (failed_ || !a.location || !b.location) return out;
    if (e.op != Operator::equal && e.op != Operator::not_equal) return out;
    out.code = equal_locations(*a.location, *b.location);
    if (e.op == Operator::not_equal) out.code = combine(std::move(out.code), {Op::not_, 0, 0});
    return out;
  }
  if (!type->discrete()) return out;
  const auto first = graph().nodes.size();
  Code a = scalar(e.operands[0], type);
  a = before(std::move(a), e.operands[1]);
  const auto second = graph().nodes.size();
  out.code = combine(std::move(a), scalar(e.operands[1], type), op_of(e.op));
  note_operands(first, second);
  return out;
}

// The variables that two operands read, whose nodes begin here: a warning may become of it, once it is known which are
// shared.
void Expander::note_operands(std::size_t left, std::size_t right) {
  if (immediate_ || object_ != kNone || failed_) return;
  const auto reads = [&](std::size_t from, std::size_t to) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = from; i < to; ++i)
      if (const flow::Node& n = graph().nodes[i]; n.kind == flow::Node::Kind::read)
        for (std::uint32_t s = n.first; s < n.first + n.count; ++s) out.push_back(s);
    return out;
  };
  AdaProgram::Operands operands{task_, place(statement_), reads(left, right), reads(right, graph().nodes.size())};
  if (!operands.left.empty() && !operands.right.empty()) out_.operands.push_back(std::move(operands));
}

// Whether a value is one of these choices: values, ranges, subtypes.
Code Expander::in_choices(const Code& value, const std::vector<Expression>& choices, const Type& type) {
  Code out = constant(0);
  for (const Expression& choice : choices) {
    if (choice.kind == Kind::others) return constant(1);
    Code one;
    if (choice.kind == Kind::range) {
      Code low = scalar(choice.operands[0], type.base);
      Code high = scalar(choice.operands[1], type.base);
      one = combine(combine(value, low, Op::greater_equal), combine(value, high, Op::less_equal), Op::and_);
    } else if (is_range(choice)) {
      const Type* t = &type;
      const auto bounds = static_range(choice, t);
      if (!bounds) {
        if (!failed_ && t->kind != Type::Kind::opaque) error(choice.place, "the bounds of this choice are not known");
        return constant(flow::kOpaque);
      }
      one = combine(value, {Op::inside, bounds->first, bounds->second});
    } else {
      one = combine(value, scalar(choice, type.base), Op::equal);
    }
    out = combine(std::move(out), one, Op::or_);
  }
  return out;
}

Operand Expander::emit_membership(const Expression& e) {
  const Type* type = resolve(e.operands[0], nullptr);
  if (type->kind == Type::Kind::universal) type = integer_;
  Operand out = opaque(boolean_);
  if (failed_ || !type->discrete()) return out;
  const Code value = materialised(scalar(e.operands[0], type));
  out.code = in_choices(value, {e.operands.begin() + 1, e.operands.end()}, *type);
  if (e.negated) out.code = combine(std::move(out.code), {Op::not_, 0, 0});
  return out;
}

Operand Expander::emit_condition(const Expression& e, const Type* expected) {
  Operand out = opaque(resolve(e, expected));
  if (failed_) return out;
  const std::uint32_t slot = temporary(*out.type);
  Label done;
  std::size_t i = 0;
  for (; i + 1 < e.operands.size(); i += 2) {
    Label next;
    branch(scalar(e.operands[i], boolean_), next);
    emit_compute(slot, scalar(e.operands[i + 1], out.type));
    jump(done);
    bind(next);
  }
  emit_compute(slot, i < e.operands.size() ? scalar(e.operands[i], out.type) : constant(1));
  bind(done);
  if (out.type->discrete()) out.code = load(slot);
  return out;
}

Operand Expander::emit_selection(const Expression& e, const Type* expected) {
  Operand out = opaque(resolve(e, expected));
  const Type* type = resolve(e.operands[0], nullptr);
  if (failed_) return out;
  const Code value = materialised(scalar(e.operands[0], type));
  const std::uint32_t slot = temporary(*out.type);
  Label done;
  for (const Association& a : e.arguments) {
    Label next;
    branch(in_choices(value, a.choices, *type), next);
    emit_compute(slot, scalar(a.value, out.type));
    jump(done);
    bind(next);
  }
  bind(done);
  if (out.type->discrete()) out.code = load(slot);
  return out;
}

std::uint32_t Expander::declare_counter(const std::string& name, const Type& type, Place place) {
  Entity& variable = declare(Entity::Kind::object, name, place);
  variable.type = &type;
  variable.location = allocate(type, name, place, true);
  variable.location.entity = &variable;
  return variable.location.first.slots;
}

Operand Expander::emit_quantified(const Expression& e) {
  Operand out;
  out.type = boolean_;
  const bool elements = e.value != 0;  // for all X of A
  const auto whole = elements ? array_of_elements(e.operands[0]) : std::nullopt;
  const Type* type = elements ? integer_ : range_type(e.operands[0]);
  if (whole) type = with_range(*integer_, 0, static_cast<Value>(element_count(*whole->type)) - 1);
  const std::uint32_t result = temporary_boolean();
  emit_compute(result, constant(e.negated ? 0 : 1));
  if (failed_ || type->count() == 0) {
    out.code = load(result);
    return out;
  }
  Scope& inside = scopes_.emplace_back();
  inside.outer = scope_;
  Inside in(scope_, &inside);
  const std::uint32_t slot = elements ? temporary(*type) : declare_counter(e.text, *type, e.place);
  emit_compute(slot, constant(type->low));
  Label again, done;
  bind(again);
  if (elements) declare_element(e.text, *whole, slot, e.place);
  Code condition = scalar(e.operands[1], boolean_);
  Label settled;
  branch(e.negated ? combine(std::move(condition), {Op::not_, 0, 0}) : std::move(condition), settled);
  branch(combine(load(slot), constant(type->high), Op::not_equal), done);
  emit_compute(slot, combine(load(slot), constant(1), Op::plus));
  jump(again);
  bind(settled);
  emit_compute(result, constant(e.negated ? 1 : 0));
  bind(done);
  out.code = load(result);
  return out;
}

}  // namespace surety::ada
