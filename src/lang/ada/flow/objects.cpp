// Objects: their slots, names and initial values; numbers and constants, which need no slots where they are known.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"

namespace surety::ada {

std::optional<Value> Expander::defined(const std::string& name) {
  for (const AdaDefine& d : defines_)
    if (label_of(d.name) == name) {
      used_defines_.insert(name);
      return d.value;
    }
  return std::nullopt;
}

void Expander::declare_number(const Declaration& d) {
  const auto types = types_of(*d.value);
  const bool whole = std::ranges::any_of(types, [](const Type* t) { return t->whole_number(); });
  const auto value = whole ? static_value(*d.value, universal_) : std::nullopt;
  if (failed_) return;
  for (const std::string& name : d.names) {
    Entity& e = declare(Entity::Kind::number, name, d.place);
    e.value = value;
    e.type = whole ? universal_ : types.size() == 1 && types[0] == real_ ? real_ : any_;
    if (!can_execute() || !whole) continue;
    if (const auto other = defined(name)) e.value = other;
    if (e.value) out_.constants.push_back({e.name, *e.value});
  }
}

// A constant whose value is known needs no slot; one that a statement computes has one. False: a variable, for now.
bool Expander::declare_constant(const Declaration& d, const Type& type, const std::string& name) {
  auto value = can_execute() ? defined(name) : std::nullopt;
  Code code;
  if (!value && can_execute()) {
    value = static_value(*d.value, &type);
  } else if (!value) {
    code = converted(*d.value, type, d.place);
    value = known(code);
  }
  if (failed_) return false;
  if (value && (*value < type.low || *value > type.high)) {
    error(d.value->place, fmt::format("{} is not in {} .. {}", *value, type.low, type.high));
    return false;
  }
  if (value) {
    Entity& e = declare(Entity::Kind::number, name, d.place);
    e.type = &type;
    e.value = value;
    if (can_execute()) out_.constants.push_back({e.name, *value});
    return true;
  }
  if (can_execute()) return false;
  const Location location = allocate(type, spelled(d.place, name), d.place);
  write_slot(location, 0, std::move(code));
  declare_located(d, type, name, location).location.constant = true;
  return true;
}

Entity& Expander::declare_located(const Declaration& d, const Type& type, const std::string& name,
                                  const Location& location) {
  Entity& e = declare(Entity::Kind::object, name, d.place);
  e.type = &type;
  e.location = location;
  e.location.entity = &e;
  return e;
}

void Expander::declare_variable(const Declaration& d, const Type& type, const std::string& name,
                                const SubtypeIndication* constraint) {
  const bool opaque_type = type.kind == Type::Kind::opaque;
  const bool units = type.extent.tasks + type.extent.objects > 0;
  if (opaque_type && type.extent.tasks == 0 && d.value && may_call(*d.value)) {
    // The value is not modelled, but what it calls may do something.
    emit_value(*d.value, nullptr);
    failed_ = false;
  }
  if (opaque_type && d.value) doubt(type, *d.value);
  const bool seen = can_execute() || foresight_.captured.contains(d.place.offset) || units;  // others can see it
  const std::string shown = seen ? unique_name(spelled(d.place, name)) : spelled(d.place, name);
  const Location location = allocate(type, shown, d.place);
  if (units) create_units(location, shown, label_of(shown), constraint);
  if (failed_) return;
  if (type.extent.slots > 0 || (d.value && type.kind == Type::Kind::array))
    initialise(location, d.value && !opaque_type ? &*d.value : nullptr, constraint);
  declare_located(d, type, name, location).location.constant = d.constant;
  for (const auto& aspect : d.aspects)
    if (aspect.name == "atomic" || aspect.name == "volatile")
      for (std::uint32_t s = 0; s < type.extent.slots; ++s) program_.slots[location.first.slots + s].atomic = true;
  execute_now();
}

// The bounds of an array that has those of its value.
const Type* Expander::bounded_by_value(const Declaration& d, const Type& type) {
  if (!d.value) {
    error(d.place, fmt::format("{} needs bounds", type.name));
    return nullptr;
  }
  const Operand value = emit_composite(*d.value, type);
  if (!failed_ && (!value.location || value.location->type->unconstrained))
    refuse(d.place, "arrays whose bounds come from a value are not supported");
  return failed_ ? nullptr : value.location->type;
}

void Expander::declare_object(const Declaration& d) {
  if (!d.type) return;
  const bool one_mark = d.type->kind == TypeDefinition::Kind::subtype;
  const SubtypeIndication* const mark = one_mark ? &d.type->parent[0] : nullptr;
  const Type* type = one_mark ? subtype(*mark) : define_type(*d.type, d.names.empty() ? "" : d.names[0]);
  if (failed_ || type == nullptr) return;
  if (type->access) return declare_access(d, *type);
  if (type->kind == Type::Kind::array && type->unconstrained) type = bounded_by_value(d, *type);
  if (type == nullptr) return;
  for (const std::string& name : d.names) {
    const bool declared = d.constant && d.value && type->discrete() && declare_constant(d, *type, name);
    if (!failed_ && !declared) declare_variable(d, *type, name, mark);
    if (failed_) return;
  }
}

// Actions are called after objects. If there is one of that name already, in another package, the packages around come
// before the name.
std::string Expander::unique_name(std::string name) {
  if (object_ != kNone) return name;
  if (!can_execute() || task_ != 0) return nested_name(name);
  for (const Scope* s = scope_; s != nullptr && names_.contains(label_of(name)); s = s->outer)
    if (s->unit != nullptr && s->unit->kind == Entity::Kind::package) name = s->unit->name + "." + name;
  names_.insert(label_of(name));
  return name;
}

Location Expander::allocate(const Type& type, const std::string& name, Place at, bool temporary) {
  Location out;
  out.type = &type;
  out.first.slots = static_cast<std::uint32_t>(program_.slots.size());
  out.first.tasks = static_cast<std::uint32_t>(tasks_.size());
  out.first.objects = static_cast<std::uint32_t>(objects_.size());
  name_slots(type, name, out.first.slots, at, temporary);
  return out;
}

void Expander::name_slots(const Type& type, const std::string& name, std::uint32_t /*first*/, Place at,
                          bool temporary) {
  if (type.kind == Type::Kind::array) {
    std::vector<Value> index;
    for (const Type* i : type.indices) index.push_back(i->low);
    const std::uint32_t each = type.component->extent.slots;
    const std::uint32_t total = type.extent.slots;
    for (std::uint32_t done = 0; each > 0 && done < total; done += each) {
      std::string inner = name;
      for (std::size_t i = 0; i < index.size(); ++i) {
        const Type& t = *type.indices[i];
        const auto& literals = program_.displays[display_of(t)].literals;
        const auto n = static_cast<std::size_t>(index[i]);  // outside: what raises Constraint_Error
        inner += n < literals.size() ? "." + literals[n] : fmt::format(".{}", index[i]);
      }
      name_slots(*type.component, inner, 0, at, temporary);
      for (std::size_t i = index.size(); i-- > 0;) {
        if (++index[i] <= type.indices[i]->high) break;
        index[i] = type.indices[i]->low;
      }
    }
    return;
  }
  if (type.kind == Type::Kind::record) {
    for (const Type::Field& f : type.base->fields) name_slots(*f.type, name + "." + f.name, 0, at, temporary);
    return;
  }
  if (type.extent.slots > 0) new_slot(name, type, at, temporary);
}

Location Expander::element(const Location& whole, std::uint32_t number) const {
  Location out = whole;
  const Extent by = whole.type->component->extent * number;
  out.type = whole.type->component;
  out.first = out.first + by;
  return out;
}

Location Expander::field(const Location& whole, const Type::Field& f) const {
  Location out = whole;
  out.type = f.type;
  out.first = out.first + f.at;
  return out;
}

void Expander::initialise(const Location& location, const Expression* value, const SubtypeIndication* constraint) {
  if (failed_) return;
  if (value != nullptr) return assign(location, *value);
  initialise_fields(location, constraint);
}

// The value that a constraint gives to a discriminant.
const Expression* Expander::discriminant(const SubtypeIndication& constraint, const Type& type, const Type::Field& f) {
  const auto& arguments = constraint.mark.arguments;
  const auto& fields = type.base->fields;
  const auto position = static_cast<std::size_t>(&f - fields.data());
  if (position < arguments.size() && arguments[position].choices.empty()) return &arguments[position].value;
  for (const Association& a : arguments)
    if (!a.choices.empty() && a.choices[0].text == f.name) return &a.value;
  return nullptr;
}

// For the defaults of the fields that follow it.
void Expander::declare_discriminant(Scope& scope, const Type::Field& f, const Location& at) {
  Inside in(scope_, &scope);
  Entity& e = declare(Entity::Kind::object, f.name, statement_);
  e.type = f.type;
  e.location = at;
  e.location.constant = true;
}

// Defaults of the fields of records, also inside of arrays. All else is unset, anew each time it is declared.
void Expander::initialise_fields(const Location& location, const SubtypeIndication* constraint) {
  const Type& type = *location.type;
  if (type.kind == Type::Kind::record) {
    if (constraint == nullptr || constraint->mark.kind != Expression::Kind::apply) constraint = type.constraint;
    Scope& inside = scopes_.emplace_back();
    inside.outer = type.base->scope;
    for (const Type::Field& f : type.base->fields) {
      if (f.discriminant) declare_discriminant(inside, f, field(location, f));
      if (f.discriminant && constraint != nullptr) {
        if (const Expression* value = discriminant(*constraint, type, f)) {
          Inside there(scope_, constraint == type.constraint ? type.constraint_scope : scope_);
          assign(field(location, f), *value);
          continue;
        }
      }
      if (f.value != nullptr) {
        Inside in(scope_, &inside);
        assign(field(location, f), *f.value);
      } else {
        initialise_fields(field(location, f));
      }
    }
    return;
  }
  if (type.kind == Type::Kind::array && type.component->extent.slots > 0) {
    for (std::uint32_t i = 0; i * type.component->extent.slots < type.extent.slots; ++i)
      initialise_fields(element(location, i));
    return;
  }
  if (immediate_ || type.extent.slots == 0) return;
  if (type.kind == Type::Kind::opaque)
    emit_compute(location.first.slots, constant(flow::kOpaque));
  else
    forget(location.first.slots);
}

}  // namespace surety::ada
