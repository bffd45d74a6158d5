// Values: code for what is the task's own, nodes for what others may see or change.
//
// The order of evaluation is from left to right. Code reads its slots when its node is executed; so where something
// that follows could change them, the value is put aside first (`materialised`).
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/execute.hpp"
#include "lang/ada/expander.hpp"
#include "lang/ada/inside.hpp"
#include "lang/ada/known_units.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;
using flow::Instruction;
using Op = Instruction::Op;

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

// ---- code

std::optional<Value> Expander::known(const Code& code) {
  if (code.size() == 1 && code[0].op == Op::constant && code[0].a != flow::kOpaque && code[0].a != flow::kUnset)
    return code[0].a;
  return std::nullopt;
}

Code Expander::combine(Code a, const Code& b, Op op) {
  const auto x = known(a), y = known(b);
  if (x && y)
    if (const Result r = apply({op, 0, 0}, *x, *y); r.ok()) return constant(r.value);
  a.insert(a.end(), b.begin(), b.end());
  a.push_back({op, 0, 0});
  return a;
}

Code Expander::combine(Code a, Instruction instruction) {
  if (const auto x = known(a))
    if (const Result r = apply(instruction, *x, 0); r.ok()) return constant(r.value);
  a.push_back(instruction);
  return a;
}

bool Expander::can_raise(const Code& code) {
  return std::ranges::any_of(code, [](const Instruction& i) {
    return i.op == Op::check || i.op == Op::divide || i.op == Op::mod || i.op == Op::rem || i.op == Op::power ||
           i.op == Op::plus || i.op == Op::minus || i.op == Op::times;
  });
}

Code Expander::checked(Code code, const Type& type) {
  if (!type.discrete() || type.kind == Type::Kind::universal) return code;
  if (const auto value = known(code); value && *value >= type.low && *value <= type.high) return code;
  if (!code.empty() && code.back().op == Op::check && code.back().a >= type.low && code.back().b <= type.high)
    return code;
  if (type.is_boolean() && type.low == 0 && type.high == 1) return code;
  if (code.size() == 1 && code[0].op == Op::load) {
    const flow::Slot& slot = program_.slots[static_cast<std::size_t>(code[0].a)];
    if (!slot.temporary && slot.low >= type.low && slot.high <= type.high) return code;
  }
  code.push_back({Op::check, type.low, type.high});
  return code;
}

// The result of an operation in a type: overflow is an error, or modular arithmetic.
Code Expander::arithmetic(Code code, const Type& type) {
  const Type& base = *type.base;
  if (base.kind == Type::Kind::modular) return combine(std::move(code), {Op::wrap, base.modulus, 0});
  if (base.kind != Type::Kind::integer) return code;
  if (const auto value = known(code); value && *value >= base.low && *value <= base.high) return code;
  code.push_back({Op::check, base.low, base.high});
  return code;
}

Code Expander::materialised(Code code) {
  if (known(code) || (code.size() == 1 && code[0].op == Op::constant)) return code;
  if (code.size() == 1 && program_.slots[static_cast<std::size_t>(code[0].a)].name.empty()) return code;
  const std::uint32_t slot = temporary(*integer_);
  program_.slots[slot].low = flow::kUnset + 1;
  program_.slots[slot].high = INT64_MAX;
  emit_compute(slot, std::move(code));
  return load(slot);
}

// ---- slots

bool Expander::is_own(std::uint32_t slot) const {
  const flow::Slot& s = program_.slots[slot];
  if (immediate_) return true;
  if (s.object != kNone || object_ != kNone) return s.object == object_;
  return s.task == task_;
}

// A variable of a task that another task uses.
void Expander::note_capture(std::uint32_t slot) {
  const flow::Slot& s = program_.slots[slot];
  if (s.task == kNone || s.task == task_ || s.name.empty()) return;
  seen_.captured.insert(program_.places[s.place].offset);
}

// Whether others can notice that it is evaluated, or what it finds: it calls something, or reads what is not the task's
// own.
bool Expander::may_be_seen(const Expression& e) {
  if (may_call(e)) return true;
  if (e.kind == Kind::attribute && (e.text == "count" || e.text == "callable" || e.text == "terminated")) return true;
  const auto deeper = [&](const Expression& o) { return may_be_seen(o); };
  const Expression* root = &e;
  while (root->kind == Kind::selected) root = &root->operands[0];
  if (root->kind == Kind::name) {
    auto found = lookup(root->text);
    if (root != &e && (found.empty() || found[0]->kind != Entity::Kind::object)) found = look(e).entities;
    return std::ranges::any_of(found, [&](const Entity* c) {
      return c->kind == Entity::Kind::object && c->type != nullptr && c->type->extent.slots > 0 &&
             !is_own(c->location.first.slots);
    });
  }
  if (root != &e) return may_be_seen(*root);
  return (e.kind != Kind::attribute && std::ranges::any_of(e.operands, deeper)) ||
         std::ranges::any_of(e.arguments, [&](const Association& a) { return may_be_seen(a.value); });
}

// A value that is evaluated before `next`: put aside if `next` could change what it reads; and if it raises an
// exception, others must not see anything of `next`.
Code Expander::before(Code code, const Expression& next) {
  if (may_call(next) || (can_raise(code) && may_be_seen(next))) return materialised(std::move(code));
  return code;
}

Code Expander::read_slot(const Location& at, std::uint32_t slot) {
  if (at.ignored) return constant(flow::kOpaque);
  const std::uint32_t first = at.first.slots + slot;
  if (at.type != nullptr && at.type->kind == Type::Kind::opaque) return constant(flow::kOpaque);
  if (at.index.empty()) {
    if (at.constant && !immediate_ && program_.slots[first].task == kNone && program_.slots[first].object == kNone &&
        memory_[first] != flow::kUnset)
      return constant(memory_[first]);
    if (is_own(first)) return load(first);
  }
  note_capture(first);
  flow::Node node;
  node.kind = flow::Node::Kind::read;
  node.first = first;
  node.target = temporary(*integer_);
  program_.slots[node.target].low = program_.slots[first].low;
  program_.slots[node.target].high = program_.slots[first].high;
  program_.slots[node.target].display = program_.slots[first].display;
  if (!at.index.empty()) {
    node.offset = combine(at.index, constant(at.stride.slots), Op::times);
    node.count = (at.count - 1) * at.stride.slots + 1;
  }
  const std::uint32_t target = node.target;
  emit(std::move(node));
  return load(target);
}

void Expander::write_slot(const Location& at, std::uint32_t slot, Code value) {
  if (at.ignored) return;
  const std::uint32_t first = at.first.slots + slot;
  if (at.index.empty() && is_own(first)) {
    emit_compute(first, std::move(value));
    return;
  }
  note_capture(first);
  flow::Node node;
  node.kind = flow::Node::Kind::write;
  node.first = first;
  node.value = std::move(value);
  if (!at.index.empty()) {
    node.offset = combine(at.index, constant(at.stride.slots), Op::times);
    node.count = (at.count - 1) * at.stride.slots + 1;
  }
  emit(std::move(node));
}

// ---- places

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
  return looked.entities[0]->location;
}

// What an access value designates: X'Access and the name of an access object stand for the object itself.
std::optional<Location> Expander::locate_designated(const Expression& e) {
  const bool attribute = e.kind == Kind::attribute && (e.text == "access" || e.text == "unchecked_access");
  return locate(attribute ? e.operands[0] : e);
}

bool Expander::names_access(const Expression& e) {
  if (e.kind != Kind::name) return false;
  const auto found = lookup(e.text);
  return !found.empty() && found[0]->access;
}

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
  if (e.arguments.size() == 1 && e.arguments[0].value.kind == Kind::range) return std::nullopt;
  const Code index = index_code(array, e.arguments, e.place);
  if (failed_) return std::nullopt;
  if (const auto number = known(index); number && !(index.size() == 1 && *number < 0))
    return element(*whole, static_cast<std::uint32_t>(*number));
  Location out = *whole;
  out.type = array.component;
  std::uint64_t count = 1;
  for (const Type* t : array.indices) count *= t->count();
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
    refuse(e.place, "an index inside of a component that is found by an index is not supported here",
           "use an array of two dimensions");
    return std::nullopt;
  }
  out.index =
      materialised(combine(combine(whole->index, constant(static_cast<Value>(inner)), Op::times), index, Op::plus));
  out.count = whole->count * inner;
  return out;
}

// ---- values

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
  Operand out;
  out.type = any_;
  out.code = constant(flow::kOpaque);
  if (failed_) return out;
  switch (e.kind) {
    case Kind::integer:
      out.type = expected != nullptr && expected->whole_number() ? expected : universal_;
      out.code = constant(e.value);
      return out;
    case Kind::character: {
      out.type = character_;
      out.code = constant(e.value);
      for (const Entity* c : lookup(fmt::format("'{}'", e.text)))
        if (c->kind == Entity::Kind::literal && expected != nullptr && c->type->base == expected->base) {
          out.type = c->type;
          out.code = constant(*c->value);
        }
      return out;
    }
    case Kind::real:
    case Kind::string:
    case Kind::null:
    case Kind::box: return out;
    case Kind::allocator: refuse(e.place, "access types are not supported", "except for objects made once"); return out;
    case Kind::name:
    case Kind::selected:
    case Kind::apply: return emit_name(e, expected);
    case Kind::attribute: return emit_attribute(e, expected);
    case Kind::qualified: {
      const Type* type = type_mark(e.operands[0]);
      if (failed_) return out;
      if (!type->discrete()) return type->kind == Type::Kind::opaque ? out : emit_composite(e.operands[1], *type);
      out.type = type;
      out.code = converted(e.operands[1], *type, e.place);
      return out;
    }
    case Kind::aggregate:
      if (expected != nullptr && (expected->kind == Type::Kind::array || expected->kind == Type::Kind::record))
        return emit_composite(e, *expected);
      return out;
    case Kind::unary: {
      const Type* type = resolve(e.operands[0], expected);
      if (Entity* user = user_operator(e, expected)) {
        return inline_call(*user, {{{}, e.operands[0]}}, e.place);
      }
      Code code = scalar(e.operands[0], type);
      out.type = type;
      if (!type->discrete()) return out;
      switch (e.op) {
        case Operator::negate: out.code = arithmetic(combine(std::move(code), {Op::negate, 0, 0}), *type); break;
        case Operator::abs: out.code = arithmetic(combine(std::move(code), {Op::abs, 0, 0}), *type); break;
        case Operator::not_:
          if (type->kind == Type::Kind::modular)
            out.code = combine(constant(type->base->modulus - 1), code, Op::minus);
          else
            out.code = combine(std::move(code), {Op::not_, 0, 0});
          break;
        default: out.code = std::move(code);
      }
      return out;
    }
    case Kind::binary: return emit_binary(e, expected);
    case Kind::membership: return emit_membership(e);
    case Kind::condition: return emit_condition(e, expected);
    case Kind::selection: return emit_selection(e, expected);
    case Kind::quantified: return emit_quantified(e);
    case Kind::raise: {
      flow::Node node;
      node.kind = flow::Node::Kind::raise;
      node.first = exception_number(e.operands[0]);
      emit(std::move(node));
      return out;
    }
    case Kind::range:
    case Kind::constrained:
    case Kind::others: error(e.place, "a value is expected here"); return out;
    case Kind::refused: refuse(e.place, fmt::format("{} is not supported", e.text)); return out;
  }
  return out;
}

Operand Expander::emit_name(const Expression& e, const Type* expected) {
  Operand out;
  out.type = any_;
  out.code = constant(flow::kOpaque);
  const Looked looked = look(e);
  if (failed_) return out;
  const bool conversion = e.kind == Kind::apply && !looked.entities.empty() &&
                          looked.entities[0]->kind == Entity::Kind::type && looked.unit == nullptr;
  if (conversion) {
    const Type* type = looked.entities[0]->type;
    if (e.arguments.size() != 1) {
      error(e.place, "a conversion has one operand");
      return out;
    }
    const Expression& operand = e.arguments[0].value;
    if (!type->discrete()) {
      if (type->kind == Type::Kind::opaque) {
        if (may_call(operand)) emit_value(operand, nullptr);
        return out;
      }
      out.location = locate(operand);
      out.type = type;
      return out;
    }
    const Type* from = resolve(operand, nullptr);
    out.type = type;
    out.code = checked(scalar(operand, from), *type);
    return out;
  }
  if (looked.value) {
    const auto at = locate(e);
    if (failed_) return out;
    if (!at) return out;
    out.type = at->type;
    if (at->type->kind == Type::Kind::array || at->type->kind == Type::Kind::record ||
        at->type->kind == Type::Kind::task || at->type->kind == Type::Kind::protected_unit) {
      out.location = at;
      return out;
    }
    out.code = read_slot(*at, 0);
    return out;
  }
  // Enumeration literals, numbers, functions.
  if (e.kind != Kind::apply)
    for (const Entity* c : looked.entities) {
      if (c->kind == Entity::Kind::literal && compatible(c->type, expected)) {
        out.type = c->type;
        out.code = constant(*c->value);
        return out;
      }
      if (c->kind == Entity::Kind::number && compatible(c->type, expected)) {
        out.type = c->type;
        out.code = constant(c->value.value_or(flow::kOpaque));
        return out;
      }
    }
  for (const Entity* c : looked.entities)
    if (c->kind == Entity::Kind::known) return emit_known_call(*c, e, expected);
  if (looked.unit != nullptr && looked.unit->kind == Type::Kind::protected_unit) {
    emit_operation(e, &out, expected);
    return out;
  }
  static const std::vector<Association> kNothing;
  const auto& arguments = e.kind == Kind::apply ? e.arguments : kNothing;
  const bool any_function = std::ranges::any_of(
      looked.entities, [](const Entity* c) { return c->kind == Entity::Kind::subprogram && c->result != nullptr; });
  if (!any_function) {
    error(e.place, fmt::format("'{}' is no value", looked.entities.empty() ? e.text : looked.entities[0]->name));
    return out;
  }
  if (Entity* function = choose(looked.entities, arguments, expected, true, e.place))
    return inline_call(*function, arguments, e.place);
  return out;
}

// Functions of known units: random numbers and input are free choices, everything else is opaque.
Operand Expander::emit_known_call(const Entity& e, const Expression& call, const Type* /*expected*/) {
  Operand out;
  out.type = any_;
  out.code = constant(flow::kOpaque);
  const Type* type = known_result(e);
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

Operand Expander::emit_attribute(const Expression& e, const Type* expected) {
  Operand out;
  out.type = any_;
  out.code = constant(flow::kOpaque);
  const std::string& a = e.text;
  if (a == "count") return emit_count(e);
  if (a == "callable" || a == "terminated") return emit_status(e);
  const Looked looked = look(e.operands[0]);
  if (failed_) return out;
  const Type* type = looked.type;
  if (type == nullptr && !looked.entities.empty()) type = looked.entities[0]->type;
  if (type == nullptr || type->kind == Type::Kind::opaque) return out;
  const Type* bounds = type;
  if (type->kind == Type::Kind::array && (a == "first" || a == "last" || a == "length")) {
    std::size_t n = 0;
    if (!e.arguments.empty())
      n = static_cast<std::size_t>(static_value(e.arguments[0].value, universal_).value_or(1) - 1);
    if (n >= type->indices.size() || type->unconstrained) {
      error(e.place, "the bounds of this array are not known");
      return out;
    }
    bounds = type->indices[n];
  }
  if (!bounds->discrete()) return out;
  if (a == "first" || a == "last") {
    out.type = bounds;
    out.code = constant(a == "first" ? bounds->low : bounds->high);
  } else if (a == "length") {
    out.type = universal_;
    out.code = constant(static_cast<Value>(bounds->count()));
  } else if ((a == "succ" || a == "pred") && e.arguments.size() == 1) {
    out.type = type;
    Code code = scalar(e.arguments[0].value, type->base);
    if (type->kind == Type::Kind::modular) {
      out.code = arithmetic(combine(std::move(code), constant(1), a == "succ" ? Op::plus : Op::minus), *type);
    } else {
      code = combine(std::move(code), constant(1), a == "succ" ? Op::plus : Op::minus);
      out.code = checked(std::move(code), *type->base);
    }
  } else if (a == "pos" && e.arguments.size() == 1) {
    out.type = expected != nullptr && expected->whole_number() ? expected : universal_;
    out.code = scalar(e.arguments[0].value, type->base);
  } else if (a == "val" && e.arguments.size() == 1) {
    out.type = type;
    const Type* from = resolve(e.arguments[0].value, nullptr);
    out.code = checked(scalar(e.arguments[0].value, from), *type->base);
  } else if ((a == "min" || a == "max") && e.arguments.size() == 2) {
    out.type = type;
    const std::uint32_t slot = temporary(*type->base);
    emit_compute(slot, scalar(e.arguments[0].value, type->base));
    const Code second = materialised(scalar(e.arguments[1].value, type->base));
    Label done;
    branch(combine(second, load(slot), a == "min" ? Op::less : Op::greater), done);
    emit_compute(slot, second);
    bind(done);
    out.code = load(slot);
  } else if (a == "image" || a == "img" || a == "size" || a == "value") {
    for (const Association& argument : e.arguments)
      if (may_call(argument.value)) emit_value(argument.value, nullptr);
  }
  return out;
}

Operand Expander::emit_binary(const Expression& e, const Type* expected) {
  if (e.op == Operator::and_then || e.op == Operator::or_else) return emit_short_circuit(e);
  if (Entity* user = user_operator(e, expected))
    return inline_call(*user, {{{}, e.operands[0]}, {{}, e.operands[1]}}, e.place);
  if (is_relation(e.op)) return emit_comparison(e);
  Operand out;
  const Type* type = resolve(e, expected);
  out.type = type;
  out.code = constant(flow::kOpaque);
  if (failed_) return out;
  if (e.op == Operator::concatenate || !type->discrete()) {
    for (const Expression& o : e.operands)
      if (may_call(o)) emit_value(o, nullptr);
    return out;
  }
  Code left = scalar(e.operands[0], type);
  left = before(std::move(left), e.operands[1]);
  const Code right = scalar(e.operands[1], e.op == Operator::power ? natural_ : type);
  if (failed_) return out;
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
  Operand out;
  out.type = boolean_;
  out.code = constant(flow::kOpaque);
  const Type* type = nullptr;
  const auto left = types_of(e.operands[0]), right = types_of(e.operands[1]);
  if (failed_) return out;
  for (const Type* l : left)
    for (const Type* r : right) {
      if (type != nullptr || !compatible(l, r)) continue;
      type = l->kind == Type::Kind::universal || l == any_ ? r : l;
    }
  if (type == nullptr) {
    if (!left.empty() && !right.empty())
      error(e.place, fmt::format("{} cannot be compared with {}", left[0]->name, right[0]->name));
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
  Code a = scalar(e.operands[0], type);
  a = before(std::move(a), e.operands[1]);
  out.code = combine(std::move(a), scalar(e.operands[1], type), op_of(e.op));
  return out;
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

// Whether a value is one of these choices: values, ranges, subtypes.
Code Expander::in_choices(const Code& value, const std::vector<Expression>& choices, const Type& type) {
  Code out = constant(0);
  for (const Expression& choice : choices) {
    if (choice.kind == Kind::others) return constant(1);
    const bool mark = [&] {
      if (choice.kind != Kind::name && choice.kind != Kind::selected) return false;
      const Looked looked = look(choice);
      return !looked.value && !looked.entities.empty() && looked.entities[0]->kind == Entity::Kind::type;
    }();
    Code one;
    if (choice.kind == Kind::range) {
      Code low = scalar(choice.operands[0], type.base);
      Code high = scalar(choice.operands[1], type.base);
      one = combine(combine(value, low, Op::greater_equal), combine(value, high, Op::less_equal), Op::and_);
    } else if (mark || choice.kind == Kind::constrained || (choice.kind == Kind::attribute && choice.text == "range")) {
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
  Operand out;
  out.type = boolean_;
  const Type* type = resolve(e.operands[0], nullptr);
  if (type->kind == Type::Kind::universal) type = integer_;
  if (failed_ || !type->discrete()) {
    out.code = constant(flow::kOpaque);
    return out;
  }
  const Code value = materialised(scalar(e.operands[0], type));
  out.code = in_choices(value, {e.operands.begin() + 1, e.operands.end()}, *type);
  if (e.negated) out.code = combine(std::move(out.code), {Op::not_, 0, 0});
  return out;
}

Operand Expander::emit_condition(const Expression& e, const Type* expected) {
  Operand out;
  out.type = resolve(e, expected);
  out.code = constant(flow::kOpaque);
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
  Operand out;
  out.type = resolve(e, expected);
  out.code = constant(flow::kOpaque);
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

Operand Expander::emit_quantified(const Expression& e) {
  Operand out;
  out.type = boolean_;
  const Type* type = range_type(e.operands[0]);
  const std::uint32_t result = temporary_boolean();
  emit_compute(result, constant(e.negated ? 0 : 1));
  if (failed_ || type->count() == 0) {
    out.code = load(result);
    return out;
  }
  Scope& inside = scopes_.emplace_back();
  inside.outer = scope_;
  Inside in(scope_, &inside);
  Entity& variable = declare(Entity::Kind::object, e.text, e.place);
  variable.type = type;
  variable.location = allocate(*type, e.text, e.place, true);
  variable.location.entity = &variable;
  const std::uint32_t slot = variable.location.first.slots;
  emit_compute(slot, constant(type->low));
  Label again, done;
  bind(again);
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

// ---- composite values

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
  if (type.kind == Type::Kind::task || type.kind == Type::Kind::protected_unit) return;
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

}  // namespace surety::ada
