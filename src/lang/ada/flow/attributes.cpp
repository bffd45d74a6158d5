// Attributes: of types and arrays; 'Count of an entry, 'Callable and 'Terminated of a task, which tell of the state of
// others.
#include <fmt/format.h>

#include "lang/ada/flow/expander.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;
using Op = flow::Instruction::Op;

// Nothing is known of where the value comes from.
void always_checked(flow::Code& code, const Type& type) {
  const bool constant = code.size() == 1 && code[0].op == Op::constant && code[0].a != flow::kOpaque;
  if (!constant || code[0].a < type.low || code[0].a > type.high) code.push_back({Op::check, type.low, type.high});
}

}  // namespace

// That calls wait in the order in which they come matters only where it can be seen: for entries whose 'Count is read,
// and for all entries of a protected object if one of them is such.
bool Expander::is_counted(const Entity& entry) const {
  const bool object = entry.unit->kind == Type::Kind::protected_unit;
  return foresight_.counted.contains(object ? entry.unit->unit->place.offset : entry.place.offset);
}

Operand Expander::emit_count(const Expression& e) {
  Operand out;
  out.type = universal_;
  out.code = constant(0);
  const bool family = e.operands[0].kind == Kind::apply;
  const Expression& name = family ? e.operands[0].operands[0] : e.operands[0];
  Entity* entry = nullptr;
  for (Entity* c : look(name).entities)
    if (c->kind == Entity::Kind::entry) entry = c;
  if (failed_) return out;
  if (acting_ != object_) {
    refuse(e.place, "'Count of the entry of another object is not supported");
    return out;
  }
  const bool object = object_ != kNone;
  const Type* unit = object ? objects_[object_].type : task_ != kNone && task_ != 0 ? tasks_[task_].type : nullptr;
  if (entry == nullptr || unit == nullptr || entry->unit->base != unit->base) {
    error(e.place, "'Count is asked of an entry, inside of its own task or protected body");
    return out;
  }
  seen_.counted.insert(object ? unit->unit->place.offset : entry->place.offset);
  if (!is_counted(*entry)) return out;
  const UnitInfo& info = this->info(*unit);
  const std::uint32_t first = info.first[entry->number];
  Code number = constant(first);
  if (family) {
    const Type* type = range_type(entry->declaration->profile->family[0]);
    const Code index = checked(scalar(e.operands[0].arguments[0].value, type->base), *type);
    number = combine(std::move(number), combine(index, constant(info.lows[entry->number]), Op::minus), Op::plus);
  }
  flow::Node node;
  node.kind = object ? flow::Node::Kind::read : flow::Node::Kind::count;
  node.target = temporary(*integer_);
  const std::uint32_t target = node.target;
  if (object) {
    node.first = program_.objects[object_].counts;
    node.count = info.total;
    node.offset = std::move(number);
  } else {
    node.number = combine(std::move(number), constant(entry_base_[task_]), Op::plus);
  }
  emit(std::move(node));
  out.code = load(target);
  return out;
}

Operand Expander::emit_status(const Expression& e) {
  Operand out = opaque(boolean_);
  const auto at = locate(e.operands[0]);
  if (failed_) return out;
  if (!at || at->type->kind != Type::Kind::task) {
    error(e.place, fmt::format("'{} is asked of a task", spelled(e.place, e.text)));
    return out;
  }
  if (object_ != kNone) {
    refuse(e.place, "a protected operation asks for the state of a task: this is not supported");
    return out;
  }
  if (immediate_) {  // it has not begun
    out.code = constant(e.text == "callable" ? 1 : 0);
    return out;
  }
  flow::Node node;
  node.kind = flow::Node::Kind::status;
  node.number = constant(at->first.tasks);
  if (!at->index.empty())
    node.number = combine(std::move(node.number), combine(at->index, constant(at->stride.tasks), Op::times), Op::plus);
  node.first = e.text == "terminated" ? 1 : 0;
  node.target = temporary_boolean();
  out.code = load(node.target);
  emit(std::move(node));
  return out;
}

// T'Succ (X), T'Pred (X)
Code Expander::neighbour(const Expression& value, const Type& type, Op step) {
  Code out = combine(scalar(value, type.base), constant(1), step);
  if (type.kind == Type::Kind::modular) return arithmetic(std::move(out), type);
  always_checked(out, *type.base);
  return out;
}

// T'Min (X, Y), T'Max (X, Y): the second value, if it is `better` than the first.
Code Expander::better_of(const std::vector<Association>& values, const Type& type, Op better) {
  const std::uint32_t slot = temporary(*type.base);
  emit_compute(slot, scalar(values[0].value, type.base));
  const Code second = materialised(scalar(values[1].value, type.base));
  Label done;
  branch(combine(second, load(slot), better), done);
  emit_compute(slot, second);
  bind(done);
  return load(slot);
}

// The type whose bounds an attribute is about: of an array, that of one index. Null: it is not known.
const Type* Expander::attribute_bounds(const Expression& e, const Type& type) {
  const bool of_index = e.text == "first" || e.text == "last" || e.text == "length";
  if (type.kind != Type::Kind::array || !of_index) return &type;
  std::size_t n = 0;
  if (!e.arguments.empty())
    n = static_cast<std::size_t>(static_value(e.arguments[0].value, universal_).value_or(1) - 1);
  if (n < type.indices.size() && !type.unconstrained) return type.indices[n];
  error(e.place, "the bounds of this array are not known");
  return nullptr;
}

Operand Expander::emit_attribute(const Expression& e, const Type* expected) {
  Operand out = opaque(any_);
  const std::string& a = e.text;
  if (a == "count") return emit_count(e);
  if (a == "callable" || a == "terminated") return emit_status(e);
  const Looked looked = look(e.operands[0]);
  if (failed_) return out;
  const Type* type = looked.type;
  if (type == nullptr && !looked.entities.empty()) type = looked.entities[0]->type;
  if (type == nullptr || type->kind == Type::Kind::opaque) return out;
  const Type* const bounds = attribute_bounds(e, *type);
  if (bounds == nullptr || !bounds->discrete()) return out;
  const std::size_t given = e.arguments.size();
  if (a == "first") return {bounds, constant(bounds->low), {}};
  if (a == "last") return {bounds, constant(bounds->high), {}};
  if (a == "length") return {universal_, constant(static_cast<Value>(bounds->count())), {}};
  if (a == "succ" && given == 1) return {type, neighbour(e.arguments[0].value, *type, Op::plus), {}};
  if (a == "pred" && given == 1) return {type, neighbour(e.arguments[0].value, *type, Op::minus), {}};
  if (a == "min" && given == 2) return {type, better_of(e.arguments, *type, Op::less), {}};
  if (a == "max" && given == 2) return {type, better_of(e.arguments, *type, Op::greater), {}};
  if (a == "pos" && given == 1) {
    out.type = expected != nullptr && expected->whole_number() ? expected : universal_;
    out.code = scalar(e.arguments[0].value, type->base);
  } else if (a == "val" && given == 1) {
    out.type = type;
    out.code = scalar(e.arguments[0].value, resolve(e.arguments[0].value, nullptr));
    always_checked(out.code, *type->base);
  } else if (a == "image" || a == "img" || a == "size" || a == "value") {
    for (const Association& argument : e.arguments)
      if (may_call(argument.value)) emit_value(argument.value, nullptr);
  }
  return out;
}

}  // namespace surety::ada
