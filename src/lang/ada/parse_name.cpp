// Names, and what stands behind them: X.Y, X (1), X'First, T'(x). Also the names that declarations make.
//
// The place of X.Y is that of Y, of X'First that of First, of X (1) that of X.
#include <fmt/format.h>

#include "lang/ada/grammar.hpp"

namespace surety::ada {
namespace {

// Without quotes, and doubled ones halved.
std::string unquoted(std::string_view text) {
  std::string out;
  const std::size_t end = text.size() > 1 && text.ends_with('"') ? text.size() - 1 : text.size();
  for (std::size_t i = 1; i < end; ++i) {
    out += text[i];
    if (text[i] == '"') ++i;
  }
  return out;
}

bool is_operator(std::string_view text) {
  static constexpr std::string_view kOperators[] = {"and", "or", "xor", "=", "/=",  "<",   "<=", ">",   ">=", "+",
                                                    "-",   "&",  "*",   "/", "mod", "rem", "**", "abs", "not"};
  const std::string lower = lower_case(unquoted(text));
  return std::ranges::find(kOperators, std::string_view(lower)) != std::end(kOperators);
}

std::int64_t code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<std::int64_t>(static_cast<unsigned char>(character[i])); };
  switch (character.size()) {
    case 1: return byte(0);
    case 2: return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
    case 3: return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    case 4: return (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
    default: return std::strtoll(std::string(character.substr(2)).c_str(), nullptr, 16);  // ["03C0"]
  }
}

bool is_range(const Expression& e) {
  return e.kind == Expression::Kind::range || e.kind == Expression::Kind::constrained;
}

// X => 1, "+" => Add; in pragmas and instances also Pre'Class => X, others => <>.
bool may_name_argument(const Expression& e, bool of_call) {
  switch (e.kind) {
    case Expression::Kind::name:
    case Expression::Kind::string: return !e.parenthesised;
    case Expression::Kind::attribute:
    case Expression::Kind::others: return !of_call;
    default: return false;
  }
}

bool is_attribute_word(Kind kind) {
  switch (kind) {
    case Kind::k_range:
    case Kind::k_access:
    case Kind::k_delta:
    case Kind::k_digits:
    case Kind::k_mod: return true;
    default: return false;
  }
}

}  // namespace

Expression Parser::first_name() {
  Expression out;
  if (at(Kind::character)) {
    out = literal(Expression::Kind::character);
    out.text = out.text.substr(1, out.text.size() - 2);
    out.value = code_of(out.text);
  } else if (at(Kind::string)) {
    out = literal(Expression::Kind::string);
    const bool named = is_operator(out.text) && (at(Kind::round_open) || at(Kind::tick) || at(Kind::dot));
    out.text = named ? lower_case(out.text) : unquoted(out.text);
    if (named) out.kind = Expression::Kind::name;
  } else if (at_name()) {
    out = literal(Expression::Kind::name);
    out.text = lower_case(out.text);
  } else {
    fail_here("a name");
  }
  return out;
}

// "+" as the name of a function, where it is no text.
Expression Parser::as_operator(Expression e) {
  if (e.kind != Expression::Kind::string || !is_operator('"' + e.text + '"')) return e;
  e.kind = Expression::Kind::name;
  e.text = '"' + lower_case(e.text) + '"';
  return e;
}

Expression Parser::name() {
  Expression out = first_name();
  const bool goes_on = out.kind != Expression::Kind::string || at(Kind::tick);
  return goes_on ? suffixes(std::move(out)) : out;
}

// Neither a string nor a character.
Expression Parser::proper_name(std::string_view what) {
  if (!at_name()) fail_here(what);
  return name();
}

Expression Parser::suffixes(Expression out) {
  while (true) {
    switch (peek().kind) {
      case Kind::dot: out = selected(std::move(out)); break;
      case Kind::tick: out = attribute(std::move(out)); break;
      case Kind::round_open: out = applied(std::move(out)); break;
      default: return out;
    }
  }
}

Expression Parser::selected(Expression prefix) {
  take();
  Expression out;
  out.kind = Expression::Kind::selected;
  out.operands.push_back(std::move(prefix));
  const bool selects =
      at_name() || at(Kind::k_all) || at(Kind::character) || (at(Kind::string) && is_operator(peek().text));
  if (!selects) fail_here("a name after '.'");
  const Token token = take();
  out.place = token.place;
  out.text = token.kind == Kind::character ? std::string(token.text) : lower_case(token.text);
  return sized(std::move(out));
}

// X'First, X'First (1), T'(x)
Expression Parser::attribute(Expression prefix) {
  take();
  Expression out;
  out.kind = Expression::Kind::attribute;
  out.place = peek().place;
  out.operands.push_back(std::move(prefix));
  if (at(Kind::round_open) || at(Kind::square_open)) {
    out.kind = Expression::Kind::qualified;
    out.operands.push_back(at(Kind::round_open) ? bracketed() : square_aggregate());
    return sized(std::move(out));
  }
  if (!at_name() && !is_attribute_word(peek().kind)) fail_here("an attribute after the tick");
  out.text = lower_case(take().text);
  if (at(Kind::round_open)) out.arguments = arguments(Ranges::alone);
  return sized(std::move(out));
}

Expression Parser::applied(Expression prefix, Ranges ranges) {
  Expression out;
  out.kind = Expression::Kind::apply;
  out.place = prefix.place;
  out.operands.push_back(std::move(prefix));
  out.arguments = arguments(ranges);
  return sized(std::move(out));
}

// In brackets. A conditional expression that stands there alone needs no brackets of its own.
std::vector<Association> Parser::arguments(Ranges ranges) {
  const Nesting nesting(*this);
  std::vector<Association> out;
  expect(Kind::round_open, "'('");
  if (at_conditional() && !(at(Kind::k_declare) && ranges == Ranges::any)) {
    out.emplace_back().value = conditional_expression();
  } else {
    do next_argument(out, association());
    while (accept(Kind::comma));
  }
  expect(Kind::round_close, "')' or ',' in the brackets");
  check_arguments(out, ranges);
  return out;
}

void Parser::next_argument(std::vector<Association>& out, Association argument) {
  if (argument.choices.empty() && !out.empty() && !out.back().choices.empty())
    fail_here("a named argument", "after a named one all have names");
  out.push_back(std::move(argument));
}

void Parser::check_arguments(const std::vector<Association>& arguments, Ranges ranges) {
  const bool may_be_range = ranges == Ranges::any || (ranges == Ranges::alone && arguments.size() == 1);
  for (const auto& a : arguments) {
    if (is_range(a.value) && !may_be_range) complain(a.value.place, "a range cannot stand here");
    if (ranges != Ranges::any && a.choices.size() > 1) complain(a.choices[1].place, "an argument has one name only");
    for (const auto& c : a.choices)
      if (!may_name_argument(c, ranges != Ranges::none))
        complain(c.place, "expected the name of an argument before '=>'");
  }
}

Association Parser::association() {
  Association out;
  if (at(Kind::box)) fail_here("an expression", "<> stands behind =>");
  if (at(Kind::k_for) && !at_conditional()) return iterated();
  out.choices = choices();
  if (accept(Kind::arrow)) {
    out.value = at(Kind::box) ? literal(Expression::Kind::box) : expression();
    return out;
  }
  if (out.choices.size() > 1 || out.choices[0].kind == Expression::Kind::others) fail_here("'=>' after the choices");
  out.value = std::move(out.choices[0]);
  out.choices.clear();
  return out;
}

// for I in 1 .. 3 => F (I), in an aggregate
Association Parser::iterated() {
  const Place place = take().place;
  iteration();
  if (accept(Kind::k_use)) expression();
  expect(Kind::arrow, "'=>' after the range");
  expression();
  Association out;
  out.choices.push_back(refused(place, "an iterated component"));
  return out;
}

// Without what stands in brackets: T, P.T, T'Base, T'Class.
Expression Parser::subtype_mark() { return mark_attributes(dotted_name("the name of a type")); }

Expression Parser::mark_attributes(Expression out) {
  while (at(Kind::tick) && !next_is(Kind::round_open)) {
    take();
    Expression marked;
    marked.kind = Expression::Kind::attribute;
    marked.place = peek().place;
    marked.operands.push_back(std::move(out));
    if (!at_name()) fail_here("an attribute after the tick");
    marked.text = lower_case(take().text);
    out = sized(std::move(marked));
  }
  return out;
}

Expression Parser::dotted_name(std::string_view what) {
  if (!at_name()) fail_here(what);
  Expression out = first_name();
  while (at(Kind::dot)) out = selected(std::move(out));
  return out;
}

// a.b.c; the last part may be an operator.
std::string Parser::unit_name(std::string_view what, Place& place) {
  place = peek().place;
  std::string out;
  while (true) {
    const bool part = at_name() || (at(Kind::string) && is_operator(peek().text));
    if (!part) fail_here(what);
    const Token token = take();
    out += lower_case(token.text);
    place.length = token.place.offset + token.place.length - place.offset;
    if (token.kind == Kind::string || !accept(Kind::dot)) break;
    out += '.';
  }
  return panic_ ? std::string() : out;
}

// As unit_name, but only library units have dots.
std::string Parser::defining_name(std::string_view what, Place& place) {
  std::string out = unit_name(what, place);
  if (!open_.empty() && out.find('.') != std::string::npos && out[0] != '"')
    complain(place, "only a library unit has dots in its name");
  return out;
}

std::vector<std::string> Parser::defining_names(std::string_view what) {
  std::vector<std::string> out;
  do {
    if (!at_name()) fail_here(what);
    out.push_back(lower_case(take().text));
  } while (accept(Kind::comma));
  return out;
}

}  // namespace surety::ada
