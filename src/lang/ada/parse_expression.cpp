// Expressions (ARM 4.4). Operators of one line bind alike, those below more strongly:
//
//   and  or  xor  and then  or else      of one kind only, without brackets
//   =  /=  <  <=  >  >=  in  not in      one at a time
//   +  -  &, and + - before the first term
//   *  /  mod  rem
//   **, abs, not                         one at a time
//
// The place of an operation is that of its operator.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/grammar.hpp"

namespace surety::ada {
namespace {

// Trees are walked by functions that call themselves, so they may not be higher than a stack bears.
constexpr int kTallest = 1000;

struct Sign {
  Kind kind;
  Operator op;
};

constexpr Sign kRelations[] = {
    {Kind::equal, Operator::equal},
    {Kind::not_equal, Operator::not_equal},
    {Kind::less, Operator::less},
    {Kind::greater, Operator::greater},
    {Kind::less_equal, Operator::less_equal},
    {Kind::greater_equal, Operator::greater_equal},
};
constexpr Sign kAdding[] = {
    {Kind::plus, Operator::plus}, {Kind::minus, Operator::minus}, {Kind::ampersand, Operator::concatenate}};
constexpr Sign kMultiplying[] = {{Kind::star, Operator::times},
                                 {Kind::slash, Operator::divide},
                                 {Kind::k_mod, Operator::mod},
                                 {Kind::k_rem, Operator::rem}};

template <class Signs>
std::optional<Operator> found_in(const Signs& signs, Kind kind) {
  const auto* found = std::ranges::find(signs, kind, &Sign::kind);
  return found == std::end(signs) ? std::nullopt : std::optional(found->op);
}

bool is_logical(Operator op) { return op <= Operator::or_else; }
bool is_relation(Operator op) { return op >= Operator::equal && op <= Operator::greater_equal; }

bool is_mark(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::name:
    case Expression::Kind::selected:
    case Expression::Kind::attribute: return !e.parenthesised && e.arguments.empty();
    default: return false;
  }
}

}  // namespace

// What may stand beside ".." and the like.
bool Parser::is_simple(const Expression& e) {
  if (e.parenthesised) return true;
  switch (e.kind) {
    case Expression::Kind::binary: return !is_logical(e.op) && !is_relation(e.op);
    case Expression::Kind::membership:
    case Expression::Kind::raise: return false;
    default: return true;
  }
}

Expression Parser::sized(Expression e) {
  int height = 0;
  for (const auto& o : e.operands) height = std::max<int>(height, o.height);
  for (const auto& a : e.arguments) {
    height = std::max<int>(height, a.value.height);
    for (const auto& c : a.choices) height = std::max<int>(height, c.height);
  }
  if (height >= kTallest) fail(peek(), "this expression is too long", "give parts of it names");
  e.height = static_cast<std::uint16_t>(std::min(height + 1, kTallest));
  return e;
}

Expression Parser::unary(Operator op, const Token& token, Expression operand) {
  Expression out;
  out.kind = Expression::Kind::unary;
  out.place = token.place;
  out.op = op;
  out.operands.push_back(std::move(operand));
  return sized(std::move(out));
}

Expression Parser::binary(Operator op, const Token& token, Expression left, Expression right) {
  Expression out;
  out.kind = Expression::Kind::binary;
  out.place = token.place;
  out.op = op;
  out.operands.reserve(2);
  out.operands.push_back(std::move(left));
  out.operands.push_back(std::move(right));
  return sized(std::move(out));
}

std::optional<Operator> Parser::logical() const {
  switch (peek().kind) {
    case Kind::k_and: return next_is(Kind::k_then) ? Operator::and_then : Operator::and_;
    case Kind::k_or: return next_is(Kind::k_else) ? Operator::or_else : Operator::or_;
    case Kind::k_xor: return Operator::xor_;
    default: return {};
  }
}

Expression Parser::expression() {
  const Nesting nesting(*this);
  Expression out = relation();
  const auto first = logical();
  while (const auto op = logical()) {
    if (*op != *first) fail(peek(), "different logical operators need brackets", "write (A and B) or C");
    const Token token = take();
    if (*op == Operator::and_then || *op == Operator::or_else) take();
    out = binary(*op, token, std::move(out), relation());
  }
  return out;
}

// Reading goes on at the word behind the condition even if that is wrong.
Expression Parser::condition(Kind before, std::string_view what) {
  Expression out = expression();
  join(before, what, at(Kind::becomes) ? "= compares; := assigns" : "");
  return out;
}

Expression Parser::relation() {
  if (at(Kind::k_raise)) return raise_expression();
  Expression out = simple_expression();
  if (const auto op = found_in(kRelations, peek().kind)) {
    const Token token = take();
    return binary(*op, token, std::move(out), simple_expression());
  }
  if (at(Kind::k_in) || (at(Kind::k_not) && next_is(Kind::k_in))) return membership(std::move(out));
  return out;
}

Expression Parser::membership(Expression tested) {
  Expression out;
  out.kind = Expression::Kind::membership;
  out.place = peek().place;
  out.negated = accept(Kind::k_not);
  expect(Kind::k_in, "'in'");
  out.operands.push_back(std::move(tested));
  do {
    Expression among = simple_expression();
    if (at(Kind::dots)) {
      const Token dots = take();
      among = binary(Operator::and_, dots, std::move(among), simple_expression());
      among.kind = Expression::Kind::range;
    }
    out.operands.push_back(std::move(among));
  } while (accept(Kind::bar));
  return sized(std::move(out));
}

// raise E with "message": the message is left out.
Expression Parser::raise_expression() {
  Expression out;
  out.kind = Expression::Kind::raise;
  out.place = take().place;
  out.operands.push_back(proper_name("the name of an exception after 'raise'"));
  if (accept(Kind::k_with)) simple_expression();
  return sized(std::move(out));
}

Expression Parser::simple_expression() {
  const Token sign = peek();
  const bool negative = accept(Kind::minus);
  const bool signs = negative || accept(Kind::plus);
  Expression out = term();
  if (signs) out = unary(negative ? Operator::negate : Operator::identity, sign, std::move(out));
  while (const auto op = found_in(kAdding, peek().kind)) {
    const Token token = take();
    out = binary(*op, token, std::move(out), term());
  }
  return out;
}

Expression Parser::term() {
  Expression out = factor();
  while (const auto op = found_in(kMultiplying, peek().kind)) {
    const Token token = take();
    out = binary(*op, token, std::move(out), factor());
  }
  return out;
}

Expression Parser::factor() {
  const Token token = peek();
  if (accept(Kind::k_abs)) return unary(Operator::abs, token, primary());
  if (accept(Kind::k_not)) return unary(Operator::not_, token, primary());
  Expression out = primary();
  if (!at(Kind::power)) return out;
  const Token power = take();
  return binary(Operator::power, power, std::move(out), primary());
}

Expression Parser::literal(Expression::Kind kind) {
  const Token token = take();
  Expression out;
  out.kind = kind;
  out.place = token.place;
  out.value = token.value;
  out.text = token.text;
  return out;
}

Expression Parser::primary() {
  if (at_name()) return name();
  switch (peek().kind) {
    case Kind::integer: return literal(Expression::Kind::integer);
    case Kind::real: return literal(Expression::Kind::real);
    case Kind::string:
    case Kind::character: return name();
    case Kind::k_null: return literal(Expression::Kind::null);
    case Kind::round_open: return bracketed();
    case Kind::k_new: return allocator();
    case Kind::plus:
    case Kind::minus: fail_here("an operand", "a sign inside an expression needs brackets: A * (-B)"); return {};
    case Kind::k_if:
    case Kind::k_case: fail_here("an expression", "a conditional expression needs brackets of its own"); return {};
    case Kind::square_open: return suffixes(square_aggregate());
    case Kind::target: return refused(take().place, "@ for the target of an assignment");
    default: fail_here("an expression"); return {};
  }
}

// (x), or an aggregate, or a conditional or quantified expression.
Expression Parser::bracketed() {
  const Nesting nesting(*this);
  Expression out;
  out.kind = Expression::Kind::aggregate;
  out.place = take().place;
  if (at_conditional()) {
    out = conditional_expression();
    out.parenthesised = true;
    expect(Kind::round_close, "')' after the expression");
    return out;
  }
  if (at(Kind::k_null) && next_is(Kind::k_record)) {
    take();
    take();
    expect(Kind::round_close, "')' after 'null record'");
    return out;
  }
  return aggregate(std::move(out), association());
}

// What the tool does not model, but a text may hold: it is refused by its name when it is looked at.
Expression Parser::refused(Place place, std::string_view what) {
  Expression out;
  out.kind = Expression::Kind::refused;
  out.place = place;
  out.text = what;
  return out;
}

// [1, 2, 3]
Expression Parser::square_aggregate() {
  const Nesting nesting(*this);
  Expression out;
  out.kind = Expression::Kind::aggregate;
  out.place = take().place;
  if (accept(Kind::square_close)) return out;
  do next_argument(out.arguments, association());
  while (accept(Kind::comma));
  expect(Kind::square_close, "']' or ',' in the brackets");
  for (const auto& a : out.arguments) no_range(a);
  return sized(std::move(out));
}

void Parser::no_range(const Association& a) {
  if (a.value.kind == Expression::Kind::range || a.value.kind == Expression::Kind::constrained)
    complain(a.value.place, "a range cannot stand here");
}

Expression Parser::aggregate(Expression out, Association first) {
  if (at(Kind::k_with)) return extension(std::move(out), std::move(first));
  if (at(Kind::round_close) && first.choices.empty()) {
    no_range(first);
    take();
    first.value.parenthesised = true;
    return std::move(first.value);
  }
  out.arguments.push_back(std::move(first));
  while (accept(Kind::comma)) next_argument(out.arguments, association());
  expect(Kind::round_close, "')' or ',' in the brackets");
  for (const auto& a : out.arguments) no_range(a);
  return sized(std::move(out));
}

// (ancestor with components), (ancestor with null record)
Expression Parser::extension(Expression out, Association ancestor) {
  out.arguments.push_back(std::move(ancestor));
  take();
  const bool delta = accept(Kind::k_delta);
  if (at(Kind::k_null) && next_is(Kind::k_record)) {
    take();
    take();
  } else {
    do next_argument(out.arguments, association());
    while (accept(Kind::comma));
    if (delta && out.arguments.back().choices.empty()) fail_here("'=>' after the choices");
  }
  expect(Kind::round_close, "')' after the extension");
  return delta ? refused(out.place, "a delta aggregate") : sized(std::move(out));
}

bool Parser::at_conditional() const {
  switch (peek().kind) {
    case Kind::k_if:
    case Kind::k_case:
    case Kind::k_declare: return true;
    case Kind::k_for: return next_is(Kind::k_all) || next_is(Kind::k_some);
    default: return false;
  }
}

Expression Parser::conditional_expression() {
  switch (peek().kind) {
    case Kind::k_if: return if_expression();
    case Kind::k_case: return case_expression();
    case Kind::k_declare: return declare_expression();
    default: return quantified();
  }
}

// (declare X : T := 1; begin X + 1)
Expression Parser::declare_expression() {
  const Place place = take().place;
  declarations(Where::body);
  expect(Kind::k_begin, "'begin' in the expression");
  if (at_conditional())
    conditional_expression();
  else
    expression();
  return refused(place, "a declare expression");
}

Expression Parser::if_expression() {
  Expression out;
  out.kind = Expression::Kind::condition;
  out.place = peek().place;
  do {
    take();
    out.operands.push_back(expression());
    expect(Kind::k_then, "'then' after the condition");
    out.operands.push_back(expression());
  } while (at(Kind::k_elsif));
  if (accept(Kind::k_else)) out.operands.push_back(expression());
  return sized(std::move(out));
}

Expression Parser::case_expression() {
  Expression out;
  out.kind = Expression::Kind::selection;
  out.place = take().place;
  out.operands.push_back(expression());
  expect(Kind::k_is, "'is' after the expression of 'case'");
  do {
    expect(Kind::k_when, "'when'");
    Association one;
    one.choices = choices();
    expect(Kind::arrow, "'=>' after the choices");
    one.value = expression();
    out.arguments.push_back(std::move(one));
  } while (accept(Kind::comma));
  return sized(std::move(out));
}

Expression Parser::quantified() {
  Expression out;
  out.kind = Expression::Kind::quantified;
  out.place = take().place;
  out.negated = at(Kind::k_some);
  if (!accept(Kind::k_some)) expect(Kind::k_all, "'all' or 'some' after 'for'");
  Iteration over = iteration();
  out.text = std::move(over.variable);
  out.value = over.elements ? 1 : 0;
  out.operands.push_back(std::move(over.range));
  expect(Kind::arrow, "'=>' after the range");
  out.operands.push_back(at_conditional() ? conditional_expression() : expression());
  return sized(std::move(out));
}

// new T, new T (1 .. 2), new T'(x); the pool of a subpool, new (Pool) T, is left out.
Expression Parser::allocator() {
  Expression out;
  out.kind = Expression::Kind::allocator;
  out.place = take().place;
  if (accept(Kind::round_open)) {
    name();
    expect(Kind::round_close, "')' after the name of the subpool");
  }
  null_exclusion();
  Expression made = subtype_mark();
  if (at(Kind::tick)) {
    made = attribute(std::move(made));
  } else {
    SubtypeIndication of{std::move(made), {}, {}};
    constraint(of);
    made = std::move(of.mark);
  }
  out.operands.push_back(std::move(made));
  return sized(std::move(out));
}

Expression Parser::range_or_expression() { return rest_of_range(expression()); }

// E .. H, T range L .. H, or E alone.
Expression Parser::rest_of_range(Expression out) {
  if (at(Kind::dots)) {
    if (!is_simple(out)) fail_here("an operand", "this range needs brackets around its first bound");
    const Token dots = take();
    out = binary(Operator::and_, dots, std::move(out), simple_expression());
    out.kind = Expression::Kind::range;
  } else if (at(Kind::k_range) && is_mark(out)) {
    const Token word = take();
    out = binary(Operator::and_, word, std::move(out), range());
    out.kind = Expression::Kind::constrained;
  }
  return out;
}

Expression Parser::choice() { return at(Kind::k_others) ? literal(Expression::Kind::others) : range_or_expression(); }

// The bars of "x in a | b => y" would be those of the membership test.
std::vector<Expression> Parser::choices() {
  std::vector<Expression> out;
  do out.push_back(choice());
  while (accept(Kind::bar));
  for (const auto& c : out)
    if (at(Kind::arrow) && c.kind == Expression::Kind::membership && !c.parenthesised)
      complain(c.place, "a membership test needs brackets as a choice");
  return out;
}

}  // namespace surety::ada
