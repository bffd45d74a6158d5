// Declarations, in the order in which they are elaborated.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/expander.hpp"
#include "lang/ada/inside.hpp"
#include "lang/ada/known_units.hpp"

namespace surety::ada {
namespace {

using Kind = Declaration::Kind;

std::string dotted(const Expression& e) {
  if (e.kind == Expression::Kind::selected) return dotted(e.operands[0]) + "." + e.text;
  return e.text;
}

// Of the name of a library unit: a child stands in its parent.
std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

void Expander::declare_all(const std::vector<Declaration>& declarations) {
  for (const Declaration& d : declarations) declare_one(d);
}

void Expander::declare_one(const Declaration& d) {
  failed_ = false;  // what follows a mistake may have others
  statement_ = d.place;
  elaborate(d);
  if (failed_ && (d.kind == Kind::type || d.kind == Kind::subtype || d.kind == Kind::object)) declare_wrong(d);
}

// What was declared with a mistake: it fits everywhere, so that its uses are no mistakes.
void Expander::declare_wrong(const Declaration& d) {
  for (const std::string& name : d.kind == Kind::object ? d.names : std::vector{d.name}) {
    if (scope_->entities.contains(name)) continue;
    Entity& e = declare(d.kind == Kind::object ? Entity::Kind::object : Entity::Kind::type, name, d.place);
    e.type = any_;
    if (d.kind == Kind::object) e.location = allocate(*any_, name, d.place);
  }
}

void Expander::elaborate(const Declaration& d) {
  switch (d.kind) {
    case Kind::object: return declare_object(d);
    case Kind::number: return declare_number(d);
    case Kind::type:
    case Kind::subtype: return declare_type(d);
    case Kind::exception: return declare_exception(d);
    case Kind::subprogram: return declare_subprogram(d);
    case Kind::package: return declare_package(d);
    case Kind::package_body: return declare_package_body(d);
    case Kind::task:
    case Kind::protected_unit: return declare_unit(d);
    case Kind::task_body:
    case Kind::protected_body: return declare_unit_body(d);
    case Kind::renaming: return declare_renaming(d);
    case Kind::generic: {
      const bool named = !d.visible.empty();
      Entity& e = declare(Entity::Kind::generic, last_part(named ? d.visible[0].name : d.name),
                          named ? d.visible[0].place : d.place);
      e.declaration = &d;
      return;
    }
    case Kind::instance: return declare_instance(d);
    case Kind::use: return declare_use(d);
    case Kind::pragma: return pragma(d, false);
    case Kind::stub: return declare_stub(d);
    case Kind::entry:
    case Kind::entry_body:
    case Kind::formal_type:
    case Kind::formal_object:
    case Kind::formal_subprogram:
    case Kind::ignored: return;
  }
}

// ---- objects

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
    e.type = whole ? universal_ : any_;
    if (!can_execute() || !whole) continue;
    if (const auto other = defined(name)) e.value = other;
    if (e.value) out_.constants.push_back({e.name, *e.value});
  }
}

void Expander::declare_object(const Declaration& d) {
  if (!d.type) return;
  const Type* type = nullptr;
  const bool one_mark = d.type->kind == TypeDefinition::Kind::subtype;
  type = one_mark ? subtype(d.type->parent[0]) : define_type(*d.type, d.names.empty() ? "" : d.names[0]);
  if (failed_ || type == nullptr) return;
  if (type->access) return declare_access(d, *type);
  if (type->kind == Type::Kind::array && type->unconstrained) {
    if (!d.value) return error(d.place, fmt::format("{} needs bounds", type->name));
    const Operand value = emit_composite(*d.value, *type);
    if (failed_ || !value.location || value.location->type->unconstrained) {
      if (!failed_) refuse(d.place, "arrays whose bounds come from a value are not supported");
      return;
    }
    type = value.location->type;
  }
  for (std::size_t i = 0; i < d.names.size(); ++i) {
    Place at = d.place;
    const std::string& name = d.names[i];
    // A constant that is known needs no slot.
    if (d.constant && d.value && type->discrete()) {
      auto value = can_execute() ? defined(name) : std::nullopt;
      Code code;
      if (!value) {
        if (can_execute()) {
          value = static_value(*d.value, type);
        } else {
          code = converted(*d.value, *type, d.place);
          value = known(code);
        }
      }
      if (failed_) return;
      if (value) {
        if (*value < type->low || *value > type->high)
          return error(d.value->place, fmt::format("{} is not in {} .. {}", *value, type->low, type->high));
        Entity& e = declare(Entity::Kind::number, name, at);
        e.type = type;
        e.value = value;
        if (can_execute()) out_.constants.push_back({e.name, *value});
        continue;
      }
      if (!can_execute()) {
        const Location location = allocate(*type, spelled(at, name), at);
        write_slot(location, 0, std::move(code));
        Entity& e = declare(Entity::Kind::object, name, at);
        e.type = type;
        e.location = location;
        e.location.constant = true;
        e.location.entity = &e;
        continue;
      }
    }
    if (type->kind == Type::Kind::opaque && type->extent.tasks == 0 && d.value && may_call(*d.value)) {
      // The value is not modelled, but what it calls may do something.
      emit_value(*d.value, nullptr);
      failed_ = false;
    }
    const bool seen = can_execute() || foresight_.captured.contains(at.offset) ||
                      type->extent.tasks + type->extent.objects > 0;  // others can see it
    const std::string shown = seen ? unique_name(spelled(at, name)) : spelled(at, name);
    const Location location = allocate(*type, shown, at);
    if (type->extent.tasks + type->extent.objects > 0)
      create_units(location, shown, label_of(shown), one_mark ? &d.type->parent[0] : nullptr);
    if (failed_) return;
    if (type->extent.slots > 0)
      initialise(location, d.value && type->kind != Type::Kind::opaque ? &*d.value : nullptr,
                 one_mark ? &d.type->parent[0] : nullptr);
    Entity& e = declare(Entity::Kind::object, name, at);
    e.type = type;
    e.location = location;
    e.location.constant = d.constant;
    e.location.entity = &e;
    for (const auto& aspect : d.aspects)
      if (aspect.name == "atomic" || aspect.name == "volatile")
        for (std::uint32_t s = 0; s < type->extent.slots; ++s) program_.slots[location.first.slots + s].atomic = true;
    execute_now();
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
        inner += literals.empty() ? fmt::format(".{}", index[i]) : "." + literals[static_cast<std::size_t>(index[i])];
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

// ---- types, subprograms, packages

void Expander::declare_type(const Declaration& d) {
  if (!d.type) return;
  const std::string name = spelled(d.place, d.name);
  using Form = TypeDefinition::Kind;
  if (d.type->kind == Form::privat || d.type->kind == Form::incomplete) {
    // What follows tells: a declaration of its own, later, which fills this one in.
    Entity& e = declare(Entity::Kind::type, d.name, d.place);
    e.type = opaque(name, "declared in full later");
    e.declaration = &d;
    return;
  }
  const Type* type =
      d.type->kind == Form::record ? define_record(*d.type, name, d.discriminants) : define_type(*d.type, name);
  if (failed_) return;
  if (d.kind == Kind::subtype) {
    Type& t = types_.emplace_back(*type);
    t.name = name;
    type = &t;
  } else if (type->kind == Type::Kind::integer) {
    types_[types_.size() - 1].name = name;
  }
  if (!complete_type(d.name, *type)) declare(Entity::Kind::type, d.name, d.place).type = type;
}

// The full view of a private or incomplete type takes the place of the partial one, also where that was named already.
bool Expander::complete_type(const std::string& name, const Type& type) {
  const auto found = scope_->entities.find(name);
  if (found == scope_->entities.end()) return false;
  for (Entity* e : found->second) {
    if (e->kind != Entity::Kind::type || e->declaration == nullptr) continue;
    const_cast<Type&>(*e->type) = type;
    e->declaration = nullptr;
    return true;
  }
  return false;
}

void Expander::declare_exception(const Declaration& d) {
  for (const std::string& name : d.names) {
    Entity& e = declare(Entity::Kind::exception, name, d.place);
    e.number = static_cast<std::uint32_t>(program_.exceptions.size());
    program_.exceptions.push_back(name);
  }
}

void Expander::declare_profile(Entity& e, const Profile& profile) {
  for (const Parameter& p : profile.parameters) {
    if (p.mode == Parameter::Mode::access) refuse(p.place, "access parameters are not supported");
    const Type* type = subtype(p.type);
    for (std::size_t i = 0; i < p.names.size(); ++i) e.parameter_types.push_back(type);
  }
  if (profile.result) e.result = subtype(*profile.result);
}

void Expander::declare_subprogram(const Declaration& d) {
  if (!d.profile) return;
  if (const auto found = scope_->entities.find(d.name); found != scope_->entities.end() && d.body)
    for (Entity* e : found->second)
      if (e->kind == Entity::Kind::generic) {
        e->body = &d;
        e->body_scope = scope_;
        return;
      }
  // A body completes the declaration with the same profile, if there is one in this scope.
  Entity scratch;
  declare_profile(scratch, *d.profile);
  if (failed_) return;
  if (const auto found = scope_->entities.find(d.name); found != scope_->entities.end() && (d.body || d.is_null))
    for (Entity* e : found->second)
      if (e->kind == Entity::Kind::subprogram && e->body == nullptr &&
          (e->result == nullptr ? nullptr : e->result->base) ==
              (scratch.result == nullptr ? nullptr : scratch.result->base) &&
          e->parameter_types.size() == scratch.parameter_types.size() &&
          std::ranges::equal(e->parameter_types, scratch.parameter_types,
                             [](const Type* a, const Type* b) { return a->base == b->base; })) {
        e->body = &d;
        e->body_scope = scope_;
        return;
      }
  Entity& e = declare(Entity::Kind::subprogram, d.name, d.place);
  e.declaration = &d;
  e.parameter_types = std::move(scratch.parameter_types);
  e.result = scratch.result;
  e.body_scope = scope_;
  if (d.body || d.is_null) e.body = &d;
}

void Expander::declare_package(const Declaration& d) {
  fill_package(declare(Entity::Kind::package, last_part(d.name), d.place), d, *scope_);
}

void Expander::fill_package(Entity& package, const Declaration& specification, Scope& outer) {
  Scope& inside = scopes_.emplace_back();
  inside.outer = &outer;
  inside.unit = &package;
  package.scope = &inside;
  Inside in(scope_, &inside);
  declare_all(specification.visible);
  declare_all(specification.hidden);
}

void Expander::declare_package_body(const Declaration& d) {
  Entity* package = nullptr;
  for (Entity* e : lookup(last_part(d.name))) {
    if (e->kind == Entity::Kind::package) package = e;
    if (e->kind != Entity::Kind::generic) continue;
    e->body = &d;
    e->body_scope = scope_;
    return;
  }
  if (package == nullptr || package->scope == nullptr)
    return error(d.place, fmt::format("there is no package {}", spelled(d.place, d.name)));
  // What the body declares stands beside what the specification declares, but is not visible from outside. Nobody
  // outside can name it, so one scope is enough.
  Scope* const context = scope_;
  package->scope->used.insert(package->scope->used.end(), context->used.begin(), context->used.end());
  package->scope->known.insert(package->scope->known.end(), context->known.begin(), context->known.end());
  fill_body(*package, d);
}

void Expander::fill_body(Entity& package, const Declaration& d) {
  if (!d.body) return;
  Inside in(scope_, package.scope);
  declare_all(d.body->declarations);
  execute_now();
  note_library_tasks();
  if (!d.body->statements.empty()) {
    Frame frame;
    frames_.push_back(&frame);
    gotos_.emplace_back();
    emit_body(*d.body);
    bind(frame.done);
    frames_.pop_back();
    gotos_.pop_back();
    execute_now();
  }
}

void Expander::declare_use(const Declaration& d) {
  if (d.use_type) return;  // operators are visible anyway
  for (const Expression& name : d.renamed) {
    const std::string unit = dotted(name);
    const auto dot = unit.find('.');
    if (is_known_unit(unit) && !packages_.contains(unit) && lookup(unit.substr(0, dot)).empty()) {
      scope_->known.push_back({unit, nullptr});
      continue;
    }
    const Looked looked = look(name);
    for (const Entity* e : looked.entities) {
      if (e->kind == Entity::Kind::package && e->scope != nullptr) scope_->used.push_back(e->scope);
      if (e->kind == Entity::Kind::known) scope_->known.push_back({e->known, e->type});
    }
  }
}

void Expander::declare_renaming(const Declaration& d) {
  if (d.renamed.empty()) return;
  if (d.of == Declaration::Of::object) {
    const auto location = locate(d.renamed[0]);
    if (failed_) return;
    if (!location) return refuse(d.place, "renaming of a value is not supported");
    Entity& e = declare(Entity::Kind::object, d.names.empty() ? d.name : d.names[0], d.place);
    e.type = location->type;
    e.location = *location;
    e.location.entity = &e;
    return;
  }
  const Looked looked = look(d.renamed[0]);
  const std::string& name = d.names.empty() ? d.name : d.names[0];
  for (Entity* e : looked.entities) {
    if (e->kind == Entity::Kind::entry || looked.unit != nullptr)
      return refuse(d.place, "renaming of an entry or a protected operation is not supported yet");
    scope_->entities[name].push_back(e);
  }
}

void Expander::declare_instance(const Declaration& d) {
  if (d.renamed.empty()) return;
  const Looked looked = look(d.renamed[0]);
  for (const Entity* e : looked.entities) {
    if (e->kind != Entity::Kind::known) continue;
    const Type* type = nullptr;
    if (!d.arguments.empty() && (d.arguments[0].value.kind == Expression::Kind::name ||
                                 d.arguments[0].value.kind == Expression::Kind::selected))
      type = type_mark(d.arguments[0].value);
    Entity& instance = declare(Entity::Kind::known, d.name, d.place);
    instance.known = e->known;
    instance.type = type;
    return;
  }
  for (Entity* e : looked.entities)
    if (e->kind == Entity::Kind::generic) return instantiate(d, *e);
  if (!failed_) error(d.place, "a generic unit is expected here");
}

// A copy of the generic unit, in which the formal names stand for the actual ones.
void Expander::instantiate(const Declaration& d, Entity& generic) {
  const Declaration& unit = *generic.declaration;
  if (unit.visible.empty()) return;
  const Declaration& specification = unit.visible[0];
  const bool package = specification.kind == Kind::package;
  Entity& instance = declare(package ? Entity::Kind::package : Entity::Kind::subprogram, d.name, d.place);
  Scope& formals = scopes_.emplace_back();
  formals.outer = generic.scope;
  {
    Scope* const actual = scope_;
    Inside in(scope_, &formals);
    formals.used.push_back(actual);  // actual names are looked up where the instance stands, after the formal ones
    declare_formals(d, unit);
    formals.used.clear();
  }
  if (failed_) return;
  if (package) {
    fill_package(instance, specification, formals);
    if (generic.body != nullptr) fill_body(instance, *generic.body);
    return;
  }
  Inside in(scope_, &formals);
  declare_profile(instance, *specification.profile);
  instance.declaration = &specification;
  instance.body = generic.body;
  instance.body_scope = &formals;
}

void Expander::declare_formals(const Declaration& d, const Declaration& generic) {
  Scope* const formals = scope_;
  Scope* const actual = formals->used[0];
  std::size_t position = 0;
  for (const Declaration& f : generic.formals) {
    const std::string name = f.names.empty() ? f.name : f.names[0];
    const Expression* value = nullptr;
    if (position < d.arguments.size() && d.arguments[position].choices.empty()) value = &d.arguments[position].value;
    for (const Association& a : d.arguments)
      if (!a.choices.empty() && a.choices[0].text == name) value = &a.value;
    if (f.kind != Kind::formal_type && f.kind != Kind::formal_object && f.kind != Kind::formal_subprogram) continue;
    ++position;
    if (f.kind == Kind::formal_type) {
      if (value == nullptr) return error(d.place, fmt::format("there is no type for {}", name));
      Inside there(scope_, actual);
      const Type* type = type_mark(*value);
      scope_ = formals;
      declare(Entity::Kind::type, name, f.place).type = type;
    } else if (f.kind == Kind::formal_object && f.mode == Parameter::Mode::in) {
      const Type* type = f.type ? define_type(*f.type, name) : any_;
      const Expression* given = value != nullptr ? value : f.value ? &*f.value : nullptr;
      if (given == nullptr) return error(d.place, fmt::format("there is no value for {}", name));
      std::optional<Value> known;
      Location location;
      {
        Inside there(scope_, value != nullptr ? actual : formals);
        if (type->discrete()) known = static_value(*given, type);
        if (!known && !failed_) {
          location = allocate(*type, name, f.place, true);
          assign(location, *given);
          execute_now();
        }
      }
      if (failed_) return;
      Entity& e = declare(known ? Entity::Kind::number : Entity::Kind::object, name, f.place);
      e.type = type;
      e.value = known;
      e.location = location;
      e.location.constant = true;
    } else if (f.kind == Kind::formal_object) {
      if (value == nullptr) return error(d.place, fmt::format("there is no variable for {}", name));
      Inside there(scope_, actual);
      const auto at = locate(*value);
      scope_ = formals;
      if (!at) return error(value->place, "a variable is expected here");
      Entity& e = declare(Entity::Kind::object, name, f.place);
      e.type = at->type;
      e.location = *at;
    } else {
      Expression by_name;
      by_name.kind = Expression::Kind::name;
      by_name.text = name;
      by_name.place = d.place;
      const Expression& meant = value != nullptr ? *value : !f.renamed.empty() ? f.renamed[0] : by_name;
      Looked looked;
      {
        Inside there(scope_, actual);
        looked = look(meant);
      }
      for (Entity* e : looked.entities) formals->entities[name].push_back(e);
    }
  }
}

// The body of a stub is in a file of its own.
void Expander::declare_stub(const Declaration& d) {
  const Unit* unit = nullptr;
  for (const auto& u : library_.units)
    if (!u->separate_from.empty() && u->declaration.name == d.name) unit = u.get();
  if (unit == nullptr)
    return error(d.place, fmt::format("there is no file with the body of {}", spelled(d.place, d.name)));
  for (const With& w : unit->withs) elaborate_unit(w.unit);
  for (const Declaration& use : unit->uses) declare_one(use);
  declare_one(unit->declaration);
}

// An object that is made here, once, is named by the access object.
void Expander::declare_access(const Declaration& d, const Type& type) {
  Type& object = types_.emplace_back(type);
  object.access = false;
  const char* const message = "access types are not supported";
  const char* const hint = "except for objects made once";
  if (!d.value || d.names.size() != 1) return refuse(d.place, message, hint);
  const Expression& value = *d.value;
  std::optional<Location> location;
  if (value.kind == Expression::Kind::allocator) {
    if (!can_execute()) return refuse(d.place, message, hint);
    const Expression& made = value.operands[0];
    const std::string shown = unique_name(spelled(d.place, d.names[0]));
    SubtypeIndication constraint;
    constraint.mark = made;
    location = allocate(object, shown, d.place);
    if (object.extent.tasks + object.extent.objects > 0) create_units(*location, shown, label_of(shown), &constraint);
    if (object.extent.slots > 0)
      initialise(*location, made.kind == Expression::Kind::qualified ? &made.operands[1] : nullptr);
    execute_now();
  } else {
    location = locate_designated(value);
  }
  if (failed_) return;
  if (!location) return refuse(d.place, message, hint);
  Entity& e = declare(Entity::Kind::object, d.names[0], d.place);
  e.type = location->type;
  e.location = *location;
  e.location.entity = &e;
  e.access = true;
}

// ---- pragmas

void Expander::pragma(const Declaration& d, bool statement) {
  const auto slots_of = [&](const Expression& e) {
    const auto found = lookup(e.text);
    if (found.empty() || found[0]->kind != Entity::Kind::object) return;
    const Location& at = found[0]->location;
    for (std::uint32_t s = 0; s < at.type->extent.slots; ++s) program_.slots[at.first.slots + s].atomic = true;
  };
  if (d.name == "atomic" || d.name == "volatile" || d.name == "atomic_components" || d.name == "volatile_components") {
    for (const Association& a : d.arguments) slots_of(a.value);
  } else if (d.name == "assert" && !d.arguments.empty()) {
    if (immediate_ && !statement) return;
    Label holds, fails;
    const std::uint32_t truth = temporary_boolean();
    emit_compute(truth, scalar(d.arguments[0].value, boolean_));
    Code negated = combine({{flow::Instruction::Op::load, truth, 0}}, {flow::Instruction::Op::not_, 0, 0});
    branch(std::move(negated), holds);
    flow::Node raise;
    raise.kind = flow::Node::Kind::raise;
    raise.first = flow::assertion_error;
    emit(std::move(raise));
    bind(holds);
  } else if (d.name == "annotate") {
    annotate(d, statement);
  } else if (d.name == "import") {
    refuse(d.place, "imported subprograms are not supported");
  }
}

void Expander::annotate(const Declaration& d, bool statement) {
  const auto word = [&](std::size_t i) {
    return i < d.arguments.size() && d.arguments[i].value.kind == Expression::Kind::name ? d.arguments[i].value.text
                                                                                         : std::string();
  };
  if (word(0) != "surety") return;
  const std::string what = word(1);
  const auto text = [&](std::size_t i) {
    return i < d.arguments.size() && d.arguments[i].value.kind == Expression::Kind::string ? d.arguments[i].value.text
                                                                                           : std::string();
  };
  if (what == "event") {
    if (!statement) return error(d.place, "an event happens in statements");
    if (text(2).empty()) return error(d.place, "an event needs a name", "pragma Annotate (Surety, Event, \"enter\");");
    if (object_ != kNone)
      return error(d.place, "an event here would be lost: the operation is one step",
                   "name the operation: pragma Annotate (Surety, Name, ...)");
    flow::Node node;
    node.kind = flow::Node::Kind::event;
    node.label = static_cast<std::uint32_t>(program_.labels.size());
    program_.labels.push_back(text(2));
    program_.label_displays.emplace_back();
    for (std::size_t i = 3; i < d.arguments.size(); ++i) {
      const Operand value = emit_value(d.arguments[i].value, nullptr);
      if (failed_) return;
      node.in.push_back(value.code);
      program_.label_displays[node.label].push_back(value.type == nullptr ? 0 : display_of(*value.type));
    }
    emit(std::move(node));
  } else if (what == "name") {
    const auto found = lookup(word(2));
    if (found.empty()) return undeclared(d.place, word(2));
    found[0]->given_name = text(3);
  } else if (what == "properties") {
    out_.properties.push_back(text(2));
  } else if (what == "ignore") {
    const auto found = lookup(word(2));
    if (found.empty() || found[0]->kind != Entity::Kind::object) return undeclared(d.place, word(2));
    found[0]->location.ignored = true;
  } else if (what != "track" && what != "repeated") {
    const std::vector<std::string> known{"Event", "Name", "Properties", "Ignore", "Track", "Repeated"};
    error(d.place, fmt::format("unknown annotation '{}'; known: {}", what, fmt::join(known, ", ")),
          did_you_mean(what, known));
  }
}

}  // namespace surety::ada
