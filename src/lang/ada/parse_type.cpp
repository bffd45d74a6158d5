// Types and subtypes (ARM 3.2 to 3.10). What the tool does not model (real types, access types, tagged types) is read
// to its end and keeps little more than its kind.
#include "lang/ada/grammar.hpp"

namespace surety::ada {
namespace {

using Type = TypeDefinition::Kind;

bool is_range_attribute(const Expression& e) {
  return e.kind == Expression::Kind::attribute && e.text == "range" && !e.parenthesised;
}

TypeDefinition of_kind(TypeDefinition type, Type kind) {
  type.kind = kind;
  return type;
}

}  // namespace

Declaration Parser::type() {
  take();
  Declaration out;
  out.kind = Declaration::Kind::type;
  out.place = peek().place;
  if (!at_name()) fail_here("a name after 'type'");
  out.name = lower_case(take().text);
  if (at(Kind::round_open)) discriminants(out);
  out.type.emplace();
  out.type->kind = Type::incomplete;
  out.type->place = out.place;
  if (!at(Kind::semicolon)) {
    expect(Kind::k_is, "'is' after the name of the type");
    out.type = definition();
    out.aspects = aspects();
  }
  expect(Kind::semicolon, "';' after the type");
  return out;
}

Declaration Parser::subtype() {
  take();
  Declaration out;
  out.kind = Declaration::Kind::subtype;
  out.place = peek().place;
  if (!at_name()) fail_here("a name after 'subtype'");
  out.name = lower_case(take().text);
  expect(Kind::k_is, "'is' after the name of the subtype");
  out.type.emplace();
  out.type->place = peek().place;
  out.type->parent.push_back(subtype_indication());
  end_declaration(out, "';' after the subtype");
  return out;
}

TypeDefinition Parser::definition() {
  TypeDefinition out;
  out.place = peek().place;
  switch (peek().kind) {
    case Kind::round_open: return enumeration(std::move(out));
    case Kind::k_range: return integer(std::move(out));
    case Kind::k_mod: return modular(std::move(out));
    case Kind::k_digits:
    case Kind::k_delta: return real(std::move(out));
    case Kind::k_array: return array(std::move(out));
    case Kind::k_not:
    case Kind::k_access: return access(std::move(out));
    default: return modified_definition(std::move(out));
  }
}

// [abstract] [tagged | synchronized | task | protected] [limited], and then record, new, private or interface.
TypeDefinition Parser::modified_definition(TypeDefinition out) {
  const bool abstract = accept(Kind::k_abstract);
  const bool tagged = accept(Kind::k_tagged);
  if (tagged && at(Kind::semicolon)) return of_kind(std::move(out), Type::incomplete);
  const bool limited = accept(Kind::k_limited);
  if (tagged) out.kind = Type::tagged;
  if (at(Kind::k_new) && !tagged) return derived(std::move(out));
  if (at(Kind::k_interface) && !tagged && !abstract) return interface(std::move(out));
  if (abstract && !tagged && !at(Kind::k_synchronized)) fail_here("'tagged' after 'abstract'");
  if (at(Kind::k_private)) {
    take();
    return tagged ? out : of_kind(std::move(out), Type::privat);
  }
  if (at(Kind::k_record) || (at(Kind::k_null) && next_is(Kind::k_record))) return record(std::move(out));
  if (!tagged && !limited && at(Kind::k_synchronized)) {
    take();
    return at(Kind::k_new) ? derived(std::move(out)) : interface(std::move(out));
  }
  if (!tagged && !limited && !abstract && (accept(Kind::k_task) || accept(Kind::k_protected)))
    return interface(std::move(out));
  fail_here("a type");
  return out;
}

TypeDefinition Parser::enumeration(TypeDefinition out) {
  out.kind = Type::enumeration;
  take();
  do {
    if (!at_name() && !at(Kind::character)) fail_here("a literal of the enumeration");
    const Token token = take();
    out.literals.push_back(
        {token.kind == Kind::character ? std::string(token.text) : lower_case(token.text), token.place});
  } while (accept(Kind::comma));
  expect(Kind::round_close, "')' or ',' after the literal");
  return out;
}

TypeDefinition Parser::integer(TypeDefinition out) {
  out.kind = Type::integer;
  take();
  Expression bounds = range();
  if (bounds.operands.size() != 2) {
    complain(bounds.place, "expected a range", "write range 0 .. 9");
    return out;
  }
  out.low = std::move(bounds.operands[0]);
  out.high = std::move(bounds.operands[1]);
  return out;
}

TypeDefinition Parser::modular(TypeDefinition out) {
  out.kind = Type::modular;
  take();
  out.low = expression();
  return out;
}

// digits D [range], delta D [digits E] [range]
TypeDefinition Parser::real(TypeDefinition out) {
  out.kind = Type::real;
  const bool delta = accept(Kind::k_delta);
  if (!delta) take();
  out.low = simple_expression();
  if (delta && accept(Kind::k_digits)) simple_expression();
  if (accept(Kind::k_range)) {
    range();
    out.ranged = true;
  }
  return out;
}

TypeDefinition Parser::array(TypeDefinition out) {
  out.kind = Type::array;
  take();
  expect(Kind::round_open, "'(' after 'array'");
  do index(out);
  while (accept(Kind::comma));
  expect(Kind::round_close, "')' or ',' after the index");
  expect(Kind::k_of, "'of' after the indices of the array");
  accept(Kind::k_aliased);
  out.parent.push_back(at_access() ? marked_or_access() : subtype_indication());
  return out;
}

// Either all indices have "range <>", or none.
void Parser::index(TypeDefinition& out) {
  const bool first = out.indices.empty();
  Expression e = expression();
  const bool box = at(Kind::k_range) && next_is(Kind::box);
  if (!first && box != out.unconstrained) fail_here("an index like those before");
  if (box) {
    take();
    take();
  } else if (at(Kind::dots) || at(Kind::k_range)) {
    e = rest_of_range(std::move(e));
  }
  out.unconstrained = box;
  out.indices.push_back(std::move(e));
}

TypeDefinition Parser::record(TypeDefinition out) {
  if (out.kind != Type::tagged) out.kind = Type::record;
  if (accept(Kind::k_null)) {
    expect(Kind::k_record, "'record' after 'null'");
    return out;
  }
  take();
  const Inside inside(*this, {Kind::k_record});
  components(out);
  end_of_record();
  return out;
}

// Up to `end` or, in a variant, `when`: components and then perhaps variants, or "null;" alone.
void Parser::components(TypeDefinition& out) {
  const Nesting nesting(*this);
  bool any = false, last = false;
  while (!at(Kind::k_end) && !at(Kind::k_when) && !at(Kind::end)) {
    const std::size_t start = next_;
    if (last && !at(Kind::k_pragma)) fail_here("'end record'", "variants come last");
    if (!any && accept(Kind::k_null)) {
      expect(Kind::semicolon, "';' after 'null'");
      last = true;
    } else if (at(Kind::k_case)) {
      out.variants = last = true;
      variants();
    } else {
      out.components.push_back(declaration(Where::record));
    }
    any = true;
    if (panic_) recover(start);
  }
  if (!any) fail_here("a component", "a record without components is written null record");
}

// Read and left out.
void Parser::variants() {
  const Inside inside(*this, {Kind::k_case});
  take();
  if (!at_name()) fail_here("the name of a discriminant after 'case'");
  expression();
  expect(Kind::k_is, "'is' after the name of the discriminant");
  pragmas();
  if (!at(Kind::k_when)) fail_here("'when'");
  while (accept(Kind::k_when)) {
    choices();
    expect(Kind::arrow, "'=>' after the choices");
    TypeDefinition left_out;
    components(left_out);
  }
  finish();
}

// [synchronized | limited] new parent [and interfaces] [with record | null record | private]
TypeDefinition Parser::derived(TypeDefinition out) {
  out.kind = Type::derived;
  take();
  out.parent.push_back(subtype_indication());
  while (accept(Kind::k_and)) subtype_mark();
  if (!at(Kind::k_with)) return out;
  const Kind next = peek(1).kind;
  if (next != Kind::k_record && next != Kind::k_private && next != Kind::k_null) return out;  // an aspect
  take();
  out.kind = Type::tagged;
  if (accept(Kind::k_private)) return out;
  return record(std::move(out));
}

TypeDefinition Parser::interface(TypeDefinition out) {
  out.kind = Type::tagged;
  expect(Kind::k_interface, "'interface'");
  while (accept(Kind::k_and)) subtype_mark();
  return out;
}

bool Parser::at_access() const {
  return at(Kind::k_access) || (at(Kind::k_not) && next_is(Kind::k_null) && peek(2).kind == Kind::k_access);
}

// [not null] access [all | constant] T, [not null] access [protected] procedure or function
TypeDefinition Parser::access(TypeDefinition out) {
  const Nesting nesting(*this);
  out.kind = Type::access;
  null_exclusion();
  expect(Kind::k_access, "'access'");
  const bool subprogram = at(Kind::k_protected) || at(Kind::k_procedure) || at(Kind::k_function);
  if (!subprogram) {
    out.constant = accept(Kind::k_constant);
    if (!out.constant) accept(Kind::k_all);
    out.parent.push_back(subtype_indication());
    return out;
  }
  accept(Kind::k_protected);
  const bool function = at(Kind::k_function);
  if (!function && !at(Kind::k_procedure)) fail_here("'procedure' or 'function' after 'protected'");
  take();
  if (at(Kind::round_open)) parameters();
  if (function) result();
  return out;
}

void Parser::discriminants(Declaration& out) {
  expect(Kind::round_open, "'('");
  out.unknown_discriminants = accept(Kind::box);
  if (!out.unknown_discriminants) {
    do out.discriminants.push_back(discriminant());
    while (accept(Kind::semicolon));
  }
  mend_bracket();
  expect(Kind::round_close, "')' after the discriminants");
}

Parameter Parser::discriminant() {
  Parameter out;
  out.place = peek().place;
  out.names = defining_names("the name of a discriminant");
  expect(Kind::colon, "':' after the name of the discriminant");
  if (at_access()) out.mode = Parameter::Mode::access;
  out.type = marked_or_access();
  if (accept(Kind::becomes)) out.value = expression();
  aspects();
  return out;
}

bool Parser::null_exclusion() {
  if (!at(Kind::k_not) || !next_is(Kind::k_null)) return false;
  take();
  take();
  return true;
}

// A subtype mark without a constraint.
SubtypeIndication Parser::marked() {
  SubtypeIndication out;
  out.not_null = null_exclusion();
  out.place = peek().place;
  out.mark = subtype_mark();
  return out;
}

SubtypeIndication Parser::marked_or_access() {
  if (!at_access()) return marked();
  const Place place = peek().place;
  const bool not_null = null_exclusion();
  TypeDefinition type = access({});
  SubtypeIndication out;
  if (!type.parent.empty()) out = std::move(type.parent[0]);
  out.not_null = not_null;
  out.access = true;
  out.place = place;
  return out;
}

SubtypeIndication Parser::subtype_indication() {
  SubtypeIndication out = marked();
  constraint(out);
  return out;
}

void Parser::constraint(SubtypeIndication& out) {
  if (at(Kind::round_open)) {
    out.mark = applied(std::move(out.mark), Ranges::any);
  } else if (accept(Kind::k_range)) {
    out.range = range();
  } else if (accept(Kind::k_digits) || accept(Kind::k_delta)) {
    simple_expression();
    if (accept(Kind::k_range)) range();
  }
}

// L .. H, or X'Range
Expression Parser::range() {
  Expression out = simple_expression();
  if (is_range_attribute(out) && !at(Kind::dots)) return out;
  const Token dots = expect(Kind::dots, "'..'", "a range is written 1 .. 3 or X'Range");
  out = binary(Operator::and_, dots, std::move(out), simple_expression());
  out.kind = Expression::Kind::range;
  return out;
}

}  // namespace surety::ada
