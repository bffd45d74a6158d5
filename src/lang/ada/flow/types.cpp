// Types, subtypes and their bounds.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"
#include "lang/ada/known_units.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;

// The smallest machine type that has both bounds, as GNAT chooses it.
std::pair<Value, Value> base_range(Value low, Value high) {
  for (const int bits : {8, 16, 32}) {
    const Value most = (Value{1} << (bits - 1)) - 1;
    if (low >= -most - 1 && high <= most) return {-most - 1, most};
  }
  return {flow::kUnset + 1, INT64_MAX};
}

}  // namespace

Type& Expander::new_type(Type::Kind kind, const std::string& name) {
  Type& t = types_.emplace_back();
  t.kind = kind;
  t.name = name;
  t.base = &t;
  t.extent = {1, 0, 0};
  return t;
}

const Type* Expander::opaque(const std::string& name, const std::string& why, Type::Opaque what) {
  Type& t = new_type(Type::Kind::opaque, name);
  t.opaque = what;
  t.why_opaque = why;
  return &t;
}

void Expander::make_standard() {
  scope_ = &scopes_.emplace_back();
  const auto type = [&](const std::string& name, const Type* t) {
    Entity& e = declare(Entity::Kind::type, label_of(name), {});
    e.name = name;
    e.type = t;
    return t;
  };
  const auto whole = [&](const std::string& name, Value low, Value high) {
    Type& t = new_type(Type::Kind::integer, name);
    t.low = low;
    t.high = high;
    return type(name, &t);
  };
  const auto narrowed = [&](const std::string& name, Value low, Value high) {
    Type& t = types_.emplace_back(*integer_);
    t.name = name;
    t.low = low;
    t.high = high;
    return type(name, &t);
  };
  Type& universal = new_type(Type::Kind::universal, "universal integer");
  universal.low = flow::kUnset + 1;
  universal.high = INT64_MAX;
  universal_ = &universal;
  any_ = opaque("a value that is not modelled", "not modelled");
  real_ = opaque("universal real", "a real literal");
  text_ = opaque("a string", "a string literal");
  aggregate_ = opaque("an aggregate", "an aggregate");

  TypeDefinition truth;
  truth.literals = {{"false", {}}, {"true", {}}};
  boolean_ = type("Boolean", define_enumeration(truth, "Boolean"));
  integer_ = whole("Integer", INT32_MIN, INT32_MAX);
  natural_ = narrowed("Natural", 0, INT32_MAX);
  narrowed("Positive", 1, INT32_MAX);
  whole("Short_Integer", INT16_MIN, INT16_MAX);
  whole("Short_Short_Integer", INT8_MIN, INT8_MAX);
  whole("Long_Integer", flow::kUnset + 1, INT64_MAX);
  whole("Long_Long_Integer", flow::kUnset + 1, INT64_MAX);
  Type& character = new_type(Type::Kind::enumeration, "Character");
  character.high = 255;
  character_ = type("Character", &character);
  for (const char* name : {"Float", "Long_Float", "Short_Float", "Long_Long_Float"})
    type(name, opaque(name, "a floating-point type", Type::Opaque::real));
  type("Duration", opaque("Duration", "a fixed-point type", Type::Opaque::real));
  for (const char* name : {"String", "Wide_String", "Wide_Wide_String"})
    type(name, opaque(name, "a string", Type::Opaque::text));
  for (const char* name : {"Wide_Character", "Wide_Wide_Character"}) type(name, opaque(name, "a wide character"));
  for (const char* name : {"Constraint_Error", "Program_Error", "Storage_Error", "Tasking_Error", "Assertion_Error"}) {
    Entity& e = declare(Entity::Kind::exception, label_of(name), {});
    e.name = name;
    e.number = static_cast<std::uint32_t>(program_.exceptions.size());
    program_.exceptions.push_back(label_of(name));
  }
  Entity& standard = declare(Entity::Kind::package, "standard", {});
  standard.name = "Standard";
  standard.scope = scope_;
  Entity& ada = declare(Entity::Kind::known, "ada", {});
  ada.known = "ada";
}

// ---- marks and indications

const Type* Expander::type_mark(const Expression& e) {
  if (failed_) return any_;
  if (e.kind == Kind::attribute && e.text == "base") {
    const Type* t = type_mark(e.operands[0]);
    return t->base;
  }
  if (e.kind == Kind::attribute && e.text == "class") {
    refuse(e.place, "tagged types are not supported");
    return any_;
  }
  const Looked looked = look(e.kind == Kind::apply ? e.operands[0] : e);
  for (const Entity* c : looked.entities) {
    if (c->kind == Entity::Kind::type) return c->type;
    if (c->kind == Entity::Kind::known) return any_;
  }
  if (!looked.entities.empty()) error(e.place, fmt::format("'{}' is no type", looked.entities[0]->name));
  return any_;
}

const Type* Expander::subtype(const SubtypeIndication& s) {
  if (s.access) {
    refuse(s.place, "access types are not supported", "except for objects made once");
    return any_;
  }
  const Type* type = type_mark(s.mark);
  if (failed_) return any_;
  if (s.mark.kind == Kind::apply && type->kind == Type::Kind::array && type->unconstrained)
    return constrained_array(*type, s.mark);
  if (s.mark.kind == Kind::apply && std::ranges::any_of(type->base->fields, &Type::Field::discriminant)) {
    Type& t = types_.emplace_back(*type);
    t.constraint = &s;
    t.constraint_scope = scope_;
    return &t;
  }
  if (!s.range) return type;
  if (type == any_) return type;
  if (!type->discrete()) {
    Type& t = types_.emplace_back(*type);
    t.ranged = true;
    return &t;
  }
  const Type* bounds_type = type;
  const auto bounds = static_range(*s.range, bounds_type);
  if (!bounds) {
    follow_up(s.range->place, "these bounds are not known when the program starts", "bounds must be constants here");
    return type;
  }
  check_bounds(bounds->first, bounds->second, *type);
  return with_range(*type, bounds->first, bounds->second);
}

const Type* Expander::with_range(const Type& type, Value low, Value high) {
  Type& t = types_.emplace_back(type);
  t.low = low;
  t.high = high;
  return &t;
}

const Type* Expander::constrained_array(const Type& array, const Expression& mark) {
  Type& t = types_.emplace_back(array);
  t.unconstrained = false;
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < mark.arguments.size() && i < t.indices.size(); ++i) {
    const Type& index = *t.indices[i];
    t.indices[i] = range_type(mark.arguments[i].value, &index);
    check_bounds(t.indices[i]->low, t.indices[i]->high, index);
    count *= t.indices[i]->count();
  }
  if (failed_) return &t;
  if (count > kMostElements) refuse(mark.place, fmt::format("an array of more than {} elements", kMostElements));
  t.extent = t.component->extent * static_cast<std::uint32_t>(count);
  return &t;
}

// ---- definitions

const Type* Expander::define_type(const TypeDefinition& d, const std::string& name) {
  switch (d.kind) {
    case TypeDefinition::Kind::enumeration: return define_enumeration(d, name);
    case TypeDefinition::Kind::integer:
    case TypeDefinition::Kind::modular: return define_integer(d, name);
    case TypeDefinition::Kind::real: {
      Type& t = new_type(Type::Kind::opaque, name);
      t.why_opaque = "a real type";
      t.opaque = Type::Opaque::real;
      t.ranged = d.ranged;
      return &t;
    }
    case TypeDefinition::Kind::array: return define_array(d, name);
    case TypeDefinition::Kind::record: return define_record(d, name, {});
    case TypeDefinition::Kind::subtype: return subtype(d.parent[0]);
    case TypeDefinition::Kind::derived: {
      const Type* parent = subtype(d.parent[0]);
      if (failed_) return any_;
      const bool narrowed =
          parent->discrete() && (parent->low != parent->base->low || parent->high != parent->base->high);
      Type& t = types_.emplace_back(narrowed ? *parent->base : *parent);
      t.name = name;
      t.base = &t;
      t.parent = parent->base;
      if (parent->kind == Type::Kind::enumeration && parent->base != character_) t.literals = parent->base->literals;
      for (std::size_t i = 0; i < t.literals.size(); ++i) {
        Entity& e = declare(Entity::Kind::literal, t.literals[i], d.place);
        e.name = t.literals[i];
        e.type = &t;
        e.value = static_cast<Value>(i);
      }
      return narrowed ? with_range(t, parent->low, parent->high) : &t;
    }
    case TypeDefinition::Kind::access: {
      if (d.parent.empty()) {
        refuse(d.place, "access types are not supported", "except for objects made once");
        return any_;
      }
      const Type* designated = subtype(d.parent[0]);
      if (failed_ || designated == any_) return designated;
      Type& t = types_.emplace_back(*designated);
      t.access = true;
      return &t;
    }
    case TypeDefinition::Kind::tagged: refuse(d.place, "tagged types are not supported"); return any_;
    case TypeDefinition::Kind::privat:
    case TypeDefinition::Kind::incomplete: break;
  }
  return any_;
}

const Type* Expander::define_integer(const TypeDefinition& d, const std::string& name) {
  const bool modular = d.kind == TypeDefinition::Kind::modular;
  Type& t = new_type(modular ? Type::Kind::modular : Type::Kind::integer, name);
  const auto low = static_value(d.low, universal_);
  const auto high = modular ? low : static_value(d.high, universal_);
  if (!low || !high) {
    follow_up(d.place, "the bounds of a type must be static");
    return &t;
  }
  if (modular) {
    t.modulus = *low;
    t.low = 0;
    t.high = *low - 1;
    if (*low <= 0) error(d.low.place, "a modulus is at least 1");
    return &t;
  }
  const auto [first, last] = base_range(*low, *high);
  t.low = first;
  t.high = last;
  return with_range(t, *low, *high);
}

const Type* Expander::define_enumeration(const TypeDefinition& d, const std::string& name) {
  Type& t = new_type(Type::Kind::enumeration, name);
  flow::Display display;
  for (const TypeDefinition::Literal& literal : d.literals) {
    Entity& e = declare(Entity::Kind::literal, literal.name, literal.place);
    e.type = &t;
    e.value = static_cast<Value>(t.literals.size());
    t.literals.push_back(literal.name);
    const bool quoted = literal.name.front() == '\'';
    display.literals.push_back(quoted ? std::to_string(static_cast<unsigned char>(literal.name[1])) : literal.name);
  }
  t.high = static_cast<Value>(t.literals.size()) - 1;
  t.display = static_cast<std::uint32_t>(program_.displays.size());
  program_.displays.push_back(std::move(display));
  return &t;
}

const Type* Expander::define_array(const TypeDefinition& d, const std::string& name) {
  Type& t = new_type(Type::Kind::array, name);
  t.component = subtype(d.parent[0]);
  if (t.component->access)
    refuse(d.place, "arrays of access values are not supported", "an array of the tasks or objects themselves");
  t.unconstrained = d.unconstrained;
  std::uint64_t count = 1;
  for (const Expression& index : d.indices) {
    t.indices.push_back(d.unconstrained ? type_mark(index) : range_type(index));
    count = std::min(kMostElements * 10, count * t.indices.back()->count());
  }
  if (failed_) return &t;
  if (t.component->kind == Type::Kind::opaque && t.component->extent.tasks == 0 && d.unconstrained)
    return opaque(name, "an array of something that is not modelled");
  if (t.unconstrained) return &t;
  if (count > kMostElements) {
    refuse(d.place, fmt::format("an array of more than {} elements is not supported", kMostElements));
    return &t;
  }
  t.extent = t.component->extent * static_cast<std::uint32_t>(count);
  return &t;
}

const Type* Expander::define_record(const TypeDefinition& d, const std::string& name,
                                    const std::vector<Parameter>& discriminants) {
  Type& t = new_type(Type::Kind::record, name);
  t.scope = scope_;
  t.extent = {};
  if (d.variants) refuse(d.place, "records with variants are not supported");
  const auto add = [&](const std::string& field, const Type* type, const Expression* value, bool discriminant) {
    t.fields.push_back({field, type, value, t.extent, discriminant});
    t.extent = t.extent + type->extent;
  };
  for (const Parameter& p : discriminants)
    for (const std::string& field : p.names) add(field, subtype(p.type), p.value ? &*p.value : nullptr, true);
  Scope& inside = scopes_.emplace_back();  // where the discriminants have names, but no values
  inside.outer = scope_;
  Inside in(scope_, &inside);
  for (const Type::Field& f : t.fields) declare(Entity::Kind::number, f.name, d.place).type = f.type;
  for (const Declaration& c : d.components) {
    if (c.kind != Declaration::Kind::object || !c.type) continue;
    const Type* type = define_type(*c.type, name);
    if (type->access) refuse(c.place, "access types are not supported", "except for objects made once");
    for (const std::string& field : c.names) add(field, type, c.value ? &*c.value : nullptr, false);
  }
  return &t;
}

// ---- ranges

std::optional<Value> Expander::static_value(const Expression& e, const Type* expected) {
  if (failed_) return std::nullopt;
  const Type* type = resolve(e, expected);
  if (failed_ || !type->discrete()) return std::nullopt;
  Code code = scalar(e, type);
  if (const auto value = known(code); value || !can_execute()) return value;
  const std::uint32_t slot = temporary(*type);
  emit_compute(slot, std::move(code));
  execute_now();
  if (!failed_ && memory_[slot] == flow::kUnset)
    refuse(e.place, "a constant with a random value is not supported here", "a variable can have one");
  return failed_ || memory_[slot] == flow::kOpaque ? std::nullopt : std::optional(memory_[slot]);
}

// The bounds of a range, if they are known. `type` is what is expected, and becomes what it is.
std::optional<std::pair<Value, Value>> Expander::static_range(const Expression& e, const Type*& type) {
  if (failed_) return std::nullopt;
  if (e.kind == Kind::range) {
    const auto left = types_of(e.operands[0]), right = types_of(e.operands[1]);
    if (type == nullptr) {
      type = universal_;
      for (const Type* l : left)
        for (const Type* r : right)
          if (compatible(l, r) && type == universal_) type = l->kind == Type::Kind::universal ? r : l;
      if (type->kind == Type::Kind::universal) type = integer_;
    }
    const auto low = static_value(e.operands[0], type->base), high = static_value(e.operands[1], type->base);
    if (!low || !high) return std::nullopt;
    return std::pair(*low, *high);
  }
  if (e.kind == Kind::attribute && e.text == "range") {
    const Looked looked = look(e.operands[0]);
    const Type* t = looked.type;
    if (t == nullptr && !looked.entities.empty()) t = looked.entities[0]->type;
    if (t == nullptr) return std::nullopt;
    if (t->kind == Type::Kind::array) {
      std::size_t n = 0;
      if (!e.arguments.empty())
        n = static_cast<std::size_t>(static_value(e.arguments[0].value, universal_).value_or(1) - 1);
      if (n >= t->indices.size() || t->unconstrained) return std::nullopt;
      t = t->indices[n];
    }
    if (!t->discrete()) return std::nullopt;
    type = t;
    return std::pair(t->low, t->high);
  }
  if (e.kind == Kind::constrained) {
    type = type_mark(e.operands[0]);
    const Type* inner = type;
    const auto bounds = static_range(e.operands[1], inner);
    if (bounds) check_bounds(bounds->first, bounds->second, *type);
    return bounds;
  }
  const Type* t = type_mark(e);
  if (failed_ || !t->discrete()) return std::nullopt;
  type = t;
  return std::pair(t->low, t->high);
}

const Type* Expander::range_type(const Expression& e, const Type* expected) {
  const Type* type = expected;
  const auto bounds = static_range(e, type);
  if (!bounds) {
    follow_up(e.place, "these bounds are not known when the program starts", "bounds must be constants here");
    return integer_;
  }
  return with_range(*type, bounds->first, bounds->second);
}

std::uint32_t Expander::display_of(const Type& type) {
  return type.kind == Type::Kind::enumeration ? type.base->display : 0;
}

}  // namespace surety::ada
