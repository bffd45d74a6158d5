// What the parser makes of a text: the definitions, as they were written.
//
// Names point into the text. Constants, ranges and named sets are the exception to
// "as written": FSP decides by them how to go on reading, so they are evaluated on
// the spot and appear here as values.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lang/fsp/front/lexer.hpp"

namespace surety::fsp {

using Value = std::variant<std::int32_t, std::string>;  // a number or a label

// ---- expressions

struct Label;

struct Expression {
  enum class Op {
    number,   // value
    name,     // a variable, parameter or constant
    label,    // 'a.b
    size,     // #Set
    element,  // @(Set, i)
    unary,    // symbol applied to one operand
    binary,   // symbol applied to two
  };
  Op op = Op::number;
  Kind symbol = Kind::end;
  std::int32_t value = 0;
  std::string_view name;
  std::shared_ptr<const Label> label;  // of label, size, element
  std::vector<Expression> operands;
  int depth = 1;  // of the tree, which bounds recursion
  Place place;
};

// ---- labels: a.b[i].{c,d}[j:R] stands for a set of labels, in order

// [e], [lo..hi], [v:lo..hi], [Set] or [v:Set]
struct Index {
  enum class Range { value, interval, labels };
  Range range = Range::value;
  std::string_view variable;  // empty: none
  std::string_view named;     // the name of the range whose values low and high are, if it has one
  Expression low, high;       // a value has only low
  std::shared_ptr<const Label> labels;
  Place place;
};

// One element of { ... }: a label, perhaps with others taken out of it (`Set \ {a}`).
struct SetItem;

struct LabelPart {
  enum class Part { name, set, constant, index };
  Part part = Part::name;
  std::string_view name;                                     // of a named set too
  std::vector<SetItem> items;                                // of a set
  std::shared_ptr<const std::vector<std::string>> constant;  // the labels of a named set
  std::shared_ptr<const Label> without;                      // of a set, named or not: Set \ {a}
  std::optional<Index> index;
  Place place;
};

struct Label {
  std::vector<LabelPart> parts;
  Place place;
};

struct SetItem {
  Label label;
  std::optional<Label> without;
};

// ---- what processes and composites share

struct Call {  // NAME or NAME(e, ...)
  std::string_view name;
  std::vector<Expression> actuals;
  Place place;
};

struct Parameter {
  std::string_view name;
  Expression value;  // the default
  Place place;
};

// to/from, or forall[..] { more }
struct Relabelling {
  std::vector<Index> forall;
  std::vector<Relabelling> inner;
  Label to, from;
};

struct Hiding {
  bool expose = false;  // @ instead of backslash
  Label labels;
};

// ---- primitive processes

struct Body;

struct Choice {
  std::optional<Expression> guard;
  std::vector<Label> labels;  // a -> b -> ...
  std::unique_ptr<Body> next;
};

struct Body {
  enum class Form { reference, choice, conditional };
  Form form = Form::reference;
  std::vector<Call> sequence;  // P;Q; before the reference
  std::string_view name;
  std::vector<Expression> indices;
  std::vector<Choice> choices;
  Expression condition;
  std::unique_ptr<Body> then_part, else_part;  // else may be missing: STOP
  Place place;
};

struct LocalProcess {
  std::string_view name;
  std::vector<Index> indices;
  bool accepting = false;  // NAME@
  Body body;
  Place place;
};

struct ProcessDefinition {
  std::string_view name;
  Place place;
  std::vector<Parameter> parameters;
  std::vector<LocalProcess> locals;  // the first is the process itself
  std::optional<Label> extension;
  std::vector<Relabelling> relabellings;
  std::optional<Hiding> hiding;
  bool property = false, minimal = false, deterministic = false;
  std::string import_file;  // import NAME = "x.aut": no locals
};

// ---- composites

struct CompositeBody {
  enum class Form { reference, group, forall, conditional };
  Form form = Form::reference;
  std::optional<Label> sharing;  // S::
  std::optional<Label> prefix;   // a:
  Call call;
  std::vector<CompositeBody> parts;  // of a group; the body of forall; then and else
  std::vector<Index> forall;
  Expression condition;
  std::vector<Relabelling> relabellings;
  Place place;
};

struct PriorityClause {
  bool high = false;  // << instead of >>
  Label labels;
};

struct CompositeDefinition {
  std::string_view name;
  Place place;
  std::vector<Parameter> parameters;
  CompositeBody body;
  std::optional<PriorityClause> priority;
  std::optional<Hiding> hiding;
  bool property = false, minimal = false, deterministic = false, compose = false;
};

// ---- what is to be checked

struct Formula {
  enum class Op {
    actions,
    name,
    constant,
    negation,
    next,
    eventually,
    always,
    both,
    either,
    until,
    weak_until,
    implies,
    iff,
    forall,
    exists
  };
  Op op = Op::actions;
  Label labels;                     // of actions
  std::string_view name;            // a fluent or another assertion
  std::vector<Index> indices;       // NAME[..]; forall and exists
  std::vector<Expression> actuals;  // NAME(..); the value of a constant
  std::vector<Formula> operands;
  int depth = 1;
  Place place;
};

struct AssertDefinition {
  std::string_view name;
  Place place;
  std::vector<Parameter> parameters;
  Formula formula;
  std::optional<Label> extension;
  bool constraint = false;
};

struct FluentDefinition {
  std::string_view name;
  Place place;
  std::vector<Index> indices;
  Label on, off;
  std::optional<Expression> initially;
};

struct ProgressDefinition {
  std::string_view name;
  Place place;
  std::vector<Index> indices;
  std::optional<Label> condition;  // if .. then
  Label actions;
};

struct MenuDefinition {
  std::string_view name;
  Place place;
  Label actions;
};

// ---- the file

struct RangeValue {
  std::int32_t low = 0, high = 0;
};

template <class T>
struct Named {
  T value;
  Place place;
  bool used = false;
};

// Of a constant, range or set: what its value was made of. A constant that was overridden has none.
struct Origins {
  std::map<std::string_view, Expression> constants;
  std::map<std::string_view, std::pair<Expression, Expression>> ranges;
  std::map<std::string_view, Label> sets;
};

struct Tree {
  std::map<std::string_view, Named<Value>> constants;
  std::map<std::string_view, Named<RangeValue>> ranges;
  std::map<std::string_view, Named<std::shared_ptr<const std::vector<std::string>>>> sets;
  Origins origins;
  std::vector<ProcessDefinition> processes;
  std::vector<CompositeDefinition> composites;
  std::vector<AssertDefinition> assertions;  // constraints too
  std::vector<FluentDefinition> fluents;
  std::vector<ProgressDefinition> progress;
  std::vector<MenuDefinition> menus;
  std::set<std::string_view> parameters_defined;  // of composites, by a define
};

template <class T>
const T* find_named(const std::vector<T>& definitions, std::string_view name) {
  for (const T& d : definitions)
    if (d.name == name) return &d;
  return nullptr;
}

}  // namespace surety::fsp
