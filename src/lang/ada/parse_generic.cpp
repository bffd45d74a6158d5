// Generic units and their formal parameters (ARM 12).
#include "lang/ada/grammar.hpp"

namespace surety::ada {

using Of = Declaration::Of;
using DeclarationKind = Declaration::Kind;

Declaration Parser::generic() {
  Declaration out;
  out.kind = DeclarationKind::generic;
  take();
  if (at_generic_renaming()) return generic_renaming(std::move(out));
  out.formals = formals();
  if (!at(Kind::k_procedure) && !at(Kind::k_function) && !at(Kind::k_package))
    fail_here("a subprogram or a package after the parameters of the generic unit");
  out.visible.push_back(at(Kind::k_package) ? package() : subprogram(Where::generic));
  const Declaration& unit = out.visible[0];
  out.place = unit.place;
  out.name = unit.name;
  if (unit.kind != DeclarationKind::package &&
      (unit.kind != DeclarationKind::subprogram || unit.body || unit.is_null || unit.is_abstract))
    complain(unit.place, "a generic unit is declared first; its body follows");
  return out;
}

bool Parser::at_generic_renaming() const {
  if (!at(Kind::k_package) && !at(Kind::k_procedure) && !at(Kind::k_function)) return false;
  std::size_t ahead = 1;
  while (is_name(peek(ahead)) || peek(ahead).kind == Kind::dot) ++ahead;
  return peek(ahead).kind == Kind::k_renames;
}

// generic package P renames Q;
Declaration Parser::generic_renaming(Declaration out) {
  const bool package = take().kind == Kind::k_package;
  out.name = defining_name("the name of the generic unit", out.place);
  out.names = {out.name};
  return renames(std::move(out), package ? Of::package : Of::subprogram);
}

std::vector<Declaration> Parser::formals() {
  std::vector<Declaration> out;
  while (!at(Kind::k_procedure) && !at(Kind::k_function) && !at(Kind::k_package) && !at(Kind::end)) {
    const std::size_t start = next_;
    out.push_back(formal());
    if (panic_) recover(start);
    if (ends_declarations()) break;
  }
  return out;
}

Declaration Parser::formal() {
  if (at_label() || (at_name() && next_is(Kind::comma))) return formal_object();
  switch (peek().kind) {
    case Kind::k_type: return formal_type();
    case Kind::k_with: return formal_with();
    case Kind::k_use: return use_clause();
    case Kind::k_pragma: return pragma();
    default: fail_here("a parameter of the generic unit"); return {};
  }
}

Declaration Parser::formal_type() {
  take();
  Declaration out;
  out.kind = DeclarationKind::formal_type;
  out.place = peek().place;
  if (!at_name()) fail_here("a name after 'type'");
  out.name = lower_case(take().text);
  if (at(Kind::round_open)) discriminants(out);
  out.type.emplace();
  out.type->place = out.place;
  out.type->kind = TypeDefinition::Kind::incomplete;
  if (!at(Kind::semicolon)) {
    expect(Kind::k_is, "'is' after the name of the type");
    out.type->place = peek().place;
    out.box = formal_definition(*out.type);
  }
  end_declaration(out, "';' after the type");
  return out;
}

// Whether a box stands there: (<>), range <>, mod <>, digits <>, delta <>, delta <> digits <>. All else is as in types,
// but has no numbers.
bool Parser::formal_definition(TypeDefinition& out) {
  using Type = TypeDefinition::Kind;
  const Kind word = peek().kind;
  switch (word) {
    case Kind::round_open: out.kind = Type::enumeration; break;
    case Kind::k_range: out.kind = Type::integer; break;
    case Kind::k_mod: out.kind = Type::modular; break;
    case Kind::k_digits:
    case Kind::k_delta: out.kind = Type::real; break;
    default: out = definition(); return false;
  }
  take();
  expect(Kind::box, "'<>'", "a formal type has no values yet");
  if (word == Kind::round_open) expect(Kind::round_close, "')' after '<>'");
  if (word == Kind::k_delta && accept(Kind::k_digits)) expect(Kind::box, "'<>'");
  return true;
}

Declaration Parser::formal_object() {
  Declaration out;
  out.kind = DeclarationKind::formal_object;
  out.place = peek().place;
  out.names = defining_names("a name");
  out.name = out.names[0];
  expect(Kind::colon, "':' after the name");
  Parameter mode;
  parameter_mode(mode);
  out.mode = mode.mode;
  out.type.emplace();
  out.type->place = peek().place;
  if (at_access())
    out.type = access(std::move(*out.type));
  else
    out.type->parent.push_back(marked());
  if (accept(Kind::becomes)) out.value = expression();
  end_declaration(out, "';' after the parameter");
  return out;
}

// with procedure P (...) is Q, is <>, is null, is abstract; with package P is new Q (<>)
Declaration Parser::formal_with() {
  take();
  if (at(Kind::k_package)) return formal_package();
  Declaration out;
  out.kind = DeclarationKind::formal_subprogram;
  const bool function = at(Kind::k_function);
  if (!function && !at(Kind::k_procedure)) fail_here("'procedure', 'function' or 'package' after 'with'");
  take();
  out.place = peek().place;
  out.name = unit_name("the name of the subprogram", out.place);
  out.names = {out.name};
  profile(out, function);
  if (accept(Kind::k_is)) {
    out.is_abstract = accept(Kind::k_abstract);
    out.box = accept(Kind::box);
    out.is_null = !out.box && !function && accept(Kind::k_null);
    if (!out.box && !out.is_null && !(out.is_abstract && (at(Kind::semicolon) || at(Kind::k_with))))
      out.renamed.push_back(as_operator(name()));
  }
  end_declaration(out, "';' after the subprogram");
  return out;
}

Declaration Parser::formal_package() {
  take();
  Declaration out;
  out.kind = DeclarationKind::instance;
  out.of = Of::package;
  out.place = peek().place;
  if (!at_name()) fail_here("the name of the package");
  out.name = lower_case(take().text);
  out.names = {out.name};
  expect(Kind::k_is, "'is' after the name of the package");
  if (!at(Kind::k_new)) fail_here("'new' and a generic package");
  if (!formal_box(out)) return instance(std::move(out), Of::package);
  end_declaration(out, "';' after the package");
  return out;
}

// new Q (<>)
bool Parser::formal_box(Declaration& out) {
  std::size_t ahead = 1;
  while (is_name(peek(ahead)) || peek(ahead).kind == Kind::dot) ++ahead;
  if (peek(ahead).kind != Kind::round_open || peek(ahead + 1).kind != Kind::box) return false;
  take();
  out.renamed.push_back(dotted_name("the name of a generic package"));
  take();
  out.box = accept(Kind::box);
  expect(Kind::round_close, "')' after '<>'");
  return true;
}

}  // namespace surety::ada
