// Small helpers for the tests of lang/ada: a tree as compact text, errors as "line:column message (hint)".
//
// Expressions have brackets around every operation; statements and declarations are written one after the other,
// separated by "; ", what they hold in braces.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lang/ada/parser.hpp"

namespace surety::ada {

inline std::string print(const Expression& e);
inline std::string print(const Declaration& d);
inline std::string print(const Statement& s);

template <class Nodes>
std::string all(const Nodes& nodes, const char* between) {
  std::string out;
  for (const auto& n : nodes) out += (out.empty() ? "" : between) + print(n);
  return out;
}

inline std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ",")); }

inline std::string print(const Association& a) {
  return a.choices.empty() ? print(a.value) : all(a.choices, "|") + "=>" + print(a.value);
}

inline const char* sign_of(Operator op) {
  static constexpr const char* kSigns[] = {"and", "or",  "xor", "and then", "or else", "=",   "/=", "<",
                                           "<=",  ">",   ">=",  "+",        "-",       "&",   "*",  "/",
                                           "mod", "rem", "**",  "+",        "-",       "abs", "not"};
  return kSigns[static_cast<std::size_t>(op)];
}

inline std::string print_arguments(const Expression& e) {
  return e.arguments.empty() ? "" : "(" + all(e.arguments, ", ") + ")";
}

inline std::string print(const Expression& e) {
  using K = Expression::Kind;
  const auto o = [&](std::size_t i) { return print(e.operands.at(i)); };
  switch (e.kind) {
    case K::integer: return std::to_string(e.value);
    case K::real:
    case K::name: return e.text;
    case K::character: return fmt::format("'{}'", e.text);
    case K::string: return fmt::format("\"{}\"", e.text);
    case K::null: return "null";
    case K::selected: return o(0) + "." + e.text;
    case K::apply: return o(0) + print_arguments(e);
    case K::attribute: return o(0) + "'" + e.text + print_arguments(e);
    case K::qualified: return fmt::format("{}'[{}]", o(0), o(1));
    case K::aggregate: return fmt::format("({})", all(e.arguments, ", "));
    case K::unary: return fmt::format("[{} {}]", sign_of(e.op), o(0));
    case K::binary: return fmt::format("[{} {} {}]", o(0), sign_of(e.op), o(1));
    case K::membership:
      return fmt::format("[{}{} in {}]", o(0), e.negated ? " not" : "",
                         all(std::vector(e.operands.begin() + 1, e.operands.end()), "|"));
    case K::condition: return fmt::format("[if {}]", all(e.operands, " "));
    case K::selection: return fmt::format("[case {} {}]", o(0), all(e.arguments, " "));
    case K::quantified:
      return fmt::format("[{} {} {} {} {}]", e.negated ? "some" : "all", e.text, e.value == 1 ? "of" : "in", o(0),
                         o(1));
    case K::allocator: return fmt::format("[new {}]", o(0));
    case K::range: return fmt::format("{}..{}", o(0), o(1));
    case K::constrained: return fmt::format("{} range {}", o(0), o(1));
    case K::others: return "others";
    case K::box: return "<>";
    case K::raise: return fmt::format("[raise {}]", o(0));
    case K::refused: return fmt::format("REFUSED {}", e.text);
  }
  return "?";
}

inline std::string print(const SubtypeIndication& s) {
  return fmt::format("{}{}{}{}", s.not_null ? "not null " : "", s.access ? "access " : "", print(s.mark),
                     s.range ? " range " + print(*s.range) : "");
}

inline std::string print(const TypeDefinition& t) {
  using K = TypeDefinition::Kind;
  switch (t.kind) {
    case K::enumeration: {
      std::vector<std::string> names;
      for (const auto& l : t.literals) names.push_back(l.name);
      return fmt::format("enum({})", joined(names));
    }
    case K::integer: return fmt::format("range {}..{}", print(t.low), print(t.high));
    case K::modular: return "mod " + print(t.low);
    case K::real: return "real";
    case K::array:
      return fmt::format("array({}{}) of {}", all(t.indices, ", "), t.unconstrained ? " <>" : "",
                         print(t.parent.at(0)));
    case K::record: return fmt::format("record{{{}}}{}", all(t.components, "; "), t.variants ? "+variants" : "");
    case K::derived: return "new " + print(t.parent.at(0));
    case K::subtype: return print(t.parent.at(0));
    case K::access:
      return "access" + (t.parent.empty() ? " subprogram" : (t.constant ? " constant " : " ") + print(t.parent[0]));
    case K::tagged: return "tagged";
    case K::privat: return "private";
    case K::incomplete: return "incomplete";
  }
  return "?";
}

inline std::string print(const Parameter& p) {
  static constexpr const char* kModes[] = {"", "out ", "in out ", ""};
  return fmt::format("{}:{}{}{}", joined(p.names), kModes[static_cast<std::size_t>(p.mode)], print(p.type),
                     p.value ? ":=" + print(*p.value) : "");
}

inline std::string print(const Profile& p) {
  std::string out;
  if (!p.family.empty())
    out += fmt::format("({}{})", p.family_variable.empty() ? "" : p.family_variable + " in ", print(p.family[0]));
  if (!p.parameters.empty()) out += fmt::format("({})", all(p.parameters, "; "));
  return out + (p.result ? " return " + print(*p.result) : "");
}

inline std::string print(const Handler& h) {
  return fmt::format("when {}{} {{{}}}", h.occurrence.empty() ? "" : h.occurrence + ":", all(h.choices, "|"),
                     all(h.statements, "; "));
}

inline std::string print(const Body& b) {
  return fmt::format("{{{}}}{{{}}}{}", all(b.declarations, "; "), all(b.statements, "; "),
                     b.handlers.empty() ? "" : " exception " + all(b.handlers, " "));
}

inline std::string print_aspects(const Declaration& d) {
  std::string out;
  for (const auto& a : d.aspects) out += " with " + a.name + (a.value.empty() ? "" : "=>" + print(a.value[0]));
  return out;
}

inline std::string print_arguments(const Declaration& d) {
  return d.arguments.empty() ? "" : "(" + all(d.arguments, ", ") + ")";
}

inline std::string print_plain(const Declaration& d) {
  using K = Declaration::Kind;
  const std::string value = d.value ? ":=" + print(*d.value) : "";
  const std::string discriminants = d.unknown_discriminants   ? "(<>)"
                                    : d.discriminants.empty() ? ""
                                                              : "(" + all(d.discriminants, "; ") + ")";
  const std::string word = d.is_type ? " type" : "";
  const auto parts = [&] { return fmt::format("{{{}}}{{{}}}", all(d.visible, "; "), all(d.hidden, "; ")); };
  const auto profile = [&] { return d.name + (d.profile ? print(*d.profile) : ""); };
  switch (d.kind) {
    case K::object:
      return fmt::format("{}:{}{}{}{}", joined(d.names), d.aliased ? "aliased " : "", d.constant ? "constant " : "",
                         print(*d.type), value);
    case K::number: return fmt::format("{}:number{}", joined(d.names), value);
    case K::type: return fmt::format("type {}{} is {}", d.name, discriminants, print(*d.type));
    case K::subtype: return fmt::format("subtype {} is {}", d.name, print(*d.type));
    case K::exception: return fmt::format("{}:exception", joined(d.names));
    case K::subprogram:
      return fmt::format("{} {}{}{}{}", d.profile->function ? "function" : "procedure", profile(),
                         d.is_null ? " null" : "", d.is_abstract ? " abstract" : "",
                         d.body ? " " + print(*d.body) : "");
    case K::package: return fmt::format("package {}{}", d.name, parts());
    case K::package_body: return fmt::format("package body {}{}", d.name, print(*d.body));
    case K::task: return fmt::format("task{} {}{}{}", word, d.name, discriminants, parts());
    case K::task_body: return fmt::format("task body {}{}", d.name, print(*d.body));
    case K::protected_unit: return fmt::format("protected{} {}{}{}", word, d.name, discriminants, parts());
    case K::protected_body: return fmt::format("protected body {}{{{}}}", d.name, all(d.visible, "; "));
    case K::entry: return "entry " + profile();
    case K::entry_body: return fmt::format("entry {} when {} {}", profile(), print(*d.value), print(*d.body));
    case K::renaming: return fmt::format("{} renames {}", profile(), print(d.renamed.at(0)));
    case K::generic: return fmt::format("generic {{{}}} {}", all(d.formals, "; "), print(d.visible.at(0)));
    case K::instance:
      return fmt::format("{} new {}{}{}", d.name, print(d.renamed.at(0)), print_arguments(d), d.box ? "(<>)" : "");
    case K::use: return fmt::format("use {}{}", d.use_type ? "type " : "", all(d.renamed, ","));
    case K::pragma: return fmt::format("pragma {}{}", d.name, print_arguments(d));
    case K::formal_type: return fmt::format("formal {}{} is {}", d.name, discriminants, d.box ? "<>" : print(*d.type));
    case K::formal_object: return fmt::format("formal {}:{}{}", joined(d.names), print(*d.type), value);
    case K::formal_subprogram:
      return fmt::format("formal {}{}{}{}", profile(), d.box ? " is <>" : "", d.is_null ? " is null" : "",
                         d.renamed.empty() ? "" : " is " + print(d.renamed[0]));
    case K::stub: return fmt::format("separate {}", d.name);
    case K::ignored: return "ignored";
  }
  return "?";
}

inline std::string print(const Declaration& d) { return print_plain(d) + print_aspects(d); }

inline std::string print(const Statement::Branch& b) {
  return fmt::format("{} {{{}}}", b.choices.empty() ? "else" : all(b.choices, "|"), all(b.statements, "; "));
}

inline std::string print(const SelectBranch& b) {
  using K = SelectBranch::Kind;
  const std::string head = b.kind == K::terminate   ? "terminate"
                           : b.kind == K::otherwise ? "else"
                           : b.kind == K::abort     ? "then abort"
                                                    : print(b.head.at(0));
  return fmt::format("{}{} {{{}}}", b.guard.empty() ? "" : "when " + print(b.guard[0]) + " ", head, all(b.rest, "; "));
}

inline std::string print(const Accept& a) {
  return fmt::format("accept {}{}{}{}", a.entry, a.index.empty() ? "" : "(" + print(a.index[0]) + ")",
                     a.parameters.empty() ? "" : "(" + all(a.parameters, "; ") + ")", a.has_body ? print(a.body) : "");
}

inline std::string print_loop(const Statement& s) {
  const std::string head = s.condition ? "while " + print(*s.condition) + " "
                           : s.range.empty()
                               ? ""
                               : fmt::format("for {} {}{}{} ", s.variable, s.over_elements ? "of " : "in ",
                                             s.reverse ? "reverse " : "", print(s.range[0]));
  return fmt::format("{}loop {{{}}}", head, all(s.statements, "; "));
}

inline std::string print_plain(const Statement& s) {
  using K = Statement::Kind;
  const std::string value = s.value ? " " + print(*s.value) : "", target = s.target ? " " + print(*s.target) : "";
  switch (s.kind) {
    case K::null: return "null";
    case K::assign: return print(*s.target) + " :=" + value;
    case K::call: return "call" + target;
    case K::conditional: return "if " + all(s.branches, " ");
    case K::selection: return fmt::format("case{} {}", value, all(s.branches, " "));
    case K::loop: return print_loop(s);
    case K::block: return "block " + print(*s.body);
    case K::exit: return fmt::format("exit{}{}", s.name.empty() ? "" : " " + s.name, value);
    case K::jump: return "goto " + s.name;
    case K::ret:
      return fmt::format("return{}{}{}", value, s.declarations.empty() ? "" : " " + all(s.declarations, "; "),
                         s.body ? " " + print(*s.body) : "");
    case K::delay: return fmt::format("delay{}{}", s.until ? " until" : "", value);
    case K::accept: return print(*s.accept);
    case K::select: return fmt::format("select [{}]", all(s.alternatives, " | "));
    case K::raise: return "raise" + target + (s.value ? " with" + value : "");
    case K::abort: return "abort" + target;
    case K::requeue: return "requeue" + target + (s.with_abort ? " with abort" : "");
    case K::pragma: return print(s.declarations.at(0));
    case K::code: return "code" + target;
  }
  return "?";
}

inline std::string print(const Statement& s) {
  std::string out;
  for (const auto& l : s.labels) out += fmt::format("<<{}>> ", l);
  const bool named = (s.kind == Statement::Kind::loop || s.kind == Statement::Kind::block) && !s.name.empty();
  return out + (named ? s.name + ": " : "") + print_plain(s);
}

inline std::string print(const Unit& u) {
  std::string out;
  for (const auto& w : u.withs) out += fmt::format("{}with {}; ", w.limited ? "limited " : "", w.unit);
  for (const auto& d : u.uses) out += print(d) + "; ";
  if (!u.separate_from.empty()) out += fmt::format("separate ({}) ", u.separate_from);
  return out + (u.privat ? "private " : "") + print(u.declaration);
}

// One text as one file.
struct Parsed {
  Source source;
  Report report{source};
  std::vector<Unit> units;

  explicit Parsed(std::string_view text) : source("m.adb", text), units(parse(source, 0, source.text.size(), report)) {}

  std::string errors() {
    std::string out;
    for (const auto& d : report.errors())
      out += fmt::format("{}:{} {}{}\n", d.line, d.column, d.message, d.hint.empty() ? "" : " (" + d.hint + ")");
    return out;
  }
  std::string tree() { return report.failed() ? errors() : all(units, "\n"); }
};

inline std::string tree_of(std::string_view text) { return Parsed(text).tree(); }
inline std::string errors_of(std::string_view text) { return Parsed(text).errors(); }

// What stands between the braces of "procedure p {...}{null}", or the errors.
inline std::string declarations_of(const std::string& text) {
  Parsed parsed("procedure P is\n" + text + "\nbegin null; end P;");
  return parsed.report.failed() ? parsed.errors() : all(parsed.units.at(0).declaration.body->declarations, "; ");
}
inline std::string statements_of(const std::string& text) {
  Parsed parsed("procedure P is begin\n" + text + "\nend P;");
  return parsed.report.failed() ? parsed.errors() : all(parsed.units.at(0).declaration.body->statements, "; ");
}
inline std::string expression_of(const std::string& text) {
  Parsed parsed("procedure P is begin X :=\n" + text + "\n; end P;");
  return parsed.report.failed() ? parsed.errors() : print(*parsed.units.at(0).declaration.body->statements.at(0).value);
}

}  // namespace surety::ada
