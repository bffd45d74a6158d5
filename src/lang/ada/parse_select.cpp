// Accept and select statements (ARM 9.5.2, 9.7).
//
// All forms of select are read alike, as branches; which go together is looked at afterwards.
#include <algorithm>

#include "lang/ada/grammar.hpp"

namespace surety::ada {
namespace {

using Branch = SelectBranch::Kind;

Statement make(Statement::Kind kind, Place place) {
  Statement out;
  out.kind = kind;
  out.place = place;
  return out;
}

std::size_t count(const Statement& select, Branch kind) {
  return static_cast<std::size_t>(std::ranges::count(select.alternatives, kind, &SelectBranch::kind));
}

}  // namespace

Statement Parser::accept_statement() {
  Statement out = make(Statement::Kind::accept, take().place);
  Accept& made = out.accept.emplace();
  made.place = peek().place;
  if (!at_name()) fail_here("the name of an entry after 'accept'");
  const Token name = take();
  made.entry = lower_case(name.text);
  if (at(Kind::round_open) && !at_parameters()) {
    take();
    made.index.push_back(expression());
    expect(Kind::round_close, "')' after the index of the entry");
  }
  if (at(Kind::round_open)) made.parameters = parameters();
  made.has_body = accept(Kind::k_do);
  if (made.has_body) {
    const Inside inside(*this, {Kind::name, made.entry, name.text});
    handled_statements(made.body);
    out.end = made.body.end = finish();
  } else {
    end_statement("'do' or ';' after the entry");
  }
  return out;
}

Statement Parser::select() {
  const Inside inside(*this, {Kind::k_select});
  Statement out = make(Statement::Kind::select, take().place);
  do out.alternatives.push_back(select_branch());
  while (accept(Kind::k_or));
  if (at(Kind::k_else)) {
    SelectBranch& last = out.alternatives.emplace_back();
    last.kind = Branch::otherwise;
    last.place = take().place;
    last.rest = statements();
  } else if (at(Kind::k_then)) {
    out.alternatives.push_back(then_abort());
  }
  if (!panic_) check_select(out);
  out.end = finish();
  return out;
}

SelectBranch Parser::select_branch() {
  SelectBranch out;
  pragmas();
  out.place = peek().place;
  if (accept(Kind::k_when)) {
    out.guard.push_back(expression());
    join(Kind::arrow, "'=>' after the guard");
  }
  pragmas();
  select_head(out);
  if (panic_) return out;
  out.rest = statements_or_none();
  return out;
}

void Parser::select_head(SelectBranch& out) {
  switch (peek().kind) {
    case Kind::k_accept: out.head.push_back(accept_statement()); break;
    case Kind::k_delay:
      out.kind = Branch::delay;
      out.head.push_back(delay());
      break;
    case Kind::k_terminate:
      out.kind = Branch::terminate;
      take();
      end_statement("';' after 'terminate'");
      pragmas();
      break;
    default:
      if (!at_name()) return fail_here("'accept', 'delay', 'terminate' or a call of an entry");
      out.kind = Branch::call;
      out.head.push_back(assignment_or_call());
      if (!panic_ && out.head[0].kind != Statement::Kind::call) complain(out.place, "expected a call of an entry");
  }
}

SelectBranch Parser::then_abort() {
  SelectBranch out;
  out.kind = Branch::abort;
  out.place = take().place;
  expect(Kind::k_abort, "'abort' after 'then'");
  out.rest = statements();
  return out;
}

void Parser::check_select(const Statement& select) {
  const auto& branches = select.alternatives;
  const auto calls = count(select, Branch::call), accepts = count(select, Branch::accept);
  const bool aborts = count(select, Branch::abort) > 0, has_else = count(select, Branch::otherwise) > 0;
  const bool starts_with_call = branches[0].kind == Branch::call;
  const auto wrong = [&](const char* message) { complain(select.place, message); };
  if (aborts) {
    if (branches.size() != 2 || accepts > 0 || !branches[0].guard.empty())
      wrong("before 'then abort' stands one call of an entry or one delay");
  } else if (calls > 0) {
    const bool other =
        branches.size() == 2 && (has_else || (branches[1].kind == Branch::delay && branches[1].guard.empty()));
    if (!starts_with_call || !other || !branches[0].guard.empty())
      wrong("a call of an entry has one other alternative: 'or delay' or 'else'");
  } else if (accepts == 0) {
    wrong("expected an 'accept' in the select statement");
  }
  for (const auto& b : branches)
    if (b.kind == Branch::terminate && !b.rest.empty()) complain(b.rest[0].place, "nothing stands behind 'terminate'");
}

}  // namespace surety::ada
