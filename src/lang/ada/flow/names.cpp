// What a name can mean, and which of several meanings fits.
//
// Nothing here emits code. An expression has a list of possible types, from the bottom up; which of them is meant
// follows from what is expected, from the top down (ARM 8.6).
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/known_units.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;

bool is_overloadable(const Entity& e) {
  return e.kind == Entity::Kind::subprogram || e.kind == Entity::Kind::literal || e.kind == Entity::Kind::entry ||
         e.kind == Entity::Kind::known;
}

void add(std::vector<const Type*>& types, const Type* type) {
  if (type != nullptr && std::ranges::find(types, type->base) == types.end()) types.push_back(type->base);
}

// What `use all type` makes visible of a type.
bool is_of(const Entity& e, const Type& type) {
  const auto same = [&](const Type* t) { return t != nullptr && t->base == &type; };
  if (e.kind == Entity::Kind::literal) return same(e.type);
  return e.kind == Entity::Kind::subprogram && (same(e.result) || std::ranges::any_of(e.parameter_types, same));
}

bool is_relation(Operator op) { return op >= Operator::equal && op <= Operator::greater_equal; }

}  // namespace

Entity& Expander::declare(Entity::Kind kind, const std::string& name, Place place) {
  Entity& e = entities_.emplace_back();
  e.kind = kind;
  e.name = spelled(place, name);
  e.place = place;
  e.scope = scope_;
  scope_->entities[name].push_back(&e);
  return e;
}

Entity& Expander::known_entity(const std::string& known, const std::string& name, const Type* type) {
  Entity& e = entities_.emplace_back();
  e.kind = Entity::Kind::known;
  e.name = name;
  e.known = known;
  e.type = type;
  return e;
}

// What a use clause of a known unit makes visible.
Entity* Expander::known_by_use(const std::string& name) {
  for (const Scope* s = scope_; s != nullptr; s = s->outer)
    for (const Scope::Known& k : s->known)
      if (is_known_name(k.unit, name)) return &known_entity(k.unit + "." + name, name, k.type);
  return nullptr;
}

// The type of what a function of a known unit returns, if it is modelled.
const Type* Expander::known_result(const Entity& e) const {
  if (e.known.ends_with("discrete_random.random") && e.type != nullptr && e.type->discrete() &&
      e.type->count() <= kMostRandom)
    return e.type;
  if (e.known == "report.ident_int" || e.known == "system.default_priority") return integer_;
  if (e.known == "report.ident_bool" || e.known == "report.equal") return boolean_;
  if (e.known == "report.ident_char") return character_;
  return any_;
}

// As the user writes it.
std::string Expander::spelled(Place place, const std::string& lower) const {
  const std::string& text = library_.source->text;
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  // The first of the names that stand there, or a later one: A, B : T;
  for (std::size_t at = place.offset; at + lower.size() <= text.size() && text[at] != ':' && text[at] != ';'; ++at) {
    if (at > place.offset && is_part(text[at - 1])) continue;
    std::string there = text.substr(at, lower.size());
    const bool same = std::ranges::equal(there, lower, [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == static_cast<unsigned char>(b);
    });
    if (same && (at + lower.size() == text.size() || !is_part(text[at + lower.size()]))) return there;
    if (at == place.offset && same) return there;
  }
  return lower;
}

void Expander::find_in(const Scope& scope, const std::string& name, std::vector<Entity*>& out) {
  if (const auto found = scope.entities.find(name); found != scope.entities.end())
    out.insert(out.end(), found->second.rbegin(), found->second.rend());
}

// Bodies are expanded where they are called, when all around them is declared, also what they cannot see.
bool Expander::comes_later(const Entity& e, Place use) const {
  return use.offset != 0 && e.place.offset > use.offset &&
         library_.source->line_of(use).file == library_.source->line_of(e.place).file;
}

// From the inside out. What cannot be overloaded hides all that is further out; what use clauses make visible comes
// after all that is declared around.
std::vector<Entity*> Expander::lookup(const std::string& name, Place use) const {
  std::vector<Entity*> out;
  for (const Scope* s = scope_; s != nullptr; s = s->outer) {
    std::vector<Entity*> more;
    find_in(*s, name, more);
    if (s->ordered) std::erase_if(more, [&](const Entity* e) { return comes_later(*e, use); });
    for (Entity* e : more)
      if (std::ranges::none_of(out, [&](const Entity* inner) { return are_homographs(*inner, *e); })) out.push_back(e);
    if (!more.empty() && !is_overloadable(*more.back())) {
      // what stands further in, and can be overloaded, hides it
      if (out.size() > more.size() && out.back() == more.back()) out.pop_back();
      return out;
    }
  }
  for (const Scope* s = scope_; s != nullptr; s = s->outer)
    for (const Scope* used : s->used) {
      std::vector<Entity*> more;
      find_in(*used, name, more);
      for (Entity* e : more)
        if ((out.empty() || is_overloadable(*e)) && std::ranges::find(out, e) == out.end()) out.push_back(e);
    }
  for (const Scope* s = scope_; s != nullptr; s = s->outer)
    for (const Scope::UsedType& used : s->used_types) {
      if (!used.all && name.front() != '"') continue;
      std::vector<Entity*> more;
      find_in(*used.scope, name, more);
      for (Entity* e : more)
        if (is_of(*e, *used.type) && std::ranges::find(out, e) == out.end()) out.push_back(e);
    }
  return out;
}

std::vector<std::string> Expander::names_in_sight() const {
  std::vector<std::string> out;
  for (const Scope* s = scope_; s != nullptr; s = s->outer) {
    for (const auto& [name, entities] : s->entities)
      if (!entities.empty()) out.push_back(entities[0]->name);
    for (const Scope* used : s->used)
      for (const auto& [name, entities] : used->entities)
        if (!entities.empty()) out.push_back(entities[0]->name);
  }
  return out;
}

void Expander::undeclared(Place place, const std::string& name) {
  const std::string shown = spelled(place, name);
  error(place, fmt::format("'{}' is not declared", shown), did_you_mean(shown, names_in_sight()));
}

// ---- what a name denotes

void Expander::Looked::use_first() {
  Entity& first = *entities[0];
  first.used = true;
  if (first.kind != Entity::Kind::object) return;
  type = first.type;
  value = true;
  entities = {&first};
}

Expander::Looked Expander::look(const Expression& e) {
  Looked out;
  switch (e.kind) {
    case Kind::name: {
      out.entities = lookup(e.text, e.place);
      if (out.entities.empty())
        if (Entity* known = known_by_use(e.text)) {
          out.entities.push_back(known);
          return out;
        }
      if (out.entities.empty()) {
        undeclared(e.place, e.text);
        return out;
      }
      out.use_first();
      return out;
    }
    case Kind::selected: return look_selected(e);
    case Kind::apply: return look_apply(e);
    case Kind::qualified:
      out.type = type_mark(e.operands[0]);
      out.value = true;
      return out;
    case Kind::attribute:
      if (e.text == "base") out.type = type_mark(e);
      return out;
    default: return out;
  }
}

Expander::Looked Expander::look_in_unit(const Type& type, const Expression& e) {
  Looked out;
  find_in(info(type).scope, e.text, out.entities);
  if (out.entities.empty())  // an expanded name: in its own body
    for (Scope* s = scope_; s != nullptr && out.entities.empty(); s = s->outer)
      if (s->unit != nullptr && s->unit->type == type.base) find_in(*s, e.text, out.entities);
  if (!out.entities.empty() && out.entities[0]->kind == Entity::Kind::object) {
    out.entities[0]->used = true;
    out.type = out.entities[0]->type;
    out.value = true;
    return out;
  }
  out.unit = &type;
  if (out.entities.empty()) error(e.place, fmt::format("{} has no entry or operation '{}'", type.name, e.text));
  return out;
}

Expander::Looked Expander::look_component(const Type& type, const Expression& e) {
  Looked out;
  const auto& fields = type.base->fields;
  const auto field = std::ranges::find(fields, e.text, &Type::Field::name);
  out.value = field != fields.end() || type.kind == Type::Kind::opaque;
  if (out.value) out.type = field != fields.end() ? field->type : any_;
  if (!out.value) error(e.place, fmt::format("{} has no component '{}'", type.name, spelled(e.place, e.text)));
  return out;
}

// What is in a package, or of an expanded name in the unit around; null: it is neither.
Scope* Expander::scope_of(const Entity& prefix) const {
  if (prefix.kind == Entity::Kind::package) return prefix.scope;
  if (prefix.kind != Entity::Kind::subprogram && prefix.kind != Entity::Kind::type) return nullptr;
  Scope* out = nullptr;
  for (Scope* s = scope_; s != nullptr; s = s->outer) {
    const bool same_type = s->unit != nullptr && prefix.kind == Entity::Kind::type &&
                           s->unit->kind == Entity::Kind::type && s->unit->type->base == prefix.type->base;
    if (s->unit == &prefix || same_type) out = s;
  }
  return out;
}

Expander::Looked Expander::look_selected(const Expression& e) {
  Looked prefix = look(e.operands[0]);
  Looked out;
  if (failed_) return out;
  if (prefix.value && prefix.type != nullptr) {
    const Type& type = *prefix.type;
    if (e.text == "all") return prefix;
    const bool unit = type.kind == Type::Kind::task || type.kind == Type::Kind::protected_unit;
    return unit ? look_in_unit(type, e) : look_component(type, e);
  }
  for (Entity* p : prefix.entities) {
    if (p->kind == Entity::Kind::known) {
      const auto read = packages_.find(p->known + "." + e.text);  // a child whose text was read
      const bool known = read == packages_.end() || read->second == nullptr;
      out.entities = {known ? &known_entity(p->known + "." + e.text, e.text, p->type) : read->second->unit};
      return out;
    }
    const Scope* const inside = scope_of(*p);
    if (inside == nullptr) continue;
    find_in(*inside, e.text, out.entities);
    if (out.entities.empty()) continue;
    out.use_first();
    return out;
  }
  if (!prefix.entities.empty())
    error(e.place, fmt::format("there is no '{}' in {}", spelled(e.place, e.text), prefix.entities[0]->name));
  return out;
}

Expander::Looked Expander::look_apply(const Expression& e) {
  Looked prefix = look(e.operands[0]);
  Looked out;
  if (failed_) return out;
  if (prefix.value && prefix.type != nullptr) {
    const Type& type = *prefix.type;
    if (type.kind == Type::Kind::opaque) {
      out.type = any_;
      out.value = true;
      return out;
    }
    if (type.kind != Type::Kind::array) {
      error(e.place, fmt::format("{} is no array", type.name));
      return out;
    }
    out.type = type.component;
    if (is_slice(type, e)) {
      const Type* slice = slice_type(type, e);
      out.type = slice != nullptr ? slice : opaque("slice", "a slice");
    }
    out.value = true;
    return out;
  }
  out = prefix;  // a call, a conversion, an entry of a family
  if (!prefix.entities.empty() && prefix.entities[0]->kind == Entity::Kind::type) {
    out.type = prefix.entities[0]->type;
    out.value = true;
  }
  return out;
}

Entity* Expander::sole(const Expression& e, Entity::Kind kind, const char* what) {
  const Looked looked = look(e);
  for (Entity* found : looked.entities)
    if (found->kind == kind) return found;
  if (!looked.entities.empty()) error(e.place, fmt::format("'{}' is no {}", looked.entities[0]->name, what));
  return nullptr;
}

// ---- types of expressions

bool Expander::compatible(const Type* a, const Type* b) const {
  if (a == nullptr || b == nullptr) return true;
  if (a->base == b->base || a == any_ || b == any_) return true;
  for (const auto& [literal, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (literal == real_) return other->kind == Type::Kind::opaque || other->kind == Type::Kind::universal;
    if (literal == text_) return other->kind == Type::Kind::opaque || other->kind == Type::Kind::array;
    if (literal == aggregate_)
      return other->kind == Type::Kind::opaque || other->kind == Type::Kind::array || other->kind == Type::Kind::record;
  }
  if (a->kind == Type::Kind::universal) return b->whole_number() || b->kind == Type::Kind::opaque;
  if (b->kind == Type::Kind::universal) return a->whole_number() || a->kind == Type::Kind::opaque;
  return false;
}

std::vector<const Type*> Expander::types_of(const Expression& e) {
  std::vector<const Type*> out;
  if (failed_) return out;
  switch (e.kind) {
    case Kind::integer: return {universal_};
    case Kind::character:
      for (const Entity* c : lookup(fmt::format("'{}'", e.text), e.place)) add(out, c->type);
      add(out, character_);
      return out;
    case Kind::real: return {real_};
    case Kind::string: return {text_};
    case Kind::aggregate: return {aggregate_};
    case Kind::null:
    case Kind::allocator:
    case Kind::raise:
    case Kind::box: return {any_};
    case Kind::attribute: return types_of_attribute(e);
    case Kind::membership:
    case Kind::quantified: return {boolean_};
    case Kind::unary:
      out = types_of_user_operators(e);
      for (const Type* t : types_of(e.operands[0])) add(out, t);
      return out;
    case Kind::binary: return types_of_binary(e);
    case Kind::condition:
      for (std::size_t i = 1; i < e.operands.size(); i += 2)
        for (const Type* t : types_of(e.operands[i])) add(out, t);
      return out;
    case Kind::selection:
      for (const Association& a : e.arguments)
        for (const Type* t : types_of(a.value)) add(out, t);
      return out;
    case Kind::name:
    case Kind::selected:
    case Kind::apply:
    case Kind::qualified: {
      const Looked looked = look(e);
      if (looked.value) return {looked.type != nullptr ? looked.type->base : any_};
      for (const Entity* c : looked.entities) {
        if (c->kind == Entity::Kind::number) add(out, c->type != nullptr ? c->type : universal_);
        if (c->kind == Entity::Kind::literal) add(out, c->type);
        if (c->kind == Entity::Kind::known) add(out, known_result(*c));
        if (c->kind != Entity::Kind::subprogram || c->result == nullptr) continue;
        if (fits(*c, e.kind == Kind::apply ? e.arguments : std::vector<Association>{}, nullptr, true))
          add(out, c->result);
        else if (e.kind == Kind::apply && c->parameter_types.empty() && c->result->kind == Type::Kind::array)
          add(out, c->result->component);
      }
      return out;
    }
    case Kind::range:
    case Kind::constrained: return types_of(e.operands[0]);
    case Kind::others: return out;
    case Kind::refused: refuse(e.place, fmt::format("{} is not supported", e.text)); return out;
  }
  return out;
}

std::vector<const Type*> Expander::types_of_attribute(const Expression& e) {
  const std::string& a = e.text;
  if (a == "length" || a == "pos" || a == "count" || a == "size" || a == "width" || a == "digits" || a == "alignment" ||
      a == "component_size" || a == "storage_size")
    return {universal_};
  if (a == "callable" || a == "terminated" || a == "valid" || a == "constrained") return {boolean_};
  if (a == "image" || a == "img") return {text_};
  if (a == "address" || a == "access" || a == "identity" || a == "unchecked_access" || a == "class") return {any_};
  const Looked looked = look(e.operands[0]);
  const Type* type = looked.type;
  if (type == nullptr && !looked.entities.empty()) type = looked.entities[0]->type;
  if (type == nullptr) return {any_};
  if (type->kind == Type::Kind::array && !type->indices.empty()) {
    std::size_t n = 0;
    if (!e.arguments.empty() && e.arguments[0].value.kind == Kind::integer)
      n = static_cast<std::size_t>(e.arguments[0].value.value - 1);
    return {type->indices[std::min(n, type->indices.size() - 1)]->base};
  }
  return {type->base};
}

// What those that the program defines return, of those that take these operands.
std::vector<const Type*> Expander::types_of_user_operators(const Expression& e) {
  std::vector<const Type*> out;
  for (const Entity* c : user_operators(e, nullptr)) add(out, c->result);
  return out;
}

std::vector<const Type*> Expander::types_of_binary(const Expression& e) {
  std::vector<const Type*> out = types_of_user_operators(e);
  if (is_relation(e.op) || e.op == Operator::and_then || e.op == Operator::or_else) {
    add(out, boolean_);
    return out;
  }
  if (e.op == Operator::concatenate) {
    for (const Expression& o : e.operands)
      for (const Type* t : types_of(o))
        if (t == text_ || t->opaque == Type::Opaque::text) return {t->base};
    return {any_};
  }
  auto left = types_of(e.operands[0]);
  if (e.op == Operator::power) return left;
  for (const Type* l : left)
    for (const Type* r : types_of(e.operands[1]))
      if (compatible(l, r)) add(out, l->kind == Type::Kind::universal || is_untyped(l) ? r : l);
  return out;
}

// The type that an expression has where `expected` is expected (null: anything).
const Type* Expander::resolve(const Expression& e, const Type* expected) {
  const auto types = types_of(e);
  if (failed_) return any_;
  std::vector<const Type*> fitting;
  for (const Type* t : types)
    if (compatible(t, expected)) fitting.push_back(t);
  if (fitting.empty()) {
    if (types.empty()) {
      follow_up(e.place, "this has no value");
    } else {
      error(e.place, fmt::format("expected a value of type {}, found one of type {}", expected->name, types[0]->name));
    }
    return any_;
  }
  if (expected != nullptr && expected->kind != Type::Kind::universal && expected != any_)
    return is_untyped(fitting[0]) ? any_ : expected->base;
  return is_untyped(fitting[0]) ? any_ : fitting[0];
}

// The type of what has none of its own.
bool Expander::is_untyped(const Type* type) const {
  return type == any_ || type == real_ || type == text_ || type == aggregate_;
}

// Whether evaluating it can have side effects, or take notice of those of others.
bool Expander::may_call(const Expression& e) {
  if (e.kind == Kind::name || e.kind == Kind::selected || e.kind == Kind::apply) {
    const Looked looked = look(e);
    if (!looked.value && std::ranges::any_of(looked.entities, [](const Entity* c) {
          return c->kind == Entity::Kind::subprogram || c->kind == Entity::Kind::entry;
        }))
      return true;
  }
  if (e.kind == Kind::condition || e.kind == Kind::selection || e.kind == Kind::quantified) return true;
  if (e.kind == Kind::binary && (e.op == Operator::and_then || e.op == Operator::or_else)) return true;
  const auto deeper = [&](const Expression& o) { return may_call(o); };
  if (e.kind != Kind::name && e.kind != Kind::selected && e.kind != Kind::attribute &&
      std::ranges::any_of(e.operands, deeper))
    return true;
  return std::ranges::any_of(e.arguments, [&](const Association& a) { return may_call(a.value); });
}

}  // namespace surety::ada
