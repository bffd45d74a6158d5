// Primitive processes:
//
//   property P(N=2) = (a -> Q[0]),
//            Q[i:0..N] = (when (i<N) b -> Q[i+1] | c -> STOP) + {d} / {x/a} \ {b}.
#include <fmt/format.h>

#include "lang/fsp/front/parser.hpp"

namespace surety::fsp {

void Parser::process_or_composite() {
  bool property = false, minimal = false, deterministic = false, compose = false;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [kind, flag] : {std::pair{Kind::k_property, &property},
                                     {Kind::k_minimal, &minimal},
                                     {Kind::k_deterministic, &deterministic},
                                     {Kind::k_compose, &compose}})
      if (accept(kind)) more = *flag = true;
  }
  if (accept(Kind::parallel)) {
    CompositeDefinition c;
    c.property = property;
    c.minimal = minimal;
    c.deterministic = deterministic;
    c.compose = compose;
    return composite(std::move(c));
  }
  if (!at(Kind::upper)) {
    const bool named = at(Kind::lower) && (peek(1).kind == Kind::becomes || peek(1).kind == Kind::round_open);
    return fail_here("a definition", named ? "names of processes start with an upper-case letter" : "");
  }
  ProcessDefinition p;
  p.property = property;
  p.minimal = minimal;
  p.deterministic = deterministic;
  process(std::move(p));
}

void Parser::process(ProcessDefinition definition) {
  const Token name = peek();
  definition.name = name.text;
  definition.place = name.place;
  if (has(tree_.processes, name.text))
    return fail(name, fmt::format("process '{}' is already defined", name.text), "choose another name");
  if (has(tree_.composites, name.text)) warn_of_both(name.place, name.text);

  LocalProcess main;
  main.name = take().text;
  main.place = name.place;
  definition.parameters = parameters();
  main.accepting = accept(Kind::at);
  expect(Kind::becomes, "'='");
  main.body = body();
  definition.locals.push_back(std::move(main));
  while (accept(Kind::comma)) definition.locals.push_back(local_process());

  if (accept(Kind::plus)) definition.extension = label_set();
  if (accept(Kind::slash)) definition.relabellings = relabellings();
  definition.hiding = hiding();
  end_of("process", name);
  if (!panic_) put(tree_.processes, std::move(definition));
}

void Parser::end_of(std::string_view what, const Token& name) {
  const char* hint = at(Kind::upper) && peek().first_on_line ? "the definition before this one needs a '.' at its end"
                     : at(Kind::backslash)                   ? "a difference of sets stands in braces here: {A\\{a}}"
                                                             : "";
  expect(Kind::dot, fmt::format("'.' at the end of {} {}", what, name.text), hint);
}

// Processes and composites have separate tables; a name is looked up among the processes first.
void Parser::warn_of_both(Place place, std::string_view name) {
  report_.warning(place, fmt::format("'{}' is both a process and a composite", name),
                  "where a composite or a sequence names it, the process is meant");
}

LocalProcess Parser::local_process() {
  LocalProcess out;
  name_of(out, "the name of a local process", "a process ends with '.', not with ','");
  out.indices = indices();
  out.accepting = accept(Kind::at);
  expect(Kind::becomes, "'='");
  out.body = body();
  return out;
}

Body Parser::body() {
  const Nesting nesting(*this);
  if (at(Kind::upper)) return reference();
  if (at(Kind::k_if)) return conditional();
  if (at(Kind::round_open)) return choices();
  fail_here("'(', 'if' or the name of a process", at(Kind::lower) ? "actions stand in parentheses: (a -> P)" : "");
  return {};
}

// P(1);Q;R[i]: what comes before the last must terminate, the last is a local process.
Body Parser::reference() {
  Body out;
  Token name = expect(Kind::upper, "the name of a process");
  while (at(Kind::semicolon) || at(Kind::round_open)) {
    Call call{name.text, {}, name.place};
    call.actuals = actuals();
    sequence_mark(call);
    out.sequence.push_back(std::move(call));
    name = expect(Kind::upper, "the name of a process", "a sequence ends with a local process, STOP or END");
  }
  out.name = name.text;
  out.place = name.place;
  while (accept(Kind::square_open)) {
    out.indices.push_back(expression());
    expect(Kind::square_close, "']'");
  }
  return out;
}

// The ';' after a process. After P(1) LTSA takes '->' for it as well, in which case there is no action before the '->'.
void Parser::sequence_mark(const Call& call) {
  if (!at(Kind::arrow) || call.actuals.empty()) {
    expect(Kind::semicolon, "';'", "a process with parameters can only be used in a sequence: P(1);END");
    return;
  }
  report_.warning(take().place, fmt::format("'->' after process {} is read as ';'", call.name),
                  "write ';' between processes, and '->' after actions");
}

Body Parser::choices() {
  Body out;
  out.form = Body::Form::choice;
  out.place = expect(Kind::round_open, "'('").place;
  do {
    out.choices.push_back(choice());
  } while (accept(Kind::bar));
  if (!at(Kind::round_close)) {
    const char* hint = at(Kind::arrow)      ? "a process ends a chain of actions"
                       : at(Kind::parallel) ? "processes run in parallel only in ||NAME = (...)"
                                            : "";
    fail_here("'|' or ')'", hint);
  }
  take();
  return out;
}

Choice Parser::choice() {
  Choice out;
  if (accept(Kind::k_when)) out.guard = expression();
  do {
    out.labels.push_back(label());
    expect(Kind::arrow, "'->' after an action");
  } while (!panic_ && at_label());
  out.next = std::make_unique<Body>(body());
  return out;
}

Body Parser::conditional() {
  Body out;
  out.form = Body::Form::conditional;
  out.place = expect(Kind::k_if, "'if'").place;
  out.condition = expression();
  expect(Kind::k_then, "'then'");
  out.then_part = std::make_unique<Body>(body());
  if (accept(Kind::k_else)) out.else_part = std::make_unique<Body>(body());
  return out;
}

// (N=3, Name='a)
std::vector<Parameter> Parser::parameters() {
  std::vector<Parameter> out;
  if (!accept(Kind::round_open)) return out;
  do {
    Parameter p;
    name_of(p, "the name of a parameter", "parameters start with an upper-case letter");
    expect(Kind::becomes, "'='", "a parameter needs a default value: (N=1)");
    p.value = expression();
    out.push_back(std::move(p));
  } while (accept(Kind::comma));
  expect(Kind::round_close, "')'");
  return out;
}

}  // namespace surety::fsp
