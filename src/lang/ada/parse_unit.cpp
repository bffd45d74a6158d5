// Subprograms, packages, tasks and protected objects (ARM 6, 7, 9).
#include <fmt/format.h>

#include "lang/ada/grammar.hpp"

namespace surety::ada {
namespace {

using Of = Declaration::Of;
using DeclarationKind = Declaration::Kind;

std::string_view word_for(Of of) {
  switch (of) {
    case Of::package: return "package";
    case Of::task: return "task";
    case Of::protected_unit: return "protected object";
    default: return "subprogram";
  }
}

}  // namespace

// ---- subprograms

// [not] overriding, before a subprogram or an entry
Declaration Parser::overridden(Where where) {
  accept(Kind::k_not);
  expect(Kind::k_overriding, "a declaration");
  if (!at(Kind::k_procedure) && !at(Kind::k_function) && !at(Kind::k_entry))
    fail_here("a subprogram after 'overriding'");
  Declaration out = at(Kind::k_entry) ? entry(where) : subprogram(where);
  out.overriding = true;
  return out;
}

Declaration Parser::subprogram(Where where) {
  const bool function = take().kind == Kind::k_function;
  Declaration out;
  out.kind = DeclarationKind::subprogram;
  out.name = defining_name(function ? "the name of the function" : "the name of the procedure", out.place);
  out.names = {out.name};
  if (at(Kind::k_is) && next_is(Kind::k_new)) {
    out.profile.emplace().function = function;
    take();
    return instance(std::move(out), Of::subprogram);
  }
  profile(out, function);
  if (where == Where::generic && at(Kind::k_renames)) fail_here("';' or 'is' after the subprogram");
  return rest_of_subprogram(std::move(out));
}

void Parser::profile(Declaration& out, bool function) {
  Profile& profile = out.profile.emplace();
  profile.function = function;
  if (at(Kind::round_open)) profile.parameters = parameters();
  if (function) profile.result = result();
  mend(Kind::k_is);
}

SubtypeIndication Parser::result() {
  expect(Kind::k_return, "'return' and a type after the function");
  return marked_or_access();
}

Declaration Parser::rest_of_subprogram(Declaration out) {
  if (at(Kind::k_renames)) return renames(std::move(out), Of::subprogram);
  out.aspects = aspects();
  if (accept(Kind::semicolon)) return out;
  expect(Kind::k_is, "';' or 'is' after the subprogram");
  if (out.aspects.empty()) {
    if (at(Kind::k_separate)) return stub(std::move(out), Of::subprogram);
    if (at(Kind::k_abstract) || at(Kind::k_null)) {
      out.is_abstract = at(Kind::k_abstract);
      out.is_null = at(Kind::k_null);
      if (out.is_null && out.profile->function) fail_here("'abstract' or a body", "only a procedure can be null");
      take();
      end_declaration(out, "';' after the subprogram");
      return out;
    }
    if (at(Kind::round_open)) return expression_function(std::move(out));
  }
  return subprogram_body(std::move(out));
}

// function F return T is (E): a body with one return statement
Declaration Parser::expression_function(Declaration out) {
  if (!out.profile->function) fail_here("a declaration or 'begin'", "only a function is an expression");
  Statement ret;
  ret.kind = Statement::Kind::ret;
  ret.place = peek().place;
  ret.value = primary();
  out.is_expression = true;
  out.body.emplace().end = ret.place;
  out.body->statements.push_back(std::move(ret));
  end_declaration(out, "';' after the function");
  return out;
}

Declaration Parser::subprogram_body(Declaration out) {
  const Inside inside(*this, opened(out.name, out.place));
  out.body = body("of the subprogram");
  return out;
}

Declaration Parser::renames(Declaration out, Of of) {
  take();
  out.kind = DeclarationKind::renaming;
  out.of = of;
  out.renamed.push_back(as_operator(name()));
  end_declaration(out, "';' after the renaming");
  return out;
}

// After 'is', at 'new'.
Declaration Parser::instance(Declaration out, Of of) {
  take();
  out.kind = DeclarationKind::instance;
  out.of = of;
  out.renamed.push_back(dotted_name("the name of a generic unit after 'new'"));
  if (at(Kind::round_open)) out.arguments = generic_arguments();
  end_declaration(out, "';' after the instance");
  return out;
}

// Besides what calls have: operators by their names, and <> of formal packages.
std::vector<Association> Parser::generic_arguments() {
  std::vector<Association> out;
  take();
  do {
    Association one;
    if (at(Kind::box))
      one.value = literal(Expression::Kind::box);
    else
      one = association();
    for (auto& c : one.choices) c = as_operator(std::move(c));
    one.value = as_operator(std::move(one.value));
    if (!one.choices.empty() && one.choices[0].kind == Expression::Kind::others &&
        one.value.kind != Expression::Kind::box)
      complain(one.value.place, "expected '<>' after 'others'");
    next_argument(out, std::move(one));
  } while (accept(Kind::comma));
  expect(Kind::round_close, "')' or ',' in the brackets");
  check_arguments(out, Ranges::none);
  return out;
}

Declaration Parser::stub(Declaration out, Of of) {
  take();
  out.kind = DeclarationKind::stub;
  out.of = of;
  end_declaration(out, "';' after 'separate'");
  return out;
}

std::vector<Parameter> Parser::parameters() {
  std::vector<Parameter> out;
  expect(Kind::round_open, "'('");
  do out.push_back(parameter());
  while (accept(Kind::semicolon));
  if (!panic_ && !at(Kind::round_close)) fail_here("')' or ';' after the parameter");
  mend_bracket();
  accept(Kind::round_close);
  return out;
}

Parameter Parser::parameter() {
  Parameter out;
  out.place = peek().place;
  out.names = defining_names("the name of a parameter");
  expect(Kind::colon, "':' after the name of the parameter");
  accept(Kind::k_aliased);
  parameter_mode(out);
  if (at_access() && out.mode == Parameter::Mode::in) out.mode = Parameter::Mode::access;
  out.type = out.mode == Parameter::Mode::access ? marked_or_access() : marked();
  if (accept(Kind::becomes)) out.value = expression();
  aspects();
  return out;
}

void Parser::parameter_mode(Parameter& out) {
  const bool in = accept(Kind::k_in), also_out = accept(Kind::k_out);
  using Mode = Parameter::Mode;
  out.mode = also_out ? (in ? Mode::in_out : Mode::out) : Mode::in;
}

// (X : T), not (1 .. 2): in brackets that may be those of a family of entries
bool Parser::at_parameters() const {
  return at(Kind::round_open) && is_name(peek(1)) && (peek(2).kind == Kind::colon || peek(2).kind == Kind::comma);
}

// ---- bodies

// Declarations, 'begin', statements, 'end'.
Body Parser::body(std::string_view what) {
  const Nesting nesting(*this);
  Body out;
  out.declarations = declarations(Where::body);
  if (!at(Kind::k_begin)) fail_here(fmt::format("'begin' {}", what));
  take();
  handled_statements(out);
  out.end = finish();
  return out;
}

void Parser::handled_statements(Body& out) {
  out.statements = statements();
  if (!accept(Kind::k_exception)) return;
  pragmas();
  if (!at(Kind::k_when)) fail_here("'when' after 'exception'");
  while (at(Kind::k_when)) out.handlers.push_back(handler());
}

Handler Parser::handler() {
  Handler out;
  out.place = take().place;
  if (at_label()) {
    out.occurrence = lower_case(take().text);
    take();
  }
  do
    out.choices.push_back(at(Kind::k_others) ? literal(Expression::Kind::others)
                                             : mark_attributes(dotted_name("the name of an exception")));
  while (accept(Kind::bar));
  join(Kind::arrow, "'=>' after the exception");
  out.statements = statements();
  return out;
}

// ---- packages

Declaration Parser::package() {
  take();
  Declaration out;
  const bool body = accept(Kind::k_body);
  out.name = defining_name("the name of the package", out.place);
  out.names = {out.name};
  if (body) return package_body(std::move(out));
  out.kind = DeclarationKind::package;
  if (at(Kind::k_renames)) return renames(std::move(out), Of::package);
  out.aspects = aspects();
  join(Kind::k_is, "'is' after the name of the package");
  if (at(Kind::k_new) && out.aspects.empty()) return instance(std::move(out), Of::package);
  const Inside inside(*this, opened(out.name, out.place));
  out.visible = declarations(Where::package);
  if (accept(Kind::k_private)) out.hidden = declarations(Where::package);
  finish();
  return out;
}

Declaration Parser::package_body(Declaration out) {
  out.kind = DeclarationKind::package_body;
  out.aspects = aspects();
  join(Kind::k_is, "'is' after the name of the package body");
  if (at(Kind::k_separate)) return stub(std::move(out), Of::package);
  const Inside inside(*this, opened(out.name, out.place));
  out.body.emplace().declarations = declarations(Where::body);
  if (accept(Kind::k_begin)) handled_statements(*out.body);
  out.body->end = finish();
  return out;
}

// ---- tasks and protected objects

Declaration Parser::task() {
  take();
  Declaration out;
  if (accept(Kind::k_body)) return unit_body(std::move(out), Of::task);
  out.kind = DeclarationKind::task;
  return unit_with_operations(std::move(out), Of::task);
}

Declaration Parser::protected_unit() {
  take();
  Declaration out;
  if (accept(Kind::k_body)) return unit_body(std::move(out), Of::protected_unit);
  out.kind = DeclarationKind::protected_unit;
  return unit_with_operations(std::move(out), Of::protected_unit);
}

Declaration Parser::unit_with_operations(Declaration out, Of of) {
  const bool task = of == Of::task;
  out.is_type = accept(Kind::k_type);
  out.place = peek().place;
  if (!at_name()) fail_here(fmt::format("the name of the {}", word_for(of)));
  out.name = lower_case(take().text);
  out.names = {out.name};
  if (at(Kind::round_open)) {
    if (!out.is_type)
      fail_here("'is' or ';'", fmt::format("only a {} type has discriminants", task ? "task" : "protected"));
    discriminants(out);
    mend(Kind::k_is);
  }
  out.aspects = aspects();
  if (task && accept(Kind::semicolon)) return out;
  join(Kind::k_is, fmt::format("'is' after the name of the {}", word_for(of)));
  if (at(Kind::k_new)) progenitors();
  const Inside inside(*this, opened(out.name, out.place));
  out.visible = declarations(task ? Where::task : Where::protected_visible);
  if (accept(Kind::k_private)) out.hidden = declarations(task ? Where::task : Where::protected_private);
  finish();
  return out;
}

// new I and J with
void Parser::progenitors() {
  take();
  do subtype_mark();
  while (accept(Kind::k_and));
  expect(Kind::k_with, "'with' after the interfaces");
}

Declaration Parser::unit_body(Declaration out, Of of) {
  const bool task = of == Of::task;
  out.kind = task ? DeclarationKind::task_body : DeclarationKind::protected_body;
  out.place = peek().place;
  const std::string what = fmt::format("the name of the {} body", task ? "task" : "protected");
  if (!at_name()) fail_here(what);
  out.name = lower_case(take().text);
  out.names = {out.name};
  out.aspects = aspects();
  join(Kind::k_is, "'is' after " + what);
  if (at(Kind::k_separate)) return stub(std::move(out), of);
  const Inside inside(*this, opened(out.name, out.place));
  if (task) {
    out.body = body("of the task body");
  } else {
    out.visible = declarations(Where::protected_body);
    finish();
  }
  return out;
}

Declaration Parser::entry(Where where) {
  take();
  Declaration out;
  out.kind = DeclarationKind::entry;
  out.place = peek().place;
  if (!at_name()) fail_here("the name of the entry");
  out.name = lower_case(take().text);
  out.names = {out.name};
  const bool body = where == Where::protected_body;
  Profile& profile = out.profile.emplace();
  if (at(Kind::round_open) && !at_parameters()) entry_family(profile, body);
  if (at(Kind::round_open)) profile.parameters = parameters();
  out.aspects = aspects();
  if (body) return entry_body(std::move(out));
  expect(Kind::semicolon, "';' after the entry", at(Kind::k_when) ? "the barrier stands in the protected body" : "");
  return out;
}

// (1 .. 3), (Index), or in a body (for I in Index)
void Parser::entry_family(Profile& profile, bool body) {
  take();
  if (body) {
    expect(Kind::k_for, "'for' before the index of the entry");
    if (!at_name()) fail_here("a name after 'for'");
    profile.family_variable = lower_case(take().text);
    expect(Kind::k_in, "'in' after the name of the index");
  }
  profile.family.push_back(range_or_expression());
  expect(Kind::round_close, "')' after the index of the entry");
}

Declaration Parser::entry_body(Declaration out) {
  out.kind = DeclarationKind::entry_body;
  expect(Kind::k_when, "'when' and the barrier of the entry");
  out.value = condition(Kind::k_is, "'is' after the barrier of the entry");
  const Inside inside(*this, opened(out.name, out.place));
  out.body = body("of the entry body");
  return out;
}

}  // namespace surety::ada
