// Library units and their context clauses (ARM 10.1).
#include "lang/ada/parser.hpp"

#include <fmt/format.h>

#include "lang/ada/grammar.hpp"

namespace surety::ada {
namespace {

constexpr int kDeepest = 250;  // a level of brackets is two of it

using DeclarationKind = Declaration::Kind;

}  // namespace

std::vector<Unit> parse(const Source& source, std::size_t begin, std::size_t length, Report& report) {
  return Parser(source, begin, length, report).run();
}

Parser::Parser(const Source& source, std::size_t begin, std::size_t length, Report& report)
    : ParserBase(source, report, tokens(source.text, begin, length, report), kDeepest, "give parts of it names") {}

std::vector<Unit> Parser::run() {
  std::vector<Unit> out;
  while (!at_end() && !report_.full()) {
    const std::size_t start = next_;
    Unit read;
    context(read);
    if (at_end() && read.withs.empty() && !panic_) break;  // pragmas behind the last unit
    unit(read);
    if (!resume(start, [this] { return peek().first_on_line && may_begin_unit(); })) out.push_back(std::move(read));
  }
  return out;
}

bool Parser::may_begin_unit() const {
  switch (peek().kind) {
    case Kind::k_with:
    case Kind::k_use:
    case Kind::k_package:
    case Kind::k_procedure:
    case Kind::k_function:
    case Kind::k_generic:
    case Kind::k_separate: return true;
    default: return false;
  }
}

void Parser::unit(Unit& out) {
  if (at(Kind::k_separate)) subunit(out);
  out.privat = out.separate_from.empty() && accept(Kind::k_private);
  switch (peek().kind) {
    case Kind::k_package:
    case Kind::k_procedure:
    case Kind::k_function:
    case Kind::k_generic:
    case Kind::k_overriding:
    case Kind::k_not: break;
    case Kind::k_task:
    case Kind::k_protected:
      if (!out.separate_from.empty()) break;
      [[fallthrough]];
    default: fail_here("a procedure, a function or a package", "a program consists of library units"); return;
  }
  out.declaration = declaration(Where::library);
  out.name = out.declaration.name;
  if (!panic_ && !out.separate_from.empty()) check_subunit(out.declaration);
}

void Parser::check_subunit(const Declaration& d) {
  const bool body = d.kind == DeclarationKind::package_body || d.kind == DeclarationKind::task_body ||
                    d.kind == DeclarationKind::protected_body || (d.kind == DeclarationKind::subprogram && d.body);
  if (!body) complain(d.place, "expected a body after 'separate'");
}

// separate (A.B)
void Parser::subunit(Unit& out) {
  take();
  expect(Kind::round_open, "'(' after 'separate'");
  Place place;
  out.separate_from = unit_name("the name of the unit around this one", place);
  expect(Kind::round_close, "')' after the name");
}

void Parser::context(Unit& out) {
  while (true) {
    const bool private_with = at(Kind::k_private) && next_is(Kind::k_with);
    if (at(Kind::k_with) || at(Kind::k_limited) || private_with) {
      with_clause(out);
    } else if (at(Kind::k_use)) {
      out.uses.push_back(use_clause());
    } else if (at(Kind::k_pragma)) {
      out.uses.push_back(pragma());
    } else {
      return;
    }
  }
}

// [limited] [private] with A, B.C;
void Parser::with_clause(Unit& out) {
  const bool limited = accept(Kind::k_limited);
  accept(Kind::k_private);
  expect(Kind::k_with, "'with'");
  do {
    With with;
    with.limited = limited;
    with.unit = unit_name("the name of a unit after 'with'", with.place);
    out.withs.push_back(std::move(with));
  } while (accept(Kind::comma));
  expect(Kind::semicolon, "';' after the with clause");
}

std::string Parser::hint_for(std::string_view expected) const {
  if (is_keyword(peek().kind) && (expected.starts_with("a name") || expected.starts_with("the name")))
    return fmt::format("'{}' is a reserved word", lower_case(peek().text));
  if (at(Kind::equal) && next_is(Kind::equal)) return "= compares";
  return {};
}

}  // namespace surety::ada
