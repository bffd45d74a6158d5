// Expressions: the operators of C, by precedence climbing.
#include <fmt/format.h>

#include "lang/fsp/front/parser.hpp"

namespace surety::fsp {
namespace {

constexpr int kDeepestExpression = 2000;

// Weakest first; 0: no binary operator.
int precedence(Kind kind) {
  switch (kind) {
    case Kind::parallel: return 1;
    case Kind::both: return 2;
    case Kind::bar: return 3;
    case Kind::caret: return 4;
    case Kind::ampersand: return 5;
    case Kind::equal:
    case Kind::not_equal: return 6;
    case Kind::less:
    case Kind::less_equal:
    case Kind::greater:
    case Kind::greater_equal: return 7;
    case Kind::shift_left:
    case Kind::shift_right: return 8;
    case Kind::plus:
    case Kind::minus: return 9;
    case Kind::star:
    case Kind::slash:
    case Kind::percent: return 10;
    default: return 0;
  }
}

}  // namespace

Expression Parser::binary(int weakest) {
  const Nesting nesting(*this);
  Expression left = unary();
  while (precedence(peek().kind) >= weakest) {
    const Token symbol = take();
    Expression right = binary(precedence(symbol.kind) + 1);
    std::vector<Expression> operands;
    operands.push_back(std::move(left));
    operands.push_back(std::move(right));
    left = combine(symbol, Expression::Op::binary, std::move(operands));
  }
  return left;
}

Expression Parser::unary() {
  if (!at(Kind::plus) && !at(Kind::minus) && !at(Kind::bang)) return primary();
  const Nesting nesting(*this);
  const Token symbol = take();
  std::vector<Expression> operands;
  operands.push_back(unary());
  return combine(symbol, Expression::Op::unary, std::move(operands));
}

Expression Parser::combine(const Token& symbol, Expression::Op op, std::vector<Expression> operands) {
  Expression e;
  e.op = op;
  e.symbol = symbol.kind;
  e.place = symbol.place;
  for (const Expression& operand : operands) e.depth = std::max(e.depth, operand.depth + 1);
  if (e.depth > kDeepestExpression) fail(symbol, "this expression is too long", "give parts of it names");
  e.operands = std::move(operands);
  return e;
}

Expression Parser::primary() {
  Expression e;
  e.place = peek().place;
  switch (peek().kind) {
    case Kind::integer: e.value = static_cast<std::int32_t>(take().value); break;  // the lexer has looked
    case Kind::upper:
      if (const auto it = tree_.constants.find(peek().text); it != tree_.constants.end()) it->second.used = true;
      [[fallthrough]];
    case Kind::lower:
      e.op = Expression::Op::name;
      e.name = take().text;
      break;
    case Kind::round_open:
      take();
      e = expression();
      expect(Kind::round_close, "')'");
      break;
    case Kind::quote:
      take();
      e.op = Expression::Op::label;
      e.label = std::make_shared<const Label>(label());
      break;
    case Kind::hash:
      take();
      e.op = Expression::Op::size;
      e.label = std::make_shared<const Label>(label_set());
      break;
    case Kind::at:
      take();
      expect(Kind::round_open, "'('", "write @(SET, index)");
      e.op = Expression::Op::element;
      e.label = std::make_shared<const Label>(label_set());
      expect(Kind::comma, "','", "write @(SET, index)");
      e.operands.push_back(expression());
      e.depth = e.operands.back().depth + 1;
      expect(Kind::round_close, "')'");
      break;
    default: fail_here("a number, a name or '('");
  }
  return e;
}

std::vector<Expression> Parser::actuals() {
  std::vector<Expression> values;
  if (!accept(Kind::round_open)) return values;
  do {
    values.push_back(expression());
  } while (accept(Kind::comma));
  expect(Kind::round_close, "')'");
  return values;
}

Value Parser::constant(const Expression& e) {
  if (panic_) return 0;
  Evaluator evaluator(tree_, report_);
  const Scope scope;
  Value value = evaluator.evaluate(e, scope);
  panic_ = evaluator.failed();
  return value;
}

std::int32_t Parser::constant_value(const Expression& e) {
  if (panic_) return 0;
  Evaluator evaluator(tree_, report_);
  Scope scope;
  const auto value = evaluator.number(e, scope);
  panic_ = evaluator.failed();
  return value;
}

}  // namespace surety::fsp
