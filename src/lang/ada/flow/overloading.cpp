// Which of several declarations of one name is meant: the one whose parameters fit, or nobody can tell.
//
// The types of arguments are not always known here, where the compiler knows them (what a known unit returns). So a
// declaration fits for sure, or perhaps. What only perhaps fits is meant if it is alone; to guess would be to misread.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/known_units.hpp"

namespace surety::ada {

// Declarations of one name that cannot both be meant: the inner one hides the outer one (ARM 8.3).
bool Expander::are_homographs(const Entity& a, const Entity& b) {
  const auto takes_part = [](const Entity& e) {
    return e.kind == Entity::Kind::literal || e.kind == Entity::Kind::subprogram;
  };
  if (!takes_part(a) || !takes_part(b)) return false;
  const auto result = [](const Entity& e) { return e.kind == Entity::Kind::literal ? e.type : e.result; };
  const auto same = [](const Type* x, const Type* y) { return x == y || (x && y && x->base == y->base); };
  return same(result(a), result(b)) && std::ranges::equal(a.parameter_types, b.parameter_types, same);
}

// Whether a value of this type can be given to a parameter of that one. Literals are told apart here, although all that
// they can become is opaque.
bool Expander::passes(const Type* actual, const Type* formal) const {
  const auto is = [&](Type::Opaque what) { return formal->kind == Type::Kind::opaque && formal->opaque == what; };
  if (actual->kind == Type::Kind::universal && (is(Type::Opaque::real) || is(Type::Opaque::text))) return false;
  if (actual == real_ && is(Type::Opaque::text)) return false;
  if (actual == text_ && is(Type::Opaque::real)) return false;
  return compatible(actual, formal);
}

Expander::Fit Expander::fit_of(const Entity& c, const std::vector<Association>& arguments, const Type* expected,
                               bool function) {
  if (function != (c.result != nullptr)) return Fit::none;
  if (function && !compatible(c.result, expected)) return Fit::none;
  if (c.declaration == nullptr || !c.declaration->profile) return Fit::none;
  Fit out = Fit::sure;
  std::size_t position = 0, given = 0, needed = 0;
  for (const Parameter& p : c.declaration->profile->parameters)
    for (const std::string& name : p.names) {
      const Expression* actual = nullptr;
      if (position < arguments.size() && arguments[position].choices.empty()) actual = &arguments[position].value;
      for (const Association& a : arguments)
        if (!a.choices.empty() && a.choices[0].text == name) actual = &a.value;
      if (actual == nullptr && !p.value) ++needed;
      if (actual != nullptr) {
        ++given;
        const auto types = types_of(*actual);
        const Type* formal = c.parameter_types[position];
        if (!types.empty() && std::ranges::none_of(types, [&](const Type* t) { return passes(t, formal); }))
          return Fit::none;
        const auto known = [&](const Type* t) { return (t == any_) == (formal == any_) && passes(t, formal); };
        if (std::ranges::none_of(types, known)) out = Fit::perhaps;
      }
      ++position;
    }
  return needed == 0 && given == arguments.size() ? out : Fit::none;
}

bool Expander::fits(const Entity& c, const std::vector<Association>& arguments, const Type* expected, bool function) {
  return fit_of(c, arguments, expected, function) != Fit::none;
}

// Those that fit for sure, or if there are none those that may, because it is not known what type an argument has.
// Of those that cannot both be meant only the innermost one.
std::vector<Entity*> Expander::fitting(const std::vector<Entity*>& candidates,
                                       const std::vector<Association>& arguments, const Type* expected, bool function,
                                       bool sure) {
  std::vector<Entity*> some, best;
  for (Entity* c : candidates) {
    if (c->kind != Entity::Kind::subprogram && c->kind != Entity::Kind::entry) continue;
    const Fit fit = fit_of(*c, arguments, expected, function);
    auto& list = fit == Fit::sure ? best : some;
    if (fit != Fit::none && std::ranges::none_of(list, [&](const Entity* o) { return are_homographs(*o, *c); }))
      list.push_back(c);
  }
  return best.empty() && !sure ? some : best;
}

Entity* Expander::choose(const std::vector<Entity*>& candidates, const std::vector<Association>& arguments,
                         const Type* expected, bool function, Place place) {
  const auto found = fitting(candidates, arguments, expected, function, false);
  if (found.size() > 1)
    refuse(place, fmt::format("which '{}' is called here cannot be told", found[0]->name),
           "a qualified expression says which type is meant");
  if (!found.empty()) return found[0];
  if (!report_.failed() && !candidates.empty())
    error(place, fmt::format("no {} '{}' takes these parameters", function ? "function" : "procedure or entry",
                             candidates[0]->name));
  return nullptr;
}

// That the program defines; without a known type an operand is one of a predefined operator.
std::vector<Entity*> Expander::user_operators(const Expression& e, const Type* expected) {
  auto candidates = lookup(fmt::format("\"{}\"", symbol_of(e.op)), e.place);
  std::erase_if(candidates, [](const Entity* c) { return c->kind != Entity::Kind::subprogram || c->active; });
  if (candidates.empty()) return candidates;
  std::vector<Association> arguments;
  for (const Expression& o : e.operands) arguments.push_back({{}, o});
  return fitting(candidates, arguments, expected, true, true);
}

Entity* Expander::user_operator(const Expression& e, const Type* expected) {
  const auto found = user_operators(e, expected);
  if (found.size() > 1) refuse(e.place, fmt::format("which \"{}\" is meant here cannot be told", symbol_of(e.op)));
  if (!found.empty()) return found[0];
  refuse_inherited(e);
  return nullptr;
}

// A derived type has the operators that its parent was given, too (ARM 3.4), which are other ones than the predefined.
bool Expander::refuse_inherited(const Expression& e) {
  const std::string name = fmt::format("\"{}\"", symbol_of(e.op));
  for (const Expression& o : e.operands)
    for (const Type* t : types_of(o))
      for (const Type* parent = t->parent; parent != nullptr; parent = parent->parent)
        for (const Entity& c : entities_) {
          if (c.kind != Entity::Kind::subprogram || c.declaration == nullptr || c.declaration->name != name) continue;
          const auto takes = [&](const Type* p) { return p->base == parent; };
          if (c.parameter_types.size() != e.operands.size() || std::ranges::none_of(c.parameter_types, takes)) continue;
          refuse(e.place, fmt::format("the operator {} of {} is inherited: this is not supported", name, t->name));
          return true;
        }
  return false;
}

}  // namespace surety::ada
