// Expressions, formulas and references. From the weakest to the tightest:
//
//   -> <->  (ltl)    ||    &&    U W V  (ltl)    |    ^    &    == !=    < > <= >=
//   << >>    + -    * / %    then  ! - ~ and, in ltl, [] <> X
//
// So SPIN reads [] x == 0 as ([] x) == 0, which is nothing: [] needs parentheses.
#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/parser.hpp"

namespace surety::promela {
namespace {

using Op = Expression::Op;
using text::list;

constexpr std::uint32_t kDeepestExpression = 1000;

struct Operator {
  Op op;
  int strength;  // 0: none
};

Operator binary_operator(const Token& token, bool in_ltl) {
  switch (token.kind) {
    case Kind::either: return {Op::logical_or, 2};
    case Kind::both: return {Op::logical_and, 3};
    case Kind::bar: return {Op::bit_or, 5};
    case Kind::caret: return {Op::bit_xor, 6};
    case Kind::ampersand: return {Op::bit_and, 7};
    case Kind::equal: return {Op::equal, 8};
    case Kind::not_equal: return {Op::not_equal, 8};
    case Kind::less: return {Op::less, 9};
    case Kind::greater: return {Op::greater, 9};
    case Kind::less_equal: return {Op::less_equal, 9};
    case Kind::greater_equal: return {Op::greater_equal, 9};
    case Kind::shift_left: return {Op::shift_left, 10};
    case Kind::shift_right: return {Op::shift_right, 10};
    case Kind::plus: return {Op::plus, 11};
    case Kind::minus: return {Op::minus, 11};
    case Kind::star: return {Op::times, 12};
    case Kind::slash: return {Op::divide, 12};
    case Kind::percent: return {Op::modulo, 12};
    default: break;
  }
  if (!in_ltl) return {Op::number, 0};
  if (token.kind == Kind::arrow || token.text == "implies") return {Op::implies, 1};
  if (token.kind == Kind::iff || token.text == "equivalent") return {Op::equivalent, 1};
  if (token.kind == Kind::vee) return {Op::logical_or, 2};
  if (token.kind == Kind::wedge) return {Op::logical_and, 3};
  if (token.text == "U" || token.text == "until" || token.text == "stronguntil") return {Op::until, 4};
  if (token.text == "W" || token.text == "weakuntil") return {Op::weak_until, 4};
  if (token.text == "V" || token.text == "release") return {Op::release, 4};
  return {Op::number, 0};
}

bool is_temporal(Op op) { return op >= Op::always; }
bool is_probe(const Expression& e) {
  if (e.op == Op::logical_and || e.op == Op::logical_or) return std::ranges::any_of(e.operands, is_probe);
  return e.op == Op::full || e.op == Op::empty || e.op == Op::not_full || e.op == Op::not_empty;
}
bool has_temporal(const Expression& e) {
  return is_temporal(e.op) || (e.op >= Op::negate && std::ranges::any_of(e.operands, has_temporal));
}

}  // namespace

Expression Parser::binary(int weakest) {
  const Nesting nesting(*this);
  Expression left = unary();
  while (!panic_) {
    const Token symbol = peek();
    const auto [op, strength] = binary_operator(symbol, in_ltl_);
    if (strength == 0 || strength < weakest) break;
    take();
    left = make(op, symbol, list(std::move(left), binary(strength + 1)));
  }
  return left;
}

Expression Parser::unary() {
  const Nesting nesting(*this);
  const Token symbol = peek();
  if (accept(Kind::bang)) return make(Op::logical_not, symbol, list(unary()));
  if (accept(Kind::sorted_send)) {
    Expression inner = make(Op::logical_not, symbol, list(unary()));
    return make(Op::logical_not, symbol, list(std::move(inner)));
  }
  if (accept(Kind::tilde)) return make(Op::complement, symbol, list(unary()));
  if (accept(Kind::minus)) return make(Op::negate, symbol, list(unary()));
  if (accept(Kind::decrement)) {
    Expression inner = make(Op::negate, symbol, list(unary()));
    return make(Op::negate, symbol, list(std::move(inner)));
  }
  if (!in_ltl_) return primary();
  const auto temporal = [&](Op op, int tokens) {
    for (int i = 0; i < tokens; ++i) take();
    return make(op, symbol, list(unary()));
  };
  if (at(Kind::square_open) && peek(1).kind == Kind::square_close) return temporal(Op::always, 2);
  if (at(Kind::less) && peek(1).kind == Kind::greater) return temporal(Op::eventually, 2);
  if (peek(1).kind == Kind::round_close || peek(1).kind == Kind::curly_close) return primary();  // a name, no operator
  if (at_word("always")) return temporal(Op::always, 1);
  if (at_word("eventually")) return temporal(Op::eventually, 1);
  if (at_word("X") || at_word("next")) return temporal(Op::next, 1);
  return primary();
}

Expression Parser::make(Op op, const Token& at, std::vector<Expression> operands) {
  Expression out;
  out.op = op;
  out.place = at.place;
  for (const auto& e : operands) out.depth = std::max(out.depth, e.depth + 1);
  if (out.depth > kDeepestExpression) fail(at, "this expression is too long");
  const bool logical = op == Op::logical_and || op == Op::logical_or || op == Op::logical_not;
  for (const auto& e : operands) {
    if (op != Op::logical_and && op != Op::logical_or && !is_temporal(op) && is_probe(e))
      complain(e.place, "full, empty, nfull and nempty can only be combined with && and ||",
               "the opposite of full is nfull, that of empty nempty");
    if (!logical && !is_temporal(op) && has_temporal(e))
      complain(e.place, "a temporal operator cannot stand inside arithmetic",
               "[] and <> bind tightly: write [] (x == 0)");
    check_scalar(e);
  }
  out.operands = std::move(operands);
  return out;
}

Expression Parser::primary() {
  const Token token = peek();
  Expression out;
  out.place = token.place;
  switch (token.kind) {
    case Kind::round_open: return parenthesised();
    case Kind::integer:
      take();
      out.value = static_cast<std::int32_t>(token.value);  // the lexer has looked
      return out;
    case Kind::k_true:
      take();
      out.value = 1;
      out.name = "true";
      return out;
    case Kind::k_skip:
      take();
      out.value = 1;
      out.name = "skip";
      return out;
    case Kind::k_false:
      take();
      out.value = 0;
      out.name = "false";
      return out;
    case Kind::k_timeout:
      take();
      out.op = Op::timeout;
      return out;
    case Kind::k_np:
      take();
      out.op = Op::non_progress;
      return out;
    case Kind::k_run: return run_expression();
    case Kind::k_len: return about_channel(Op::length);
    case Kind::k_full: return about_channel(Op::full);
    case Kind::k_empty: return about_channel(Op::empty);
    case Kind::k_nfull: return about_channel(Op::not_full);
    case Kind::k_nempty: return about_channel(Op::not_empty);
    case Kind::k_enabled: return one_operand(Op::enabled);
    case Kind::k_pc_value: return one_operand(Op::pc_value);
    case Kind::k_get_priority: refuse(token, "get_priority"); return out;
    case Kind::k_c_expr: refuse(token, "'c_expr' (embedded C code)"); return out;
    case Kind::name: return named();
    case Kind::k_od:
    case Kind::k_fi:
      fail(token, fmt::format("expected an expression or a statement, found '{}'", token.text));
      return out;
    case Kind::becomes: fail(token, "expected an expression, found '='", "== compares"); return out;
    default: fail_here(in_ltl_ ? "a formula" : "a statement or an expression"); return out;
  }
}

// (a)  (a -> b : c)
Expression Parser::parenthesised() {
  const Token open = take();
  Expression first = expression();
  if (!in_ltl_ && at(Kind::arrow)) {
    const Token arrow = take();
    Expression second = expression();
    expect(Kind::colon, "':'", "a conditional expression is written (a -> b : c)");
    Expression third = expression();
    first = make(Op::conditional, arrow, list(std::move(first), std::move(second), std::move(third)));
  }
  if (!panic_ && !at(Kind::round_close))
    fail_here("')'", at(Kind::becomes) ? "= assigns; == compares"
                                       : fmt::format("to close the '(' of column {}",
                                                     open.place.offset - source_.line_of(open.place).begin + 1));
  take();
  return first;
}

Expression Parser::run_expression() {
  const Token word = take();
  Expression out;
  out.op = Op::run;
  if (process_ == nullptr || in_ltl_) complain(word.place, "'run' stands outside a process");
  const Token name = expect(Kind::name, "the name of a proctype");
  out.place = name.place;
  out.name = name.text;
  expect(Kind::round_open, "'('", "write run P(), even without arguments");
  out.operands = arguments(Kind::round_close);
  expect(Kind::round_close, "')'");
  if (at(Kind::k_priority)) refuse(peek(), "priority");
  return out;
}

Expression Parser::about_channel(Op op) {
  Expression out;
  const Token word = take();
  out.op = op;
  out.place = word.place;
  expect(Kind::round_open, "'('");
  out.reference = reference();
  check_channel(out.reference);
  expect(Kind::round_close, "')'");
  return out;
}

Expression Parser::one_operand(Op op) {
  const Token word = take();
  expect(Kind::round_open, "'('");
  Expression inner = expression();
  expect(Kind::round_close, "')'");
  return make(op, word, list(std::move(inner)));
}

std::vector<Expression> Parser::arguments(Kind close) {
  std::vector<Expression> out;
  if (at(close)) return out;
  do {
    out.push_back(expression());
    if (out.size() > 1000) fail_here("fewer arguments");
  } while (!panic_ && accept(Kind::comma));
  return out;
}

std::optional<Parser::MtypeName> Parser::mtype_name(std::string_view name) const {
  const auto found = mtypes_.find(name);
  if (found == mtypes_.end()) return {};
  return found->second;
}

Expression Parser::named() {
  const Token token = peek();
  Expression out;
  out.place = token.place;
  if (const auto constant = mtype_name(token.text)) {
    take();
    out.value = constant->value;
    out.name = token.text;
    out.mtype = static_cast<std::int32_t>(constant->set);
    return out;
  }
  const Kind after = after_reference();
  if (after == Kind::at || (proctypes_.contains(token.text) && after == Kind::colon)) return remote();
  if (peek(1).kind == Kind::round_open && !inlines_.contains(token.text) && proctypes_.contains(token.text)) {
    fail(token, fmt::format("'{}' is a proctype", token.text), fmt::format("write run {}(...)", token.text));
    return out;
  }
  out.reference = reference();
  out.op = Op::variable;
  if (out.reference.scope == Reference::Scope::predefined && token.text == "_")
    complain(token.place, "'_' has no value", "it can only be received into and assigned to");
  if ((at(Kind::question) || at(Kind::random_receive)) && peek(1).kind == Kind::square_open) {
    const Token symbol = take();
    take();
    out.op = Op::poll;
    out.random = symbol.kind == Kind::random_receive;
    check_channel(out.reference);
    out.patterns = patterns();
    if (!panic_) check_message(out.reference, out.patterns.size(), symbol.place, MessageUse::poll);
    expect(Kind::square_close, "']'");
  }
  return out;
}

// P@label  P[i]@label  P:x  P[i]:x
Expression Parser::remote() {
  const Token name = take();
  Expression out;
  out.place = name.place;
  out.name = name.text;
  if (accept(Kind::square_open)) {
    out.operands.push_back(expression());
    expect(Kind::square_close, "']'");
  }
  if (accept(Kind::at)) {
    out.op = Op::remote_label;
    out.label = expect(Kind::name, "the name of a label").text;
    return out;
  }
  expect(Kind::colon, "':'");
  out.op = Op::remote_variable;
  Reference::Segment segment;
  const Token variable = expect(Kind::name, "the name of a variable");
  segment.name = variable.text;
  segment.place = variable.place;
  if (accept(Kind::square_open)) {
    segment.index.push_back(expression());
    expect(Kind::square_close, "']'");
  }
  out.reference.place = variable.place;
  out.reference.segments.push_back(std::move(segment));
  return out;
}

// ---- references

Reference Parser::reference() {
  const Nesting nesting(*this);
  Reference out;
  out.place = peek().place;
  do {
    const Token name = expect(Kind::name, "the name of a variable");
    Reference::Segment segment;
    segment.name = name.text;
    segment.place = name.place;
    if (at(Kind::square_open) && !(in_ltl_ && peek(1).kind == Kind::square_close)) {
      take();
      segment.index.push_back(expression());
      check_scalar(segment.index.back());
      expect(Kind::square_close, "']'");
    }
    out.segments.push_back(std::move(segment));
  } while (!panic_ && at(Kind::dot) && accept(Kind::dot));
  if (!panic_) resolve(out);
  return out;
}

void Parser::resolve(Reference& r) {
  const std::string& name = r.segments[0].name;
  const Variable* v = lookup(r);
  if (v != nullptr) return resolve_fields(r, v);
  if (name == "_pid" || name == "_nr_pr" || name == "_last" || name == "_") {
    r.scope = Reference::Scope::predefined;
    r.type.base = name == "_nr_pr" ? Type::Base::integer : Type::Base::byte;
    return;
  }
  undeclared(r.segments[0]);
}

const Variable* Parser::lookup(Reference& r) {
  const std::string& name = r.segments[0].name;
  if (process_ != nullptr)
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->find(name); found != scope->end()) {
        r.scope = Reference::Scope::local;
        r.variable = found->second;
        return &process_->variables[found->second];
      }
  const auto found = globals_.find(name);
  if (found == globals_.end()) return nullptr;
  r.scope = Reference::Scope::global;
  r.variable = found->second;
  return &program_.globals[found->second];
}

const Variable* Parser::variable_of(const Reference& r) const {
  if (r.variable == kNone || r.scope == Reference::Scope::predefined) return nullptr;
  if (r.scope == Reference::Scope::global) return &program_.globals[r.variable];
  return process_ != nullptr && r.variable < process_->variables.size() ? &process_->variables[r.variable] : nullptr;
}

// Follows r.a.b through the user types.
void Parser::resolve_fields(Reference& r, const Variable* v) {
  for (std::size_t i = 0;; ++i) {
    const auto& segment = r.segments[i];
    if (!v->length && !segment.index.empty()) complain(segment.place, fmt::format("'{}' is no array", segment.name));
    if (v->length && segment.index.empty() && !index_may_miss_)
      complain(segment.place, fmt::format("the array '{}' needs an index", segment.name),
               fmt::format("write {}[0]", segment.name));
    if (v->length && !segment.index.empty())
      if (const auto index = constant(segment.index[0]);
          segment.index[0].op == Op::number && index &&
          (*index < 0 || static_cast<std::uint32_t>(*index) >= *v->length))
        complain(segment.place,
                 fmt::format("'{}' has {} element{}, there is no [{}]", segment.name, *v->length,
                             *v->length == 1 ? "" : "s", *index),
                 fmt::format("indices go from 0 to {}", *v->length - 1));
    r.type = v->type;
    if (i + 1 == r.segments.size()) return;
    const auto& field = r.segments[i + 1];
    if (v->type.base != Type::Base::user) {
      complain(field.place, fmt::format("'{}' has no fields", segment.name), "only a variable of a typedef has");
      return;
    }
    const auto& fields = program_.types[v->type.index].fields;
    const auto found = std::ranges::find(fields, field.name, &Variable::name);
    if (found == fields.end()) {
      complain(field.place,
               fmt::format("the type '{}' has no field '{}'", program_.types[v->type.index].name, field.name),
               did_you_mean(field.name, names_of(fields)));
      return;
    }
    r.fields.push_back(static_cast<std::uint32_t>(found - fields.begin()));
    v = &*found;
  }
}

void Parser::undeclared(const Reference::Segment& segment) {
  if (doubtful_.contains(segment.name) || !reported_.insert(segment.name).second) return;
  std::vector<std::string> names = names_of(globals_, mtypes_);
  for (const auto& scope : scopes_)
    for (const auto& [name, index] : scope) names.push_back(name);
  std::string hint = did_you_mean(segment.name, names);
  if (proctypes_.contains(segment.name)) hint = fmt::format("'{}' is a proctype", segment.name);
  complain(segment.place, fmt::format("'{}' is not declared", segment.name), hint);
}

void Parser::check_channel(const Reference& r) {
  if (panic_ || r.segments.empty() || r.variable == kNone) return;
  if (r.type.base != Type::Base::channel) complain(r.place, fmt::format("'{}' is no channel", r.segments.back().name));
}

// A whole structure has no value.
void Parser::check_scalar(const Expression& e) {
  if (e.op == Op::variable && e.reference.variable != kNone && e.reference.type.base == Type::Base::user)
    complain(e.place, fmt::format("'{}' is a structure, not a value", e.reference.segments.back().name),
             "name one of its fields");
}

}  // namespace surety::promela
