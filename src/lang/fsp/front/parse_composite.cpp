// Composites:
//
//   minimal ||S(N=2) = (a:P(N) || {b,c}::Q / {x/y} || forall[i:1..N] r[i]:R) >> {tick} @ {x}.
#include <fmt/format.h>

#include <algorithm>

#include "lang/fsp/front/parser.hpp"

namespace surety::fsp {

void Parser::composite(CompositeDefinition definition) {
  const Token name = expect(Kind::upper, "the name of a composite process");
  definition.name = name.text;
  definition.place = name.place;
  if (has(tree_.composites, name.text))
    return fail(name, fmt::format("composite '{}' is already defined", name.text), "choose another name");
  if (has(tree_.processes, name.text)) warn_of_both(name.place, name.text);
  definition.parameters = parameters();
  for (Parameter& parameter : definition.parameters)
    if (const auto it = std::ranges::find(defines_, parameter.name, &FspDefine::name); it != defines_.end()) {
      parameter.value = Expression{};
      parameter.value.value = it->value;
      parameter.value.place = parameter.place;
      tree_.parameters_defined.insert(parameter.name);
    }
  expect(Kind::becomes, "'='");
  definition.body = composite_body();
  definition.priority = priority();
  definition.hiding = hiding();
  end_of("composite", name);
  if (!panic_) put(tree_.composites, std::move(definition));
}

CompositeBody Parser::composite_body() {
  const Nesting nesting(*this);
  if (at(Kind::k_if)) return composite_conditional();
  if (at(Kind::k_forall)) return composite_forall();
  return component();
}

CompositeBody Parser::composite_conditional() {
  CompositeBody out;
  out.form = CompositeBody::Form::conditional;
  out.place = take().place;
  out.condition = expression();
  expect(Kind::k_then, "'then'");
  out.parts.push_back(composite_body());
  if (accept(Kind::k_else)) out.parts.push_back(composite_body());
  return out;
}

CompositeBody Parser::composite_forall() {
  CompositeBody out;
  out.form = CompositeBody::Form::forall;
  out.place = take().place;
  out.forall = indices();
  if (out.forall.empty()) fail_here("'['", "write forall[i:1..3]");
  out.parts.push_back(composite_body());
  return out;
}

// A name that is a set can still be the name of a process; ':' and what may lead to it decide.
bool Parser::at_component_label() const {
  if (!at_set_name()) return at_label();
  const Kind after = peek(1).kind;
  return after == Kind::colon || after == Kind::sharing || after == Kind::dot || after == Kind::square_open;
}

// [S::] [a:] NAME or (... || ...), then perhaps a relabelling.
CompositeBody Parser::component() {
  CompositeBody out;
  out.place = peek().place;
  if (at_component_label()) {
    Label first = label();
    if (accept(Kind::sharing)) {
      out.sharing = std::move(first);
      if (at_component_label()) {
        out.prefix = label();
        expect(Kind::colon, "':' after a prefix");
      }
    } else {
      expect(Kind::colon, "':' or '::' after a prefix",
             "only named processes can be composed: give this one a definition of its own");
      out.prefix = std::move(first);
    }
  }
  if (accept(Kind::round_open)) {
    out.form = CompositeBody::Form::group;
    do {
      out.parts.push_back(composite_body());
    } while (accept(Kind::parallel));
    expect(Kind::round_close, "'||' or ')'");
  } else {
    const Token name = expect(Kind::upper, "the name of a process or '('");
    if (at(Kind::colon) && tree_.constants.contains(name.text))
      fail(name, fmt::format("the constant '{}' is no prefix", name.text), fmt::format("write [{}]:", name.text));
    out.call = {name.text, {}, name.place};
    out.call.actuals = actuals();
  }
  if (accept(Kind::slash)) out.relabellings = relabellings();
  return out;
}

std::optional<PriorityClause> Parser::priority() {
  if (!at(Kind::shift_left) && !at(Kind::shift_right)) return std::nullopt;
  PriorityClause out;
  out.high = take().kind == Kind::shift_left;
  out.labels = label_set();
  return out;
}

}  // namespace surety::fsp
