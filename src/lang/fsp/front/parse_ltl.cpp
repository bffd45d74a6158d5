// Formulas of linear temporal logic. From the weakest to the tightest:
//
//   ||      then at most one of  U W -> <->      then  &&      then  ! X <> [] forall exists
#include <fmt/format.h>

#include "lang/fsp/front/parser.hpp"

namespace surety::fsp {
namespace {

using text::list;

constexpr int kDeepestFormula = 1000;

}  // namespace

Formula Parser::formula() {
  const Nesting nesting(*this);
  Formula left = binary_formula();
  while (at(Kind::parallel)) {
    const Token symbol = take();
    left = make(Formula::Op::either, symbol, list(std::move(left), binary_formula()));
  }
  return left;
}

Formula Parser::binary_formula() {
  Formula left = conjunction();
  const Token symbol = peek();
  Formula::Op op;
  if (at(Kind::arrow))
    op = Formula::Op::implies;
  else if (at(Kind::iff))
    op = Formula::Op::iff;
  else if (at_word("U"))
    op = Formula::Op::until;
  else if (at_word("W"))
    op = Formula::Op::weak_until;
  else
    return left;
  take();
  return make(op, symbol, list(std::move(left), conjunction()));
}

Formula Parser::conjunction() {
  Formula left = unary_formula();
  while (at(Kind::both)) {
    const Token symbol = take();
    left = make(Formula::Op::both, symbol, list(std::move(left), unary_formula()));
  }
  return left;
}

Formula Parser::unary_formula() {
  const Nesting nesting(*this);
  const Token symbol = peek();
  if (accept(Kind::bang)) return make(Formula::Op::negation, symbol, list(unary_formula()));
  if (accept(Kind::eventually)) return make(Formula::Op::eventually, symbol, list(unary_formula()));
  if (accept(Kind::always)) return make(Formula::Op::always, symbol, list(unary_formula()));
  if (at(Kind::k_forall) || at(Kind::k_exists)) return quantified();
  if (at_word("X")) {
    take();
    return make(Formula::Op::next, symbol, list(unary_formula()));
  }
  return primary_formula();
}

Formula Parser::quantified() {
  Formula out;
  const Token symbol = take();
  out.op = symbol.kind == Kind::k_forall ? Formula::Op::forall : Formula::Op::exists;
  out.place = symbol.place;
  out.indices = indices();
  if (out.indices.empty()) fail_here("'['", "write forall[i:R]");
  out.operands.push_back(unary_formula());
  out.depth = out.operands.back().depth + 1;
  return out;
}

Formula Parser::primary_formula() {
  Formula out;
  out.place = peek().place;
  if (accept(Kind::round_open)) {
    out = formula();
    expect(Kind::round_close, "')'", at(Kind::arrow) || at(Kind::iff) ? "use parentheses: (a -> (b -> c))" : "");
    return out;
  }
  if (accept(Kind::k_rigid)) {
    out.op = Formula::Op::constant;
    expect(Kind::round_open, "'('");
    out.actuals.push_back(expression());
    expect(Kind::round_close, "')'");
    return out;
  }
  if (at(Kind::upper) && !at_set_name()) return named_formula();
  if (!at_label()) {
    fail_here("a formula", "an action, a fluent, or ! X [] <> before one");
    return out;
  }
  out.labels = label();
  return out;
}

Formula Parser::named_formula() {
  Formula out;
  const Token name = take();
  out.op = Formula::Op::name;
  out.name = name.text;
  out.place = name.place;
  out.actuals = actuals();
  out.indices = indices();
  return out;
}

Formula Parser::make(Formula::Op op, const Token& at, std::vector<Formula> operands) {
  Formula out;
  out.op = op;
  out.place = at.place;
  for (const Formula& f : operands) out.depth = std::max(out.depth, f.depth + 1);
  if (out.depth > kDeepestFormula) fail(at, "this formula is too long", "give parts of it names");
  out.operands = std::move(operands);
  return out;
}

}  // namespace surety::fsp
