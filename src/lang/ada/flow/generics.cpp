// Instances of generic units: a copy of the text, in which the formal names stand for the actual ones.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"

namespace surety::ada {
namespace {

using Kind = Declaration::Kind;

constexpr std::uint64_t kMostInstances = 10'000;

}  // namespace

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
  if (std::ranges::find(instantiated_, &generic) != instantiated_.end())
    return error(d.place, fmt::format("an instance of {} needs another instance of it", generic.name));
  if (instances_ > kMostInstances) return;  // that has been said
  if (++instances_ > kMostInstances)
    return error(d.place, fmt::format("more than {} instances are not supported", kMostInstances));
  auto around = instantiated_;
  around.push_back(&generic);
  const Inside making(instantiated_, std::move(around));
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

// An entry or a protected operation for a formal procedure.
void Expander::rename_actual(const Declaration& formal, const Expression& meant, const Looked& looked, Scope& actual) {
  const auto before = actual.entities;
  {
    Inside there(scope_, &actual);
    rename_operation(formal, meant, looked);
  }
  Entity* const made = failed_ ? nullptr : actual.entities[formal.name].back();
  actual.entities = before;
  if (made != nullptr) scope_->entities[formal.name].push_back(made);
}

void Expander::declare_formal_value(const Declaration& f, const std::string& name, const Expression& given,
                                    Scope& where) {
  const Type* type = f.type ? define_type(*f.type, name) : any_;
  std::optional<Value> known;
  Location location;
  {
    Inside there(scope_, &where);
    if (type->discrete()) known = static_value(given, type);
    if (!known && !failed_) {
      location = allocate(*type, name, f.place, true);
      assign(location, given);
      execute_now();
    }
  }
  if (failed_) return;
  Entity& e = declare(known ? Entity::Kind::number : Entity::Kind::object, name, f.place);
  e.type = type;
  e.value = known;
  e.location = location;
  e.location.constant = true;
}

bool Expander::declare_formal_variable(const Declaration& f, const std::string& name, const Expression& given,
                                       Scope& where) {
  std::optional<Location> at;
  {
    Inside there(scope_, &where);
    at = locate(given);
  }
  if (!at) {
    error(given.place, "a variable is expected here");
    return false;
  }
  Entity& e = declare(Entity::Kind::object, name, f.place);
  e.type = at->type;
  e.location = *at;
  return true;
}

void Expander::declare_formal_subprogram(const Declaration& f, const std::string& name, const Expression& given,
                                         Scope& where) {
  Looked looked;
  {
    Inside there(scope_, &where);
    looked = look(given);
  }
  if (looked.unit != nullptr) return rename_actual(f, given, looked, where);
  if (looked.entities.empty() && !failed_)
    refuse(given.place, fmt::format("this actual subprogram for {} is not supported", f.name));
  auto& meanings = scope_->entities[name];  // the innermost one comes last, as where it is declared
  meanings.insert(meanings.end(), looked.entities.rbegin(), looked.entities.rend());
}

// What stands for a formal parameter; null: nothing was said.
const Expression* Expander::actual_of(const std::vector<Association>& arguments, std::size_t position,
                                      const std::string& name) {
  const Expression* out = nullptr;
  if (position < arguments.size() && arguments[position].choices.empty()) out = &arguments[position].value;
  for (const Association& a : arguments)
    if (!a.choices.empty() && a.choices[0].text == name) out = &a.value;
  return out;
}

void Expander::declare_formals(const Declaration& d, const Declaration& generic) {
  Scope& formals = *scope_;
  Scope& actual = *formals.used[0];
  std::size_t position = 0;
  for (const Declaration& f : generic.formals) {
    if (f.kind != Kind::formal_type && f.kind != Kind::formal_object && f.kind != Kind::formal_subprogram) continue;
    const std::string name = f.names.empty() ? f.name : f.names[0];
    const Expression* const value = actual_of(d.arguments, position++, name);
    if (f.kind == Kind::formal_type) {
      if (value == nullptr) return error(d.place, fmt::format("there is no type for {}", name));
      const Type* type = nullptr;
      {
        Inside there(scope_, &actual);
        type = type_mark(*value);
      }
      declare(Entity::Kind::type, name, f.place).type = type;
    } else if (f.kind == Kind::formal_object && f.mode == Parameter::Mode::in) {
      if (value == nullptr && !f.value) return error(d.place, fmt::format("there is no value for {}", name));
      declare_formal_value(f, name, value != nullptr ? *value : *f.value, value != nullptr ? actual : formals);
      if (failed_) return;
    } else if (f.kind == Kind::formal_object) {
      if (value == nullptr) return error(d.place, fmt::format("there is no variable for {}", name));
      if (!declare_formal_variable(f, name, *value, actual)) return;
    } else {
      Expression by_name;
      by_name.kind = Expression::Kind::name;
      by_name.text = name;
      by_name.place = d.place;
      declare_formal_subprogram(f, name,
                                value != nullptr     ? *value
                                : !f.renamed.empty() ? f.renamed[0]
                                                     : by_name,
                                actual);
    }
  }
}

}  // namespace surety::ada
