// Values of expressions: literals, names, calls, conversions. The order of evaluation is from left to right.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;
using Op = flow::Instruction::Op;

}  // namespace

Code Expander::scalar(const Expression& e, const Type* expected) {
  Operand value = emit_value(e, expected);
  if (value.location) value.code = constant(flow::kOpaque);
  return std::move(value.code);
}

Code Expander::converted(const Expression& e, const Type& type, Place /*place*/) {
  if (type.kind == Type::Kind::opaque) {
    if (may_call(e)) emit_value(e, nullptr);
    return constant(flow::kOpaque);
  }
  return checked(scalar(e, type.base), type);
}

Operand Expander::emit_value(const Expression& e, const Type* expected) {
  if (failed_) return opaque(any_);
  switch (e.kind) {
    case Kind::integer:
      return {expected != nullptr && expected->whole_number() ? expected : universal_, constant(e.value), {}};
    case Kind::character: return emit_character(e, expected);
    case Kind::real:
    case Kind::string:
    case Kind::null:
    case Kind::box: break;
    case Kind::allocator: refuse(e.place, "access types are not supported", "except for objects made once"); break;
    case Kind::name:
    case Kind::selected:
    case Kind::apply: return emit_name(e, expected);
    case Kind::attribute: return emit_attribute(e, expected);
    case Kind::qualified: return emit_qualified(e);
    case Kind::aggregate:
      if (expected != nullptr && (expected->kind == Type::Kind::array || expected->kind == Type::Kind::record))
        return emit_composite(e, *expected);
      break;
    case Kind::unary: return emit_unary(e, expected);
    case Kind::binary: return emit_binary(e, expected);
    case Kind::membership: return emit_membership(e);
    case Kind::condition: return emit_condition(e, expected);
    case Kind::selection: return emit_selection(e, expected);
    case Kind::quantified: return emit_quantified(e);
    case Kind::raise: emit_raise(exception_number(e.operands[0])); break;
    case Kind::range:
    case Kind::constrained:
    case Kind::others: error(e.place, "a value is expected here"); break;
    case Kind::refused: refuse(e.place, fmt::format("{} is not supported", e.text)); break;
  }
  return opaque(any_);
}

// A literal of the expected enumeration, if that has it.
Operand Expander::emit_character(const Expression& e, const Type* expected) {
  Operand out{character_, constant(e.value), {}};
  for (const Entity* c : lookup(fmt::format("'{}'", e.text), e.place))
    if (c->kind == Entity::Kind::literal && expected != nullptr && c->type->base == expected->base)
      out = {c->type, constant(*c->value), {}};
  return out;
}

Operand Expander::emit_qualified(const Expression& e) {
  const Type* type = type_mark(e.operands[0]);
  if (failed_ || type->kind == Type::Kind::opaque) return opaque(any_);
  if (!type->discrete()) return emit_composite(e.operands[1], *type);
  return {type, converted(e.operands[1], *type, e.place), {}};
}

Operand Expander::emit_unary(const Expression& e, const Type* expected) {
  if (Entity* user = user_operator(e, expected)) return inline_call(*user, {{{}, e.operands[0]}}, e.place);
  const Type* type = resolve(e.operands[0], expected);
  Code code = scalar(e.operands[0], type);
  if (!type->discrete()) return opaque(type);
  switch (e.op) {
    case Operator::negate: return {type, arithmetic(combine(std::move(code), {Op::negate, 0, 0}), *type), {}};
    case Operator::abs: return {type, arithmetic(combine(std::move(code), {Op::abs, 0, 0}), *type), {}};
    case Operator::not_:
      if (type->kind == Type::Kind::modular)
        return {type, combine(constant(type->base->modulus - 1), code, Op::minus), {}};
      return {type, combine(std::move(code), {Op::not_, 0, 0}), {}};
    default: return {type, std::move(code), {}};
  }
}

Operand Expander::emit_conversion(const Expression& e, const Type& type) {
  Operand out = opaque(any_);
  if (e.arguments.size() != 1) {
    error(e.place, "a conversion has one operand");
    return out;
  }
  const Expression& operand = e.arguments[0].value;
  if (type.kind == Type::Kind::opaque) {
    if (may_call(operand)) emit_value(operand, nullptr);
    return out;
  }
  out.type = &type;
  if (type.discrete())
    out.code = checked(scalar(operand, resolve(operand, nullptr)), type);
  else
    out.location = locate(operand);
  return out;
}

Operand Expander::emit_object(const Expression& e, const Looked& looked) {
  Operand out = opaque(any_);
  if (may_be_null(e)) {
    refuse(e.place,
           fmt::format("{} may be null here: that it is passed on is not supported", looked.entities[0]->name));
    return out;
  }
  const auto at = locate(e);
  if (failed_ || !at) return out;
  out.type = at->type;
  if (at->type->kind == Type::Kind::array || at->type->kind == Type::Kind::record ||
      at->type->kind == Type::Kind::task || at->type->kind == Type::Kind::protected_unit)
    out.location = at;
  else
    out.code = read_slot(*at, 0);
  return out;
}

// Enumeration literals and numbers.
std::optional<Operand> Expander::emit_literal(const Looked& looked, const Type* expected) {
  for (const Entity* c : looked.entities) {
    const bool number = c->kind == Entity::Kind::number;
    if ((number || c->kind == Entity::Kind::literal) && compatible(c->type, expected))
      return Operand{c->type, constant(number ? c->value.value_or(flow::kOpaque) : *c->value), {}};
  }
  return std::nullopt;
}

Operand Expander::emit_function(const Expression& e, const Looked& looked, const Type* expected) {
  Operand out = opaque(any_);
  static const std::vector<Association> kNothing;
  const auto& arguments = e.kind == Kind::apply ? e.arguments : kNothing;
  const bool any_function = std::ranges::any_of(
      looked.entities, [](const Entity* c) { return c->kind == Entity::Kind::subprogram && c->result != nullptr; });
  if (!any_function) {
    error(e.place, fmt::format("'{}' is no value", looked.entities.empty() ? e.text : looked.entities[0]->name));
    return out;
  }
  Entity* const function = choose(looked.entities, arguments, expected, true, e.place);
  if (function == nullptr) return out;
  if (function->renamed == nullptr) return inline_call(*function, arguments, e.place);
  emit_operation(e, &out, expected);
  return out;
}

Operand Expander::emit_name(const Expression& e, const Type* expected) {
  Operand out = opaque(any_);
  const Looked looked = look(e);
  if (failed_) return out;
  const bool conversion = e.kind == Kind::apply && !looked.entities.empty() &&
                          looked.entities[0]->kind == Entity::Kind::type && looked.unit == nullptr;
  if (conversion) return emit_conversion(e, *looked.entities[0]->type);
  if (looked.value) return emit_object(e, looked);
  if (e.kind != Kind::apply)
    if (auto literal = emit_literal(looked, expected)) return *literal;
  for (const Entity* c : looked.entities)
    if (c->kind == Entity::Kind::known) return emit_known_call(*c, e, expected);
  if (looked.unit == nullptr || looked.unit->kind != Type::Kind::protected_unit)
    return emit_function(e, looked, expected);
  emit_operation(e, &out, expected);
  return out;
}

// Functions of known units: random numbers and input are free choices, everything else is opaque.
Operand Expander::emit_known_call(const Entity& e, const Expression& call, const Type* /*expected*/) {
  Operand out = opaque(any_);
  const Type* type = known_result(e);
  if (e.known == "system.default_priority") {  // ceilings are ignored, but must have a value: GNAT's
    out.type = type;
    out.code = constant(48);
    return out;
  }
  const bool random = e.known.ends_with("discrete_random.random");
  if (type != any_ && !random && call.arguments.size() == 1) return emit_value(call.arguments[0].value, type);
  if (e.known == "report.equal" && call.arguments.size() == 2) {
    out.type = type;
    Code left = before(scalar(call.arguments[0].value, integer_), call.arguments[1].value);
    out.code = combine(std::move(left), scalar(call.arguments[1].value, integer_), Op::equal);
    return out;
  }
  for (const Association& a : call.arguments)
    if (may_call(a.value)) emit_value(a.value, nullptr);
  if (!random || type == any_) return out;
  flow::Node node;
  node.kind = flow::Node::Kind::choose;
  node.target = temporary(*type);
  node.low = type->low;
  node.high = type->high;
  out.type = type;
  out.code = load(node.target);
  emit(std::move(node));
  return out;
}

}  // namespace surety::ada
