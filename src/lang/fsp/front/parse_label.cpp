// Labels, sets of labels, indices, relabelling and hiding.
#include <fmt/format.h>

#include "lang/fsp/front/names_in.hpp"
#include "lang/fsp/front/parser.hpp"

namespace surety::fsp {
namespace {

constexpr std::size_t kMostParts = 200;
constexpr const char* kLabelExpected = "an action, a set of actions or '['";

}  // namespace

bool Parser::at_set_name() const { return at(Kind::upper) && tree_.sets.contains(peek().text); }

bool Parser::at_label() const {
  return at(Kind::lower) || at(Kind::curly_open) || at(Kind::square_open) || at_set_name();
}

// a.b[i].{c,d} ...; a set is the label of one part.
Label Parser::label(Difference difference) {
  const Nesting nesting(*this);
  Label out;
  out.place = peek().place;
  if (first_part(out, difference)) label_parts(out, difference);
  const std::size_t end = next_ > 0 ? tokens_[next_ - 1].place.offset + tokens_[next_ - 1].place.length : 0;
  if (!panic_ && end > out.place.offset) out.place.length = end - out.place.offset;
  if (const Index* again = bound_again(out)) warn_of_binding(*again);
  return out;
}

// What follows +, \, @, >> and the like: braces or the name of a set.
Label Parser::label_set(Difference difference) {
  if (at(Kind::curly_open) || at_set_name()) return label(difference);
  not_a_set();
  return {};
}

void Parser::not_a_set() {
  if (!at(Kind::upper)) return fail_here("a set of actions", "write {a, b} or the name of a set");
  fail(peek(), fmt::format("there is no set '{}' before this line", peek().text),
       did_you_mean(peek().text, names_of(tree_.sets)));
}

// Braces or the name of a set, and nothing behind it.
LabelPart Parser::bare_set() {
  if (at(Kind::curly_open)) return braces();
  LabelPart part;
  if (!at_set_name()) {
    not_a_set();
    return part;
  }
  part.place = peek().place;
  part.part = LabelPart::Part::constant;
  part.name = take().text;
  auto& set = tree_.sets.find(part.name)->second;
  set.used = true;
  part.constant = set.value;
  return part;
}

void Parser::label_parts(Label& label, Difference difference) {
  while (at(Kind::dot) || at(Kind::square_open)) {
    if (at(Kind::dot)) {
      if (dot_ends_definition()) return;
      take();
    }
    if (label.parts.size() >= kMostParts) return fail(peek(), "this label has too many parts");
    if (!first_part(label, difference)) return;
  }
}

// Is the dot here the end of a definition, and no part of the label before it?
bool Parser::dot_ends_definition() const {
  const Token& after = peek(1);
  switch (after.kind) {
    case Kind::lower:
    case Kind::integer:
    case Kind::curly_open:
    case Kind::square_open: return false;
    case Kind::upper: {
      const Kind then = peek(2).kind;
      return then == Kind::becomes || then == Kind::round_open || after.first_on_line;
    }
    default: return !is_keyword(after.kind) || starts_definition(after.kind) || after.kind == Kind::k_compose;
  }
}

// Also every further part, after its dot.
bool Parser::first_part(Label& label, Difference difference) {
  LabelPart part;
  part.place = peek().place;
  if (at(Kind::lower)) {
    part.name = peek().text;
    if (part.name == "tau") {
      fail(peek(), "'tau' cannot be the name of an action", "hide an action to make it silent");
      return false;
    }
    take();
  } else if (at(Kind::curly_open) || at_set_name()) {
    part = bare_set();
    if (difference == Difference::yes && accept(Kind::backslash)) {
      const Place place = peek().place;
      part.without = std::make_shared<const Label>(Label{{bare_set()}, place});
    }
  } else if (at(Kind::square_open)) {
    part.part = LabelPart::Part::index;
    part.index = index();
  } else {
    not_a_label();
    return false;
  }
  if (panic_) return false;
  label.parts.push_back(std::move(part));
  return true;
}

void Parser::not_a_label() {
  if (at(Kind::integer) || (at(Kind::upper) && tree_.constants.contains(peek().text)))
    return fail_here(kLabelExpected, fmt::format("write [{}]", peek().text));
  if (at(Kind::upper))
    return fail_here(kLabelExpected,
                     "actions start with a lower-case letter, and sets must be defined before they are used");
  fail_here(kLabelExpected);
}

void Parser::warn_of_binding(const Index& again) {
  report_.warning(again.place,
                  fmt::format("the variable '{}' is bound twice here: the later one counts", again.variable),
                  "choose another name");
}

LabelPart Parser::braces() {
  const Nesting nesting(*this);
  LabelPart part;
  part.part = LabelPart::Part::set;
  part.place = expect(Kind::curly_open, "'{'").place;
  if (accept(Kind::curly_close)) return part;
  do {
    part.items.push_back(set_item());
  } while (accept(Kind::comma));
  expect(Kind::curly_close, "'}'", "sets are written {a, b, c}");
  return part;
}

SetItem Parser::set_item() {
  SetItem item{label(), {}};
  if (accept(Kind::backslash)) item.without = label_set();
  return item;
}

// [e], [v:range], [range]; a range may be a set as well.
Index Parser::index() {
  Index out;
  out.place = expect(Kind::square_open, "'['").place;
  if (at(Kind::lower) && peek(1).kind == Kind::colon) {
    out.place = peek().place;
    out.variable = take().text;
    take();
    bounds(out);
    if (out.range == Index::Range::value) no_such_range(out);
  } else {
    bounds(out);
  }
  expect(Kind::square_close, "']'");
  return out;
}

// [v:e] where e is no range.
void Parser::no_such_range(const Index& index) {
  if (index.low.op != Expression::Op::name) return fail_here("'..'", "write LOW..HIGH, or the name of a range or set");
  fail(Token{Kind::upper, false, index.low.name, index.low.place, 0},
       fmt::format("there is no range or set '{}' before this line", index.low.name),
       did_you_mean(index.low.name, names_of(tree_.ranges, tree_.sets)));
}

void Parser::bounds(Index& index) {
  const auto range = at(Kind::upper) ? tree_.ranges.find(peek().text) : tree_.ranges.end();
  if (at(Kind::curly_open) || at_set_name()) {
    index.range = Index::Range::labels;
    index.labels = std::make_shared<const Label>(label());
    return;
  }
  const bool shadowed = tree_.constants.contains(peek().text);
  if (range != tree_.ranges.end() && !shadowed) {
    range->second.used = true;
    index.range = Index::Range::interval;
    index.named = range->first;
    index.low.place = index.high.place = take().place;
    index.low.value = range->second.value.low;
    index.high.value = range->second.value.high;
    return;
  }
  index.low = expression();
  if (!accept(Kind::dots)) return;
  index.range = Index::Range::interval;
  index.high = expression();
}

std::vector<Index> Parser::indices() {
  std::vector<Index> out;
  while (at(Kind::square_open)) out.push_back(index());
  if (const Index* again = bound_again(out)) warn_of_binding(*again);
  return out;
}

// /{ new/old, forall[i:R] { ... } }
std::vector<Relabelling> Parser::relabellings() {
  std::vector<Relabelling> out;
  expect(Kind::curly_open, "'{'", "relabelling is written /{new/old, ...}");
  do {
    out.push_back(relabelling());
  } while (accept(Kind::comma));
  expect(Kind::curly_close, "'}'", "relabelling is written /{new/old, ...}");
  return out;
}

Relabelling Parser::relabelling() {
  const Nesting nesting(*this);
  Relabelling out;
  if (accept(Kind::k_forall)) {
    out.forall = indices();
    if (at(Kind::curly_open)) {
      out.inner = relabellings();
      return out;
    }
    out.inner.push_back(relabelling());
    return out;
  }
  out.to = label();
  expect(Kind::slash, "'/'", "relabelling is written new/old");
  out.from = label();
  return out;
}

std::optional<Hiding> Parser::hiding() {
  if (!at(Kind::backslash) && !at(Kind::at)) return std::nullopt;
  Hiding out;
  out.expose = take().kind == Kind::at;
  out.labels = label_set();
  return out;
}

}  // namespace surety::fsp
