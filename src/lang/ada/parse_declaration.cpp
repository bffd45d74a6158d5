// Lists of declarations, and the declarations that are neither types nor program units: objects, numbers, exceptions,
// use clauses, pragmas, representation clauses, aspects.
#include <fmt/format.h>

#include "lang/ada/grammar.hpp"
#include "lang/ada/ignored.hpp"

namespace surety::ada {
namespace {

using Of = Declaration::Of;
using DeclarationKind = Declaration::Kind;

bool is_body(const Declaration& d) {
  switch (d.kind) {
    case DeclarationKind::package_body:
    case DeclarationKind::task_body:
    case DeclarationKind::protected_body:
    case DeclarationKind::stub: return true;
    case DeclarationKind::subprogram: return d.body && !d.is_expression;
    default: return false;
  }
}

bool is_operation(const Declaration& d) {
  switch (d.kind) {
    case DeclarationKind::subprogram: return !d.body && !d.is_abstract && !d.is_null;
    case DeclarationKind::entry:
    case DeclarationKind::pragma:
    case DeclarationKind::ignored: return true;
    default: return false;
  }
}

bool is_in_protected_body(const Declaration& d) {
  switch (d.kind) {
    case DeclarationKind::subprogram: return !d.is_abstract;
    case DeclarationKind::entry_body:
    case DeclarationKind::pragma:
    case DeclarationKind::ignored: return true;
    default: return false;
  }
}

}  // namespace

bool Parser::ends_declarations() const {
  return at(Kind::k_begin) || at(Kind::k_end) || at(Kind::k_private) || at(Kind::end);
}

std::vector<Declaration> Parser::declarations(Where where) {
  const Nesting nesting(*this);
  std::vector<Declaration> out;
  while (!ends_declarations()) {
    const std::size_t start = next_;
    out.push_back(declaration(where));
    if (panic_) recover(start);
  }
  return out;
}

Declaration Parser::declaration(Where where) {
  Declaration out = plain_declaration(where);
  if (!panic_) check_place(out, where);
  return out;
}

Declaration Parser::plain_declaration(Where where) {
  if (at_name() && (next_is(Kind::colon) || next_is(Kind::comma))) return object(where);
  switch (peek().kind) {
    case Kind::k_type: return type();
    case Kind::k_subtype: return subtype();
    case Kind::k_not:
    case Kind::k_overriding: return overridden(where);
    case Kind::k_procedure:
    case Kind::k_function: return subprogram(where);
    case Kind::k_package: return package();
    case Kind::k_task: return task();
    case Kind::k_protected: return protected_unit();
    case Kind::k_entry: return entry(where);
    case Kind::k_generic: return generic();
    case Kind::k_use: return use_clause();
    case Kind::k_pragma: return pragma();
    case Kind::k_for: return representation();
    case Kind::name: object(where); return {};  // says what is wrong
    default: fail_here("a declaration"); return {};
  }
}

// What is written rightly but cannot stand here.
void Parser::check_place(const Declaration& d, Where where) {
  const bool noise = d.kind == DeclarationKind::pragma || d.kind == DeclarationKind::ignored;
  switch (where) {
    case Where::package:
      if (is_body(d)) complain(d.place, "a body cannot stand in the specification of a package");
      break;
    case Where::task:
      if (!noise && d.kind != DeclarationKind::entry)
        complain(d.place, "only entries can stand in the specification of a task");
      break;
    case Where::protected_visible:
      if (d.kind == DeclarationKind::object) complain(d.place, "the data of a protected object stand behind 'private'");
      [[fallthrough]];
    case Where::protected_private:
      if (d.kind != DeclarationKind::object && !is_operation(d))
        complain(d.place, "only entries, subprograms and data can stand in a protected object");
      break;
    case Where::protected_body:
      if (!is_in_protected_body(d)) complain(d.place, "only subprograms and entries can stand in a protected body");
      break;
    case Where::record:
      if (d.kind != DeclarationKind::object && !noise) complain(d.place, "only components can stand in a record");
      break;
    case Where::library:
    case Where::generic:
    case Where::body: break;
  }
  if (d.kind == DeclarationKind::entry && (where == Where::package || where == Where::body))
    complain(d.place, "an entry stands in a task or a protected object only");
}

void Parser::end_declaration(Declaration& out, std::string_view what) {
  out.aspects = aspects();
  expect(Kind::semicolon, what);
}

// ---- objects, numbers, exceptions, components

Declaration Parser::object(Where where) {
  Declaration out;
  out.kind = DeclarationKind::object;
  out.place = peek().place;
  out.names = defining_names("a name");
  out.name = out.names[0];
  expect(Kind::colon, "':' after the name",
         at(Kind::becomes) || at(Kind::round_open) ? "a statement stands behind 'begin'" : "");
  const bool component =
      where == Where::record || where == Where::protected_private || where == Where::protected_visible;
  if (at(Kind::k_exception) && !component) {
    take();
    out.kind = DeclarationKind::exception;
    if (at(Kind::k_renames)) return renames(std::move(out), Of::exception);
  } else if (at(Kind::k_constant) && next_is(Kind::becomes) && !component) {
    take();
    out.kind = DeclarationKind::number;
  } else {
    object_type(out, where);
    if (at(Kind::k_renames) && !component) return object_renaming(std::move(out));
  }
  if (out.kind != DeclarationKind::exception && accept(Kind::becomes)) out.value = expression();
  end_declaration(out, "';' after the declaration");
  return out;
}

void Parser::object_type(Declaration& out, Where where) {
  out.aliased = accept(Kind::k_aliased);
  if (where == Where::record && at(Kind::k_constant)) fail_here("a type", "a component cannot be constant");
  out.constant = accept(Kind::k_constant);
  out.type.emplace();
  out.type->place = peek().place;
  if (at(Kind::k_array)) {
    if (where == Where::record) fail_here("the name of a type", "a component needs a type with a name");
    out.type = array(std::move(*out.type));
  } else if (at_access()) {
    out.type = access(std::move(*out.type));
  } else {
    out.type->parent.push_back(subtype_indication());
  }
}

Declaration Parser::object_renaming(Declaration out) {
  if (out.names.size() > 1) complain(out.place, "a renaming has one name only");
  if (out.constant || out.aliased) fail_here("';' after the declaration", "a renaming is written X : T renames Y");
  return renames(std::move(out), Of::object);
}

// ---- clauses

Declaration Parser::use_clause() {
  Declaration out;
  out.kind = DeclarationKind::use;
  out.place = take().place;
  out.use_all = accept(Kind::k_all);
  if (out.use_all && !at(Kind::k_type)) fail_here("'type' after 'use all'");
  out.use_type = accept(Kind::k_type);
  do out.renamed.push_back(out.use_type ? subtype_mark() : dotted_name("the name of a package after 'use'"));
  while (accept(Kind::comma));
  expect(Kind::semicolon, "';' after the use clause");
  return out;
}

Declaration Parser::pragma() {
  Declaration out;
  out.kind = DeclarationKind::pragma;
  take();
  out.place = peek().place;
  if (!at_name()) fail_here("a name after 'pragma'");
  const std::string written(peek().text);
  out.name = lower_case(take().text);
  if (!panic_ && !is_known_pragma(out.name))
    report_.warning(out.place, "the pragma " + written + " is not known, and ignored", {}, Severity::note);
  if (at(Kind::round_open)) out.arguments = arguments(Ranges::none);
  expect(Kind::semicolon, "';' after the pragma");
  return out;
}

// Between alternatives, where they mean nothing to us.
void Parser::pragmas() {
  while (at(Kind::k_pragma)) pragma();
}

Declaration Parser::representation() {
  Declaration out;
  out.place = take().place;
  const Expression name = subtype_mark();
  const bool attribute = name.kind == Expression::Kind::attribute;
  if (attribute) {  // the same as an aspect
    auto& aspect = out.aspects.emplace_back();
    aspect.name = name.text;
    aspect.place = name.place;
  }
  expect(Kind::k_use, "'use' after the name");
  if (at(Kind::k_at)) {
    auto& aspect = out.aspects.emplace_back();
    aspect.name = "address";
    aspect.place = take().place;
    expression();
  } else if (at(Kind::k_record)) {
    record_representation();
  } else {
    if (!attribute && !at(Kind::round_open) && !at(Kind::square_open)) fail_here("'at', 'record' or '(' after 'use'");
    expression();
  }
  expect(Kind::semicolon, "';' after the representation clause");
  return out;
}

void Parser::record_representation() {
  take();
  const Inside inside(*this, {Kind::k_record});
  if (accept(Kind::k_at)) {
    expect(Kind::k_mod, "'mod' after 'at'");
    expression();
    expect(Kind::semicolon, "';' after the alignment");
  }
  while (at_name() || at(Kind::k_pragma)) component_clause();
  end_of_record();
}

void Parser::component_clause() {
  if (at(Kind::k_pragma)) return void(pragma());
  take();
  expect(Kind::k_at, "'at' after the name of the component");
  expression();
  expect(Kind::k_range, "'range' after the place of the component");
  range();
  expect(Kind::semicolon, "';' after the component");
}

// ---- aspects

std::vector<Declaration::Aspect> Parser::aspects() {
  std::vector<Declaration::Aspect> out;
  if (!accept(Kind::k_with)) return out;
  do out.push_back(aspect());
  while (accept(Kind::comma));
  return out;
}

Declaration::Aspect Parser::aspect() {
  Declaration::Aspect out;
  out.place = peek().place;
  if (!at_name()) fail_here("the name of an aspect after 'with'");
  const std::string written(peek().text);
  out.name = lower_case(take().text);
  if (!panic_ && !is_known_aspect(out.name) && why_aspect_is_refused(out.name).empty())
    report_.warning(out.place, "the aspect " + written + " is ignored", {}, Severity::note);
  if (at(Kind::tick)) {
    take();
    if (!at(Kind::name, "Class")) fail_here("'Class' after the tick");
    out.name += "'" + lower_case(take().text);
  }
  if (accept(Kind::arrow)) out.value.push_back(at_conditional() ? conditional_expression() : expression());
  return out;
}

}  // namespace surety::ada
