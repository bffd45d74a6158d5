#include "lang/promela/machine/ltl.hpp"

#include <algorithm>

#include "lang/promela/printer.hpp"

namespace surety {
namespace {

using promela::Expression;
using Op = Expression::Op;

bool is_temporal(const Expression& e) {
  return (e.op >= Op::always && e.op <= Op::release) || std::ranges::any_of(e.operands, is_temporal);
}

// Of a formula without temporal operators: the expression.
Expression plain(const Expression& e) {
  Expression out = e;
  for (Expression& operand : out.operands) operand = plain(operand);
  if (e.op != Op::implies && e.op != Op::equivalent) return out;
  const auto negation = [](Expression of) {
    Expression made;
    made.op = Op::logical_not;
    made.place = of.place;
    made.operands.push_back(std::move(of));
    return made;
  };
  out.op = e.op == Op::implies ? Op::logical_or : Op::equal;
  out.operands[0] = negation(std::move(out.operands[0]));
  if (e.op == Op::equivalent) out.operands[1] = negation(std::move(out.operands[1]));
  return out;
}

class Lowering {
 public:
  explicit Lowering(PropositionalFormula& out) : out_(out) {}

  Formula lower(const Expression& e) {
    if (!is_temporal(e)) return proposition(e);
    switch (e.op) {
      case Op::logical_not: return make(Formula::Op::negation, e);
      case Op::logical_and: return make(Formula::Op::both, e);
      case Op::logical_or: return make(Formula::Op::either, e);
      case Op::always: return make(Formula::Op::always, e);
      case Op::eventually: return make(Formula::Op::eventually, e);
      case Op::next: return make(Formula::Op::next, e);
      case Op::until: return make(Formula::Op::until, e);
      case Op::weak_until: return make(Formula::Op::weak_until, e);
      case Op::implies: return make(Formula::Op::implies, e);
      case Op::equivalent: return make(Formula::Op::iff, e);
      default: return release(e);
    }
  }

 private:
  Formula make(Formula::Op op, const Expression& e) {
    Formula out;
    out.op = op;
    for (const auto& o : e.operands) out.operands.push_back(lower(o));
    return out;
  }

  static Formula negation(Formula f) {
    Formula out;
    out.op = Formula::Op::negation;
    out.operands.push_back(std::move(f));
    return out;
  }

  // p V q is !(!p U !q)
  Formula release(const Expression& e) {
    Formula until;
    until.op = Formula::Op::until;
    for (const auto& o : e.operands) until.operands.push_back(negation(lower(o)));
    return negation(std::move(until));
  }

  Formula proposition(const Expression& e) {
    Formula out;
    if (e.op == Op::number) {
      out.op = Formula::Op::constant;
      out.value = e.value != 0;
      return out;
    }
    out.op = Formula::Op::fluent;
    const std::string text = promela::print(e);
    const auto found = std::ranges::find(out_.texts, text);
    out.fluent = static_cast<std::uint32_t>(found - out_.texts.begin());
    if (found == out_.texts.end()) {
      out_.texts.push_back(text);
      out_.propositions.push_back(plain(e));
    }
    return out;
  }

  PropositionalFormula& out_;
};

}  // namespace

PropositionalFormula propositional(const Expression& formula) {
  PropositionalFormula out;
  out.formula = Lowering(out).lower(formula);
  return out;
}

Result<MachineFormula> lower_formula(const Expression& formula, PromelaMachine& machine) {
  PropositionalFormula lowered = propositional(formula);
  MachineFormula out{std::move(lowered.formula), {}};
  for (const Expression& e : lowered.propositions) out.propositions.push_back(machine.add_proposition(e));
  if (auto errors = machine.take_errors(); !errors.empty()) return tl::unexpected(std::move(errors));
  return out;
}

}  // namespace surety
