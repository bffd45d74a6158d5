// Statements (ARM 5, 6.5, 9.6, 9.8, 11.3), but for accept and select (parse_select.cpp).
#include <fmt/format.h>

#include "lang/ada/grammar.hpp"

namespace surety::ada {
namespace {

using StatementKind = Statement::Kind;

Statement make(StatementKind kind, Place place) {
  Statement out;
  out.kind = kind;
  out.place = place;
  return out;
}

// What a name can stand for as a statement of its own.
bool may_be_called(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::name:
    case Expression::Kind::selected:
    case Expression::Kind::apply:
    case Expression::Kind::attribute:
    case Expression::Kind::qualified: return true;
    default: return false;
  }
}

}  // namespace

// A word that a statement cannot begin with, and that the construct around it may wait for.
bool Parser::ends_statements() const {
  switch (peek().kind) {
    case Kind::end:
    case Kind::k_end:
    case Kind::k_elsif:
    case Kind::k_else:
    case Kind::k_when:
    case Kind::k_or:
    case Kind::k_then:
    case Kind::k_exception: return true;
    default: return false;
  }
}

// Whether the construct around does wait for it.
bool Parser::belongs_here() const {
  if (open_.empty()) return true;
  const Kind around = open_.back().word;
  switch (peek().kind) {
    case Kind::k_elsif: return around == Kind::k_if;
    case Kind::k_else: return around == Kind::k_if || around == Kind::k_select;
    case Kind::k_when: return around == Kind::k_case || around == Kind::name || around == Kind::k_return;
    case Kind::k_or:
    case Kind::k_then: return around == Kind::k_select;
    case Kind::k_exception: return around == Kind::name || around == Kind::k_return;
    default: return true;
  }
}

std::vector<Statement> Parser::statements() {
  auto out = statements_or_none();
  if (out.empty()) complain(peek().place, fmt::format("expected a statement, found {}", shown(peek())), "write null;");
  return out;
}

std::vector<Statement> Parser::statements_or_none() {
  const Nesting nesting(*this);
  std::vector<Statement> out;
  while (!at(Kind::end)) {
    const std::size_t start = next_;
    if (at(Kind::k_end) && stray_end()) continue;
    if (ends_statements() && belongs_here()) break;
    out.push_back(statement());
    if (panic_) recover(start);
  }
  return out;
}

void Parser::end_statement(std::string_view what) { expect(Kind::semicolon, what); }

// A label at the end of a list stands on a null statement.
Statement Parser::statement() {
  std::vector<std::string> labels;
  while (accept(Kind::label_open)) {
    if (!at_name()) fail_here("the name of a label");
    labels.push_back(lower_case(take().text));
    expect(Kind::label_close, "'>>' after the label");
  }
  const bool at_last = !labels.empty() && ends_statements() && !panic_;
  Statement out = at_last ? make(StatementKind::null, peek().place) : plain_statement();
  out.labels = std::move(labels);
  return out;
}

Statement Parser::plain_statement() {
  if (at_label()) return named();
  if (at_name()) return assignment_or_call();
  switch (peek().kind) {
    case Kind::k_null: {
      Statement out = make(StatementKind::null, take().place);
      end_statement("';' after 'null'");
      return out;
    }
    case Kind::k_if: return conditional();
    case Kind::k_case: return selection();
    case Kind::k_loop:
    case Kind::k_while:
    case Kind::k_for: return loop({});
    case Kind::k_declare:
    case Kind::k_begin: return block({});
    case Kind::k_exit: return exit();
    case Kind::k_goto: return jump();
    case Kind::k_return: return ret();
    case Kind::k_delay: return delay();
    case Kind::k_raise: return raise();
    case Kind::k_accept: return accept_statement();
    case Kind::k_select: return select();
    case Kind::k_abort: return abort();
    case Kind::k_requeue: return requeue();
    case Kind::k_pragma: {
      Statement out = make(StatementKind::pragma, peek().place);
      out.declarations.push_back(pragma());
      return out;
    }
    case Kind::k_procedure:
    case Kind::k_function:
    case Kind::k_task:
    case Kind::k_type: fail_here("a statement", "declarations stand before 'begin'"); return {};
    default: fail_here("a statement"); return {};
  }
}

// Outer : loop, Inner : declare
Statement Parser::named() {
  const Token label = take();
  const Token colon = take();
  const bool loops = at(Kind::k_loop) || at(Kind::k_while) || at(Kind::k_for);
  std::string name = lower_case(label.text);
  if (loops) return loop(std::move(name), label.text);
  if (at(Kind::k_declare) || at(Kind::k_begin)) return block(std::move(name), label.text);
  fail(colon, "expected a statement, found a declaration", "declarations stand before 'begin'");
  return {};
}

Statement Parser::assignment_or_call() {
  Statement out = make(StatementKind::call, peek().place);
  out.target = name();
  if (at(Kind::becomes)) {
    take();
    out.kind = StatementKind::assign;
    out.value = expression();
  } else if (!panic_ && !at(Kind::semicolon)) {
    fail_here("':=' or ';' after the name", at(Kind::equal) ? "= compares; := assigns" : "");
  }
  if (out.kind == StatementKind::call && out.target->kind == Expression::Kind::qualified)
    out.kind = StatementKind::code;
  if (!panic_ && !may_be_called(*out.target)) complain(out.place, "this is no statement");
  end_statement("';' after the statement");
  return out;
}

// ---- if, case

Statement Parser::conditional() {
  const Inside inside(*this, {Kind::k_if});
  Statement out = make(StatementKind::conditional, peek().place);
  do out.branches.push_back(conditional_branch());
  while (at(Kind::k_elsif));
  if (at(Kind::k_else)) {
    Statement::Branch& last = out.branches.emplace_back();
    last.place = take().place;
    last.statements = statements();
  }
  out.end = finish();
  return out;
}

Statement::Branch Parser::conditional_branch() {
  Statement::Branch out;
  out.place = take().place;
  out.choices.push_back(condition(Kind::k_then, "'then' after the condition"));
  out.statements = statements();
  return out;
}

Statement Parser::selection() {
  const Inside inside(*this, {Kind::k_case});
  Statement out = make(StatementKind::selection, take().place);
  out.value = condition(Kind::k_is, "'is' after the expression of 'case'");
  pragmas();
  if (!at(Kind::k_when)) fail_here("'when'");
  while (at(Kind::k_when)) out.branches.push_back(selection_branch());
  out.end = finish();
  return out;
}

Statement::Branch Parser::selection_branch() {
  Statement::Branch out;
  out.place = take().place;
  out.choices = choices();
  join(Kind::arrow, "'=>' after the choices");
  out.statements = statements();
  return out;
}

// ---- loops and blocks

Statement Parser::loop(std::string name, std::string_view written) {
  const Inside inside(*this, {Kind::k_loop, name, written, !name.empty()});
  Statement out = make(StatementKind::loop, peek().place);
  out.name = std::move(name);
  if (at(Kind::k_while)) {
    take();
    out.condition = condition(Kind::k_loop, "'loop' after the condition");
  } else {
    at(Kind::k_for) ? for_loop(out) : void(take());
  }
  out.statements = statements();
  out.end = finish();
  return out;
}

void Parser::for_loop(Statement& out) {
  take();
  Iteration over = iteration();
  out.variable = std::move(over.variable);
  out.reverse = over.reverse;
  out.over_elements = over.elements;
  out.range.push_back(std::move(over.range));
  join(Kind::k_loop, "'loop' after the range");
}

// I in [reverse] 1 .. 3, X [: T] of [reverse] A
Parser::Iteration Parser::iteration() {
  Iteration out;
  if (!at_name()) fail_here("a name after 'for'");
  out.variable = lower_case(take().text);
  const bool typed = accept(Kind::colon);
  if (typed) at_access() ? void(marked_or_access()) : void(subtype_indication());
  out.elements = at(Kind::k_of);
  if (!accept(Kind::k_of)) expect(Kind::k_in, typed ? "'of' after the type" : "'in' or 'of' after the name");
  out.reverse = accept(Kind::k_reverse);
  out.range = out.elements ? name() : range_or_expression();
  if (!panic_ && !is_simple(out.range)) complain(out.range.place, "this is no range");
  if (!at(Kind::k_when)) return out;
  const Place place = take().place;
  expression();
  out.range = refused(place, "a filter of an iteration");
  return out;
}

Statement Parser::block(std::string name, std::string_view written) {
  const Inside inside(*this, {Kind::name, name, written, !name.empty()});
  Statement out = make(StatementKind::block, peek().place);
  out.name = std::move(name);
  if (accept(Kind::k_declare)) {
    out.body = body("of the block");
  } else {
    take();
    const Nesting nesting(*this);
    handled_statements(out.body.emplace());
    out.body->end = finish();
  }
  out.end = out.body->end;
  return out;
}

// ---- simple statements

Statement Parser::exit() {
  Statement out = make(StatementKind::exit, take().place);
  Place place;
  if (at_name()) out.name = unit_name("the name of a loop", place);
  if (accept(Kind::k_when)) out.value = expression();
  end_statement("';' after 'exit'");
  return out;
}

Statement Parser::jump() {
  Statement out = make(StatementKind::jump, take().place);
  Place place;
  out.name = unit_name("the name of a label after 'goto'", place);
  end_statement("';' after the label");
  return out;
}

Statement Parser::ret() {
  Statement out = make(StatementKind::ret, take().place);
  if (at_label()) {
    returned_object(out);
    return out;
  }
  if (!at(Kind::semicolon)) out.value = expression();
  end_statement("';' after 'return'");
  return out;
}

// return X : T := E do ... end return;
void Parser::returned_object(Statement& out) {
  Declaration& made = out.declarations.emplace_back();
  made.kind = Declaration::Kind::object;
  made.place = peek().place;
  made.name = lower_case(take().text);
  made.names = {made.name};
  take();
  object_type(made, Where::body);
  if (accept(Kind::becomes)) made.value = expression();
  made.aspects = aspects();
  if (accept(Kind::k_do)) {
    const Inside inside(*this, {Kind::k_return});
    handled_statements(out.body.emplace());
    out.end = out.body->end = finish();
  } else {
    end_statement("'do' or ';' after 'return'");
  }
}

Statement Parser::delay() {
  Statement out = make(StatementKind::delay, take().place);
  out.until = accept(Kind::k_until);
  out.value = expression();
  end_statement("';' after 'delay'");
  return out;
}

Statement Parser::raise() {
  Statement out = make(StatementKind::raise, take().place);
  if (!at(Kind::semicolon)) {
    out.target = proper_name("the name of an exception after 'raise'");
    if (accept(Kind::k_with)) out.value = expression();
  }
  end_statement("';' after 'raise'");
  return out;
}

Statement Parser::abort() {
  Statement out = make(StatementKind::abort, take().place);
  do out.target = proper_name("the name of a task after 'abort'");
  while (accept(Kind::comma));
  end_statement("';' after 'abort'");
  return out;
}

Statement Parser::requeue() {
  Statement out = make(StatementKind::requeue, take().place);
  out.target = proper_name("the name of an entry after 'requeue'");
  if (accept(Kind::k_with)) {
    expect(Kind::k_abort, "'abort' after 'with'");
    out.with_abort = true;
  }
  end_statement("';' after 'requeue'");
  return out;
}

}  // namespace surety::ada
