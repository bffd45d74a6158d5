// Declarations, in the order in which they are elaborated.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"
#include "lang/ada/ignored.hpp"
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

bool Expander::refuse_aspects(const Declaration& d) {
  for (const auto& aspect : d.aspects)
    if (const auto why = why_aspect_is_refused(aspect.name); !why.empty()) {
      refuse(aspect.place, why);
      return true;
    }
  return false;
}

void Expander::elaborate(const Declaration& d) {
  if (refuse_aspects(d)) return;
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
    if (type->access && e.unit != nullptr)
      refuse(p.place, "access parameters of entries and protected operations are not supported");
    if (e.unit != nullptr && type->kind == Type::Kind::array && type->unconstrained)
      refuse(p.place, "arrays without bounds as parameters of entries and protected operations are not supported");
    for (std::size_t i = 0; i < p.names.size(); ++i) e.parameter_types.push_back(type);
  }
  if (profile.result) e.result = subtype(*profile.result);
  if (e.result != nullptr && e.result->access)
    refuse(profile.result->place, "functions that return access values are not supported");
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
  // What the body declares stands beside what the specification declares, but is not visible from outside. It
  // cannot be named there, so one scope is enough.
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
  note_library_tasks(*package.scope);
  note_package_tasks(*package.scope);
  if (defer(d, *package.scope)) return;
  if (!d.body->statements.empty()) {
    Inside in_library(library_body_, calls_.empty() ? std::optional(d.place.offset) : library_body_);
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
  if (d.use_type) return declare_use_type(d);
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

// The operators of a type, or all that is declared with it and has a parameter or result of it (ARM 8.4). Those that
// are predefined are visible anyway.
void Expander::declare_use_type(const Declaration& d) {
  for (const Expression& name : d.renamed) {
    const Type* type = type_mark(name);
    if (failed_) return;
    for (const Entity& e : entities_)
      if (e.kind == Entity::Kind::type && e.type != nullptr && e.type->base == type->base && e.scope != nullptr) {
        scope_->used_types.push_back({type->base, e.scope, d.use_all});
        break;
      }
  }
}

void Expander::declare_renaming(const Declaration& d) {
  if (d.renamed.empty()) return;
  if (d.of == Declaration::Of::object) {
    auto location = locate(d.renamed[0]);
    if (failed_) return;
    if (!location) location = renamed_value(d);
    if (!location) return;
    settle_index(*location);
    Entity& e = declare(Entity::Kind::object, d.names.empty() ? d.name : d.names[0], d.place);
    e.type = location->type;
    e.location = *location;
    e.location.entity = &e;
    return;
  }
  const Looked looked = look(d.renamed[0]);
  const std::string& name = d.names.empty() ? d.name : d.names[0];
  if (looked.unit != nullptr) return rename_operation(d, d.renamed[0], looked);
  for (Entity* e : looked.entities) {
    if (e->kind == Entity::Kind::entry) return refuse(d.place, "a task that calls its own entry waits for ever");
    scope_->entities[name].push_back(e);
  }
}

// Which element it is follows from what has been executed.
void Expander::settle_index(Location& at) {
  if (!can_execute() || at.index.empty()) return;
  const Code index = materialised(at.index);
  execute_now();
  const Value value = failed_ ? flow::kOpaque : known(index).value_or(memory_[static_cast<std::size_t>(index[0].a)]);
  if (value == flow::kOpaque || value == flow::kUnset) return;
  at.first = at.first + at.stride * static_cast<std::uint32_t>(value);
  at.index.clear();
}

// A value has no place of its own: it is a constant.
std::optional<Location> Expander::renamed_value(const Declaration& d) {
  const Type* type = resolve(d.renamed[0], nullptr);
  if (failed_) return std::nullopt;
  Location out = allocate(*type, d.names[0], d.place, true);
  assign(out, d.renamed[0]);
  execute_now();
  out.constant = true;
  return out;
}

// Another name of an entry or a protected operation. Which object it belongs to is settled here (ARM 8.5.4(8)).
void Expander::rename_operation(const Declaration& d, const Expression& meant, const Looked& looked) {
  Entity profile;
  if (d.profile) declare_profile(profile, *d.profile);
  const bool family = meant.kind == Expression::Kind::apply;
  const Expression& name = family ? meant.operands[0] : meant;
  const auto at = failed_ || name.kind != Expression::Kind::selected ? std::nullopt : locate(name.operands[0]);
  if (failed_) return;
  const auto same = [](const Type* a, const Type* b) { return a->base == b->base; };
  for (Entity* e : looked.entities) {
    const bool fits = std::ranges::equal(e->parameter_types, profile.parameter_types, same) &&
                      (e->result == nullptr) == (profile.result == nullptr) &&
                      (e->result == nullptr || same(e->result, profile.result));
    if (!fits || !at) continue;
    Entity& renaming = declare(e->kind, d.names.empty() ? d.name : d.names[0], d.place);
    renaming.declaration = &d;
    renaming.parameter_types = profile.parameter_types;
    renaming.result = profile.result;
    renaming.renamed = e;
    renaming.unit = looked.unit;
    renaming.location = *at;
    if (family) renaming.family = literal_of(meant.arguments[0].value, *e);
    return;
  }
  if (!failed_) error(d.place, "there is no entry or operation with these parameters");
}

// The index of a family, as it is now.
const Expression* Expander::literal_of(const Expression& index, const Entity& entry) {
  const Type* type =
      entry.declaration->profile->family.empty() ? nullptr : range_type(entry.declaration->profile->family[0]);
  const auto value = type == nullptr ? std::nullopt : static_value(index, type->base);
  if (!value) {
    if (!failed_) refuse(index.place, "renaming of an entry whose index is not known when the program starts");
    return nullptr;
  }
  Expression& out = expressions_.emplace_back(index);
  out.kind = Expression::Kind::integer;
  out.value = *value;
  return &out;
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
  if (const auto found = scope_->entities.find(d.name); found != scope_->entities.end())
    for (Entity* e : found->second)
      if (e->body == &unit->declaration) e->place = d.place;  // it can be named from the stub on
}

}  // namespace surety::ada
